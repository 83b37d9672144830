import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { forwardTexts } from '../../web/src/texts/forward.ts'
import {
  BROWSER,
  faultsInBothThemes,
  openStage,
  openTeam,
  type Stage,
  type Team,
} from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const t = forwardTexts.en
const WIDE = { width: 1280, height: 900 }

/** Ada has a topic of her own and one with Ben; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('what is shared', () => {
  let stage: Stage
  let ada: BrowserContext
  let ben: BrowserContext
  let page: Page
  let chat: Team['chat']
  let harbour: string
  let cellar: string

  beforeAll(async () => {
    stage = await openStage()
    let benId: string
    ;({ ada, ben, benId, chat } = await openTeam(stage, { viewport: WIDE }))
    harbour = String((await chat(ada, 'POST', 'topics', { name: 'Harbour', members: [benId] })).id)
    cellar = String((await chat(ada, 'POST', 'topics', { name: 'Cellar', members: [], open: false })).id)
    await chat(ada, 'POST', 'messages', { topicId: cellar, text: 'The **old** wine' })
    page = await ada.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(() => stage?.close())

  const entry = (name: string): Locator => page.getByRole('menuitem', { name })
  const messageIn = (of: Page, text: string): Locator =>
    of.getByRole('log').first().getByRole('article').filter({ hasText: text })
  const openMenu = async (row: Locator): Promise<void> => {
    await row.hover()
    await row.getByRole('button', { name: messageTexts.en.more }).click()
  }
  const isForEverybody = async (name: string): Promise<void> => {
    expect(await faultsInBothThemes(page, `sharing-${name}`)).toEqual([])
  }

  test('a message is forwarded with a comment; only who was there finds the way back', async () => {
    await page.goto(`/t/${cellar}`)
    await openMenu(messageIn(page, 'The old wine'))
    await entry(messageTexts.en.forward).click()
    const dialog = page.getByRole('dialog', { name: t.title })
    await dialog.getByLabel(t.to).fill('Harb')
    await page.keyboard.press('Enter')
    await dialog.getByLabel(t.comment).fill('For tonight')
    await isForEverybody('forward')
    await dialog.getByRole('button', { name: t.act }).click()
    await page.getByText(t.done).waitFor()
    const other = await ben.newPage()
    await other.goto(`/t/${harbour}`)
    const seen = messageIn(other, 'For tonight')
    await seen.getByText('Forwarded from').waitFor()
    await seen.getByText('The old wine').waitFor()
    expect(await seen.getByRole('button', { name: t.open }).count()).toBe(0)
    await other.close()
    await page.goto(`/t/${harbour}`)
    await messageIn(page, 'For tonight').getByRole('button', { name: t.open }).waitFor()
    await isForEverybody('forwarded')
    await messageIn(page, 'For tonight').getByRole('button', { name: t.open }).click()
    await page.waitForURL((url) => url.pathname === `/t/${cellar}`)
  })
})
