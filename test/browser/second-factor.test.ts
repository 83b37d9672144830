import { createServer } from 'node:http'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERSON_SCOPES } from '../../contract/scopes.ts'
import { account as accountTexts } from '../../web/src/texts/account.ts'
import { assistants as assistantTexts } from '../../web/src/texts/assistants.ts'
import { audit as auditTexts } from '../../web/src/texts/audit.ts'
import { common as commonTexts } from '../../web/src/texts/common.ts'
import { consoleTexts } from '../../web/src/texts/console.ts'
import '../../web/src/texts/account-errors.ts'
import { members as memberTexts } from '../../web/src/texts/members.ts'
import { ownSettings } from '../../web/src/texts/own-settings.ts'
import { secondFactor as secondFactorTexts } from '../../web/src/texts/second-factor.ts'
import { settings as settingsTexts } from '../../web/src/texts/settings.ts'
import { askForAccess, finishWith, Keeping } from '../support/assistants.ts'
import { AuthenticatorApp } from '../support/authenticator-app.ts'
import {
  ask,
  BROWSER,
  chooseInRow,
  faultsInEveryLook,
  mayBeLeft,
  openStage,
  type Stage,
} from '../support/browser.ts'
import { toolRefusal, toolValue } from '../support/mcp.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { until } from '../support/receiver.ts'
import { sentenceOf } from '../support/sentences.ts'

const PASSWORD = 'four plain words here'
const [account, assistants, common, members, secondFactor, settings] = [
  accountTexts.en,
  assistantTexts.en,
  commonTexts.en,
  memberTexts.en,
  secondFactorTexts.en,
  settingsTexts.en,
]

/**
 * An owner protects their account, requires the same of others, and signs a person out; each test goes on from the one
 * before.
 */
