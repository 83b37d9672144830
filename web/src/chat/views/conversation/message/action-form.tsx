import { useState } from 'react'
import type { ActionElement, ActionField } from '../../../../../../contract/actions.ts'
import { LIMITS } from '../../../../../../contract/limits.ts'
import type { Message } from '../../../../../../contract/message.ts'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../../kit/dialog.tsx'
import { Field, Select, TextArea, TextInput } from '../../../../kit/field.tsx'
import { named, Words } from '../../../../kit/name.tsx'
import { actionTexts } from '../../../../texts/chat-actions.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChatActions } from '../../../store/context.tsx'
import { useSubmit } from '../../frame/attempt.ts'
import styles from './actions-card.module.css'

/** The server's format of a number. */
const NUMBER = /^-?\d{1,16}(\.\d{1,16})?$/

/** The form that a bot asks for. Its values go to the bot and, of an approval, into the audit log. */
export default function ActionForm({
  message,
  element,
  onClose,
}: {
  message: Message
  element: ActionElement
  onClose: () => void
}) {
  const t = useTexts(actionTexts)
  const { press } = useChatActions()
  const { busy, failure, submit } = useSubmit()
  const [values, setValues] = useState<Record<string, string>>({})
  const [wasSent, setSent] = useState(false)
  const fields = element.fields ?? []
  const mistakeIn = (field: ActionField): string | undefined => {
    const value = (values[field.id] ?? '').trim()
    if (value === '') return field.required ? t.missing : undefined
    return field.type === 'number' && !NUMBER.test(value) ? t.noNumber : undefined
  }
  const send = async () => {
    setSent(true)
    if (fields.some((field) => mistakeIn(field) !== undefined)) return
    const filled = fields.flatMap(({ id }): [string, string][] => {
      const value = (values[id] ?? '').trim()
      return value === '' ? [] : [[id, value]]
    })
    const answer = { elementId: element.id, values: Object.fromEntries(filled) }
    if (await submit(() => press(message, answer))) onClose()
  }
  return (
    <Dialog title={element.text} busy={busy} onClose={onClose}>
      <DialogForm onSubmit={() => void send()}>
        <DialogBody>
          {fields.map((field) => (
            <Field
              key={field.id}
              label={field.required ? field.text : t.optional(field.text)}
              mistake={wasSent ? mistakeIn(field) : undefined}
            >
              {(wiring) => (
                <FieldInput
                  field={field}
                  wiring={{
                    ...wiring,
                    value: values[field.id] ?? '',
                    onChange: ({ target }) => setValues({ ...values, [field.id]: target.value }),
                  }}
                />
              )}
            </Field>
          ))}
          <p className={styles.quiet}>
            <Words text={(message.actions?.approval ? t.alsoAudit : t.onlyBot)(named(message.senderName))} />
          </p>
          {failure !== undefined && (
            <p role="alert" className={styles.bad}>
              {failure}
            </p>
          )}
        </DialogBody>
        <DialogActions action={t.send} look={element.style === 'danger' ? 'danger' : 'primary'} />
      </DialogForm>
    </Dialog>
  )
}

type Wiring = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  value: string
  onChange: (event: { target: { value: string } }) => void
}

function FieldInput({ field, wiring }: { field: ActionField; wiring: Wiring }) {
  const t = useTexts(actionTexts)
  const limits = { maxLength: LIMITS.actionFieldValue }
  if (field.type === 'paragraph') return <TextArea {...wiring} {...limits} />
  if (field.type === 'number') return <TextInput {...wiring} {...limits} inputMode="decimal" />
  if (field.type !== 'choice') return <TextInput {...wiring} {...limits} />
  return (
    <Select {...wiring}>
      <option value="">{t.pick}</option>
      {field.options?.map(({ text, value }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </Select>
  )
}
