import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { askForReading, Reading } from '../../../../../contract/people/readings.ts'
import { call, Refused } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { named } from '../../../kit/name.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { readingTexts } from '../../../texts/readings.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged, useSettings } from '../changes.ts'
import { ReasonField } from '../reason-field.tsx'

export type ReadingSubject = Reading['subject']
type Asked = { subject: ReadingSubject; onClose: (isOpen: boolean) => void }

const needsReading = (error: unknown): boolean =>
  error instanceof Refused && error.code === 'reading_required'

/**
 * Reads content that the reader is not part of: asks for the reason first where no reading is open, and then reads it. Undefined: they closed
 * the dialog, or another owner must allow it.
 */
export function useReading() {
  const [asked, setAsked] = useState<Asked>()
  const read = async <Answer,>(
    subject: ReadingSubject,
    work: () => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!needsReading(error)) throw error
      const isOpen = await new Promise<boolean>((onClose) => setAsked({ subject, onClose }))
      setAsked(undefined)
      return isOpen ? work() : undefined
    }
  }
  return { read, dialog: asked && <AskReading {...asked} /> }
}

function AskReading({ subject, onClose }: Asked) {
  const t = useTexts(readingTexts).ask
  const { organizationId } = useMembership()
  const changed = useChanged()
  const isWaiting = useSettings().data?.fourEyes === true
  const [reason, setReason] = useState('')
  const form = useForm<'reason', Reading>({
    check: () => ({ reason: reason.trim() === '' && t.noReason }),
    send: () =>
      call<typeof askForReading>('POST', '/people/organizations/{organizationId}/readings', {
        params: { organizationId },
        body: { subjectType: subject.type, subjectId: subject.id, reason: reason.trim() },
      }),
    fields: { reason: 'reason' },
    onDone: ({ state }) => {
      changed('reading')
      if (state === 'waiting') showToast({ text: t.waits })
      onClose(state === 'open')
    },
  })
  return (
    <FormDialog
      form={form}
      title={t.title(named(subject.name))}
      action={t.action}
      onClose={() => onClose(false)}
    >
      <Notice tone="warn">
        <p>{t.text}</p>
        {isWaiting && <p>{t.fourEyes}</p>}
      </Notice>
      <ReasonField
        label={t.reason}
        maxLength={LIMITS.readingReason}
        value={reason}
        onChange={setReason}
        mistake={form.mistake('reason')}
      />
    </FormDialog>
  )
}
