import { Download } from 'lucide-react'
import { useState } from 'react'
import type { Attachment, Message } from '../../../../../../contract/message.ts'
import { Icon } from '../../../../kit/icon.tsx'
import { tip } from '../../../../kit/tip.ts'
import { VisuallyHidden } from '../../../../kit/visually-hidden.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useBytes } from '../../../../ui/number.ts'
import { useChatActions } from '../../../store/context.tsx'
import styles from './attachments.module.css'
import { extensionOf, FileBadge } from './file-badge.tsx'

/** Pictures are shown no larger than their thumbnail is. */
const PICTURE_SIDE = 320

export function Attachments({
  message,
  attachments,
}: {
  message: Message
  attachments: readonly Attachment[]
}) {
  const pictures = attachments.filter((attachment) => attachment.type === 'image')
  const others = attachments.filter((attachment) => attachment.type !== 'image')
  return (
    <>
      {pictures.length > 0 && (
        <div className={styles.pictures}>
          {pictures.map((attachment) => (
            <Picture key={attachment.id} message={message} attachment={attachment} />
          ))}
        </div>
      )}
      {others.map((attachment) => (
        <Other key={attachment.id} attachment={attachment} />
      ))}
    </>
  )
}

/** Takes its place before it is loaded: its size is known. */
function Picture({ message, attachment }: { message: Message; attachment: Attachment }) {
  const t = useTexts(messageTexts)
  const { loadMessage } = useChatActions()
  const [failures, setFailures] = useState(0)
  const { width = PICTURE_SIDE, height = PICTURE_SIDE } = attachment
  const scale = Math.min(1, PICTURE_SIDE / Math.max(width, height, 1))
  const name = attachment.name ?? t.noName
  const refresh = () => {
    setFailures(failures + 1)
    // Links are valid for an hour: a message that is shown for longer is read again, once.
    if (failures === 0) void loadMessage(message.topicId, message.id).catch(() => {})
  }
  return (
    <a
      href={attachment.url}
      target="_blank"
      rel="noopener noreferrer"
      className={styles.picture}
      aria-label={t.picture(name)}
      style={{ width: Math.max(48, Math.round(width * scale)), aspectRatio: `${width} / ${height}` }}
    >
      <img
        src={attachment.thumbnailUrl ?? attachment.url}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={refresh}
      />
    </a>
  )
}

function Other({ attachment }: { attachment: Attachment }) {
  const t = useTexts(messageTexts)
  const bytes = useBytes()
  const name = attachment.name ?? t.noName
  const { transcription } = attachment
  if (attachment.type === 'audio') {
    return (
      <figure className={styles.audio}>
        {/* biome-ignore lint/a11y/useMediaCaption: what was said stands below, where it is known */}
        <audio controls preload="none" src={attachment.url} aria-label={attachment.name ?? t.voice} />
        {transcription?.text !== undefined && (
          <figcaption>
            <span dir="auto">{transcription.text}</span>
            <small>{t.transcribed}</small>
          </figcaption>
        )}
      </figure>
    )
  }
  if (attachment.type === 'video') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: files of people have none
      <video className={styles.video} controls preload="metadata" src={attachment.url} aria-label={name} />
    )
  }
  return (
    <a className={styles.file} href={attachment.url} download={name}>
      <FileBadge name={name} />
      <VisuallyHidden>{t.download} </VisuallyHidden>
      <span className={styles.words}>
        <bdi className={styles.name} {...tip(name)}>
          {name}
        </bdi>
        <span className={styles.size}>
          {[extensionOf(name), bytes(attachment.size)].filter(Boolean).join(', ')}
        </span>
      </span>
      <Icon icon={Download} size={18} />
    </a>
  )
}
