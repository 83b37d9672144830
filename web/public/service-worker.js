/*
 * Runs beside the pages. It keeps the files that the chat starts with, and starts it from them; it takes what other apps share; and it
 * shows what the server pushes while no page of Parley is looked at. `BUILDS` stands above this when it is built: the language and
 * the files of each build, by its name. No answer to a question, and nothing of a person, is ever kept here but what they
 * share, until they have said where to.
 */

/** Paths of the chat. Other paths, such as documents and the consent to assistants, are none of the worker's business. */
const CHAT = /^\/(?:$|[otm]\/)/
/** Views that always come from the server; without one, the page that is kept says for itself that it is away. */
const OTHER_VIEWS = /^\/(?:setup|join|invite|reset|sign-in|account|console)(?:\/|$)/
/** The manifest's share target: other apps post here, and the chat asks for the content at its next start. */
const SHARE = '/share'
const SHARED = 'parley-shared'
const SHELL = 'parley-shell '
const PAGE = '/'
const LANGUAGE_COOKIE = 'parley_language'
const BUILD_NAME = /<meta name="parley-build" content="(\w+)"/
/** Browsers have six connections to a server, and the page needs some of them. */
const FETCHED_AT_ONCE = 3

self.addEventListener('install', (event) => {
  self.skipWaiting()
  event.waitUntil(Promise.all([fetchPage().then(keepShell), routePastWorker(event)]))
})
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), dropOldShells()]))
})

/** Files come from the cache and answers from the server without waking the worker, in browsers that can do that. */
async function routePastWorker(event) {
  await event.addRoutes?.([
    { condition: { urlPattern: { pathname: '/assets/*' }, requestMethod: 'get' }, source: 'cache' },
    { condition: { urlPattern: { pathname: '/people/*' } }, source: 'network' },
  ])
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.method === 'POST' && pathname === SHARE) event.respondWith(takeShared(request))
  if (request.method !== 'GET') return
  if (pathname.startsWith('/assets/')) event.respondWith(keptFile(request))
  else if (request.mode === 'navigate' && CHAT.test(pathname)) event.respondWith(startChat(event))
  else if (request.mode === 'navigate' && OTHER_VIEWS.test(pathname)) event.respondWith(openView(event))
})

/** Files are named after their content: a page of an older build finds its own as long as it is open, whatever the server has by now. */
const keptFile = async (request) => (await caches.match(request.url)) ?? fetch(request)

/** A reload must come from the server: the page may be another build, or in another language. */
const isReload = ({ cache }) => cache !== 'default'

/** Answers at once with the page that is kept, and looks behind that whether the server has another one. */
async function startChat(event) {
  const chosen = await self.cookieStore?.get(LANGUAGE_COOKIE)
  const kept = await keptPage(chosen?.value)
  if (kept && !isReload(event.request)) {
    event.waitUntil(renewPage().catch(() => {})) // the server is away
    return kept
  }
  return openFromServer(event)
}

const openView = (event) => {
  if (isReload(event.request)) event.waitUntil(renewPage().catch(() => {}))
  return fetch(event.request).catch(instead)
}

async function openFromServer(event) {
  const page = await fetch(event.request).catch(instead)
  event.waitUntil(keepShell(page.clone()).catch(() => {}))
  return page
}

const instead = async () => (await keptPage()) ?? Response.error()

/** The page of one of this worker's builds, in that language if one is named: never one whose files are not here. */
async function keptPage(wanted) {
  for (const [build, { language }] of Object.entries(BUILDS)) {
    if (wanted !== undefined && wanted !== language) continue
    const page = await caches.match(PAGE, { cacheName: SHELL + build })
    if (page) return page
  }
  return undefined
}

/** The page as the server gives it to this visitor: in their language, and with its policy. */
const fetchPage = () => fetch(PAGE, { cache: 'no-cache' })

/** Keeps a page with all of its files, or nothing. A page of a build that is not known here comes with the worker that knows it. */
async function keepShell(page) {
  const build = await buildOf(page)
  const { files } = BUILDS[build] ?? {}
  if (!files) return
  const shell = await caches.open(SHELL + build)
  const there = new Set((await shell.keys()).map(({ url }) => new URL(url).pathname))
  const missing = files.map((file) => `/${file}`).filter((path) => !there.has(path))
  const fetchNext = async () => {
    for (let path = missing.pop(); path !== undefined; path = missing.pop()) await shell.add(path)
  }
  await Promise.all(Array.from({ length: FETCHED_AT_ONCE }, fetchNext))
  await shell.put(PAGE, page)
  for (const other of Object.keys(BUILDS)) {
    if (other !== build && (await caches.has(SHELL + other)))
      await (await caches.open(SHELL + other)).delete(PAGE)
  }
}

async function renewPage() {
  const page = await fetchPage()
  const build = await buildOf(page)
  if (build === undefined) return
  if (BUILDS[build]) await keepShell(page)
  else await self.registration.update()
  await dropOldShells()
}

const buildOf = async (page) => (page.ok ? BUILD_NAME.exec(await page.clone().text())?.[1] : undefined)

/** Stores shared content until the person chooses where to send it, on a page of the chat. Nothing is sent by itself. */
async function takeShared(request) {
  const form = await request.formData()
  const files = form.getAll('files').filter((file) => file instanceof File && file.size > 0)
  const said = ['title', 'text', 'url'].map((name) => String(form.get(name) ?? '').trim())
  await caches.delete(SHARED)
  const shared = await caches.open(SHARED)
  for (const [index, file] of files.entries()) await shared.put(`${SHARE}/${index}`, new Response(file))
  const kinds = files.map(({ name, type }) => ({ name, type }))
  await shared.put(SHARE, Response.json({ said, files: kinds, at: Date.now() }))
  return Response.redirect('/?shared', 303)
}

/** Each page holds a lock with the name of its build: shells that no page needs any more go. */
async function dropOldShells() {
  const { held = [] } = (await self.navigator.locks?.query()) ?? {}
  const needed = [...Object.keys(BUILDS), ...held.map(({ name }) => name.replace('parley-build ', ''))]
  for (const name of await caches.keys())
    if (name.startsWith(SHELL) && !needed.includes(name.slice(SHELL.length))) await caches.delete(name)
}

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
