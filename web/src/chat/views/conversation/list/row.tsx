import { memo, type ReactNode, Suspense, useContext, useEffect } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { lazyView } from '../../../../api/connection.ts'
import { classes } from '../../../../kit/classes.ts'
import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { notePainted } from '../../../first-sight.ts'
import type { Outgoing } from '../../../model.ts'
import { useChat } from '../../../store/context.tsx'
import { isMentioned } from '../../../store/mentioned.ts'
import { isStreaming } from '../../../store/streaming.ts'
import { MessageToolsContext } from '../message/actions.ts'
import { isLine, SystemLine } from '../message/cards.tsx'
import { MessageView } from '../message/message.tsx'
import { OutgoingView } from '../message/outgoing.tsx'
import { useTimes } from '../message/times.ts'
import { Toolbar } from '../message/toolbar.tsx'
import { useLongPress } from './long-press.ts'
import styles from './row.module.css'
import { dayOf, isGrouped } from './rows.ts'
import { isSelectable, useSelected } from './selection.ts'

const MessageEditor = lazyView(() => import('../composer/editor.tsx'))
const SelectionTick = lazyView(() => import('./selection-tick.tsx'))

export type RowProps = {
  id: string
  previousId: string | undefined
  /** Threads show no quotes. */
  isThread: boolean
  /** How many are new from here on; 0 where they do not begin here. */
  newFromHere: number
  /** Whether the message was unread when the conversation was opened. */
  isUnread: boolean
  isTabStop: boolean
  hasTools: boolean
  isEdited: boolean
  /** A permalink led here. */
  isMarked: boolean
  hasReceipts: boolean
  /** Above the first message of all. */
  beginning: ReactNode
  onEdited: () => void
}

/** A message with the lines above it. It asks the store for nothing but its own message and the one before. */
export const MessageRow = memo(function MessageRow(props: RowProps) {
  const message = useChat((state) => state.messages.get(props.id))
  const previous = useChat((state) =>
    props.previousId === undefined ? undefined : state.messages.get(props.previousId),
  )
  if (!message) return null
  return <KnownRow {...props} message={message} previous={previous} />
})

function KnownRow({
  message,
  previous,
  ...row
}: RowProps & { message: Message; previous: Message | undefined }) {
  const times = useTimes()
  const { openMenu } = useContext(MessageToolsContext)
  const mentionsMe = useChat((state) => isMentioned(message, state.me?.id))
  useEffect(notePainted, [])
  const isWriting = isStreaming(message)
  const selected = useSelected(message.id)
  const longPress = useLongPress((point) => !isWriting && selected === 'off' && openMenu(message, point))
  const isNewDay = previous === undefined || dayOf(previous.createdAt) !== dayOf(message.createdAt)
  const grouped =
    !isNewDay &&
    row.newFromHere === 0 &&
    !isLine(message) &&
    isGrouped(previous && isLine(previous) ? undefined : previous, message)
  return (
    <>
      {row.beginning}
      {isNewDay && !row.isThread && <DayLine at={message.createdAt} />}
      {row.newFromHere > 0 && <NewLine count={row.newFromHere} />}
      <article
        {...longPress}
        data-row={message.id}
        className={classes(
          styles.row,
          grouped && styles.grouped,
          row.isUnread && mentionsMe && styles.waits,
          row.hasTools && styles.hot,
          row.isMarked && styles.marked,
          selected === 'yes' && styles.selected,
        )}
        tabIndex={row.isTabStop ? 0 : -1}
        aria-busy={isWriting}
        aria-label={`${message.senderName}, ${times.moment(message.createdAt)}`}
        aria-describedby={`text-${message.id}`}
      >
        <div id={`text-${message.id}`}>
          {isLine(message) ? (
            <SystemLine message={message} />
          ) : (
            <MessageView
              message={message}
              look={{
                isGrouped: grouped,
                hasQuote: !row.isThread && !(grouped && previous?.parentId === message.parentId),
                hasThreadLink: true,
                hasReceipts: row.hasReceipts,
              }}
              editor={
                row.isEdited ? (
                  <Suspense>
                    <MessageEditor message={message} onDone={row.onEdited} />
                  </Suspense>
                ) : undefined
              }
            />
          )}
        </div>
        {selected === 'off'
          ? row.hasTools && !row.isEdited && !isWriting && <Toolbar message={message} />
          : isSelectable(message) && (
              <Suspense>
                <SelectionTick isOn={selected === 'yes'} />
              </Suspense>
            )}
      </article>
    </>
  )
}

export function DayLine({ at }: { at: number }) {
  const times = useTimes()
  return (
    <div className={styles.day}>
      <time dateTime={new Date(at).toISOString().slice(0, 10)}>{times.day(at)}</time>
    </div>
  )
}

function NewLine({ count }: { count: number }) {
  const t = useTexts(conversationTexts)
  return <div className={styles.new}>{t.newMessages(count)}</div>
}

export const OutgoingRow = memo(function OutgoingRow({
  outgoing,
  previous,
  lastId,
  isThread,
}: {
  outgoing: Outgoing
  previous: Outgoing | undefined
  /** The message after which the first of them stands. */
  lastId: string | undefined
  isThread: boolean
}) {
  const me = useChat((state) => state.me?.id ?? '')
  const last = useChat((state) => (previous === undefined ? state.messages.get(lastId ?? '') : undefined))
  const asMessage = ({ createdAt, parentId }: Outgoing) => ({
    senderId: me,
    createdAt,
    isSystem: false,
    ...(parentId !== undefined && { parentId }),
  })
  const grouped = isGrouped(previous ? asMessage(previous) : last, asMessage(outgoing))
  return (
    <article
      data-row={outgoing.localId}
      className={classes(styles.row, grouped && styles.grouped)}
      tabIndex={-1}
      aria-busy={outgoing.state !== 'failed'}
    >
      <OutgoingView outgoing={outgoing} isGrouped={grouped} hasQuote={!isThread && !grouped} />
    </article>
  )
})
