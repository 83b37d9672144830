import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { Hold, setHold } from '../../../../../contract/people/holds.ts'
import type { listConsoleTopics } from '../../../../../contract/people/topics.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Choices } from '../../../kit/choice.tsx'
import { Combobox } from '../../../kit/combobox.tsx'
import { Face, TopicMark } from '../../../kit/face.tsx'
import { FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { BotChip } from '../../../kit/marks.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { recordsTexts } from '../../../texts/records.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged, useRested } from '../changes.ts'
import { type Candidate, useCandidates } from '../topics/add-members.tsx'

const OFFERED = 20

type Kind = 'organization' | 'topic' | 'member'
type Topic = { id: string; name: string }

function useTopicsFound(search: string): readonly Topic[] {
  const { organizationId } = useMembership()
  const found = useQuery({
    queryKey: keys.of(organizationId, 'topic', 'candidates', search),
    queryFn: () =>
      call<typeof listConsoleTopics>('GET', '/people/organizations/{organizationId}/topics', {
        params: { organizationId },
        query: { search, limit: OFFERED },
      }),
    placeholderData: keepPreviousData,
  })
  return (found.data?.topics ?? []).map(({ id, name }) => ({ id, name }))
}

/** Says what is held, and why. */
export function SetHold({ onClose }: { onClose: () => void }) {
  const t = useTexts(recordsTexts).holds
  const { organizationId } = useMembership()
  const changed = useChanged()
  const [kind, setKind] = useState<Kind>('organization')
  const [topic, setTopic] = useState<readonly Topic[]>([])
  const [member, setMember] = useState<readonly Candidate[]>([])
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const search = useRested(typed.trim())
  const topics = useTopicsFound(search)
  const members = useCandidates(search)
  const [chosen] = kind === 'topic' ? topic : kind === 'member' ? member : []
  const form = useForm<'what' | 'reason', Hold>({
    check: () => ({
      what: kind !== 'organization' && !chosen && t.missing,
      reason: reason.trim() === '' && t.noReason,
    }),
    send: () =>
      call<typeof setHold>('POST', '/people/organizations/{organizationId}/holds', {
        params: { organizationId },
        body: {
          reason: reason.trim(),
          ...(kind === 'topic' && chosen && { topicId: chosen.id }),
          ...(kind === 'member' && chosen && { memberId: chosen.id }),
        },
      }),
    fieldOf: (refusal) => (refusal.startsWith('reason ') ? 'reason' : undefined),
    onDone: () => {
      changed('hold')
      showToast({ text: t.done })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.set} action={t.set} onClose={onClose}>
      <Choices
        label={t.legend}
        options={(['organization', 'topic', 'member'] as const).map((value) => ({
          value,
          label: t.kinds[value],
        }))}
        value={kind}
        onChange={(next) => {
          setKind(next)
          setTyped('')
        }}
      />
      {kind === 'topic' && (
        <Combobox
          label={t.topicLabel}
          placeholder={t.topicHint}
          items={topics}
          chosen={topic}
          onChange={setTopic}
          onSearch={setTyped}
          mark={(one, size) => <TopicMark topic={one} size={size} />}
          max={1}
        />
      )}
      {kind === 'member' && (
        <Combobox
          label={t.memberLabel}
          placeholder={t.memberHint}
          items={members}
          chosen={member}
          onChange={setMember}
          onSearch={setTyped}
          mark={(one, size) => <Face member={one} size={size} />}
          note={(one) => (one.type === 'bot' ? <BotChip /> : one.email)}
          max={1}
        />
      )}
      {form.mistake('what') && <Notice tone="bad">{form.mistake('what')}</Notice>}
      <TextField
        label={t.reason}
        maxLength={LIMITS.holdReason}
        autoComplete="off"
        required
        value={reason}
        onChange={setReason}
        mistake={form.mistake('reason')}
      />
    </FormDialog>
  )
}
