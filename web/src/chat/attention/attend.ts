import { navigate } from 'wouter/use-browser-location'
import type { readNotificationSettings, tellActive } from '../../../../contract/people/notifications.ts'
import { chatApi } from '../../api/chat.ts'
import { registerServiceWorker } from '../../api/service-worker.ts'
import { showToast } from '../../kit/toast.tsx'
import type { ChatState } from '../model.ts'
import type { Told } from '../store/events.ts'
import { unreadTotal } from '../store/selectors.ts'
import { endStatuses } from '../store/statuses.ts'
import type { ChatStore } from '../store/store.ts'
import { closeNotices, renewSubscription, showNotice } from './browser.ts'
import { watchErased } from './erased.ts'
import { offerNotifications } from './offer.ts'

/** Interval of the "active" signal. The server's own limit is a little longer. */
const TELL_ACTIVE_MS = 60_000
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus']

/** Runs notifications, the icon's badge and the activity signal. */
export function attend(
  store: ChatStore,
  organizationId: string,
  signal: AbortSignal,
): { show(told: Told): void } {
  const api = chatApi(organizationId)
  watchActivity(signal, (active, keepalive) =>
    api<typeof tellActive>('POST', '/active', { body: { active }, keepalive }),
  )
  registerServiceWorker()
  watchTopics(store, signal)
  watchStatuses(store, signal)
  watchErased(store, signal)
  const readPushKey = async () =>
    (await api<typeof readNotificationSettings>('GET', '/notifications', {})).pushKey
  renewSubscription(readPushKey).catch(() => {}) // at the next start
  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }) => {
      if (data?.type === 'open' && typeof data.path === 'string') navigate(data.path)
    },
    { signal },
  )
  return {
    show({ type, data }) {
      if (type === 'later') {
        const { failure, held } = data
        if (failure) void import('./later-failure.ts').then(({ tellFailure }) => tellFailure(store, failure))
        if (held) void import('./later-failure.ts').then(({ tellHeld }) => tellHeld(store, held))
        return
      }
      if (!data.isReminder) void offerNotifications()
      const isSeen = document.visibilityState === 'visible' && document.hasFocus()
      // Reminders are shown even while the person looks at another place in this page.
      if (isSeen && data.isReminder) showToast({ text: `${data.title}: ${data.body}` })
      if (isSeen) return
      void showNotice(data)
      void import('./sound.ts').then(({ playSound }) => playSound()).catch(() => {})
    },
  }
}

/** Reports activity once a minute, and when the person leaves the page. */
function watchActivity(
  signal: AbortSignal,
  tell: (active: boolean, keepalive: boolean) => Promise<unknown>,
): void {
  let toldAt: number | undefined
  const isThere = () => {
    if (document.visibilityState !== 'visible') return
    if (toldAt !== undefined && Date.now() - toldAt < TELL_ACTIVE_MS) return
    toldAt = Date.now()
    tell(true, false).catch(() => {}) // told again in a minute
  }
  const left = () => {
    if (toldAt === undefined) return
    toldAt = undefined
    tell(false, true).catch(() => {}) // it is over by itself
  }
  for (const type of SIGNS_OF_LIFE)
    window.addEventListener(type, isThere, { passive: true, capture: true, signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && left(), {
    signal,
  })
  window.addEventListener('pagehide', left, { signal })
  if (document.hasFocus()) isThere()
}

/** Closes what was read, and shows on the icon how much waits. */
function watchTopics(store: ChatStore, signal: AbortSignal): void {
  let [topics, waiting] = [store.getSnapshot().topics, -1]
  const look = () => {
    const state = store.getSnapshot()
    if (state.topics === topics && waiting >= 0) return
    const before = waiting >= 0 ? topics : undefined
    topics = state.topics
    const now = unreadTotal(state).waiting
    if (now !== waiting) setBadge(now)
    waiting = now
    const isRead = (topicId: string) => topics.get(topicId)?.unread === 0
    for (const [id, topic] of topics) {
      if (topic === before?.get(id) || topic.unread > 0 || before?.get(id)?.unread === 0) continue
      void closeNotices(isRead)
      break
    }
  }
  const stop = store.subscribe(look)
  signal.addEventListener('abort', stop)
  look()
}

/** No timer is longer: browsers count in 32 bits. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Takes back what members are at when it is over, without being told. */
function watchStatuses(store: ChatStore, signal: AbortSignal): void {
  let members: ChatState['members'] | undefined
  let timer: number | undefined
  const look = () => {
    const state = store.getSnapshot()
    if (state.members === members) return
    members = state.members
    window.clearTimeout(timer)
    const ends = [...members.values()].flatMap(({ statusUntil, dndUntil }) =>
      [statusUntil ?? [], dndUntil ?? []].flat(),
    )
    if (ends.length === 0) return
    const next = ends.reduce((first, end) => Math.min(first, end))
    timer = window.setTimeout(
      () => {
        members = undefined
        store.update((before) => endStatuses(before, Date.now()))
        look()
      },
      Math.min(Math.max(0, next - Date.now()), MAX_TIMER_MS),
    )
  }
  const stop = store.subscribe(look)
  signal.addEventListener('abort', () => {
    stop()
    window.clearTimeout(timer)
  })
  look()
}

function setBadge(waiting: number): void {
  if (!('setAppBadge' in navigator)) return
  const done = waiting > 0 ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()
  done.catch(() => {}) // a page that is not installed
}
