import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER, openStage, openTeam, type Stage, type Team, takePicture } from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { readFromTheRight } from '../support/right-to-left.ts'

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }

/** Elements that stick out of the window, but for the link to the content, which waits outside of it for the keyboard. */
const STICKING_OUT = `[...document.querySelectorAll('button, a:not([href="#content"]), input, h1, h2, p')]
  .filter((element) => {
    const { left, right, bottom, width } = element.getBoundingClientRect()
    const isSeen = width > 1 && bottom > 0 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const scrolls = element.closest('[role=tablist], pre, table, [class*=scroll]') !== null
    return isSeen && !scrolls && (left < -1 || right > innerWidth + 1)
  })
  .map((element) => element.outerHTML.slice(0, 120))`

describe.skipIf(BROWSER === undefined)('pages that are read from the right', () => {
  let stage: Stage
  let reader: BrowserContext
  let page: Page
  let team: Team
  let topicId: string

  beforeAll(async () => {
    stage = await openStage()
    team = await openTeam(stage)
    const { ada, ben, benId, chat } = team
    const topic = await chat(ada, 'POST', 'topics', { name: 'Spring release', members: [benId] })
    topicId = String(topic.id)
    const say = (text: string) => chat(ben, 'POST', 'messages', { topicId, text })
    await say('Shall we ship on **Thursday**? See `CHANGELOG.md`.')
    await say('הכול מוכן')
    await say('```ts\nawait release("spring")\n```')
    reader = await stage.visitor({ viewport: WIDE })
    await reader.addCookies(await ada.cookies())
    await readFromTheRight(reader)
    page = await reader.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(async () => {
    await stage?.close()
  })

  async function isDrawn(): Promise<void> {
    await page.locator('html[dir=rtl]').waitFor({ state: 'attached' })
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  }

  const inChat = (name: string) => () => `/o/${team.organizationId}/${name}`
  const inConsole = (name: string) => () => `/console/${team.organizationId}${name}`
  const VIEWS: [name: string, path: () => string][] = [
    ['conversation', () => `/t/${topicId}`],
    ['details', () => `/t/${topicId}?details=members`],
    ['settings', () => `/t/${topicId}?details=settings`],
    ['search', inChat('search?q=thursday')],
    ['mentions', inChat('mentions')],
    ['notifications', inChat('notifications')],
    ['account', () => '/account'],
    ['overview', inConsole('')],
    ['members', inConsole('/members')],
    ['bots', inConsole('/bots')],
    ['organization-settings', inConsole('/settings')],
    ['audit', inConsole('/audit')],
  ]

  test.each(VIEWS)('%s fits the window, wide and narrow', async (name, path) => {
    await page.goto(path())
    for (const [size, look] of [
      [WIDE, 'wide'],
      [PHONE, 'phone'],
    ] as const) {
      await page.setViewportSize(size)
      await isDrawn()
      await takePicture(page, `rtl-${name}-${look}`)
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), look).toBe(true)
      expect(await page.evaluate(STICKING_OUT), look).toEqual([])
    }
    await page.setViewportSize(WIDE)
  })

  test('the list of conversations stands on the right, and the details on the left', async () => {
    await page.goto(`/t/${topicId}?details=members`)
    await isDrawn()
    const middleOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      return (box?.x ?? 0) + (box?.width ?? 0) / 2
    }
    expect(await middleOf(`a[href^="/t/${team.general}"]`)).toBeGreaterThan(WIDE.width * 0.75)
    expect(await middleOf('[role=tablist]')).toBeLessThan(WIDE.width / 2)
  })

  test('code is read from the left, and each message from where its own words begin', async () => {
    await page.goto(`/t/${topicId}`)
    await isDrawn()
    await page.getByText('await release').first().waitFor()
    const directions =
      await page.evaluate(`[...document.querySelectorAll('[role=log] p[dir], [role=log] code, [role=log] pre')]
      .map((element) => [element.textContent, getComputedStyle(element).direction])`)
    expect(directions).toEqual(
      expect.arrayContaining([
        ['Shall we ship on Thursday? See CHANGELOG.md.', 'ltr'],
        ['CHANGELOG.md', 'ltr'],
        ['הכול מוכן', 'rtl'],
        ['await release("spring")', 'ltr'],
      ]),
    )
  })

  test('arrows point to where they lead', async () => {
    await page.goto(`/t/${topicId}`)
    await page.setViewportSize(PHONE)
    await isDrawn()
    for (const icon of ['.lucide-arrow-left', '.lucide-send-horizontal']) {
      await page.locator(icon).first().waitFor()
      expect(await page.evaluate(`getComputedStyle(document.querySelector('${icon}')).scale`), icon).toBe(
        '-1 1',
      )
    }
    await page.setViewportSize(WIDE)
  })

  test('nobody is offered it', async () => {
    const html = await (
      await fetch(`${stage.server.url}/`, { headers: { 'Accept-Language': 'ar, he' } })
    ).text()
    expect(html).toContain('<html lang="en" dir="ltr">')
  })
})
