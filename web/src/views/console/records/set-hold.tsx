import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { Hold, setHold } from '../../../../../contract/people/holds.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Choices } from '../../../kit/choice.tsx'
import { FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { recordsTexts } from '../../../texts/records.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged } from '../changes.ts'
import { type Candidate, MemberPicker, type TopicCandidate, TopicPicker } from '../pickers.tsx'
import { ReasonField } from '../reason-field.tsx'

type Kind = 'organization' | 'topic' | 'member'

/** Says what is held, and why. */
export function SetHold({ onClose }: { onClose: () => void }) {
  const t = useTexts(recordsTexts).holds
  const { organizationId } = useMembership()
  const changed = useChanged()
  const [kind, setKind] = useState<Kind>('organization')
  const [topic, setTopic] = useState<readonly TopicCandidate[]>([])
  const [member, setMember] = useState<readonly Candidate[]>([])
  const [reason, setReason] = useState('')
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
    fields: { reason: 'reason' },
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
        onChange={setKind}
      />
      {kind === 'topic' && (
        <TopicPicker
          label={t.topicLabel}
          placeholder={t.topicHint}
          chosen={topic}
          onChange={setTopic}
          max={1}
        />
      )}
      {kind === 'member' && (
        <MemberPicker
          withBots
          label={t.memberLabel}
          placeholder={t.memberHint}
          chosen={member}
          onChange={setMember}
          max={1}
        />
      )}
      {form.mistake('what') && <Notice tone="bad">{form.mistake('what')}</Notice>}
      <ReasonField
        label={t.reason}
        maxLength={LIMITS.holdReason}
        value={reason}
        onChange={setReason}
        mistake={form.mistake('reason')}
      />
    </FormDialog>
  )
}
