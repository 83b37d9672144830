import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Field, TextArea } from '../../../kit/field.tsx'
import { laterTexts } from '../../../texts/later.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useSubmit } from '../frame/attempt.ts'
import { MomentField, momentOf, writtenMoment } from '../makers/moment-field.tsx'
import { timesAfter, timeZone } from './times.ts'

/** The window in which a moment is chosen and, where there is a text, that is changed. */
export default function ChooseTime({
  title,
  action,
  at,
  text,
  onChosen,
  onClose,
}: {
  title: string
  action: string
  /** The time shown first; tomorrow morning if it is missing or past. */
  at?: number
  text?: string
  onChosen: (at: number, text: string) => Promise<unknown>
  onClose: () => void
}) {
  const t = useTexts(laterTexts)
  const { busy, failure, submit } = useSubmit()
  const [moment, setMoment] = useState(() =>
    writtenMoment(at !== undefined && at > Date.now() ? at : timesAfter(new Date()).tomorrow),
  )
  const [written, setWritten] = useState(text ?? '')
  const [mistakes, setMistakes] = useState<{ moment?: string; text?: string }>({})
  const save = async () => {
    const chosen = momentOf(moment)
    const found = {
      ...(chosen === 0 && { moment: t.choose.missing }),
      ...(chosen !== 0 && chosen <= Date.now() && { moment: t.choose.past }),
      ...(text !== undefined && written.trim() === '' && { text: t.scheduled.textMissing }),
    }
    setMistakes(found)
    if (Object.keys(found).length > 0) return
    if (await submit(() => onChosen(chosen, written.trim()))) onClose()
  }
  return (
    <Dialog title={title} size={text === undefined ? 'small' : 'normal'} busy={busy} onClose={onClose}>
      <DialogForm onSubmit={() => void save()}>
        <DialogBody>
          {text !== undefined && (
            <Field label={t.scheduled.text} mistake={mistakes.text}>
              {(wiring) => (
                <TextArea
                  {...wiring}
                  autoFocus
                  value={written}
                  maxLength={LIMITS.messageText}
                  onChange={({ target }) => setWritten(target.value)}
                />
              )}
            </Field>
          )}
          <MomentField
            label={t.choose.at}
            value={moment}
            onChange={setMoment}
            mistake={mistakes.moment ?? failure}
          />
          <p>{t.choose.zone(timeZone())}</p>
        </DialogBody>
        <DialogActions action={action} />
      </DialogForm>
    </Dialog>
  )
}
