/*
 * Shows what the server pushes while no page of Parley is looked at, and takes it back once it was read elsewhere. It keeps
 * nothing and answers no requests. A topic has one notification at a time (its tag), whoever shows it: this, or an open page.
 */
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const content = event.data?.json()
  if (content) event.waitUntil(content.kind === 'close' ? close(content) : show(content))
})

async function show({ title, body, topicId, messageId, isReminder, waiting }) {
  await badge(waiting)
  const pages = await self.clients.matchAll({ type: 'window' })
  if (pages.some((page) => page.focused && page.visibilityState === 'visible')) return
  // A reminder stands beside what is new in its topic, and stays when that was read.
  const tag = isReminder ? `reminder ${messageId}` : topicId
  const shown = await self.registration.getNotifications({ tag })
  // Ids are in the order of time: an open page was quicker, or a newer message was.
  if (shown.some(({ data }) => data?.messageId >= messageId)) return
  await self.registration.showNotification(title, {
    body,
    tag,
    renotify: true,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { topicId, messageId },
  })
}

async function close({ topicId, messageId, waiting }) {
  await badge(waiting)
  for (const notification of await self.registration.getNotifications({ tag: topicId }))
    if (!(notification.data?.messageId > messageId)) notification.close()
}

async function badge(waiting) {
  if (!('setAppBadge' in navigator)) return
  await (waiting > 0 ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {})
}

/** Goes to the message, in a page that is open if there is one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(`/m/${event.notification.data.messageId}`))
})

async function open(path) {
  const [page] = await self.clients.matchAll({ type: 'window' })
  if (!page) return self.clients.openWindow(path)
  await page.focus()
  page.postMessage({ type: 'open', path })
}
