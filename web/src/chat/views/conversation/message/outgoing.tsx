import { Clock, TriangleAlert, X } from 'lucide-react'
import { Suspense, useContext, useEffect, useState } from 'react'
import { lazyView } from '../../../../api/connection.ts'
import { IconButton } from '../../../../kit/button.tsx'
import { classes } from '../../../../kit/classes.ts'
import { Face } from '../../../../kit/face.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { useBytes } from '../../../../kit/number.ts'
import { Delayed } from '../../../../kit/skeleton.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { Outgoing, OutgoingFile } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { useShell } from '../../seam.ts'
import { useFailureText } from '../failure.ts'
import { markdownOf } from '../markdown/markdown-of.ts'
import { MarkdownText } from '../markdown/render.tsx'
import { MessageToolsContext } from './actions.ts'
import attachmentStyles from './attachments.module.css'
import { FileBadge } from './file-badge.tsx'
import messageStyles from './message.module.css'
import styles from './outgoing.module.css'
import { ReplyQuote } from './replies.tsx'
import { useTimes } from './times.ts'

const OutgoingCardView = lazyView(() => import('./outgoing-card.tsx'))

/** A message sent from here that is not in the log yet. While all goes well it looks like any other message. */
export function OutgoingView({
  outgoing,
  isGrouped,
  hasQuote,
}: {
  outgoing: Outgoing
  isGrouped: boolean
  hasQuote: boolean
}) {
  const times = useTimes()
  const me = useChat((state) => state.me)
  const { localId, text, createdAt, files, parentId, topicId } = outgoing
  return (
    <div className={classes(messageStyles.message, outgoing.state !== 'failed' && styles.pending)}>
      {isGrouped ? <span /> : me && <Face member={me} />}
      <div className={messageStyles.body}>
        {!isGrouped && (
          <div className={messageStyles.head}>
            <bdi className={messageStyles.name}>{me?.name}</bdi>
            <time dateTime={new Date(createdAt).toISOString()}>{times.clock(createdAt)}</time>
          </div>
        )}
        {hasQuote && parentId !== undefined && <ReplyQuote topicId={topicId} parentId={parentId} />}
        {text !== '' && <MarkdownText markdown={markdownOf({ id: localId, text })} />}
        {files && files.length > 0 && <OutgoingFiles outgoing={outgoing} files={files} />}
        {outgoing.card && (
          <Suspense>
            <OutgoingCardView card={outgoing.card} />
          </Suspense>
        )}
        <State outgoing={outgoing} />
      </div>
    </div>
  )
}

function State({ outgoing }: { outgoing: Outgoing }) {
  const t = useTexts(messageTexts)
  const { sendAgain, discard } = useChatActions()
  const { editOutgoing } = useContext(MessageToolsContext)
  const failureText = useFailureText()
  const isLive = useChat((state) => state.connection === 'live')
  const { make } = useShell()
  const edit = () => {
    const { card, topicId, parentId: threadId, localId } = outgoing
    if (!card) editOutgoing(outgoing)
    else if (discard(localId)) make({ kind: card.kind, place: { topicId, threadId }, from: card })
  }
  if (outgoing.state === 'failed') {
    return (
      <div className={styles.failed}>
        <span className={styles.why}>
          <Icon icon={TriangleAlert} size={16} />
          {t.notSent(failureText(outgoing.failure))}
        </span>
        <button type="button" onClick={() => sendAgain(outgoing.localId)}>
          {t.sendAgain}
        </button>
        <button type="button" onClick={edit}>
          {t.edit}
        </button>
        <button type="button" onClick={() => discard(outgoing.localId)}>
          {t.discard}
        </button>
      </div>
    )
  }
  if (outgoing.state === 'accepted' && outgoing.card) return null
  if (outgoing.state === 'accepted')
    return (
      <p className={styles.quiet} role="status">
        {t.processing}
      </p>
    )
  if (outgoing.state === 'sending' && isLive) return null
  return (
    <Delayed>
      <p className={styles.quiet}>
        <Icon icon={Clock} size={14} />
        {t.waiting}
      </p>
    </Delayed>
  )
}

function OutgoingFiles({ outgoing, files }: { outgoing: Outgoing; files: readonly OutgoingFile[] }) {
  const t = useTexts(messageTexts)
  const bytes = useBytes()
  const { discard } = useChatActions()
  const all = files.reduce((sum, file) => sum + file.size, 0)
  const sent = Math.min(all, outgoing.sentBytes ?? 0)
  const isGoing = outgoing.state === 'sending' || outgoing.state === 'queued'
  return (
    <div className={styles.files}>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files can be the same
        <div key={index} className={attachmentStyles.file}>
          <Preview file={file} />
          <span className={attachmentStyles.words}>
            <bdi className={attachmentStyles.name}>{file.name}</bdi>
            <span className={attachmentStyles.size}>{bytes(file.size)}</span>
          </span>
        </div>
      ))}
      {isGoing && outgoing.isVolatile && <p className={styles.quiet}>{t.keepOpen}</p>}
      {isGoing && (
        <div className={styles.upload}>
          <progress value={sent} max={Math.max(1, all)} aria-label={t.progress(bytes(sent), bytes(all))} />
          <span>{t.progress(bytes(sent), bytes(all))}</span>
          <IconButton
            label={t.cancelUpload}
            icon={X}
            size="small"
            onClick={() => discard(outgoing.localId)}
          />
        </div>
      )}
    </div>
  )
}

/** A picture shows itself before it is sent. */
export function Preview({ file }: { file: OutgoingFile }) {
  const [source, setSource] = useState<string>()
  useEffect(() => {
    if (!file.blob || !/^image\/(png|jpeg|gif|webp|avif)$/.test(file.type)) return
    const made = URL.createObjectURL(file.blob)
    setSource(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (source === undefined) return <FileBadge name={file.name} />
  return <img src={source} alt="" className={styles.preview} />
}
