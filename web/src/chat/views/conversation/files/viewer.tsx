import { Dialog as Base } from '@base-ui/react/dialog'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { Attachment, Message } from '../../../../../../contract/message.ts'
import { IconButton } from '../../../../kit/button.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { useBytes } from '../../../../kit/number.ts'
import { tip } from '../../../../kit/tip.ts'
import { fileTexts } from '../../../../texts/chat-files.ts'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { useTimes } from '../message/times.ts'
import { useSnapshot } from '../snapshot.ts'
import { Document } from './document.tsx'
import { useLink } from './links.ts'
import styles from './viewer.module.css'

type Shown = { message: Message; attachment: Attachment }

/** Shows a picture, and by arrow keys the others of its conversation; or a document that browsers can show. */
export default function FileViewer({
  message,
  attachmentId,
  onClose,
}: {
  message: Message
  attachmentId: string
  onClose: () => void
}) {
  const t = useTexts(fileTexts)
  const snapshot = useSnapshot()
  const [at, setAt] = useState({ messageId: message.id, attachmentId })
  const now = useChat((state) => state.messages.get(at.messageId)) ?? message
  const attachment = now.attachmentDetails?.find(({ id }) => id === at.attachmentId)
  // Read at each step, since messages come and go.
  const pictures = attachment?.type === 'image' ? picturesAround(snapshot(), now) : []
  const index = pictures.findIndex((one) => one.attachment.id === at.attachmentId)
  const goTo = (next: number) => {
    const picture = pictures[next]
    if (picture) setAt({ messageId: picture.message.id, attachmentId: picture.attachment.id })
  }
  const forward = document.dir === 'rtl' ? -1 : 1
  const keys: Record<string, () => void> = {
    ArrowLeft: () => goTo(index - forward),
    ArrowRight: () => goTo(index + forward),
    Home: () => goTo(0),
    End: () => goTo(pictures.length - 1),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const act = pictures.length > 1 ? keys[event.key] : undefined
    if (!act) return
    event.preventDefault()
    act()
  }
  useEffect(() => {
    if (!attachment) onClose() // it was deleted
  }, [attachment, onClose])
  if (!attachment) return null
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.popup} onKeyDown={onKeyDown}>
          <Head message={now} attachment={attachment} onClose={onClose} />
          <div className={styles.stage}>
            {attachment.type === 'image' ? (
              <Picture key={attachment.id} message={now} attachment={attachment} />
            ) : (
              <Document key={attachment.id} message={now} attachment={attachment} />
            )}
          </div>
          {pictures.length > 1 && (
            <div className={styles.steps}>
              <IconButton
                label={t.previous}
                keys="←"
                icon={ChevronLeft}
                aria-disabled={index === 0}
                onClick={() => goTo(index - 1)}
              />
              <span role="status">{t.position(index + 1, pictures.length)}</span>
              <IconButton
                label={t.next}
                keys="→"
                icon={ChevronRight}
                aria-disabled={index === pictures.length - 1}
                onClick={() => goTo(index + 1)}
              />
            </div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** All pictures of what is loaded of the conversation, in order. */
function picturesAround(
  { conversations, messages }: ReturnType<ReturnType<typeof useSnapshot>>,
  { id, topicId, parentId }: Message,
): Shown[] {
  const conversation = [topicId, parentId ?? id]
    .map((key) => conversations.get(key))
    .find((one) => one?.ids.includes(id))
  return (conversation?.ids ?? [id]).flatMap((messageId) => {
    const message = messages.get(messageId)
    const pictures = message?.attachmentDetails?.filter(({ type }) => type === 'image') ?? []
    return message ? pictures.map((attachment) => ({ message, attachment })) : []
  })
}

function Head({ message, attachment, onClose }: Shown & { onClose: () => void }) {
  const t = useTexts(fileTexts)
  const { noName } = useTexts(messageTexts)
  const times = useTimes()
  const bytes = useBytes()
  const { link } = useLink(message, attachment)
  const name = attachment.name ?? noName
  return (
    <header className={styles.head}>
      <div className={styles.words}>
        <Base.Title className={styles.title}>
          <bdi>{name}</bdi>
        </Base.Title>
        <p>
          <bdi>{message.senderName}</bdi>, {times.moment(message.createdAt)}, {bytes(attachment.size)}
        </p>
      </div>
      <a
        className={styles.download}
        href={link}
        download={name}
        aria-label={t.download(name)}
        {...tip(t.download(name))}
      >
        <Icon icon={Download} />
      </a>
      <IconButton label={t.close} keys="Esc" icon={X} onClick={onClose} />
    </header>
  )
}

function Picture({ message, attachment }: Shown) {
  const t = useTexts(fileTexts)
  const { noName } = useTexts(messageTexts)
  const { link, isBroken, onError } = useLink(message, attachment)
  if (isBroken) return <p className={styles.note}>{t.gone}</p>
  return (
    <img
      className={styles.picture}
      src={link}
      alt={t.pictureBy(attachment.name ?? noName, message.senderName)}
      width={attachment.width}
      height={attachment.height}
      onError={onError}
    />
  )
}
