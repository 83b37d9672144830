import { useState } from 'react'
import type { ActionField } from '../../../../../../contract/actions.ts'
import { LIMITS } from '../../../../../../contract/limits.ts'
import type { ButtonLook } from '../../../../kit/button.tsx'
import { Combobox } from '../../../../kit/combobox.tsx'
import { Confirm } from '../../../../kit/confirm.tsx'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../../kit/dialog.tsx'
import { Field, type FieldWiring, Select, TextArea, TextInput } from '../../../../kit/field.tsx'
import { useAskBeforeLeaving } from '../../../../kit/leaving.ts'
import { Words } from '../../../../kit/name.tsx'
import { actionTexts } from '../../../../texts/chat-actions.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { compareNames } from '../../../store/selectors.ts'
import { MemberPicker } from '../../dialogs/member-picker.tsx'
import { useSubmit } from '../../frame/attempt.ts'
import { ConversationMark } from '../../frame/conversation-mark.tsx'
import styles from './actions-card.module.css'

/** The server's format of a number. */
const NUMBER = /^-?\d{1,16}(?:[.,]\d{1,16})?$/

export type FormValues = Record<string, string>

/** A form of a bot in a window. What was filled in is not lost by a slip: closing asks first. */
export default function BotForm({
  title,
  text,
  fields,
  note,
  look,
  onSend,
  onClose,
}: {
  title: string
  /** What the form is for. */
  text?: string
  fields: readonly ActionField[]
  /** Who can see what is entered. */
  note: string
  look?: ButtonLook
  onSend: (values: FormValues) => Promise<unknown>
  onClose: () => void
}) {
  const t = useTexts(actionTexts)
  const { busy, failure, submit } = useSubmit()
  const mistakeIn = useMistakes()
  // A map: bots choose the ids, which may be names that every object has.
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map())
  const [wasSent, setSent] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const filled = [...values].flatMap(([id, value]): [string, string][] =>
    value.trim() === '' ? [] : [[id, value.trim()]],
  )
  const stopAsking = useAskBeforeLeaving(filled.length > 0, t.discardText)
  const send = async () => {
    setSent(true)
    if (fields.some((field) => mistakeIn(field, values.get(field.id)) !== undefined)) return
    if (!(await submit(() => onSend(Object.fromEntries(filled))))) return
    stopAsking()
    onClose()
  }
  return (
    <Dialog title={title} busy={busy} onClose={() => (filled.length > 0 ? setAsking(true) : onClose())}>
      <DialogForm onSubmit={() => void send()}>
        <DialogBody>
          {text !== undefined && <p dir="auto">{text}</p>}
          {fields.map((field) => (
            <BotField
              key={field.id}
              field={field}
              value={values.get(field.id) ?? ''}
              mistake={wasSent ? mistakeIn(field, values.get(field.id)) : undefined}
              onChange={(value) => setValues((now) => new Map(now).set(field.id, value))}
            />
          ))}
          <p className={styles.quiet}>
            <Words text={note} />
          </p>
          {failure !== undefined && (
            <p role="alert" className={styles.bad}>
              {failure}
            </p>
          )}
        </DialogBody>
        <DialogActions action={t.send} {...(look && { look })} />
      </DialogForm>
      {isAsking && (
        <Confirm
          title={t.discardTitle}
          text={t.discardText}
          action={t.discard}
          busy={false}
          onConfirm={() => {
            stopAsking()
            onClose()
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Dialog>
  )
}

function useMistakes(): (field: ActionField, written: string | undefined) => string | undefined {
  const t = useTexts(actionTexts)
  return ({ type, required, min, max }, written = '') => {
    const value = written.trim()
    if (value === '') return required ? t.missing : undefined
    if (type !== 'number') return undefined
    if (!NUMBER.test(value)) return t.noNumber
    const number = Number(value.replace(',', '.'))
    const isOutside = (min !== undefined && number < min) || (max !== undefined && number > max)
    return isOutside ? t.range(min, max) : undefined
  }
}

type Filled = { field: ActionField; value: string; onChange: (value: string) => void }

function BotField({ mistake, ...filled }: Filled & { mistake: string | undefined }) {
  const t = useTexts(actionTexts)
  const { type, text, required = false, min, max } = filled.field
  const label = required ? text : t.optional(text)
  if (type === 'person') return <PersonField {...filled} label={label} mistake={mistake} />
  if (type === 'topic') return <TopicField {...filled} label={label} mistake={mistake} />
  return (
    <Field
      label={label}
      required={required}
      mistake={mistake}
      hint={min === undefined && max === undefined ? undefined : t.range(min, max)}
    >
      {(wiring) => <PlainInput {...filled} wiring={wiring} />}
    </Field>
  )
}

function PlainInput({ field, value, onChange, wiring }: Filled & { wiring: FieldWiring }) {
  const t = useTexts(actionTexts)
  const input = {
    ...wiring,
    value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  const limits = { maxLength: LIMITS.actionFieldValue }
  if (field.type === 'paragraph') return <TextArea {...input} {...limits} />
  if (field.type === 'number') return <TextInput {...input} {...limits} inputMode="decimal" />
  if (field.type === 'date') return <TextInput {...input} type="date" min="0001-01-01" max="9999-12-31" />
  if (field.type !== 'choice') return <TextInput {...input} {...limits} />
  return (
    <Select {...input}>
      <option value="">{t.pick}</option>
      {field.options?.map(({ text, value: one }) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </Select>
  )
}

type Picked = Filled & { label: string; mistake: string | undefined }

function PersonField({ field, value, onChange, label, mistake }: Picked) {
  const t = useTexts(actionTexts)
  const person = useChat((state) => state.members.get(value))
  return (
    <MemberPicker
      label={label}
      placeholder={t.pickPerson}
      mistake={mistake}
      isRequired={field.required === true}
      chosen={person ? [person] : []}
      onChange={([one]) => onChange(one?.id ?? '')}
      type="user"
      withMe
      max={1}
    />
  )
}

function TopicField({ field, value, onChange, label, mistake }: Picked) {
  const t = useTexts(actionTexts)
  const topics = useChat((state) => state.topics)
  const listed = [...topics.values()]
    .filter(({ type }) => type === 'topic')
    .sort((one, other) => compareNames(one.name, other.name))
  const topic = topics.get(value)
  return (
    <Combobox
      label={label}
      placeholder={t.pickTopic}
      mistake={mistake}
      isRequired={field.required === true}
      items={listed}
      chosen={topic ? [topic] : []}
      max={1}
      onChange={([one]) => onChange(one?.id ?? '')}
      mark={(one, size) => <ConversationMark topic={one} size={size} />}
    />
  )
}
