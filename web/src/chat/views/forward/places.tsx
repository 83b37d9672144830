import { useMemo, useState } from 'react'
import type { ChatMember, ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { Face } from '../../../kit/face.tsx'
import type { ChatState } from '../../model.ts'
import { useChat } from '../../store/context.tsx'
import { useFoundMembers } from '../../store/found-members.ts'
import { compareNames, nameOf } from '../../store/selectors.ts'
import { plain } from '../conversation/composer/completion.ts'
import { useSnapshot } from '../conversation/snapshot.ts'
import { ConversationMark } from '../frame/conversation-mark.tsx'

export type Place = { id: string; name: string } & ({ topic: ChatTopic } | { member: ChatMember })

/** Rows that a search for places shows. */
const SHOWN = 100

/** Places to send something to, and what the field that offers them needs to find more. */
export function usePlaces(): { items: Place[]; onSearch?: (text: string) => void } {
  const snapshot = useSnapshot()
  const hasMany = useChat(({ organization }) => organization?.manyMembers === true)
  const [search, setSearch] = useState('')
  const members = useFoundMembers(true, { search })
  const places = useMemo(() => placesOf(snapshot(), members), [snapshot, members])
  if (!hasMany) return { items: places }
  const isFound = ({ name }: Place) => plain(name).includes(plain(search.trim()))
  return { items: places.filter(isFound).slice(0, SHOWN), onSearch: setSearch }
}

/** Conversations that one may write in, then people with whom there is none yet, each by name. */
function placesOf(state: ChatState, found: readonly ChatMember[] = []): Place[] {
  const topics = [...state.topics.values()].filter(({ mayWrite }) => mayWrite)
  const met = new Set(
    topics.flatMap(({ type, memberIds }) => (type === 'dm' && memberIds.length === 2 ? memberIds : [])),
  )
  const known = new Map([...state.members, ...found.map((member) => [member.id, member] as const)])
  const others = [...known.values()].filter(
    ({ id, status }) => status === 'Active' && id !== state.me?.id && !met.has(id),
  )
  return [
    ...topics
      .map((topic) => ({ id: topic.id, name: nameOf(state, topic), topic }))
      .sort((one, other) => compareNames(one.name, other.name)),
    ...others
      .map((member) => ({ id: member.id, name: member.name, member }))
      .sort((one, other) => compareNames(one.name, other.name)),
  ]
}

/** The mark before the name of a place. */
export const placeMark = (place: Place, size: number) =>
  'topic' in place ? (
    <ConversationMark topic={place.topic} size={size} />
  ) : (
    <Face member={place.member} size={size} />
  )
