import { type Browser, chromium, type Page } from 'playwright-core'
import { FLAGS, SMALL_BROWSER } from '../test/support/chromium.ts'

/** Time of inactivity after which a page has drawn everything. */
const QUIET_MS = 500
const OPEN_LIMIT_MS = 60_000

/** Runs in the page before anything else: keeps the longest task, and when the last one ended. */
const WATCH = `
  globalThis.longTasks = { longestMs: 0, endedAt: 0 }
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) {
      longTasks.longestMs = Math.max(longTasks.longestMs, duration)
      longTasks.endedAt = startTime + duration
    }
  }).observe({ type: 'longtask' })`

/** Opens a signed-in page; undefined if there is no browser. */
export async function openPage(url: string, cookie: string): Promise<OpenPage | undefined> {
  if (SMALL_BROWSER === undefined) return undefined
  const browser = await chromium.launch({ executablePath: SMALL_BROWSER, args: FLAGS })
  const context = await browser.newContext({ baseURL: url, locale: 'en-US' })
  await context.addCookies(
    cookie.split('; ').map((each) => {
      const at = each.indexOf('=')
      return { name: each.slice(0, at), value: each.slice(at + 1), url }
    }),
  )
  const page = await context.newPage()
  await page.addInitScript({ content: WATCH })
  return new OpenPage(browser, page)
}

export class OpenPage {
  readonly #browser: Browser
  readonly #page: Page

  constructor(browser: Browser, page: Page) {
    this.#browser = browser
    this.#page = page
  }

  async visit(path: string): Promise<void> {
    await this.#page.goto(path)
    await this.#page
      .getByRole('log')
      .or(this.#page.getByRole('main'))
      .first()
      .waitFor({ timeout: OPEN_LIMIT_MS })
    await this.#settle()
  }

  /** The longest task, in milliseconds, while the page moves to another topic without a reload. */
  async longestTaskTo(topicId: string): Promise<number> {
    await this.#page.evaluate(`
      longTasks = { longestMs: 0, endedAt: performance.now() }
      history.pushState(null, '', '/t/${topicId}')`)
    await this.#settle()
    return Number(await this.#page.evaluate('longTasks.longestMs'))
  }

  close(): Promise<void> {
    return this.#browser.close()
  }

  async #settle(): Promise<void> {
    const deadline = performance.now() + OPEN_LIMIT_MS
    while (performance.now() < deadline) {
      await this.#page.waitForTimeout(QUIET_MS / 5)
      if (await this.#page.evaluate(`performance.now() - longTasks.endedAt > ${QUIET_MS}`)) return
    }
    throw new Error(`the page was busy for ${OPEN_LIMIT_MS / 1000} s`)
  }
}
