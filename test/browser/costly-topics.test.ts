import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FRAME_ELEMENTS } from '../../web/src/chat/views/conversation/markdown/cost.ts'
import { BROWSER, openStage, openTeam, type Stage, type Team } from '../support/browser.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const MESSAGES = 20
/** Elements of a row beside its text: face, name, time and what is around them. */
const ROW_ELEMENTS = 40
/** A table with the 1,860 cells that a message may have. */
const TABLE = [`|${'a|'.repeat(60)}`, `|${'-|'.repeat(60)}`, ...Array(30).fill(`|${'x|'.repeat(60)}`)].join(
  '\n',
)
const ORDINARY =
  'The **deploy** is done, see `main`:\n\n- tests are green\n- [the log](https://example.com/log)'

const WORDS = 'y z '
/** Signs whose look may depend on their neighbours in a font. */
const SIGNS = ['[ ] ', '( ) ', '{ } ', '-> ', '=> ', '<-- ', '1x2 ', '1:2 ', '::: ', '@ # ', '() ', 'A@B ']

/** Looks at the list in each frame: how many elements came at most, what waits, and whether the newest waited. */
const WATCH = `
  globalThis.seen = { most: 0, waited: 0, newestWaited: false }
  let before = 0
  const look = () => {
    const elements = document.querySelectorAll('[role=log] [data-row] *').length
    seen.most = Math.max(seen.most, elements - before)
    before = elements
    const waiting = document.querySelectorAll('[data-waiting]').length
    seen.waited = Math.max(seen.waited, waiting)
    const newest = [...document.querySelectorAll('[data-row]')].at(-1)
    if (newest?.querySelector('[data-waiting]')) seen.newestWaited = true
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

/** Pixels between the visible part and the end of the list. */
const BELOW = `(() => {
  const list = document.querySelector('[role=log]')
  return list.scrollHeight - list.scrollTop - list.clientHeight
})()`

describe.skipIf(BROWSER === undefined)('a topic', () => {
  let stage: Stage
  let ada: BrowserContext
  let chat: Team['chat']

  beforeAll(async () => {
    stage = await openStage()
    ;({ ada, chat } = await openTeam(stage, { viewport: { width: 1280, height: 900 } }))
  })
  afterAll(() => stage?.close())

  async function openWith(text: string): Promise<Page> {
    const { id: topicId } = await chat(ada, 'POST', 'topics', { name: 'Harbour', members: [] })
    for (let number = 0; number < MESSAGES; number++) await chat(ada, 'POST', 'messages', { topicId, text })
    const page = await ada.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.addInitScript({ content: WATCH })
    await page.goto(`/t/${topicId}`)
    await page.getByRole('log').getByRole('article').last().waitFor()
    return page
  }
  const seenBy = (page: Page) =>
    page.evaluate<{ most: number; waited: number; newestWaited: boolean }>('seen')

  test('with messages that are costly to draw is drawn over several frames, the newest first', async () => {
    const page = await openWith(TABLE)
    await eventuallyHolds(async () => {
      expect(await page.locator('[data-row] table').count()).toBeGreaterThan(0)
      expect(await page.locator('[data-waiting]').count()).toBe(0)
    })
    const { most, waited, newestWaited } = await seenBy(page)
    expect(waited).toBeGreaterThan(0)
    expect(newestWaited).toBe(false)
    expect(most).toBeLessThan(2 * FRAME_ELEMENTS + MESSAGES * ROW_ELEMENTS)
    // Everything is drawn whole, and the newest message is in sight.
    expect(await page.locator('[data-row]:not(:has(table))').count()).toBe(0)
    const below = await page.evaluate<number>(BELOW)
    expect(below).toBeLessThan(2)
    await page.close()
  })

  test('with rows of signs is laid out as fast as one with words', async () => {
    const page = await openWith('x')
    const times = await page.evaluate<Record<string, number>>(`(() => {
      const text = [...document.querySelectorAll('[data-row] p')].at(-1)
      const tookFor = (part) => {
        const tries = Array.from({ length: 5 }, (_, number) => {
          text.textContent = ''
          document.body.offsetHeight
          text.textContent = number + part.repeat(2500)
          const begin = performance.now()
          document.body.offsetHeight
          return performance.now() - begin
        })
        return Math.min(...tries)
      }
      return Object.fromEntries(${JSON.stringify([WORDS, ...SIGNS])}.map((part) => [part, tookFor(part)]))
    })()`)
    const limit = 10 * (times[WORDS] ?? 0)
    expect(limit).toBeGreaterThan(0)
    expect(Object.entries(times).filter(([, took]) => took > limit)).toEqual([])
    await page.close()
  })

  test('with what people write is drawn in one go', async () => {
    const page = await openWith(ORDINARY)
    expect(await page.locator('[data-row]').count()).toBeGreaterThan(5)
    expect((await seenBy(page)).waited).toBe(0)
    await page.close()
  })
})
