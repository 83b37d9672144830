import { ArrowLeft, Bell, BellOff, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../kit/button.tsx'
import { classes } from '../../../kit/classes.ts'
import { showToast } from '../../../kit/toast.tsx'
import { conversationTexts } from '../../../texts/chat-conversation.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useIsNarrow } from '../frame/narrow.ts'
import type { ThreadPaneProps } from '../seam.ts'
import type { ComposerHandle } from './composer/composer.tsx'
import { LateComposer } from './composer/late-composer.tsx'
import styles from './conversation.module.css'
import { DropHint, hasKeyboard, useDrop, useEditOutgoing } from './conversation.tsx'
import { failureOf, useFailureText } from './failure.ts'
import { MessageList, type MessageListHandle } from './list/message-list.tsx'
import { MessageToolsProvider } from './list/tools.tsx'
import { MessageView } from './message/message.tsx'

const PARENT_LOOK = { isGrouped: false, hasQuote: false, hasThreadLink: false, hasReceipts: false }

/** A message and its replies, alone. */
export default function ThreadPane({ topicId, messageId, replyId, onClose, instead }: ThreadPaneProps) {
  const t = useTexts(conversationTexts)
  const topicName = useChat((state) => state.topics.get(topicId)?.name ?? '')
  const isNarrow = useIsNarrow()
  const list = useRef<MessageListHandle>(null)
  const composer = useRef<ComposerHandle>(null)
  const [editedId, setEditedId] = useState<string>()
  const editOutgoing = useEditOutgoing(composer)
  const drop = useDrop((files) => composer.current?.addFiles(files))
  const place = { topicId, threadId: messageId }
  return (
    <section
      key={messageId}
      className={classes(styles.conversation, styles.pane)}
      aria-label={t.thread}
      {...(instead === undefined && drop.props)}
    >
      <header className={classes(styles.head, isNarrow && styles.narrowHead)}>
        {isNarrow && <IconButton label={t.backToTopic} icon={ArrowLeft} onClick={onClose} />}
        <div className={styles.title}>
          <h2>{t.thread}</h2>
          <p>
            <bdi>{topicName}</bdi>
          </p>
        </div>
        <FollowButton topicId={topicId} messageId={messageId} />
        {!isNarrow && <IconButton label={t.closeThread} keys="Esc" icon={X} onClick={onClose} />}
      </header>
      <MessageToolsProvider onEdit={setEditedId} onEditOutgoing={editOutgoing}>
        <MessageList
          ref={list}
          place={place}
          messageId={replyId}
          label={t.threadMessages}
          beginning={<Parent topicId={topicId} messageId={messageId} />}
          editedId={editedId}
          onEdit={setEditedId}
          onLeave={() => composer.current?.focus()}
        />
      </MessageToolsProvider>
      {instead ?? (
        <LateComposer
          ref={composer}
          place={place}
          autoFocus={hasKeyboard() && replyId === undefined}
          onUp={() => list.current?.editLast() || list.current?.focusNewest()}
          onSent={() => list.current?.toNewest()}
          onEscape={onClose}
        />
      )}
      {drop.isOver && <DropHint />}
    </section>
  )
}

/** Follows the thread, or leaves it. Followers find it among their threads, and are notified of replies. */
function FollowButton({ topicId, messageId }: { topicId: string; messageId: string }) {
  const t = useTexts(conversationTexts)
  const { readThread, followThread } = useChatActions()
  const failureText = useFailureText()
  const isFollowed = useChat((state) => state.threads.has(messageId))
  const isMember = useChat((state) => state.topics.get(topicId)?.isMember === true)
  useEffect(() => {
    if (isMember) readThread({ topicId, threadId: messageId }).catch(() => {}) // the bell says that it is not followed
  }, [isMember, topicId, messageId, readThread])
  if (!isMember) return null
  const set = (following: boolean) =>
    followThread({ topicId, threadId: messageId }, following).then(
      () => showToast({ text: following ? t.followed : t.unfollowed }),
      (error) => showToast({ text: failureText(failureOf(error)), tone: 'bad' }),
    )
  return (
    <IconButton
      label={t.follow}
      icon={isFollowed ? Bell : BellOff}
      isOn={isFollowed}
      onClick={() => void set(!isFollowed)}
    />
  )
}

/** The message that the thread replies to, and the number of replies. */
function Parent({ topicId, messageId }: { topicId: string; messageId: string }) {
  const t = useTexts(conversationTexts)
  const message = useChat((state) => state.messages.get(messageId))
  const { loadMessage } = useChatActions()
  const isMissing = message === undefined
  useEffect(() => {
    if (isMissing) void loadMessage(topicId, messageId).catch(() => {})
  }, [isMissing, topicId, messageId, loadMessage])
  if (!message) return <div className={styles.replies}>{t.gone}</div>
  return (
    <>
      <div className={styles.parent}>
        <MessageView message={message} look={PARENT_LOOK} />
      </div>
      <div className={styles.replies}>
        {message.replyCount > 0 ? t.replies(message.replyCount) : t.noReplies}
      </div>
    </>
  )
}
