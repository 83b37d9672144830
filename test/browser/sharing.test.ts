import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { forwardTexts } from '../../web/src/texts/forward.ts'
import { linkPreviewTexts } from '../../web/src/texts/link-preview.ts'
import {
  BROWSER,
  faultsInBothThemes,
  openStage,
  openTeam,
  type Stage,
  type Team,
} from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { PNG } from '../support/samples.ts'

const t = forwardTexts.en
const WIDE = { width: 1280, height: 900 }

const PAGE = `<title>Tide tables</title><meta property="og:site_name" content="Harbour office">
  <meta property="og:description" content="High water and low water, day by day."><meta property="og:image" content="/p.png">`

/** Ada has a topic of her own and one with Ben; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('what is shared', () => {
  let stage: Stage
  let site: Server
  let ada: BrowserContext
  let ben: BrowserContext
  let page: Page
  let chat: Team['chat']
  let harbour: string
  let cellar: string

  beforeAll(async () => {
    site = createServer(({ url }, response) => {
      if (url === '/p.png') response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)
      else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    stage = await openStage({ LINK_PREVIEW_NETWORKS: '127.0.0.0/8' })
    let benId: string
    ;({ ada, ben, benId, chat } = await openTeam(stage, { viewport: WIDE }))
    harbour = String((await chat(ada, 'POST', 'topics', { name: 'Harbour', members: [benId] })).id)
    cellar = String((await chat(ada, 'POST', 'topics', { name: 'Cellar', members: [], open: false })).id)
    await chat(ada, 'POST', 'messages', { topicId: cellar, text: 'The **old** wine' })
    page = await ada.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(async () => {
    await stage?.close()
    site?.close()
  })

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

  test('a message is forwarded with a comment; only members of its topic find the way back', async () => {
    await page.goto(`/t/${cellar}`)
    await openMenu(messageIn(page, 'The old wine'))
    await entry(messageTexts.en.forward).click()
    const dialog = page.getByRole('dialog', { name: t.title })
    await dialog.getByLabel(t.to).fill('Harb')
    await page.keyboard.press('Enter')
    const comment = dialog.getByLabel(t.comment)
    await comment.fill('For tonight')
    await comment.press('End')
    await comment.pressSequentially(', @Be')
    await dialog.getByRole('option', { name: 'Ben' }).click()
    expect(await comment.inputValue()).toMatch(/^For tonight, @Ben .*$/)
    await isForEverybody('forward')
    await dialog.getByRole('button', { name: t.act }).click()
    await page.getByText(t.done).waitFor()
    const { messages } = await chat(ben, 'GET', `topics/${harbour}/history`)
    expect((messages as { text: string }[]).at(-1)?.text).toMatch(/^For tonight, <@[0-9a-f-]{36}>$/)
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
  test('a link shows what it leads to, from this server alone, until its sender takes that off', async () => {
    await page.goto(`/t/${harbour}`)
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(page.url()).origin)) foreign.push(request.url())
    })
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/tides`
    const other = await ben.newPage()
    await other.goto(`/t/${harbour}`)
    await chat(ada, 'POST', 'messages', { topicId: harbour, text: `Before we sail: ${address}` })
    const row = messageIn(page, 'Before we sail')
    await row.getByRole('link', { name: 'Tide tables' }).waitFor()
    await row.getByText('Harbour office').waitFor()
    await row.locator('img').waitFor()
    expect(foreign.filter((url) => !url.startsWith('blob:') && !url.startsWith('data:'))).toEqual([])
    await isForEverybody('preview')
    const seen = messageIn(other, 'Before we sail')
    await seen.getByRole('link', { name: 'Tide tables' }).waitFor()
    expect(await seen.getByRole('button', { name: linkPreviewTexts.en.remove }).count()).toBe(0)
    await row.getByRole('button', { name: linkPreviewTexts.en.remove }).click()
    await seen.getByRole('link', { name: 'Tide tables' }).waitFor({ state: 'detached' })
    await other.close()
  })
})
