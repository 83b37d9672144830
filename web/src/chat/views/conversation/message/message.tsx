import { memo, type ReactNode } from 'react'
import { parseMarkdown } from '../../../../../../contract/markdown/parse.ts'
import type { Markdown } from '../../../../../../contract/markdown/tree.ts'
import type { Message } from '../../../../../../contract/message.ts'
import { classes } from '../../../../kit/classes.ts'
import { Face } from '../../../../kit/face.tsx'
import { MemberChip } from '../../../../kit/marks.tsx'
import { named, Words } from '../../../../kit/name.tsx'
import { tipAt } from '../../../../kit/tip.ts'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { isStreaming } from '../../../store/streaming.ts'
import { presenceOf } from '../../profile/presence.ts'
import { useShell } from '../../seam.ts'
import { useTurn } from '../list/turns.ts'
import { markdownOf } from '../markdown/markdown-of.ts'
import { MarkdownText } from '../markdown/render.tsx'
import { Attachments } from './attachments.tsx'
import { Cards, ForwardedPart, PreviewPart } from './cards.tsx'
import { GroupMentionsContext } from './group-mention.tsx'
import styles from './message.module.css'
import { faceOf } from './people.ts'
import { Reactions } from './reactions.tsx'
import { Receipts } from './receipts.tsx'
import { ReplyQuote, ThreadLink } from './replies.tsx'
import { Sources, Steps } from './steps.tsx'
import { StreamEnd, Writing, WritingCaret } from './stream-state.tsx'
import { useTimes } from './times.ts'

/** Characters of a text that waits to be drawn. */
const GLANCE = 500

export type MessageLook = {
  /** Goes on with what the one before said: no face and no name. */
  isGrouped: boolean
  /** A reply in its topic shows what it replies to; in its thread it does not. */
  hasQuote: boolean
  hasThreadLink: boolean
  hasReceipts: boolean
}

/** One message with its sender and time. Its row around it knows the keys and the pointer. */
export const MessageView = memo(function MessageView({
  message,
  look,
  editor,
}: {
  message: Message
  look: MessageLook
  /** Replaces the text while it is edited. */
  editor?: ReactNode
}) {
  const t = useTexts(messageTexts)
  const times = useTimes()
  const isMine = useChat((state) => state.me?.id === message.senderId)
  const isDrawn = useTurn(message)
  const isWriting = isStreaming(message)
  const edited = message.isEdited && (
    <span className={styles.edited} {...tipAt(message.updatedAt)}>
      {' '}
      ({t.edited})
    </span>
  )
  return (
    <div className={classes(styles.message, look.isGrouped && styles.grouped)}>
      {look.isGrouped ? (
        <time className={styles.aside} dateTime={new Date(message.createdAt).toISOString()}>
          {times.clock(message.createdAt)}
        </time>
      ) : (
        <SenderFace message={message} />
      )}
      <div className={styles.body}>
        {!look.isGrouped && <Head message={message} />}
        {look.hasQuote && message.parentId !== undefined && (
          <ReplyQuote topicId={message.topicId} parentId={message.parentId} />
        )}
        {message.steps && <Steps message={message} steps={message.steps} />}
        {editor ??
          (message.text !== '' &&
            (isDrawn ? (
              <GroupMentionsContext value={message}>
                <MarkdownText markdown={treeOf(message)} after={isWriting ? <WritingCaret /> : edited} />
              </GroupMentionsContext>
            ) : (
              <div data-waiting>
                <GroupMentionsContext value={message}>
                  <MarkdownText markdown={beginningOf(message)} />
                </GroupMentionsContext>
              </div>
            )))}
        {isDrawn && <ForwardedPart message={message} />}
        {message.sources && <Sources sources={message.sources} />}
        {isWriting && look.isGrouped && <Writing message={message} />}
        {message.stream && <StreamEnd stream={message.stream} />}
        {message.truncated && <p className={styles.note}>{t.truncated}</p>}
        {message.attachmentDetails && message.attachmentDetails.length > 0 && (
          <Attachments message={message} attachments={message.attachmentDetails} />
        )}
        <Cards message={message} />
        <PreviewPart message={message} />
        <Reactions message={message} />
        {look.hasThreadLink && message.replyCount > 0 && <ThreadLink message={message} />}
        {look.hasReceipts && isMine && <Receipts message={message} />}
      </div>
    </div>
  )
})

/** A streaming text changes each time, so its tree is not cached. */
const treeOf = (message: Message) =>
  isStreaming(message) ? parseMarkdown(message.text) : markdownOf(message)

/** The beginning of a text as it was written, which stands there until the message has its turn. */
const beginningOf = ({ text }: Message): Markdown => ({
  blocks: [{ kind: 'plain', text: text.slice(0, GLANCE) }],
  isEmojiOnly: false,
})

function SenderFace({ message }: { message: Message }) {
  const member = useChat((state) => state.members.get(message.senderId))
  const presence = useChat(({ online }) => (member?.type === 'bot' ? presenceOf(member, online) : undefined))
  const { openProfile } = useShell()
  return (
    // The name beside it does the same by keyboard.
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      className={styles.face}
      onClick={({ currentTarget }) => openProfile(message.senderId, currentTarget)}
    >
      <Face member={faceOf(message.senderId, member, message.senderName)} presence={presence} />
    </button>
  )
}

function Head({ message }: { message: Message }) {
  const t = useTexts(messageTexts)
  const times = useTimes()
  const member = useChat((state) => state.members.get(message.senderId))
  const name = member?.name ?? message.senderName
  const { openProfile } = useShell()
  return (
    <div className={styles.head}>
      <button
        type="button"
        className={styles.name}
        tabIndex={-1}
        onClick={({ currentTarget }) => openProfile(message.senderId, currentTarget)}
      >
        <bdi>{name}</bdi>
      </button>
      <MemberChip type={message.senderType} role={member?.role} />
      <time dateTime={new Date(message.createdAt).toISOString()} {...tipAt(message.createdAt)}>
        {times.clock(message.createdAt)}
      </time>
      {message.assistant && (
        <span className={styles.via}>
          <Words text={t.byAssistant(named(message.assistant.name))} />
        </span>
      )}
      {message.task && <span className={styles.via}>{t.taskAdded}</span>}
      {isStreaming(message) && <Writing message={message} />}
    </div>
  )
}
