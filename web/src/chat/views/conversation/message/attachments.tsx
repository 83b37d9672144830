import { Download, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useContext } from 'react'
import type { Attachment, Message } from '../../../../../../contract/message.ts'
import { Icon } from '../../../../kit/icon.tsx'
import { useBytes } from '../../../../kit/number.ts'
import { tip } from '../../../../kit/tip.ts'
import { VisuallyHidden } from '../../../../kit/visually-hidden.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { isUnprocessed, previewOf } from '../files/kinds.ts'
import { useLink } from '../files/links.ts'
import { MessageToolsContext } from './actions.ts'
import styles from './attachments.module.css'
import { extensionOf, FileBadge } from './file-badge.tsx'

const Voice = lazy(() => import('../voice/voice.tsx'))

/** Pictures are shown no larger than their thumbnail is. */
const PICTURE_SIDE = 320

type Props = { message: Message; attachment: Attachment }

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
        <Other key={attachment.id} message={message} attachment={attachment} />
      ))}
    </>
  )
}

function Other(props: Props) {
  if (props.attachment.type === 'video') return <Film {...props} />
  if (props.attachment.type === 'file') return <Document {...props} />
  return (
    <Suspense fallback={<div className={styles.voice} />}>
      <Voice {...props} />
    </Suspense>
  )
}

/** Takes its place before it is loaded: its size is known. */
function Picture({ message, attachment }: Props) {
  const t = useTexts(messageTexts)
  const { openFile } = useContext(MessageToolsContext)
  const { link, isBroken, onError } = useLink(message, attachment, 'thumbnailUrl')
  const { width = PICTURE_SIDE, height = PICTURE_SIDE } = attachment
  const scale = Math.min(1, PICTURE_SIDE / Math.max(width, height, 1))
  return (
    <button
      type="button"
      className={styles.picture}
      aria-label={t.picture(attachment.name ?? t.noName)}
      aria-haspopup="dialog"
      style={{ width: Math.max(48, Math.round(width * scale)), aspectRatio: `${width} / ${height}` }}
      onClick={() => openFile(message, attachment.id)}
    >
      {!isBroken && (
        <img src={link} alt="" loading="lazy" decoding="async" draggable={false} onError={onError} />
      )}
    </button>
  )
}

function Film({ message, attachment }: Props) {
  const t = useTexts(messageTexts)
  const { link, onError } = useLink(message, attachment)
  const { width = 16, height = 9 } = attachment
  return (
    // biome-ignore lint/a11y/useMediaCaption: files of people have none
    <video
      className={styles.video}
      style={{ aspectRatio: `${width} / ${height}` }}
      controls
      playsInline
      preload="metadata"
      src={link}
      aria-label={attachment.name ?? t.noName}
      onError={onError}
    />
  )
}

function Document({ message, attachment }: Props) {
  const t = useTexts(messageTexts)
  const bytes = useBytes()
  const { openFile } = useContext(MessageToolsContext)
  const { link } = useLink(message, attachment)
  const name = attachment.name ?? t.noName
  const words = (
    <>
      <FileBadge name={name} />
      <span className={styles.words}>
        <bdi className={styles.name} {...tip(name)}>
          {name}
        </bdi>
        <span className={styles.size}>
          {[extensionOf(name), bytes(attachment.size)].filter(Boolean).join(', ')}
        </span>
        {isUnprocessed(attachment) && (
          <span className={styles.unprocessed}>
            <Icon icon={TriangleAlert} size={14} />
            {t.unprocessed}
          </span>
        )}
      </span>
    </>
  )
  if (previewOf(attachment) === undefined)
    return (
      <a className={styles.file} href={link} download={name}>
        {words}
        <VisuallyHidden> {t.download}</VisuallyHidden>
        <Icon icon={Download} size={18} />
      </a>
    )
  return (
    <div className={styles.file}>
      <button
        type="button"
        className={styles.preview}
        aria-haspopup="dialog"
        onClick={() => openFile(message, attachment.id)}
      >
        {words}
        <VisuallyHidden> {t.preview}</VisuallyHidden>
      </button>
      <a
        className={styles.download}
        href={link}
        download={name}
        aria-label={`${t.download} ${name}`}
        {...tip(t.download)}
      >
        <Icon icon={Download} size={18} />
      </a>
    </div>
  )
}
