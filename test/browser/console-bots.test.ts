import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstUuidAt } from '../../server/ids.ts'
import { addresses as addressTexts } from '../../web/src/texts/addresses.ts'
import { audit as auditTexts } from '../../web/src/texts/audit.ts'
import { bots as botTexts } from '../../web/src/texts/bots.ts'
import { common as commonTexts } from '../../web/src/texts/common.ts'
import { consoleTexts } from '../../web/src/texts/console.ts'
import { consoleTopics as topicTexts } from '../../web/src/texts/console-topics.ts'
import { deliveries as deliveryTexts } from '../../web/src/texts/deliveries.ts'
import { incoming as incomingTexts } from '../../web/src/texts/incoming.ts'
import { overview as overviewTexts } from '../../web/src/texts/overview.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import { table as tableTexts } from '../../web/src/texts/table.ts'
import {
  ask,
  BROWSER,
  faults,
  faultsInBothThemes,
  mayBeLeft,
  openStage,
  type Stage,
  takePicture,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { postTo } from '../support/incoming.ts'
import { SAMPLES } from '../support/incoming-samples.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { PNG } from '../support/samples.ts'

const bots = botTexts.en
const words = deliveryTexts.en
const PASSWORD = 'four plain words here'
/** Files that the organization may keep: the overview says so. */
const QUOTA_MB = 700

describe.skipIf(BROWSER === undefined)('an admin who looks after bots', () => {
  let stage: Stage
  let receiver: Receiver
  let admin: BrowserContext
  let page: Page
  let organizationId: string
  let botId: string
  let first: { botId: string; topicId: string }

  beforeAll(async () => {
    stage = await openStage({ STORAGE_QUOTA_MB: String(QUOTA_MB) })
    receiver = await startReceiver()
    admin = await stage.visitor({ viewport: { width: 1280, height: 900 }, acceptDownloads: true })
    const [, token] = stage.setupLink.split('#')
    const made = await ask(admin, stage.server.url, 'POST', '/people/setup', {
      token,
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Deploy bot',
    })
    organizationId = String(made.organizationId)
    first = { botId: String(Object(made.bot).id), topicId: String(made.topicId) }
    page = await admin.newPage()
  })
  afterAll(async () => {
    await stage?.close()
    await receiver?.close()
  })

  const api = (method: 'GET' | 'POST' | 'PATCH', path: string, data?: unknown) =>
    ask(admin, stage.server.url, method, `/people/organizations/${organizationId}${path}`, data)
  const open = async (path: string) => {
    await page.goto(`/console/${organizationId}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }
  const bot = (tab = '') => `/bots/${encodeURIComponent(botId)}${tab}`

  test('shows the next step until it is done', async () => {
    const { next, counts } = overviewTexts.en
    await open('')
    const quota = `${QUOTA_MB} MB`
    await page.getByText(new RegExp(counts.filesOf('.+', quota))).waitFor()
    const steps = page.getByRole('region', { name: next.title })
    for (const { title } of [next.steps.mail, next.steps.invite, next.noBackup])
      await steps.getByText(title).waitFor()
    await api('POST', '/members', { email: 'ben@example.com', name: 'Ben Ito' })
    await steps.getByText(next.steps.invite.title).waitFor({ state: 'detached' })
    const made = JSON.stringify({ at: Date.now() - 8 * 86_400_000, place: '/backups' })
    await stage.query(`insert into settings (name, value) values ('last_backup', '${made}')`)
    await page.reload()
    await steps.getByText(next.oldBackup.title).waitFor()
    await takePicture(page, 'console-overview')
    await stage.query(`update settings set value = '${made.replace(/\d+/, String(Date.now()))}'
      where name = 'last_backup'`)
    await page.reload()
    await steps.getByText(next.steps.mail.title).waitFor()
    expect(await steps.getByText(next.oldBackup.title).count()).toBe(0)
    await steps.getByRole('link', { name: next.steps.mail.action }).click()
    await page.getByRole('heading', { level: 1, name: consoleTexts.en.nav.members }).waitFor()
  })

  test('makes a bot that may do little, and finds it', async () => {
    let letGo = () => {}
    const isLetGo = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/chat/start', async (route) => {
      await isLetGo
      await route.continue()
    })
    await open('/bots/new')
    await page.getByLabel(bots.name.label).fill('Release bot')
    await page.getByLabel(bots.description.label).fill('Tells of releases')
    await page.getByRole('radio', { name: bots.credential.oauth }).check()
    const ticked = page
      .getByRole('group', { name: bots.scopes.legend })
      .getByRole('checkbox', { checked: true })
    expect(await ticked.count()).toBe(5)
    await page.getByRole('radio', { name: bots.credential.static }).check()
    await page.getByRole('radio', { name: bots.delivery.webhook }).check()
    await page.getByLabel(bots.delivery.url).fill(receiver.url)
    await page.getByRole('button', { name: bots.create.button }).click()
    // The list of topics arrives now; the bot still joins the topic of all members.
    letGo()
    await page.getByRole('heading', { level: 1, name: bots.create.done('Release bot') }).waitFor()
    await page.unroute('**/chat/start')
    await page.getByRole('group', { name: bots.handover.oneToken }).waitFor()
    const { bots: listed } = await api('GET', '/bots?search=release')
    botId = Object(listed)[0].id

    await open('/bots')
    const row = page.getByRole('row').filter({ hasText: 'Tells of releases' })
    await row.getByText('Ada Okafor').waitFor()
    await page.getByRole('searchbox', { name: bots.search }).fill('nobody is called that')
    await page.getByText(tableTexts.en.noMatch.title).waitFor()
    await page.getByRole('button', { name: tableTexts.en.noMatch.clear }).click()
    await row.getByRole('link', { name: 'Release bot' }).click()
    await page.getByRole('heading', { level: 1, name: 'Release bot' }).waitFor()
  })

  test('goes anywhere by the palette, and back to the chat, also on a phone', async () => {
    const { findInConsole, nav, backToChat } = consoleTexts.en
    const { menu, console: consoleName } = commonTexts.en
    const base = `/console/${organizationId}`
    await open('')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: findInConsole }).fill('release')
    await page.getByRole('option', { name: 'Release bot' }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Release bot' }).waitFor()

    await page.setViewportSize({ width: 360, height: 740 })
    const sidebar = page.getByRole('complementary', { name: consoleName })
    await eventually(() => sidebar.count()).toBe(0)
    await page.getByRole('button', { name: menu, exact: true }).click()
    // A narrow window has one column: the sidebar is the page now.
    const whole = page.getByRole('main', { name: consoleName })
    await whole.waitFor()
    expect(await page.getByRole('main').count()).toBe(1)
    await takePicture(page, 'console-menu-narrow')
    expect(await faults(page)).toEqual([])
    await whole.getByRole('link', { name: nav.labels, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: nav.labels }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${base}/labels`)
    await eventually(() => whole.count()).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
    await sidebar.getByRole('link', { name: backToChat }).click()
    await page.getByRole('navigation', { name: shellTexts.en.sidebar }).waitFor()
  })

  test('chooses the events of the webhook, and learns what cannot be chosen', async () => {
    const save = () => page.getByRole('button', { name: commonTexts.en.save, exact: true }).click()
    await open(bot())
    await page.getByRole('checkbox', { name: bots.eventTypes.all }).uncheck()
    const types = page.getByRole('group', { name: bots.eventTypes.legend })
    for (const box of await types.getByRole('checkbox').all()) await box.uncheck()
    await save()
    await page.getByText(bots.eventTypes.none).waitFor()
    await types.getByRole('checkbox', { name: 'message.created' }).check()
    const headers = page.getByRole('group', { name: bots.ownHeaders.legend })
    const add = async (name: string, value: string) => {
      await headers.getByLabel(bots.ownHeaders.name).fill(name)
      await headers.getByLabel(bots.ownHeaders.value).fill(value)
      await headers.getByRole('button', { name: bots.ownHeaders.add }).click()
    }
    await add('Host', 'elsewhere.example')
    await save()
    await headers.getByText('letters, digits and dashes').waitFor()
    await headers.getByRole('button', { name: bots.ownHeaders.removeOf('Host') }).click()
    await add('X-Tenant', 'acme')
    await save()
    await page.getByText(bots.settings.saved).waitFor()
    await headers.getByText(bots.ownHeaders.hidden).waitFor()
    const { webhook } = await api('GET', bot())
    expect(webhook).toMatchObject({ events: ['message.created'], headers: ['X-Tenant'] })
    expect(await faults(page)).toEqual([])
    await mayBeLeft(page)
  })

  test('sees how often people answered with the buttons of a bot', async () => {
    await open(bot())
    const card = page.getByRole('region', { name: bots.answers.title })
    expect(await card.count()).toBe(0)
    for (const [place, element] of ['helpful', 'helpful', 'not-helpful'].entries()) {
      const id = firstUuidAt(Date.now() + place)
      await stage.query(`
        insert into message_actions
          (org_id, id, bot_id, topic_id, message_id, actions_id, profile_id, element_id, label, created_at)
        values ('${organizationId}', '${id}', '${botId}', '${first.topicId}', '${id}', '${id}', 'nobody', '${element}', '', 0)`)
    }
    await open(bot())
    await card.waitFor()
    expect(await card.getByRole('definition').allTextContents()).toEqual(['2', '1'])
    expect(await card.getByRole('term').allTextContents()).toEqual(['helpful', 'not-helpful'])
    expect(await faultsInBothThemes(page, 'bot-answers')).toEqual([])
  })

  test('gives a bot a daily budget, and sees what it has used', async () => {
    const { budget } = bots
    await open(bot())
    const card = page.getByRole('region', { name: budget.title })
    await card.getByLabel(budget.messages).fill('1.000')
    await card.getByRole('button', { name: budget.save }).click()
    await card.getByText(budget.mistake).waitFor()
    await card.getByLabel(budget.messages).fill('1000')
    await card.getByRole('button', { name: budget.save }).click()
    await card.getByText(budget.usedMessages('0', '1,000')).waitFor()
    expect(await api('GET', bot())).toMatchObject({ budget: { messagesPerDay: 1000, tokensPerDay: null } })
    await takePicture(page, 'console-bot-budget')
    expect(await faults(page)).toEqual([])
    await mayBeLeft(page)
    await api('PATCH', bot(), { messagesPerDay: null })
  })

  test('pauses a bot with one press, and lets it go on', async () => {
    await open(bot())
    await page.getByRole('button', { name: bots.pause.pause, exact: true }).click()
    await page.getByText(bots.pause.isPaused).waitFor()
    expect(await api('GET', bot())).toMatchObject({ pausedAt: expect.any(Number) })
    await page.getByRole('button', { name: bots.pause.resume, exact: true }).click()
    await page.getByText(bots.pause.isPaused).waitFor({ state: 'detached' })
    expect(await api('GET', bot())).not.toHaveProperty('pausedAt')
  })

  test('replaces the secret with an overlap, and ends it', async () => {
    const { rotate } = bots.credentialsTab
    await open(bot('/credentials'))
    await page.getByLabel(rotate.overlap).selectOption({ label: rotate.overlaps.day })
    await page.getByRole('button', { name: rotate.button, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(rotate.overlapText).waitFor()
    await dialog.getByRole('button', { name: rotate.button, exact: true }).click()
    await page.getByRole('button', { name: rotate.close }).click()
    await page.getByText(rotate.former).waitFor()
    expect((await api('GET', bot())).formerSecretUntil).toBeGreaterThan(Date.now())
    await page.getByRole('button', { name: rotate.endFormer }).click()
    await page.getByText(rotate.former).waitFor({ state: 'detached' })
    expect((await api('GET', bot())).formerSecretUntil).toBeUndefined()
  })

  test('looks for a delivery, and retries what failed', async () => {
    receiver.otherwise = 500
    const { id: topicId } = await api('POST', '/chat/topics', { name: 'Releases', members: [botId] })
    await api('POST', '/chat/messages', { topicId, text: 'Out now' })
    // Events before this choice have no such header.
    const said = () => receiver.received.find(({ event }) => event.type === 'message.created')
    await eventually(async () => said()?.headers['x-tenant']).toBe('acme')
    await eventually(async () => {
      const { deliveries } = await api('GET', `${bot('/deliveries')}?state=failing&eventType=message.created`)
      return Object(deliveries).length
    }).toBe(1)
    await open(bot('/deliveries?state=failing'))
    const row = page.getByRole('row').filter({ hasText: 'message.created' })
    await row.waitFor()
    await page.getByLabel(words.id).fill('not an id')
    await page.getByText(words.idMistake).waitFor()
    const [delivery] = Object((await api('GET', `${bot('/deliveries')}?limit=1`)).deliveries)
    await page.getByLabel(words.id).fill(delivery.eventId)
    await row.waitFor()
    receiver.otherwise = 200
    await page.getByRole('button', { name: words.retry.button }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: words.retry.button }).click()
    await page.getByText(/^Retrying|No failed deliveries/).waitFor()
    await eventually(async () => {
      const { deliveries } = await api('GET', `${bot('/deliveries')}?id=${delivery.id}`)
      return Object(deliveries)[0].state
    }).toBe('delivered')
  })

  test('gives a bot a photo, and finds any of many bots for a topic', async () => {
    await open(bot())
    const photo = page.getByRole('region', { name: bots.photo.title })
    await photo
      .locator('input[type=file]')
      .setInputFiles({ name: 'bot.png', mimeType: 'image/png', buffer: PNG })
    await page.getByText(bots.photo.saved).waitFor()
    // The picture has the shape of a bot, in the page's head and in the card.
    const faces = page.locator('[data-face=bot]:has(img)')
    await eventually(async () => faces.count()).toBe(2)
    const shape = `getComputedStyle(document.querySelector('[data-face=bot] img')).borderRadius`
    expect(await page.evaluate(shape)).not.toBe('50%')
    await takePicture(page, 'bot-photo')
    expect(await faults(page)).toEqual([])

    await stage.query(`
      with made as (
        insert into profiles (org_id, id, kind, name, status, created_at, updated_at)
        select '${organizationId}', 'b@' || gen_random_uuid(), 'bot', 'Agent ' || lpad(n::text, 3, '0'), 'Active', n, n
        from generate_series(1, 300) n returning org_id, id, created_at
      )
      insert into bots (org_id, id, credential, permission, scopes, secret, key_hint, delivery, created_at, updated_at)
      select org_id, id, 'static', 'write', '{}', '', '', 'polling', created_at, created_at from made`)
    const { one } = topicTexts.en
    await open(`/topics/${first.topicId}`)
    await page.getByRole('button', { name: one.add }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: one.adding.label }).fill('Agent 287')
    await page.getByRole('option', { name: 'Agent 287' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: one.adding.action, exact: true }).click()
    await page.getByText(one.adding.done(1)).waitFor()
    await page.getByRole('row').filter({ hasText: 'Agent 287' }).waitFor()
    await open('/bots?q=Release')
    await page.getByRole('row').filter({ hasText: 'Release bot' }).locator('[data-face=bot] img').waitFor()
  })

  test('adds an address, sees it fail alone, and changes, rotates and removes it', async () => {
    const t = addressTexts.en
    const other = await startReceiver()
    try {
      await open(bot('/deliveries'))
      const list = page.getByRole('region', { name: t.title })
      const add = list.getByRole('button', { name: t.add })
      await add.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      const url = dialog.getByLabel(t.url, { exact: true })
      await dialog.getByRole('button', { name: t.add }).click()
      await dialog.getByText(t.urlRequired).waitFor()
      await url.fill(receiver.url)
      await dialog.getByRole('button', { name: t.add }).click()
      await dialog.getByText('one that the bot has already').waitFor()
      // A long URL with markup and a change of the writing direction.
      const hostile = `${other.url}?q=${encodeURIComponent('<b>\u202eevil</b>')}&${'long'.repeat(200)}`
      await url.fill(hostile)
      await takePicture(page, 'address-new')
      expect(await faults(page)).toEqual([])
      await dialog.getByRole('button', { name: t.add }).click()
      const shown = page.getByRole('group', { name: t.secret })
      expect((await shown.locator('code').innerText()).length).toBeGreaterThan(30)
      expect(await faults(page)).toEqual([])
      await shown.getByRole('button').click()
      await page.getByRole('button', { name: t.stored }).click()
      await mayBeLeft(page)
      const row = list.getByRole('row').filter({ hasText: hostile })
      await row.getByText(words.health.well).waitFor()
      await list.getByText(t.first).waitFor()

      other.otherwise = 410
      await api('POST', '/chat/topics', { name: 'Two receivers', members: [botId] })
      const { id: topicId } = await api('POST', '/chat/topics', { name: 'Both', members: [botId] })
      await api('POST', '/chat/messages', { topicId, text: 'To both' })
      await row.getByText(words.health.paused).waitFor()
      await takePicture(page, 'addresses')
      expect(await faults(page)).toEqual([])
      const health = page.getByRole('region', { name: words.health.title })
      await health.getByText(words.health.well).waitFor()
      await row.getByRole('link').click()
      await health.getByText(words.health.pausedTexts.gone).waitFor()
      other.otherwise = 200
      // The message may have been tried before the pause, beside the topics.
      const before = other.received.length
      await health.getByRole('button', { name: words.health.resume }).click()
      await page.getByText(words.health.resumed).waitFor()
      await eventually(
        async () =>
          other.received.slice(before).filter(({ event }) => event.type === 'message.created').length,
      ).toBe(1)
      await health.getByRole('button', { name: words.health.test }).click()
      await page.getByText(words.test.ok('200', '').split(' after')[0] ?? '').waitFor()

      await health.getByRole('button', { name: t.edit, exact: true }).click()
      await url.fill(`${other.url}/moved`)
      await dialog.getByRole('button', { name: t.save }).click()
      await health.getByText(`${other.url}/moved`).waitFor()
      await health.getByRole('button', { name: t.rotate, exact: true }).click()
      await dialog.getByLabel(t.overlap).selectOption({ label: t.overlaps.day })
      await dialog.getByRole('button', { name: t.rotate, exact: true }).click()
      await shown.getByRole('button').click()
      await page.getByRole('button', { name: t.stored }).click()
      await mayBeLeft(page)
      await page.getByText(t.former).waitFor()
      await takePicture(page, 'address')
      expect(await faults(page)).toEqual([])
      await page.getByRole('button', { name: t.endFormer }).click()
      await page.getByText(t.former).waitFor({ state: 'detached' })
      await health.getByRole('button', { name: t.remove, exact: true }).click()
      await dialog.getByText(t.removeText).waitFor()
      await dialog.getByRole('button', { name: t.remove, exact: true }).click()
      await add.waitFor()
      expect(await api('GET', bot())).toMatchObject({ addresses: [] })
    } finally {
      await other.close()
    }
  })

  test('opens an address for other programs, sees what they send, replaces and revokes it', async () => {
    const t = incomingTexts.en
    const tab = `/bots/${encodeURIComponent(first.botId)}/incoming`
    await open(tab)
    await page.getByText(t.empty).waitFor()
    await page.getByRole('button', { name: t.add }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: t.create }).click()
    await dialog.getByText(t.nameRequired).waitFor()
    await dialog.getByLabel(t.name, { exact: true }).fill('Builds')
    await dialog.getByLabel(t.format).selectOption('generic')
    await dialog.getByLabel(t.template).waitFor()
    await dialog.getByLabel(t.format).selectOption('auto')
    await takePicture(page, 'incoming-new')
    expect(await faults(page)).toEqual([])
    await dialog.getByRole('button', { name: t.create }).click()
    const shown = page.getByRole('group', { name: t.address })
    const url = await shown.locator('code').innerText()
    expect(url).toMatch(/\/in\/[A-Za-z0-9]{33}$/)
    await takePicture(page, 'incoming-address')
    expect(await faults(page)).toEqual([])
    await shown.getByRole('button').click()
    await page.getByRole('button', { name: t.stored }).click()
    await mayBeLeft(page)

    for (const { headers, body } of SAMPLES)
      expect((await postTo(url, body, { headers: headers ?? {} })).status).toBe(200)
    expect((await postTo(url, '{"text":')).status).toBe(400)
    await page.getByRole('link', { name: 'Builds' }).click()
    const calls = page.getByRole('region', { name: t.calls })
    await calls.getByText(`${t.reasons.unreadable}: malformed JSON`).waitFor()
    await calls.getByText('github · workflow_run.completed').waitFor()
    await calls.getByText(t.reasons.ignored).first().waitFor()
    await takePicture(page, 'incoming-calls')
    expect(await faults(page)).toEqual([])

    await page.getByRole('button', { name: t.rotate }).click()
    await page.getByRole('dialog').getByLabel(t.overlap).selectOption('hour')
    await page.getByRole('dialog').getByRole('button', { name: t.rotate }).click()
    const renewed = page.getByRole('group', { name: t.address })
    await eventually(() => renewed.locator('code').innerText()).not.toBe(url)
    await renewed.getByRole('button').click()
    await page.getByRole('button', { name: t.stored }).click()
    await mayBeLeft(page)
    expect((await postTo(url, { text: 'By the old address' })).text).toBe('ok')
    await calls.getByText(t.byFormer).waitFor()
    await page.getByRole('button', { name: t.endFormer }).click()
    await page.getByText(t.formerEnded).waitFor()
    expect((await postTo(url, { text: 'Too late' })).status).toBe(404)

    const messageOf = async (told: string): Promise<string> => {
      const row = calls.getByRole('row').filter({ hasText: told }).filter({ hasText: t.written }).first()
      return String(await row.getByRole('link', { name: t.toMessage }).getAttribute('href'))
    }
    const told = {
      github: await messageOf('github · pull_request.opened'),
      gitlab: await messageOf('gitlab · pipeline'),
      alerts: await messageOf('alertmanager · firing'),
      sentry: await messageOf('sentry · event_alert'),
      slack: await messageOf('slack'),
    }
    await page.getByRole('button', { name: t.revoke }).click()
    await page.getByRole('dialog').getByRole('button', { name: t.revoke }).click()
    await page.getByText(t.empty).waitFor()

    const chat = await admin.newPage()
    const said = (text: string) =>
      chat.getByRole('log').first().getByRole('article').filter({ hasText: text }).last()
    for (const [name, text, label] of [
      ['github', 'opened the pull request', '#7 Make `launch` *faster*'],
      ['gitlab', 'Failed on main', 'Pipeline #31'],
      ['alerts', 'Firing: HighLatency', 'Alertmanager'],
      ['sentry', 'Very Important Alert Rule!', 'ReferenceError: blooopy is not defined'],
      ['slack', 'By the old address', 'API'],
    ] as const) {
      await chat.goto(told[name])
      await said(text).waitFor()
      await chat.getByRole('link', { name: label, exact: true }).first().waitFor()
      expect(await faults(chat)).toEqual([])
      await takePicture(chat, `incoming-chat-${name}`)
    }
    await chat.close()
  })

  test('reads the audit log by person and kind, and takes it away', async () => {
    const t = auditTexts.en
    await open('/audit')
    await page.getByText('created the bot').first().waitFor()
    await page.getByLabel(t.only.label).selectOption({ label: t.only.sign_ins })
    await page.getByText('signed in.').first().waitFor()
    await eventually(() => page.getByText('created the bot').count()).toBe(0)
    await page.getByLabel(t.only.label).selectOption({ label: t.only.all })
    await page.getByRole('searchbox', { name: t.person }).fill('Ada')
    await page.getByRole('list', { name: t.found }).getByRole('button', { name: 'Ada Okafor' }).click()
    await page.getByText(t.onlyPerson).waitFor()
    expect(new URL(page.url()).searchParams.get('person')).toEqual(expect.any(String))
    await page.getByLabel(t.kind).selectOption({ label: t.kinds.bot })
    await page.getByText('replaced the secret of').first().waitFor()
    expect(await faults(page)).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: t.exportAs('CSV') }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.slice(1).every((line) => line.includes(',bot,'))).toBe(true)
    await page.getByLabel(t.until, { exact: true }).fill('2020-01-01')
    await page.getByText(t.none.title).waitFor()
    await page.getByLabel(t.until, { exact: true }).fill('')
    await page.getByRole('link', { name: 'Release bot' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Release bot' }).waitFor()
  })
})
