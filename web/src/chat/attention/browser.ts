import type {
  NotificationSettings,
  subscribeToPush,
  unsubscribeFromPush,
} from '../../../../contract/people/notifications.ts'
import type { Notice } from '../../../../contract/people/stream.ts'
import { call } from '../../api/call.ts'
import { registerServiceWorker } from '../../api/service-worker.ts'

/**
 * Whether this browser shows notifications: not at all (`unsupported`), not because it was forbidden here (`denied`), not yet
 * (`off`), while a page is open (`page`), or always (`always`).
 */
export type BrowserState = 'unsupported' | 'denied' | 'off' | 'page' | 'always'

type PushKey = NotificationSettings['pushKey']

/** Switched on in this browser, whether or not it has a push service. */
const SWITCHED_ON = 'parley.notifications'
/** Wait for the browser's push service. After it, the page works without push. */
const PATIENCE_MS = 5000

const isSupported = (): boolean => 'Notification' in window && 'serviceWorker' in navigator

/** The registration that shows notifications, once they are switched on: everybody has the service worker itself. */
async function registrationOf(): Promise<ServiceWorkerRegistration | undefined> {
  if (!isSupported() || Notification.permission !== 'granted') return undefined
  const registration = await navigator.serviceWorker.getRegistration('/')
  const isOn =
    localStorage.getItem(SWITCHED_ON) !== null || (await registration?.pushManager?.getSubscription())
  return isOn ? registration : undefined
}

export async function readBrowserState(): Promise<BrowserState> {
  if (!isSupported()) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const registration = await registrationOf()
  if (!registration) return 'off'
  return (await registration.pushManager?.getSubscription()) ? 'always' : 'page'
}

/** Asks the person, unless they have answered already. Must be called from something that they did. */
export async function switchOn(pushKey: PushKey): Promise<BrowserState> {
  if (!isSupported()) return 'unsupported'
  if ((await Notification.requestPermission()) !== 'granted') return readBrowserState()
  registerServiceWorker()
  const registration = await navigator.serviceWorker.ready
  localStorage.setItem(SWITCHED_ON, 'yes')
  // Some browsers have no push service, or none that can be reached: then an open page does it.
  const subscribed = subscribe(registration, pushKey).catch(() => {})
  await Promise.race([subscribed, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  return readBrowserState()
}

export async function switchOff(): Promise<BrowserState> {
  const registration = await registrationOf()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
  await call<typeof unsubscribeFromPush>('DELETE', '/people/account/push', {})
  localStorage.removeItem(SWITCHED_ON)
  return readBrowserState()
}

/** A subscription belongs to a session and to a key of the server, and either may be another one than it was. */
export async function renewSubscription(readPushKey: () => Promise<PushKey>): Promise<void> {
  const registration = await registrationOf()
  if (await registration?.pushManager?.getSubscription()) await subscribe(registration, await readPushKey())
}

async function subscribe(
  registration: ServiceWorkerRegistration | undefined,
  pushKey: PushKey,
): Promise<void> {
  if (!registration?.pushManager || pushKey === null) return
  const applicationServerKey = bytesOf(pushKey)
  const former = await registration.pushManager.getSubscription()
  const formerKey = former?.options.applicationServerKey
  const isSame = formerKey ? sameBytes(new Uint8Array(formerKey), applicationServerKey) : false
  if (former && !isSame) await former.unsubscribe()
  const subscription =
    former && isSame
      ? former
      : await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  const body = { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } }
  await call<typeof subscribeToPush>('POST', '/people/account/push', { body })
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0))
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/** Shows the same notification as the service worker, which may have been quicker. */
export async function showNotice({ title, body, topicId, messageId, isReminder }: Notice): Promise<void> {
  const registration = await registrationOf()
  if (!registration) return
  const tag = isReminder ? `reminder ${messageId}` : topicId
  const shown = await registration.getNotifications({ tag })
  if (shown.some(({ data }) => data?.messageId >= messageId)) return
  const options = { body, tag, renotify: true, icon: '/icon-192.png', data: { topicId, messageId } }
  await registration.showNotification(title, options)
}

export async function closeNotices(isOver: (topicId: string) => boolean): Promise<void> {
  const shown = (await (await registrationOf())?.getNotifications()) ?? []
  for (const notification of shown) if (isOver(notification.tag)) notification.close()
}
