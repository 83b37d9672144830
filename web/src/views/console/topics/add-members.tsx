import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { listBots } from '../../../../../contract/people/bots.ts'
import type { listPeople } from '../../../../../contract/people/members.ts'
import type { ConsoleTopic } from '../../../../../contract/people/topics.ts'
import type { Reach } from '../../../../../contract/reach.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Combobox } from '../../../kit/combobox.tsx'
import { Face, type FaceOf } from '../../../kit/face.tsx'
import { FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { BotChip } from '../../../kit/marks.tsx'
import { named } from '../../../kit/name.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { consoleTopics } from '../../../texts/console-topics.ts'
import { useTexts } from '../../../texts/texts.ts'
import { ReachField } from '../../reach-field.tsx'
import { useRested } from '../changes.ts'
import { useMembersChange } from './topic-data.ts'

const OFFERED = 20

export type Candidate = FaceOf & { email: string }

/** Both are searched for by the server, since there may be ten thousand people and a thousand bots. */
export function useCandidates(search: string): readonly Candidate[] {
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

export function AddMembers({ topic, onClose }: { topic: ConsoleTopic; onClose: () => void }) {
  const t = useTexts(consoleTopics).one.adding
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<readonly Candidate[]>([])
  const candidates = useCandidates(useRested(typed.trim()))
  const [reach, setReach] = useState<Reach>('everything')
  const { add } = useMembersChange(topic.id)
  const form = useForm<'members', ConsoleTopic>({
    check: () => ({ members: chosen.length === 0 && t.missing }),
    send: () =>
      add(
        chosen.map(({ id }) => id),
        reach,
      ),
    onDone: () => {
      showToast({ text: t.done(chosen.length) })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.title(named(topic.name))} action={t.action} onClose={onClose}>
      <Combobox
        label={t.label}
        placeholder={t.placeholder}
        hint={t.hint}
        items={candidates}
        chosen={chosen}
        onChange={setChosen}
        onSearch={setTyped}
        mark={(member, size) => <Face member={member} size={size} />}
        note={(member) => (member.type === 'bot' ? <BotChip /> : member.email)}
        max={100}
        autoFocus
      />
      {chosen.some(({ type }) => type === 'bot') && <ReachField value={reach} onChange={setReach} />}
      {form.mistake('members') && <Notice tone="bad">{form.mistake('members')}</Notice>}
    </FormDialog>
  )
}