describe.skipIf(BROWSER === undefined)('an owner', () => {
  let stage: Stage
  let owner: Page
  let ben: Page
  let base: string
  let at: string
  let app: AuthenticatorApp
  let recoveryCodes: string[]

  beforeAll(async () => {
    stage = await openStage()
    const visitor = await stage.visitor()
    const [, token] = stage.setupLink.split('#')
    const made = await ask(visitor, stage.server.url, 'POST', '/people/setup', {
      token,
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Hello bot',
    })
    base = `/console/${made.organizationId}`
    at = `/people/organizations/${made.organizationId}`
    owner = await newPage(visitor)
    ben = await newPage(await stage.visitor())
  })
  afterAll(() => stage?.close())

  async function newPage(visitor: BrowserContext): Promise<Page> {
    const page = await visitor.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    return page
  }
  const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })

  /** Checks light and dark, wide and narrow, and both languages where it matters. */
  async function isForEverybody(page: Page, name: string): Promise<void> {
    expect(await faultsInEveryLook(page, name)).toEqual([])
  }

  test('sets up an authenticator app with the key that the page shows', async () => {
    await owner.goto('/account')
    await button(owner, secondFactor.setUp).click()
    const dialog = owner.getByRole('dialog').last()
    await button(dialog, secondFactor.setting.next).click()
    await dialog.getByRole('img', { name: secondFactor.setting.qr }).waitFor()
    const secret = (await dialog.getByRole('group').locator('code').innerText()).trim()
    app = new AuthenticatorApp(secret)
    await isForEverybody(owner, 'second-factor-setting')
    await dialog.getByLabel(secondFactor.setting.code).fill('000000')
    await button(dialog, secondFactor.setting.action).click()
    await dialog.getByText(sentenceOf('code_wrong', 'en')).waitFor()
    await dialog.getByLabel(secondFactor.setting.code).fill(app.code(Date.now()))
    await button(dialog, secondFactor.setting.action).click()

    await dialog.getByRole('heading', { name: secondFactor.codes.title }).waitFor()
    recoveryCodes = (await dialog.locator('pre').innerText()).trim().split('\n')
    expect(recoveryCodes).toHaveLength(10)
    await isForEverybody(owner, 'second-factor-codes')
    await button(dialog, secondFactor.codes.action).click()
    await owner.getByText(secondFactor.codesLeft(10)).waitFor()
    await isForEverybody(owner, 'account-with-second-factor')
  })

  test('signs in with the password and a code', async () => {
    await owner.getByRole('link', { name: ownSettings.en.sections.devices }).click()
    await button(owner, common.signOut).click()
    await owner.getByLabel(account.email).fill('ada@example.com')
    await owner.getByLabel(account.password, { exact: true }).fill(PASSWORD)
    await button(owner, account.signIn.action).click()
    await owner.getByRole('heading', { name: secondFactor.step.title }).waitFor()
    await isForEverybody(owner, 'sign-in-code')
    await owner.getByLabel(secondFactor.code).fill('123')
    await button(owner, secondFactor.step.action).click()
    await owner.getByText(sentenceOf('code_wrong', 'en')).waitFor()
    await owner.getByLabel(secondFactor.code).fill(recoveryCodes[0]?.toUpperCase() ?? '')
    await button(owner, secondFactor.step.action).click()
    await owner.getByRole('heading', { level: 1, name: 'General' }).waitFor()
    await owner.goto('/account')
    await owner.getByText(secondFactor.codesLeft(9)).waitFor()
  })

  test('asks everybody for a second factor, and leads a member to it', async () => {
    const context = owner.context()
    const { url } = stage.server
    const invited = await ask(context, url, 'POST', `${at}/members`, {
      email: 'ben@example.com',
      name: 'Ben Ito',
      role: 'admin',
    })
    const link = await ask(context, url, 'POST', `${at}/members/${invited.id}/invitation-link`)
    const token = String(link.url).split('#')[1]
    const body = { token, name: 'Ben Ito', password: PASSWORD }
    await ask(ben.context(), url, 'POST', '/people/invitations/accept', body)
    await ben.goto(base)
    await ben.getByRole('heading', { level: 1, name: consoleTexts.en.nav.overview }).waitFor()

    await owner.goto(`${base}/settings`)
    await owner.getByLabel(settings.secondFactor.label, { exact: true }).check()
    await owner.getByText(settings.secondFactor.turnedOn).waitFor()
    // The stream of his page ended, and the session says why, without a reload.
    await ben
      .getByRole('heading', { name: secondFactor.needs.second_factor.title('Lighthouse Labs') })
      .waitFor()
    await isForEverybody(ben, 'needs-second-factor')
    await ben.getByRole('link', { name: secondFactor.needs.second_factor.action }).click()
    await button(ben, secondFactor.setUp).click()
    const dialog = ben.getByRole('dialog')
    await button(dialog, secondFactor.setting.next).click()
    const bens = new AuthenticatorApp((await dialog.getByRole('group').locator('code').innerText()).trim())
    await dialog.getByLabel(secondFactor.setting.code).fill(bens.code(Date.now()))
    await button(dialog, secondFactor.setting.action).click()
    await button(dialog, secondFactor.codes.action).click()
    await mayBeLeft(ben)
    await ben.goto(base)
    await ben.getByRole('heading', { level: 1, name: consoleTexts.en.nav.overview }).waitFor()
  })

  test('signs a person out everywhere, whose page notices at once', async () => {
    await owner.goto(`${base}/members`)
    await chooseInRow(owner, 'Ben Ito', members.access.action)
    const dialog = owner.getByRole('dialog')
    await isForEverybody(owner, 'member-access')
    await button(dialog, members.access.sessions.action).click()
    await owner.getByText(members.access.sessions.done('Ben Ito')).waitFor()
    await ben.getByRole('heading', { name: account.signIn.title }).waitFor()
    await ben.waitForURL(({ pathname }) => pathname === '/sign-in')
  })

  test('reads in the audit log, in words, what was done and from where', async () => {
    await owner.goto(`${base}/audit`)
    const entries = owner.getByRole('main')
    const [, , after = ''] = auditTexts.en.sentences['member.sessions_ended'].split(/\{who\}|\{what\}/)
    await entries.getByText(after.trim()).first().waitFor()
    for (const sentence of ['set up a second factor.', 'used a recovery code.', 'A sign-in as']) {
      await entries.getByText(sentence).first().waitFor()
    }
    await entries.getByText('From 127.0.0.1, Chrome on Linux').first().waitFor()
    await isForEverybody(owner, 'audit-of-sign-ins')
    await owner.evaluate("document.cookie = 'parley_language=de; path=/'")
    await owner.reload()
    await entries.getByText('hat einen zweiten Faktor eingerichtet').first().waitFor()
    await owner.goto('/account')
    await owner.getByText(secondFactorTexts.de.codesLeft(9)).waitFor()
    await isForEverybody(owner, 'account-with-second-factor-de')
    await owner.evaluate("document.cookie = 'parley_language=en; path=/'")
  })

  test('connects an assistant after signing in with a code, and disconnects it', async () => {
    const device = await startDevice()
    try {
      const keeping = await askForAccess(stage.server.url, new Keeping({ redirectUrl: device.url }))
      const page = await newPage(await stage.visitor())
      await page.goto(String(keeping.opened))
      await page.getByLabel(account.email).fill('ada@example.com')
      await page.getByLabel(account.password, { exact: true }).fill(PASSWORD)
      await button(page, account.signIn.action).click()
      await page.getByLabel(secondFactor.code).fill(recoveryCodes[1] ?? '')
      await button(page, secondFactor.step.action).click()

      const { consent, list, scopes } = assistants
      await page.getByRole('heading', { name: consent.title('Desk assistant') }).waitFor()
      await page.getByText(consent.unverified).waitFor()
      await page.getByText(consent.goesToDevice('127.0.0.1')).waitFor()
      await isForEverybody(page, 'consent')
      await page.evaluate("document.cookie = 'parley_language=de; path=/'")
      await page.reload()
      await page.getByRole('heading', { name: assistantTexts.de.consent.title('Desk assistant') }).waitFor()
      await isForEverybody(page, 'consent-de')
      await page.evaluate("document.cookie = 'parley_language=en; path=/'")
      await page.reload()

      for (const scope of PERSON_SCOPES) await page.getByLabel(scopes[scope], { exact: true }).uncheck()
      await button(page, consent.connect).click()
      await page.getByText(consent.nothingChosen).waitFor()
      await page.getByLabel(scopes['member:read'], { exact: true }).check()
      await page.getByLabel(consent.ends).selectOption('1')
      await button(page, consent.connect).click()
      const returned = await device.visited(1)
      expect(returned.get('iss')).toBe(stage.server.url)
      await page.getByText(DEVICE_SAYS).waitFor()

      const client = await finishWith(stage.server.url, keeping, returned.get('code') ?? '')
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['list_members'])
      expect((await toolValue(client, 'read_me')).value).toMatchObject({ name: 'Ada Okafor' })
      expect(await toolRefusal(client, 'list_topics')).toContain('channel:list')

      await page.goto('/account')
      const card = page.getByRole('region', { name: list.title })
      await card.getByText('Desk assistant').waitFor()
      await card.getByText(list.scopes).click()
      await card.getByText(scopes['member:read']).waitFor()
      await isForEverybody(page, 'account-assistants')
      await card.getByRole('button', { name: list.disconnectOne('Desk assistant') }).click()
      await button(page.getByRole('dialog').last(), list.disconnect).click()
      await card.getByText(list.none).waitFor()
      await expect(client.callTool({ name: 'read_me' })).rejects.toThrow()
      await client.close()

      // An admin sees it too, with its person, and ends it.
      await askForAccess(stage.server.url, keeping)
      await page.goto(String(keeping.opened))
      await button(page, consent.connect).click()
      const again = await finishWith(stage.server.url, keeping, (await device.visited(2)).get('code') ?? '')
      const t = settings.memberAssistants
      await owner.goto(`${base}/settings`)
      const shared = owner.getByRole('region', { name: t.title })
      await shared.getByText('Desk assistant').waitFor()
      await shared.getByText(t.actsFor('Ada Okafor', '127.0.0.1')).waitFor()
      await shared.getByText(list.scopes).click()
      await shared.getByText(scopes['search:read']).waitFor()
      await isForEverybody(owner, 'member-assistants')
      await shared.getByRole('button', { name: list.disconnectOne('Desk assistant') }).click()
      await owner.getByRole('dialog').getByText(t.confirm.text).waitFor()
      await button(owner.getByRole('dialog'), list.disconnect).click()
      await shared.getByText(t.none).waitFor()
      await expect(again.callTool({ name: 'read_me' })).rejects.toThrow()
      await again.close()

      // A stranger at an open browser gets no further than this; refusing needs no new sign-in.
      await stage.query('update sessions set created_at = created_at - 3600000')
      await askForAccess(stage.server.url, keeping)
      await page.goto(String(keeping.opened))
      await button(page, consent.connect).click()
      await button(page, consent.signInAgain).waitFor()
      await isForEverybody(page, 'consent-sign-in-again')
      await page.reload()
      await button(page, consent.refuse).click()
      expect((await device.visited(3)).get('error')).toBe('access_denied')

      await page.goto(`/oauth/assistants/authorize?client_id=c_unknown&redirect_uri=https://evil.example`)
      await page.getByRole('heading', { name: consent.wrong.title }).waitFor()
      expect(new URL(page.url()).origin).toBe(stage.server.url)
    } finally {
      await device.close()
    }
  })
})

const DEVICE_SAYS = 'Back at the assistant'

/** A program on a person's device that waits on its own port for the browser to come back. */
async function startDevice() {
  const visits: URLSearchParams[] = []
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/callback')) visits.push(new URL(url, 'http://device').searchParams)
    response.setHeader('content-type', 'text/html').end(`<p>${DEVICE_SAYS}</p>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/callback`,
    async visited(count: number): Promise<URLSearchParams> {
      await until(() => visits.length >= count)
      return visits.at(-1) ?? new URLSearchParams()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
