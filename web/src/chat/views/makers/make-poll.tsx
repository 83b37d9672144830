import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Checkbox, Segmented } from '../../../kit/choice.tsx'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Field, TextInput } from '../../../kit/field.tsx'
import { makerTexts } from '../../../texts/chat-makers.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { ConversationPlace, PollDraft } from '../../model.ts'
import { useChatActions } from '../../store/context.tsx'
import styles from './makers.module.css'
import { MomentField, momentOf, NO_MOMENT, writtenMoment } from './moment-field.tsx'

export default function MakePoll({
  place,
  from,
  onClose,
}: {
  place: ConversationPlace
  /** One that was not sent. */
  from: PollDraft | undefined
  onClose: () => void
}) {
  const t = useTexts(makerTexts).poll
  const actions = useChatActions()
  const [question, setQuestion] = useState(from?.question ?? '')
  const [options, setOptions] = useState(from?.options ?? ['', ''])
  const [selectionType, setSelectionType] = useState(from?.selectionType ?? 'single')
  const [isAnonymous, setAnonymous] = useState(from?.anonymous ?? false)
  const [end, setEnd] = useState(from?.expiresAt === undefined ? NO_MOMENT : writtenMoment(from.expiresAt))
  const [wasSent, setSent] = useState(false)
  const list = useRef<HTMLFieldSetElement>(null)
  const given = options.map((text) => text.trim()).filter((text) => text !== '')
  const isEnough = given.length >= LIMITS.pollOptionsMin && new Set(given).size === given.length
  const expiresAt = momentOf(end)
  const isPast = expiresAt !== 0 && expiresAt <= Date.now()
  const focusOption = (index: number) =>
    window.setTimeout(() => list.current?.querySelectorAll('input')[index]?.focus())
  const add = () => {
    setOptions([...options, ''])
    focusOption(options.length)
  }
  const remove = (index: number) => {
    setOptions(options.filter((_, each) => each !== index))
    focusOption(Math.max(0, index - 1))
  }
  const post = () => {
    setSent(true)
    if (question.trim() === '' || !isEnough || isPast) return
    const poll: PollDraft = {
      question: question.trim(),
      options: given,
      selectionType,
      anonymous: isAnonymous,
    }
    actions.sendCard(place, { kind: 'poll', poll: { ...poll, ...(expiresAt !== 0 && { expiresAt }) } })
    onClose()
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <DialogForm onSubmit={post}>
        <DialogBody>
          <Field
            label={t.question}
            mistake={wasSent && question.trim() === '' ? t.questionMissing : undefined}
          >
            {(wiring) => (
              <TextInput
                {...wiring}
                autoFocus
                value={question}
                maxLength={LIMITS.pollQuestion}
                onChange={({ target }) => setQuestion(target.value)}
              />
            )}
          </Field>
          <fieldset className={styles.options} ref={list}>
            <legend>{t.options}</legend>
            {options.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two options can say the same while they are written
              <div key={index} className={styles.option}>
                <TextInput
                  aria-label={t.option(index + 1)}
                  placeholder={t.option(index + 1)}
                  value={text}
                  maxLength={LIMITS.pollOptionText}
                  onChange={({ target }) =>
                    setOptions(options.map((one, each) => (each === index ? target.value : one)))
                  }
                />
                {options.length > LIMITS.pollOptionsMin && (
                  <IconButton
                    label={t.removeOption(index + 1)}
                    icon={X}
                    size="small"
                    onClick={() => remove(index)}
                  />
                )}
              </div>
            ))}
            {wasSent && !isEnough && (
              <p role="alert" className={styles.mistake}>
                {t.optionsMissing}
              </p>
            )}
            {options.length < LIMITS.pollOptionsMax && (
              <div>
                <Button look="quiet" size="small" icon={Plus} onClick={add}>
                  {t.addOption}
                </Button>
              </div>
            )}
          </fieldset>
          <Segmented
            label={t.choose}
            value={selectionType}
            options={[
              ['single', t.one],
              ['multiple', t.several],
            ]}
            onChange={setSelectionType}
          />
          <MomentField
            label={t.ends}
            value={end}
            onChange={setEnd}
            mistake={wasSent && isPast ? t.endsPast : undefined}
          />
          <Checkbox label={t.anonymous} isOn={isAnonymous} onChange={setAnonymous} />
        </DialogBody>
        <DialogActions action={t.act} />
      </DialogForm>
    </Dialog>
  )
}
