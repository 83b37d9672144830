import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import type { listBots } from '../../../../contract/people/bots.ts'
import type { listPeople } from '../../../../contract/people/members.ts'
import type { listConsoleTopics } from '../../../../contract/people/topics.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { Combobox } from '../../kit/combobox.tsx'
import { Face, type FaceOf, TopicMark } from '../../kit/face.tsx'
import { BotChip } from '../../kit/marks.tsx'
import { useRested } from './changes.ts'

const OFFERED = 20

export type Candidate = FaceOf & { email: string }
export type TopicCandidate = { id: string; name: string }

type Picker<Item extends { id: string; name: string }> = Pick<
  ComponentProps<typeof Combobox<Item>>,
  'label' | 'placeholder' | 'hint' | 'chosen' | 'onChange' | 'max' | 'autoFocus'
>

/** Candidates are searched for by the server, since there may be ten thousand people and a thousand bots. */
function useMembersFound(search: string, withBots: boolean): readonly Candidate[] {
  const { organizationId } = useMembership()
  const people = useQuery({
    queryKey: keys.of(organizationId, 'member', 'candidates', search),
    queryFn: () =>
      call<typeof listPeople>('GET', '/people/organizations/{organizationId}/members', {
        params: { organizationId },
        query: { search, status: 'Active', sort: 'name', limit: OFFERED },
      }),
    placeholderData: keepPreviousData,
  })
  const bots = useQuery({
    enabled: withBots,
    queryKey: keys.of(organizationId, 'bot', 'candidates', search),
    queryFn: () =>
      call<typeof listBots>('GET', '/people/organizations/{organizationId}/bots', {
        params: { organizationId },
        query: { search, sort: 'name', limit: OFFERED },
      }),
    placeholderData: keepPreviousData,
  })
  return [
    ...(people.data?.members ?? []).map(({ id, name, email }) => ({
      id,
      name,
      email,
      type: 'user' as const,
    })),
    ...(bots.data?.bots ?? []).map(({ id, name, photoId }) => ({
      id,
      name,
      photoId,
      email: '',
      type: 'bot' as const,
    })),
  ]
}

/** People, and bots where they count, found by typing. */
export function MemberPicker({ withBots = false, ...rest }: Picker<Candidate> & { withBots?: boolean }) {
  const [typed, setTyped] = useState('')
  const items = useMembersFound(useRested(typed.trim()), withBots)
  return (
    <Combobox
      {...rest}
      items={items}
      onSearch={setTyped}
      mark={(member, size) => <Face member={member} size={size} />}
      note={(member) => (member.type === 'bot' ? <BotChip /> : member.email)}
    />
  )
}

/** Topics of the organization, found by typing. */
export function TopicPicker(picker: Picker<TopicCandidate>) {
  const { organizationId } = useMembership()
  const [typed, setTyped] = useState('')
  const search = useRested(typed.trim())
  const found = useQuery({
    queryKey: keys.of(organizationId, 'topic', 'candidates', search),
    queryFn: () =>
      call<typeof listConsoleTopics>('GET', '/people/organizations/{organizationId}/topics', {
        params: { organizationId },
        query: { search, limit: OFFERED },
      }),
    placeholderData: keepPreviousData,
  })
  return (
    <Combobox
      {...picker}
      items={(found.data?.topics ?? []).map(({ id, name }) => ({ id, name }))}
      onSearch={setTyped}
      mark={(topic, size) => <TopicMark topic={topic} size={size} />}
    />
  )
}
