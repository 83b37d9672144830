import { useState } from 'react'
import { LIMITS } from '../../../../../../contract/limits.ts'
import type { Message } from '../../../../../../contract/message.ts'
import type { reportMessage } from '../../../../../../contract/people/reports.ts'
import { Field, TextArea } from '../../../../kit/field.tsx'
import { FormDialog } from '../../../../kit/form.tsx'
import { useForm } from '../../../../kit/form-state.ts'
import { showToast } from '../../../../kit/toast.tsx'
import { reportTexts } from '../../../../texts/report.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChatApi } from '../../frame/pages.ts'

/** Tells admins of a message, and why. It says first who learns what. */
export default function ReportDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useTexts(reportTexts)
  const api = useChatApi()
  const [reason, setReason] = useState('')
  const form = useForm<'reason', void>({
    check: () => ({ reason: reason.trim() === '' && t.missing }),
    send: async () => {
      await api<typeof reportMessage>('POST', '/messages/{messageId}/report', {
        params: { messageId: message.id },
        body: { reason: reason.trim().replace(/\s+/g, ' ') },
      })
    },
    onDone: () => {
      showToast({ text: t.done })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.title} action={t.action} size="small" onClose={onClose}>
      <p>{t.about}</p>
      <Field label={t.reason} mistake={form.mistake('reason')} required>
        {(wiring) => (
          <TextArea
            {...wiring}
            rows={3}
            maxLength={LIMITS.reportReason}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
