import { CalendarClock, CircleSlash, EllipsisVertical, Pencil, SendHorizontal } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import type {
  cancelScheduledMessage,
  listScheduledMessages,
  ScheduledMessage,
  sendScheduledMessage,
  updateScheduledMessage,
} from '../../../../../contract/scheduled-messages.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { laterTexts } from '../../../texts/later.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { threadPath, topicPath } from '../addresses.ts'
import { useDecode } from '../conversation/composer/decoding.ts'
import { encode } from '../conversation/composer/written.ts'
import { excerptOf } from '../conversation/markdown/excerpt.ts'
import { useMentionedNames } from '../conversation/message/people.ts'
import { useSnapshot } from '../conversation/snapshot.ts'
import { useAttempt } from '../frame/attempt.ts'
import { ConversationMark } from '../frame/conversation-mark.tsx'
import { useFailureText } from '../frame/failure-text.ts'
import { useChatApi, usePages } from '../frame/pages.ts'
import { useMoment } from '../scheduling/times.ts'
import { Line } from './line.tsx'
import { PagedList } from './paged-list.tsx'

const ChooseTime = lazy(() => import('../scheduling/choose-time.tsx'))

/** Scheduled messages, the next first; those that could not be sent say why. */
export function ScheduledList() {
  const t = useTexts(laterTexts).scheduled
  const api = useChatApi()
  const version = useChat(({ later }) => later)
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const query = cursor === undefined ? { limit: 100 } : { limit: 100, cursor }
        const { scheduledMessages, nextCursor } = await api<typeof listScheduledMessages>(
          'GET',
          '/scheduled-messages',
          { query },
        )
        return { items: scheduledMessages, nextCursor, version }
      },
      // The version changes with the server's events, so the list is read again.
      [api, version],
    ),
  )
  const [changed, setChanged] = useState<ScheduledMessage>()
  return (
    <>
      <PagedList pages={pages} empty={t.empty} label={t.title}>
        {(message) => <Row message={message} onChange={() => setChanged(message)} />}
      </PagedList>
      {changed && <Change message={changed} onClose={() => setChanged(undefined)} />}
    </>
  )
}

function Row({ message, onChange }: { message: ScheduledMessage; onChange: () => void }) {
  const t = useTexts(laterTexts).scheduled
  const api = useChatApi()
  const attempt = useAttempt()
  const moment = useMoment()
  const failureText = useFailureText()
  const names = useMentionedNames()
  const { id, topicId, parentId, text, sendAt, state, heldReason, reason = '', reasonCode = '' } = message
  const topic = useChat(({ topics }) => topics.get(topicId))
  const name = useChat((chat) => (topic ? nameOf(chat, topic) : t.unknownTopic))
  const params = { scheduledMessageId: id }
  const sendNow = async () => {
    const path = '/scheduled-messages/{scheduledMessageId}/send'
    const isSent = await attempt(() => api<typeof sendScheduledMessage>('POST', path, { params }))
    if (isSent) showToast({ text: t.sent })
  }
  const cancel = async () => {
    const path = '/scheduled-messages/{scheduledMessageId}'
    const isGone = await attempt(() => api<typeof cancelScheduledMessage>('DELETE', path, { params }))
    if (isGone) showToast({ text: t.cancelled })
  }
  const shown = excerptOf(text, names)
  return (
    <Line
      mark={topic ? <ConversationMark topic={topic} size={32} /> : <Icon icon={CalendarClock} />}
      name={<Words text={parentId === undefined ? named(name) : t.inThread(named(name))} />}
      at={sendAt}
      text={shown}
      note={
        state === 'failed'
          ? t.failed(failureText({ status: 403, code: reasonCode, text: reason }))
          : state === 'held'
            ? t.held(heldReason ?? '')
            : t.goesOut(moment(sendAt))
      }
      go={parentId === undefined ? topicPath(topicId) : threadPath(topicId, parentId)}
      action={
        <Menu
          label={t.menu(name)}
          align="end"
          trigger={(props) => (
            <IconButton {...props} label={t.menu(name)} icon={EllipsisVertical} size="small" />
          )}
          entries={() => [
            ...(state === 'held'
              ? []
              : [
                  { label: t.sendNow, icon: SendHorizontal, onSelect: () => void sendNow() },
                  // Waits until the menu has closed and returned the focus.
                  { label: t.change, icon: Pencil, onSelect: () => void window.setTimeout(onChange) },
                ]),
            { label: t.cancel, icon: CircleSlash, danger: true, onSelect: () => void cancel() },
          ]}
        />
      }
    />
  )
}

/** Names stand in the field in place of ids, as where it was written. */
function Change({ message, onClose }: { message: ScheduledMessage; onClose: () => void }) {
  const t = useTexts(laterTexts).scheduled
  const api = useChatApi()
  const decode = useDecode()
  const snapshot = useSnapshot()
  const [before] = useState(() => decode(message.text))
  const save = (sendAt: number, text: string) =>
    api<typeof updateScheduledMessage>('PATCH', '/scheduled-messages/{scheduledMessageId}', {
      params: { scheduledMessageId: message.id },
      body: { text: encode({ text, picks: before.picks }, snapshot().members.values()), sendAt },
    })
  return (
    <Suspense>
      <ChooseTime
        title={t.changeTitle}
        action={t.save}
        at={message.sendAt}
        text={before.text}
        onChosen={save}
        onClose={onClose}
      />
    </Suspense>
  )
}
