import { AlarmClock, Check } from 'lucide-react'
import { lazy, Suspense, useCallback, useState } from 'react'
import { useSearchParams } from 'wouter'
import type {
  listSavedMessages,
  SavedMessage,
  saveMessage,
  unsaveMessage,
} from '../../../../../contract/people/saved.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Segmented } from '../../../kit/choice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { laterTexts } from '../../../texts/later.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { useAttempt } from '../frame/attempt.ts'
import { useChatApi, usePages } from '../frame/pages.ts'
import { useMoment } from '../scheduling/times.ts'
import { useShell } from '../seam.ts'
import { InboxPage } from './inbox-page.tsx'
import { MessageLine } from './message-line.tsx'
import { PagedList } from './paged-list.tsx'

const ChooseTime = lazy(() => import('../scheduling/choose-time.tsx'))
const PATH = '/saved-messages/{messageId}'

/** Saved messages and reminders. */
export default function Saved() {
  const t = useTexts(laterTexts).saved
  const [params, setParams] = useSearchParams()
  const isReminders = params.get('show') === 'reminders'
  return (
    <InboxPage
      title={t.title}
      about={t.about}
      filters={
        <Segmented
          label={t.filter}
          value={isReminders ? 'reminders' : 'all'}
          options={[
            ['all', t.all],
            ['reminders', t.reminders],
          ]}
          onChange={(show) => setParams(show === 'reminders' ? { show } : {}, { replace: true })}
        />
      }
    >
      <SavedList key={String(isReminders)} reminders={isReminders} />
    </InboxPage>
  )
}

function SavedList({ reminders }: { reminders: boolean }) {
  const t = useTexts(laterTexts).saved
  const api = useChatApi()
  const version = useChat(({ later }) => later)
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const query = cursor === undefined ? { reminders } : { reminders, cursor }
        const { saved, nextCursor } = await api<typeof listSavedMessages>('GET', '/saved-messages', { query })
        return { items: saved.map((one) => ({ ...one, id: one.message.id })), nextCursor, version }
      },
      // The dependencies change with the server's events, so the list is read again.
      [api, version, reminders],
    ),
  )
  const [changed, setChanged] = useState<SavedMessage>()
  const remind = (remindAt: number) =>
    api<typeof saveMessage>('PATCH', PATH, {
      params: { messageId: changed?.message.id ?? '' },
      body: { remindAt },
    })
  return (
    <>
      <PagedList pages={pages} empty={reminders ? t.noReminders : t.empty} label={t.title}>
        {(saved) => <Row saved={saved} onRemind={() => setChanged(saved)} />}
      </PagedList>
      {changed && (
        <Suspense>
          <ChooseTime
            title={t.remind}
            action={t.remindAct}
            {...(changed.remindAt !== undefined && { at: changed.remindAt })}
            onChosen={remind}
            onClose={() => setChanged(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

function Row({
  saved: { message, remindAt, isDue },
  onRemind,
}: {
  saved: SavedMessage
  onRemind: () => void
}) {
  const t = useTexts(laterTexts).saved
  const k = useTexts(kit)
  const api = useChatApi()
  const attempt = useAttempt()
  const moment = useMoment()
  const { goToMessage } = useShell()
  const params = { messageId: message.id }
  const tickOff = async () => {
    if (!(await attempt(() => api<typeof unsaveMessage>('DELETE', PATH, { params })))) return
    const isAhead = remindAt !== undefined && remindAt > Date.now()
    const body = isAhead ? { remindAt } : {}
    const undo = () => void attempt(() => api<typeof saveMessage>('PATCH', PATH, { params, body }))
    showToast({ text: t.gone, action: { label: k.undo, onAct: undo } })
  }
  const note =
    remindAt === undefined ? undefined : isDue ? t.isDue(moment(remindAt)) : t.reminds(moment(remindAt))
  return (
    <MessageLine
      message={message}
      hasTopic
      note={note}
      onGo={() => goToMessage(message.topicId, message.id)}
      action={
        <>
          <IconButton label={t.remind} icon={AlarmClock} size="small" onClick={onRemind} />
          <IconButton label={t.done} icon={Check} size="small" onClick={() => void tickOff()} />
        </>
      }
    />
  )
}
