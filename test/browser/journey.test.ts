import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { account as accountTexts } from '../../web/src/texts/account.ts'
import { bots as botTexts } from '../../web/src/texts/bots.ts'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { conversationTexts } from '../../web/src/texts/chat-conversation.ts'
import { common as commonTexts } from '../../web/src/texts/common.ts'
import { consoleTexts } from '../../web/src/texts/console.ts'
import { deliveries as deliveryTexts } from '../../web/src/texts/deliveries.ts'
import '../../web/src/texts/account-errors.ts'
import { labels as labelTexts } from '../../web/src/texts/labels.ts'
import { members as memberTexts } from '../../web/src/texts/members.ts'
import { orgUnits as orgUnitTexts } from '../../web/src/texts/org-units.ts'
import { setup as setupTexts } from '../../web/src/texts/setup.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import { topic as topicTexts } from '../../web/src/texts/topic.ts'
import { topicDetails as topicDetailTexts } from '../../web/src/texts/topic-details.ts'
import { ask, BROWSER, chooseInRow, faultsInBothThemes, openStage, type Stage } from '../support/browser.ts'
import { tokenFor } from '../support/cast.ts'
import { call } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { sentenceOf } from '../support/sentences.ts'

const [account, bots, common, deliveries, labels, members, orgUnits, setup, shell, topic, topicDetails] = [
  accountTexts.en,
  botTexts.en,
  commonTexts.en,
  deliveryTexts.en,
  labelTexts.en,
  memberTexts.en,
  orgUnitTexts.en,
  setupTexts.en,
  shellTexts.en,
  topicTexts.en,
  topicDetailTexts.en,
]
const [composer, conversation] = [composerTexts.en, conversationTexts.en]
const PASSWORD = 'four plain words here'
const WRONG = sentenceOf('sign_in_wrong', 'en')

