import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBot } from '../../sdk/index.ts'
import { rehearsals as texts } from '../../web/src/texts/rehearsals.ts'
import {
  ask,
  BROWSER,
  faults,
  faultsInBothThemes,
  openStage,
  type Stage,
  takePicture,
} from '../support/browser.ts'

const t = texts.en
const PASSWORD = 'four plain words here'

describe.skipIf(BROWSER === undefined)('an admin who rehearses a bot', () => {
  let stage: Stage
  let admin: BrowserContext
  let page: Page
  let organizationId: string
  let bot: { botId: string; topicId: string; apiKey: string; apiSecret: string }

  beforeAll(async () => {
    stage = await openStage()
    admin = await stage.visitor({ viewport: { width: 1280, height: 900 } })
    const [, token] = stage.setupLink.split('#')
    const made = await ask(admin, stage.server.url, 'POST', '/people/setup', {
      token,
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Oracle',
    })
    organizationId = String(made.organizationId)
    bot = { ...Object(made.bot), botId: Object(made.bot).id ?? Object(made.bot).botId, topicId: made.topicId }
    const chat = `/people/organizations/${organizationId}/chat/messages`
    const say = (text: string) => ask(admin, stage.server.url, 'POST', chat, { topicId: bot.topicId, text })
    const working = createBot({ url: stage.server.url, apiKey: bot.apiKey, apiSecret: bot.apiSecret }).parley
    await say('Is 1.4 out?')
    await working.sendMessage({ body: { topicId: bot.topicId, text: 'I do not know.' } })
    await say('Who is on call?')
    page = await admin.newPage()
  })
  afterAll(() => stage?.close())

  /** The part below one of the two headings of an event. */
  const sideOf = (event: Locator, heading: string) =>
    event.locator('div', { has: page.getByRole('heading', { name: heading, exact: true }) }).last()

  test('begins it, runs the new version, and compares', async () => {
    await page.goto(`/console/${organizationId}/bots/${encodeURIComponent(bot.botId)}/rehearsals`)
    await page.getByText(t.empty, { exact: true }).waitFor()
    await page.getByRole('button', { name: t.add }).click()
    await page.getByRole('dialog').getByLabel(t.name, { exact: true }).fill('Version 2')
    await takePicture(page, 'rehearsal-new')
    await page.getByRole('dialog').getByRole('button', { name: t.create }).click()
    await page.getByText(t.once).waitFor()
    const shown = page.getByRole('group', { name: t.token })
    const token = await shown.locator('code').innerText()
    expect(token).toMatch(/^parley_rehearsal_\w+$/)
    expect(await faults(page)).toEqual([])
    await takePicture(page, 'rehearsal-token')
    await shown.getByRole('button').click()
    await page.getByRole('button', { name: t.stored }).click()

    const next = createBot({ url: stage.server.url, rehearsal: token })
    next.on('message', async ({ message, reply }) => {
      if (message.text.startsWith('Who')) await reply('Ben, until Friday.')
      else await reply('Yes, since noon. https://example.com/releases/1.4')
    })
    await next.start()

    await page.getByRole('link', { name: 'Version 2' }).click()
    await page.getByText('Yes, since noon.').waitFor()
    const first = page.getByRole('listitem').filter({ hasText: 'Is 1.4 out?' })
    expect(await sideOf(first, t.former).innerText()).toContain('I do not know.')
    expect(await sideOf(first, t.rehearsed).innerText()).toContain('Yes, since noon.')
    const second = page.getByRole('listitem').filter({ hasText: 'Who is on call?' })
    expect(await sideOf(second, t.former).innerText()).toContain(t.silent)
    expect(await faultsInBothThemes(page, 'rehearsal')).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'))
    expect(width).toBeLessThanOrEqual(390)
    await takePicture(page, 'rehearsal-narrow')
    await page.setViewportSize({ width: 1280, height: 900 })

    await page.getByRole('button', { name: t.remove }).click()
    await page.getByRole('dialog').getByRole('button', { name: t.remove }).click()
    await page.getByText(t.empty, { exact: true }).waitFor()
  })
})
