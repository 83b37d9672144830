import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import type { Context } from '../scenario.ts'
import type { SignedIn } from './people.ts'
import { SESSION_COOKIE } from './requests.ts'

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export async function openBrowser(context: Context): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error('there is no Chromium here; CHROMIUM names one')
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  context.onEnd(() => browser.close())
  return browser
}

/** A new browser of this person, without a cache or stored data. */
export async function visitorOf(
  browser: Browser,
  url: string,
  { token }: SignedIn,
  options: BrowserContextOptions = { viewport: { width: 1280, height: 800 } },
): Promise<BrowserContext> {
  const visitor = await browser.newContext(options)
  await visitor.addCookies([{ name: SESSION_COOKIE, value: token, url }])
  return visitor
}

const LOOK_EVERY_MS = 20

/** Waits until an expression is true in the page; the policy of the page refuses functions that wait inside of it. */
export async function until(page: Page, expression: string, limitMs = 30_000): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await page.evaluate<boolean>(`Boolean(${expression})`))) {
    if (performance.now() > deadline) throw new Error(`not in time: ${expression}`)
    await sleep(LOOK_EVERY_MS)
  }
}

/**
 * Follows the tasks of all pages of this browser. Gives a function that ends it, and tells how much processor time each task of
 * the busiest page had, in ms.
 */
export async function traceTasks(page: Page): Promise<() => Promise<number[]>> {
  const session = await page.context().browser()?.newBrowserCDPSession()
  if (!session) throw new Error('the page is one of a browser that was started here')
  const events: Record<string, string>[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  })
  return async () => {
    const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
    await session.send('Tracing.end')
    await ended
    await session.detach()
    const pages = events.filter(
      ({ name, args }) => name === 'thread_name' && Object(args).name === 'CrRendererMain',
    )
    const byPage = pages.map(({ pid, tid }) =>
      events.flatMap((event) =>
        event.pid === pid && event.tid === tid && event.ph === 'X' && event.name?.endsWith('RunTask')
          ? Number(event.tdur ?? 0) / 1000
          : [],
      ),
    )
    const total = (tasks: readonly number[]) => tasks.reduce((sum, ms) => sum + ms, 0)
    return byPage.reduce((busiest, tasks) => (total(tasks) > total(busiest) ? tasks : busiest), [])
  }
}

/**
 * Runs in the page before anything of it. A row counts as painted when the frame after the one that brought it has begun: a task
 * that is queued from within a frame runs after that frame was drawn. Tasks over 50 ms are reported by the browser.
 */
export const WATCH_PAGE = `
  window.bench = { firstMessageAt: undefined, painted: [], longTasks: [], workers: [], isWatching: false }
  window.SharedWorker = class extends SharedWorker {
    constructor(url, options) {
      bench.workers.push(String(url))
      super(url, options)
    }
  }
  const at = () => performance.timeOrigin + performance.now()
  const afterPaint = (work) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = work
    port2.postMessage(undefined)
  })
  new MutationObserver((changes) => {
    if (bench.firstMessageAt === undefined && document.querySelector('[role=log] [data-row]')) {
      bench.firstMessageAt = 0
      afterPaint(() => { bench.firstMessageAt = performance.now() })
    }
    if (!bench.isWatching) return
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        const row = node.matches('[data-row]') ? node : node.querySelector('[data-row]')
        if (row) afterPaint(() => bench.painted.push({ text: row.textContent, at: at() }))
      }
    }
  }).observe(document, { childList: true, subtree: true })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) bench.longTasks.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
  addEventListener('keydown', ({ key }) => { if (key === 'Enter') bench.enterAt = at() }, true)
`
