import { useRef, useState } from 'react'
import type { Message } from '../../../../../contract/message.ts'
import type { sendMessage } from '../../../../../contract/messages.ts'
import { Combobox } from '../../../kit/combobox.tsx'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Field } from '../../../kit/field.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { forwardTexts } from '../../../texts/forward.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChatActions } from '../../store/context.tsx'
import { newId } from '../../sync/pacing.ts'
import composer from '../conversation/composer/composer.module.css'
import { WritingField } from '../conversation/composer/writing-field.tsx'
import { encode, NOTHING } from '../conversation/composer/written.ts'
import { excerptOf } from '../conversation/markdown/excerpt.ts'
import { useNames } from '../conversation/message/people.ts'
import { useSnapshot } from '../conversation/snapshot.ts'
import styles from '../dialogs/dialogs.module.css'
import { useSubmit } from '../frame/attempt.ts'
import { useChatApi } from '../frame/pages.ts'
import { type Place, placeMark, usePlaces } from './places.tsx'

/** Most destinations at once. Each gets a message of its own. */
const MAX_PLACES = 5
const SAID_LENGTH = 120

/** Asks where to forward messages to, and what to say with them. */
export default function ForwardDialog({
  messages,
  onClose,
  onDone = () => {},
}: {
  /** In their order; the comment stands above the first. */
  messages: readonly Message[]
  onClose: () => void
  onDone?: () => void
}) {
  const t = useTexts(forwardTexts)
  const api = useChatApi()
  const { openDirectMessage } = useChatActions()
  const snapshot = useSnapshot()
  const { busy, failure, submit } = useSubmit()
  const offered = usePlaces()
  const [chosen, setChosen] = useState<Place[]>([])
  const [written, setWritten] = useState(NOTHING)
  const [above, setAbove] = useState<HTMLElement | null>(null)
  const [first] = chosen
  const [message] = messages
  /** A key for each place and message: whatever is tried again arrives once. */
  const keys = useRef(new Map<string, string>())
  const said = excerptOf(message?.text || message?.forwarded?.text || '', useNames()).slice(0, SAID_LENGTH)
  const keyFor = (place: Place, { id }: Message, text: string): string => {
    const name = `${place.id} ${id} ${text}`
    const key = keys.current.get(name) ?? newId()
    keys.current.set(name, key)
    return key
  }
  const forward = async () => {
    const text = encode(written, snapshot().members.values()).trim()
    const done = await submit(async () => {
      for (const place of chosen) {
        const topicId = 'topic' in place ? place.topic.id : (await openDirectMessage([place.id])).id
        for (const [index, one] of messages.entries()) {
          const comment = index === 0 ? text : ''
          await api<typeof sendMessage>('POST', '/messages', {
            body: { topicId, forwardMessageId: one.id, ...(comment !== '' && { text: comment }) },
            key: keyFor(place, one, comment),
          })
        }
      }
    })
    if (!done) return
    showToast({ text: t.done })
    onClose()
    onDone()
  }
  return (
    <Dialog title={messages.length > 1 ? t.titleOf(messages.length) : t.title} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => chosen.length > 0 && void forward()}>
        <DialogBody>
          {said !== '' && (
            <p className={styles.text} dir="auto">
              <q>{said}</q>
            </p>
          )}
          <Combobox
            label={t.to}
            placeholder={t.placeholder}
            hint={t.hint(MAX_PLACES)}
            {...offered}
            chosen={chosen}
            onChange={setChosen}
            max={MAX_PLACES}
            autoFocus
            mark={placeMark}
          />
          <Field label={t.comment} hint={t.commentHint} mistake={failure}>
            {(wiring) => (
              <div className={composer.editor}>
                <div ref={setAbove} />
                <div className={composer.box}>
                  <WritingField
                    wiring={wiring}
                    above={above}
                    topicId={first && 'topic' in first ? first.topic.id : ''}
                    label={t.comment}
                    written={written}
                    onChange={setWritten}
                    onSubmit={() => chosen.length > 0 && void forward()}
                  />
                </div>
              </div>
            )}
          </Field>
        </DialogBody>
        <DialogActions action={t.act} disabled={chosen.length === 0} />
      </DialogForm>
    </Dialog>
  )
}
