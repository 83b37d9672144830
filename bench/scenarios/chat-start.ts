import type { BrowserContext, Page } from 'playwright-core'
import { openBrowser, until, visitorOf, WATCH_PAGE } from '../parts/browser.ts'
import { openBackstage } from '../parts/cast.ts'
import { makeChat } from '../parts/chat.ts'
import { latencyOf } from '../parts/histogram.ts'
import type { Scenario } from '../scenario.ts'

const VISITS = 5
const TOPICS = 20
const MESSAGES_EACH = 200

export const chatStart: Scenario = {
  name: 'chat-start',
  title:
    'Opening a topic in a browser that has never been there, and in one that has: until a message is painted',
  target: {
    script: { valueUnder: 150 },
    'cold start': { valueUnder: 1200 },
    'warm start': { valueUnder: 500 },
    phone: { valueUnder: 1000 },
  },
  async run(context) {
    const server = await context.startServer()
    const backstage = await openBackstage(server)
    context.onEnd(backstage.close)
    const { people, topics } = await makeChat(backstage, {
      people: 1,
      topics: TOPICS,
      messagesEach: MESSAGES_EACH,
    })
    const [person] = people
    const [topic] = topics
    if (!person || !topic) throw new Error('there is a person and a topic')
    const url = `http://127.0.0.1:${server.port}`
    const browser = await openBrowser(context)
    return context.repeat(async () => {
      const cold: Visit[] = []
      const warm: Visit[] = []
      for (let number = 0; number < VISITS; number++) {
        const visitor = await visitorOf(browser, url, person)
        await visitor.addInitScript(WATCH_PAGE)
        cold.push(await visit(visitor, `${url}/t/${topic.id}`))
        warm.push(await visit(visitor, `${url}/t/${topic.id}`))
        await visitor.close()
      }
      const phone: Visit[] = []
      const holder = await visitorOf(browser, url, person, PHONE)
      await holder.addInitScript(WATCH_PAGE)
      await visit(holder, `${url}/t/${topic.id}`, untilInstalled)
      for (let number = 0; number < VISITS; number++)
        phone.push(await visit(holder, `${url}/t/${topic.id}`, undefined, slowDown))
      await holder.close()
      const [coldTimes, warmTimes, phoneTimes] = [cold, warm, phone].map((visits) =>
        latencyOf(visits.map(({ ms }) => ms)),
      )
      if (!coldTimes || !warmTimes || !phoneTimes) throw new Error('there are times')
      return [
        {
          name: 'script',
          unit: 'KB compressed',
          better: 'less',
          value: Math.max(...cold.map(({ scriptBytes }) => scriptBytes)) / 1000,
        },
        { name: 'cold start', unit: 'ms', better: 'less', value: coldTimes.p50, latency: coldTimes },
        { name: 'warm start', unit: 'ms', better: 'less', value: warmTimes.p50, latency: warmTimes },
        { name: 'phone', unit: 'ms', better: 'less', value: phoneTimes.p50, latency: phoneTimes },
      ]
    })
  },
}

/** A phone of the middle range on a fast 3G network, as the developer tools of Chromium have them. */
const PHONE = { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true }
const PHONE_CPU_RATE = 4
const FAST_3G = {
  offline: false,
  latency: 562.5, // ms for each request
  downloadThroughput: (1_600_000 * 0.9) / 8,
  uploadThroughput: (750_000 * 0.9) / 8,
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', FAST_3G)
  await session.send('Emulation.setCPUThrottlingRate', { rate: PHONE_CPU_RATE })
}

/** The worker has the page and its files, so that the next start is one from the icon. */
const untilInstalled = (page: Page): Promise<void> =>
  page.evaluate(`navigator.serviceWorker.ready.then(async () => {
    while (!(await caches.match('/'))) await new Promise((resolve) => setTimeout(resolve, 50))
  })`)

type Visit = { ms: number; scriptBytes: number }

const SETTLE_MS = 1500
/**
 * The browser opens a window for each page, whose frame takes 200 ms of CPU time in its first second; people open the
 * chat in an existing window.
 */
const WINDOW_MS = 1000
/** Counts the scripts that came before the first message was painted. Workers are not in the page's timeline. */
const SCRIPTS = `({
  bytes: performance.getEntriesByType('resource')
    .filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= bench.firstMessageAt)
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  workers: bench.workers,
})`

async function visit(
  visitor: BrowserContext,
  url: string,
  settle: (page: Page) => Promise<void> = async () => {},
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Visit> {
  const page = await visitor.newPage()
  await page.waitForTimeout(WINDOW_MS)
  await prepare(page)
  await page.goto(url)
  await until(page, 'bench.firstMessageAt > 0')
  const ms = await page.evaluate<number>('bench.firstMessageAt')
  const { bytes, workers } = await page.evaluate<{ bytes: number; workers: string[] }>(SCRIPTS)
  // The page writes its state for the next start a second after the last change.
  await page.waitForTimeout(SETTLE_MS)
  await settle(page)
  await page.close()
  const workerBytes = await Promise.all(workers.map(compressedBytes))
  return { ms, scriptBytes: workerBytes.reduce((sum, one) => sum + one, bytes) }
}

async function compressedBytes(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'br' } })
  await response.arrayBuffer()
  return Number(response.headers.get('content-length'))
}
