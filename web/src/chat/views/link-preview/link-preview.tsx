import { X } from 'lucide-react'
import { safeAddress } from '../../../../../contract/markdown/links.ts'
import type { Message, LinkPreview as Preview } from '../../../../../contract/message.ts'
import type { removePreview } from '../../../../../contract/people/previews.ts'
import { IconButton } from '../../../kit/button.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { linkPreviewTexts } from '../../../texts/link-preview.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { useLink } from '../conversation/files/links.ts'
import { useAttempt } from '../frame/attempt.ts'
import { useChatApi } from '../frame/pages.ts'
import styles from './link-preview.module.css'

/** The preview of a message's first link. Its picture comes from this server, never from the page. */
export default function LinkPreview({ message, preview }: { message: Message; preview: Preview }) {
  const t = useTexts(linkPreviewTexts)
  const api = useChatApi()
  const attempt = useAttempt()
  const isMine = useChat((state) => state.me?.id === message.senderId)
  const address = safeAddress(preview.url)
  if (address === undefined) return null
  const remove = async () => {
    const done = await attempt(() =>
      api<typeof removePreview>('DELETE', '/messages/{messageId}/preview', {
        params: { messageId: message.id },
      }),
    )
    if (done) showToast({ text: t.removed })
  }
  return (
    <div className={styles.preview}>
      <div className={styles.words}>
        <p className={styles.site} dir="auto">
          {preview.siteName ?? new URL(address).hostname}
        </p>
        <a className={styles.title} href={address} target="_blank" rel="noopener noreferrer" dir="auto">
          {preview.title}
        </a>
        {preview.description !== undefined && (
          <p className={styles.about} dir="auto">
            {preview.description}
          </p>
        )}
      </div>
      {preview.imageId !== undefined && <Picture message={message} preview={preview} id={preview.imageId} />}
      {isMine && (
        <span className={styles.remove}>
          <IconButton label={t.remove} icon={X} size="small" onClick={() => void remove()} />
        </span>
      )}
    </div>
  )
}

function Picture({ message, preview, id }: { message: Message; preview: Preview; id: string }) {
  const { link, isBroken, onError } = useLink(message, {
    id,
    type: 'image',
    url: preview.thumbnailUrl ?? '',
    contentType: 'image/webp',
    size: 0,
  })
  if (isBroken || link === '') return null
  return (
    <img
      className={styles.picture}
      src={link}
      alt=""
      width={preview.width}
      height={preview.height}
      loading="lazy"
      onError={onError}
    />
  )
}
