import type { ChatMember, ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { Face } from '../../../kit/face.tsx'
import type { ChatState } from '../../model.ts'
import { compareNames, nameOf } from '../../store/selectors.ts'
import { ConversationMark } from '../frame/conversation-mark.tsx'

export type Place = { id: string; name: string } & ({ topic: ChatTopic } | { member: ChatMember })

/** Conversations that one may write in, then people with whom there is none yet, each by name. */
export function placesOf(state: ChatState): Place[] {
  const topics = [...state.topics.values()].filter(({ mayWrite }) => mayWrite)
  const met = new Set(
    topics.flatMap(({ type, memberIds }) => (type === 'dm' && memberIds.length === 2 ? memberIds : [])),
  )
  const others = [...state.members.values()].filter(
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