/** One company from its first minute on; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('a company', () => {
  let stage: Stage
  let receiver: Receiver
  let admin: Page
  let ben: Page
  let base: string
  let first: { apiKey: string; apiSecret: string }

  beforeAll(async () => {
    stage = await openStage({ WEBHOOK_RETRY_SCHEDULE: '3600' })
    receiver = await startReceiver()
    admin = await newPage(await stage.visitor())
    // Leaves the page although a secret was not copied.
    admin.on('dialog', (dialog) => void dialog.accept())
    ben = await newPage(await stage.visitor())
  })
  afterAll(async () => {
    await stage?.close()
    await receiver?.close()
  })

  async function newPage(visitor: BrowserContext): Promise<Page> {
    const page = await visitor.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    return page
  }

  const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
  const topicOf = (command: string) => /"topicId":"([^"]+)/.exec(command)?.[1]
  const go = (name: string) => admin.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  /** The value beside this label, to be copied. */
  const shown = async (label: string) =>
    (await admin.getByRole('group', { name: label, exact: true }).locator('code').innerText()).trim()

  /** Checks temporary states too, light and dark. */
  async function isForEverybody(page: Page, name: string): Promise<void> {
    expect(await faultsInBothThemes(page, name)).toEqual([])
  }

  test('comes to its first bot message by the link that the server printed', async () => {
    await admin.goto(stage.setupLink)
    await admin.getByLabel(setup.organization.name).fill('Lighthouse Labs')
    await isForEverybody(admin, 'setup-organization')
    await button(admin, setup.next).click()
    await admin.getByLabel(setup.you.name).fill('Ada Okafor')
    await admin.getByLabel(setup.you.email).fill('ada@example.com')
    const password = admin.getByLabel(setup.you.password, { exact: true })
    await password.fill('P@ssword2026')
    await admin.getByText(account.passwordEasy).waitFor()
    await password.fill(PASSWORD)
    await admin.getByText(account.passwordEasy).waitFor({ state: 'detached' })
    await isForEverybody(admin, 'setup-you')
    await button(admin, setup.next).click()
    await admin.getByLabel(setup.bot.name).fill('Hello bot')
    await isForEverybody(admin, 'setup-bot')
    await button(admin, setup.bot.action).click()
    // The first run ends in a room that shows the first steps.
    await admin.getByRole('heading', { level: 1, name: 'General' }).waitFor()
    await admin.getByRole('heading', { name: topic.room.title('Ada') }).waitFor()
    await admin.getByText(topicDetails.key.waiting).waitFor()
    expect(new URL(admin.url()).hash, 'the used token stays in the address').toBe('')
    await isForEverybody(admin, 'first-room')

    const command = await admin
      .getByRole('region', { name: topicDetails.key.command })
      .locator('pre')
      .innerText()
    execFileSync('bash', ['-c', command], { encoding: 'utf8' })
    await admin.getByText(topicDetails.key.arrived('Hello bot')).waitFor()
    await admin.getByRole('main').getByText(topicDetails.key.greeting).last().waitFor()
    await button(admin, topicDetails.key.more).click()
    first = { apiKey: await shown(topicDetails.key.key), apiSecret: await shown(topicDetails.key.secret) }
    await isForEverybody(admin, 'first-message')

    // Room for all that is said beside the open card: a list whose news do not fit stays at the first of them.
    await admin.setViewportSize({ width: 1280, height: 2400 })
    // Each sample answers in a thread while the person watches, and continues after the one before.
    const { typescript, python, answer } = setup.done.bot
    const questions = [typescript, python, typescript].map((language, turn) => `${language}, turn ${turn}?`)
    for (const [turn, language] of [typescript, python, typescript].entries()) {
      const question = questions[turn] ?? ''
      await runSample(language, language === python ? 'bot.py' : 'bot.mjs', async () => {
        await admin.getByRole('textbox', { name: composer.message('General'), exact: true }).fill(question)
        await admin.keyboard.press('Enter')
        const asked = admin.getByRole('main').getByRole('article').filter({ hasText: question })
        await asked.getByRole('button', { name: conversation.replies(1) }).click()
        const thread = admin.getByRole('log', { name: conversation.threadMessages })
        await thread.getByText(`${answer} ${question}`, { exact: true }).waitFor()
      })
      if (turn < 2) await isForEverybody(admin, `first-bot-${turn}`)
    }
    const said = await call(
      stage.server.url,
      first,
      'GET',
      `/v2/topics/${topicOf(command)}/messages?limit=100`,
    )
    for (const question of questions)
      expect(said.text.split(`"${answer} ${question}"`), question).toHaveLength(2)

    await button(admin, topicDetails.key.dismiss).click()
    await admin
      .getByRole('region', { name: topicDetails.key.title('Hello bot') })
      .waitFor({ state: 'detached' })
    await admin.getByRole('button', { name: shell.organizationMenu }).click()
    await admin.getByRole('menuitem', { name: shell.openConsole }).click()
    await admin.getByRole('heading', { level: 1, name: consoleTexts.en.nav.overview }).waitFor()
    base = new URL(admin.url()).pathname
  })

  /** Runs the sample shown by the page, as its first line says, while `see` checks what it does. */
  async function runSample(language: string, name: string, see: () => Promise<void>) {
    await admin.getByRole('radio', { name: language }).check()
    const sample = await admin
      .getByRole('region', { name: setup.done.bot.label(language) })
      .locator('pre')
      .innerText()
    const folder = await mkdtemp(join(tmpdir(), 'parley-first-bot-'))
    await writeFile(join(folder, name), sample)
    const [first = ''] = sample.split('\n')
    const command = first.replace(/^\S+ /, '').replace('&& ', '&& exec ')
    const running = spawn('bash', ['-c', command], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    try {
      await see()
    } finally {
      running.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    }
  }

  test('invites a person, who accepts in another browser', async () => {
    await go(consoleTexts.en.nav.members)
    await button(admin, members.invite).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel(members.inviting.email).fill('ben@example.com')
    await dialog.getByLabel(members.inviting.name).fill('Ben Ito')
    await button(dialog, members.inviting.actionNoMail).click()
    const link = await shown(members.link.label)
    await button(dialog, common.close).click()
    const row = admin.getByRole('row', { name: /Ben Ito/ })
    await row.getByText(common.statuses.Pending).waitFor()
    await ben.goto(link)
    await ben.getByRole('heading', { name: account.join.title('Lighthouse Labs') }).waitFor()
    await isForEverybody(ben, 'join-invited')
    await ben.getByLabel(account.join.choosePassword, { exact: true }).fill(PASSWORD)
    await button(ben, account.join.action).click()
    await ben.getByRole('heading', { level: 1, name: 'General' }).waitFor()
    await ben.getByRole('main').getByText(topicDetails.key.greeting).last().waitFor()
    // The stream updated the admin's page without a reload.
    await row.getByText(common.statuses.Active).waitFor()
  })

  test('refuses a wrong password and lets the right one in', async () => {
    await ben.context().clearCookies()
    await ben.goto('/sign-in')
    await signIn(ben, 'ben@example.com', 'not the password')
    await ben.getByRole('alert').getByText(WRONG).waitFor()
    await signIn(ben, 'ben@example.com')
    await ben.getByRole('heading', { level: 1, name: 'General' }).waitFor()
    // A plain member has no console.
    await ben.goto(base)
    await ben.getByRole('heading', { name: common.notFound.title }).waitFor()
  })

  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel(account.email).fill(email)
    await page.getByLabel(account.password, { exact: true }).fill(password)
    await button(page, account.signIn.action).click()
  }

  test('signs out, and comes back to where it was asked to sign in', async () => {
    await admin.getByRole('button', { name: common.account }).click()
    await admin.getByRole('menuitem', { name: common.signOut }).click()
    await admin.getByRole('heading', { level: 1, name: account.signIn.title }).waitFor()
    expect(new URL(admin.url()).search).toBe('')
    const answer = await admin.request.get(base.replace('console', 'people/organizations'))
    expect(answer.status(), 'the session lives on').toBe(401)

    const place = `${base}/bots/${encodeURIComponent('b@none')}/deliveries?delivery=none`
    await admin.goto(place)
    await admin.getByRole('heading', { level: 1, name: account.signIn.title }).waitFor()
    await signIn(admin, 'ada@example.com')
    await admin.waitForURL((url) => url.pathname + url.search === place)
  })

  let oauth: { clientId: string; clientSecret: string }

  test('creates a bot of each kind, whose secrets work', async () => {
    await createBot('Key bot')
    const key = {
      apiKey: await shown(bots.handover.apiKey),
      apiSecret: await shown(bots.handover.apiSecret),
    }
    const me = await call(stage.server.url, key, 'GET', '/v2/members/me')
    expect(me).toMatchObject({ status: 200, body: { name: 'Key bot' } })
    const inOne = Buffer.from(await shown(bots.handover.oneToken), 'base64').toString()
    const [controlTopicId, ...pair] = inOne.split(':')
    expect(pair).toEqual([key.apiKey, key.apiSecret])
    expect((await call(stage.server.url, key, 'GET', `/v2/topics/${controlTopicId}`)).status).toBe(200)

    await createBot('Token bot', async () => {
      await admin.getByRole('radio', { name: bots.credential.oauth }).check()
    })
    oauth = {
      clientId: await shown(bots.handover.clientId),
      clientSecret: await shown(bots.handover.clientSecret),
    }
    const token = await tokenFor(stage.server.url, oauth.clientId, oauth.clientSecret)
    const other = await call(stage.server.url, { token }, 'GET', '/v2/members/me')
    expect(other).toMatchObject({ status: 200, body: { name: 'Token bot' } })
  })

  async function createBot(name: string, more: () => Promise<void> = async () => {}): Promise<void> {
    await admin.goto(`${base}/bots/new`)
    await admin.getByLabel(bots.name.label, { exact: true }).fill(name)
    await more()
    await button(admin, bots.create.button).click()
    await admin.getByRole('heading', { level: 1, name: bots.create.done(name) }).waitFor()
    await isForEverybody(admin, 'new-bot-secret')
  }

  test('replaces a secret, and the old one is refused', async () => {
    await admin.goto(`${base}/bots/${encodeURIComponent(oauth.clientId)}/credentials`)
    await button(admin, bots.credentialsTab.rotate.button).click()
    await button(admin.getByRole('dialog'), bots.credentialsTab.rotate.button).click()
    const clientSecret = await shown(bots.handover.clientSecret)
    expect(clientSecret).not.toBe(oauth.clientSecret)
    const { url } = stage.server
    await expect(tokenFor(url, oauth.clientId, oauth.clientSecret)).rejects.toThrow('invalid_grant')
    expect(await tokenFor(url, oauth.clientId, clientSecret)).toMatch(/^ey/)
  })

  test('tests a webhook, sees it fail, replays it and sees it arrive', async () => {
    await createBot('Release bot', async () => {
      await admin.getByRole('radio', { name: bots.delivery.webhook }).check()
      await admin.getByLabel(bots.delivery.url).fill(receiver.url)
    })
    await admin.getByRole('link', { name: bots.handover.toBot }).click()
    await admin.getByRole('link', { name: bots.tabs.deliveries, exact: true }).click()
    receiver.otherwise = 500 // whatever comes until the page has shown it
    await button(admin, deliveries.health.test).click()
    await receiver.has(1)
    await admin.getByText(new RegExp(deliveries.outcomes.status)).first().waitFor()
    await admin.getByRole('link', { name: deliveries.test.detail }).click()
    await admin
      .getByText(new RegExp(`${deliveries.outcomes.status}.*500`))
      .first()
      .waitFor()
    receiver.otherwise = 200
    const before = receiver.received.length
    await button(admin, deliveries.detail.replay).click()
    const replayed = (await receiver.has(before + 1)).at(-1)
    expect(replayed?.event.type).toBe('webhook.test')
    await admin
      .getByText(new RegExp(`${deliveries.outcomes.ok}.*200`))
      .first()
      .waitFor()
    await admin.getByText(deliveries.states.delivered, { exact: true }).first().waitFor()
  })

  test('archives a member, who is out at once', async () => {
    await admin.goto(`${base}/members`)
    await chooseInRow(admin, 'Ben Ito', members.archive.action)
    await button(admin.getByRole('dialog'), members.archive.action).click()
    await admin.getByText(members.archive.done('Ben Ito')).waitFor()
    await ben.goto('/sign-in')
    await signIn(ben, 'ben@example.com')
    await ben.getByRole('alert').getByText(WRONG).waitFor()
    const active = await call(stage.server.url, first, 'GET', '/v2/members')
    expect(active.text).not.toContain('Ben Ito')
  })

  test('keeps bots to their org units, and a bot is refused', async () => {
    await go(consoleTexts.en.nav.orgUnits)
    await button(admin, orgUnits.create).click()
    const dialog = admin.getByRole('dialog')
    await dialog.getByLabel(orgUnits.editing.name, { exact: true }).fill('Field engineering')
    await dialog.getByLabel(orgUnits.editing.tag, { exact: true }).fill('field')
    await button(dialog, common.create).click()
    await admin.getByRole('row', { name: /Field engineering/ }).waitFor()
    const list = () => call(stage.server.url, first, 'GET', '/v2/org-units')
    expect(Object((await list()).body).orgUnits).toHaveLength(1)
    const [{ id }] = Object((await list()).body).orgUnits
    await admin.getByLabel(orgUnits.restriction.label).click()
    await admin.getByText(orgUnits.restriction.turnedOn).waitFor()
    expect(Object((await list()).body).orgUnits).toHaveLength(0)
    expect((await call(stage.server.url, first, 'GET', `/v2/org-units/${id}`)).status).toBe(404)
  })

  test('deletes a label, and the focus is not lost with its row', async () => {
    await go(consoleTexts.en.nav.labels)
    await admin.getByLabel(labels.new).fill('Urgent')
    await button(admin, labels.create).click()
    await chooseInRow(admin, 'Urgent', labels.delete.action)
    await button(admin.getByRole('dialog'), labels.delete.action).click()
    await admin.getByRole('heading', { name: labels.none.title }).waitFor()
    await eventually(() => admin.evaluate('document.activeElement.tagName')).toBe('H1')
  })

  test('is followed only while a person looks, and nothing is missed', async () => {
    const streams: string[] = []
    admin.on('request', (request) => {
      if (request.url().includes('/stream?')) streams.push(request.url())
    })
    const look = (isHidden: boolean) =>
      admin.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
        document.dispatchEvent(new Event('visibilitychange'))`)
    const ended = admin.waitForEvent('requestfailed', (request) => request.url().includes('/stream?'))
    await look(true)
    await ended
    await ask(
      admin.context(),
      stage.server.url,
      'POST',
      `${base.replace('console', 'people/organizations')}/labels`,
      {
        name: 'Meanwhile',
      },
    )
    await look(false)
    await admin.getByText('Meanwhile').waitFor()
    expect(streams).toEqual([expect.stringMatching(/after=\d+/)])
  })

  test('shows everything that was changed', async () => {
    await go(consoleTexts.en.nav.audit)
    const entries = admin.getByRole('main')
    for (const name of ['Ben Ito', 'Token bot', 'Release bot', 'Field engineering']) {
      await entries.getByText(name).first().waitFor()
    }
  })
})
