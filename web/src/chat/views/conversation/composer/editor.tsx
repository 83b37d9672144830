import { useState } from 'react'
import { LIMITS } from '../../../../../../contract/limits.ts'
import type { Message } from '../../../../../../contract/message.ts'
import { Button } from '../../../../kit/button.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChatActions } from '../../../store/context.tsx'
import { failureOf, useFailureText } from '../failure.ts'
import { useSnapshot } from '../snapshot.ts'
import styles from './composer.module.css'
import { useDecode } from './decoding.ts'
import { WritingField } from './writing-field.tsx'
import { encode, lengthOf } from './written.ts'

/** A message in place of which it is changed. Escape leaves it as it was. */
export default function MessageEditor({ message, onDone }: { message: Message; onDone: () => void }) {
  const t = useTexts(messageTexts)
  const { tooLong } = useTexts(composerTexts)
  const { editMessage } = useChatActions()
  const failureText = useFailureText()
  const snapshot = useSnapshot()
  const decode = useDecode()
  const [written, setWritten] = useState(() => decode(message.text))
  const [isBusy, setBusy] = useState(false)
  const [above, setAbove] = useState<HTMLElement | null>(null)
  const save = async () => {
    const text = encode(written, snapshot().members.values()).trim()
    const excess = lengthOf(text) - LIMITS.messageText
    if (isBusy || (text === '' && message.type === 'text')) return
    if (excess > 0) return showToast({ text: tooLong(excess), tone: 'bad' })
    if (text === message.text) return onDone()
    setBusy(true)
    try {
      await editMessage(message.id, text)
      onDone()
    } catch (error) {
      setBusy(false)
      showToast({ text: failureText(failureOf(error)), tone: 'bad' })
    }
  }
  return (
    <div className={styles.editor}>
      <div ref={setAbove} />
      <div className={styles.box}>
        <WritingField
          above={above}
          topicId={message.topicId}
          label={t.editing}
          written={written}
          onChange={setWritten}
          onSubmit={() => void save()}
          onEscape={onDone}
          autoFocus
        />
      </div>
      <div className={styles.editorActions}>
        <Button look="primary" size="small" busy={isBusy} onClick={() => void save()}>
          {t.save}
        </Button>
        <Button look="quiet" size="small" onClick={onDone}>
          {t.cancel}
        </Button>
      </div>
    </div>
  )
}
