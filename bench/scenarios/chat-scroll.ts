import type { Page } from 'playwright-core'
import { openBrowser, until, visitorOf, WATCH_PAGE } from '../parts/browser.ts'
import { openBackstage } from '../parts/cast.ts'
import { makeChat } from '../parts/chat.ts'
import { latencyOf } from '../parts/histogram.ts'
import type { Figure, Scenario } from '../scenario.ts'

const MESSAGES = 100_000
const MESSAGES_QUICK = 5000
const PASS_LIMIT_MS = 5 * 60_000
/** About four screens a second, the speed of skimming. */
const PIXELS_PER_SECOND = 3000
const IDLE_MS = 2000

export const chatScroll: Scenario = {
  name: 'chat-scroll',
  title:
    'Scrolling in a topic of 100,000 messages: up from the newest, and down from the first, when all have passed',
  floor: 'frames of the same page while nothing happens',
  target: { 'while loading': { ratioAtLeast: 0.95 }, 'after all': { ratioAtLeast: 0.95 } },
  async run(context) {
    const server = await context.startServer()
    const backstage = await openBackstage(server)
    context.onEnd(backstage.close)
    const messages = context.quick ? MESSAGES_QUICK : MESSAGES
    const { people, topics } = await makeChat(backstage, { people: 1, topics: 1, messagesEach: messages })
    const [person] = people
    const [topic] = topics
    if (!person || !topic) throw new Error('there is a person and a topic')
    const url = `http://127.0.0.1:${server.port}`
    const browser = await openBrowser(context)
    const visitor = await visitorOf(browser, url, person)
    await visitor.addInitScript(WATCH_PAGE)
    const scrollMs = context.seconds * 1000

    const page = await visitor.newPage()
    await page.goto(`${url}/t/${topic.id}`)
    await until(page, 'bench.firstMessageAt > 0')
    await page.evaluate(HELPERS)
    const floor = await framesOf(page, 'rest', 0, IDLE_MS)
    const loading = await framesOf(page, 'while loading', -PIXELS_PER_SECOND, scrollMs)
    context.say(`passing all ${messages} messages …`)
    const passedMs = await page.evaluate<number>(`bench.passAll(${PASS_LIMIT_MS})`)
    context.say(`passed in ${Math.round(passedMs / 1000)} s`)
    return context.repeat(async () => {
      const down = await framesOf(page, 'after all', PIXELS_PER_SECOND, scrollMs)
      return [loading, down].map((figure) => ({ ...figure, floor: floor.value }))
    })
  },
}

/** Sets the place in each frame, as far as the time since the last one asks for, and tells how long frames took. */
const HELPERS = `
  bench.scroller = document.querySelector('[role=log]')
  bench.scroll = (pixelsPerSecond, ms) => new Promise((done) => {
    const intervals = []
    let last
    const frame = (now) => {
      if (last !== undefined) {
        intervals.push(now - last)
        if (pixelsPerSecond !== 0) bench.scroller.scrollTop += (pixelsPerSecond * (now - last)) / 1000
      }
      last = now
      const total = intervals.reduce((sum, one) => sum + one, 0)
      if (total < ms) requestAnimationFrame(frame)
      else done(intervals)
    }
    requestAnimationFrame(frame)
  })
  bench.passAll = async (limitMs) => {
    const began = performance.now()
    // Once nothing is left to load, the beginning of the topic is at the top.
    while (!bench.scroller.querySelector('article h2')) {
      if (performance.now() - began > limitMs) throw new Error('the messages took too long to pass')
      bench.scroller.scrollTop = 0
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    return performance.now() - began
  }
`

async function framesOf(page: Page, name: string, pixelsPerSecond: number, ms: number): Promise<Figure> {
  await page.evaluate('bench.longTasks = []')
  const intervals = await page.evaluate<number[]>(`bench.scroll(${pixelsPerSecond}, ${ms})`)
  const total = intervals.reduce((sum, one) => sum + one, 0)
  const longest = await page.evaluate<number>(
    'Math.max(0, ...bench.longTasks.map(({ duration }) => duration))',
  )
  return {
    name,
    unit: 'frames/s',
    better: 'more',
    value: (intervals.length / total) * 1000,
    latency: latencyOf(intervals),
    details: { longestTask: longest },
  }
}
