import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleTexts } from '../../web/src/texts/console.ts'
import { members } from '../../web/src/texts/members.ts'
import {
  ask,
  BROWSER,
  FROM_THE_RIGHT,
  faults,
  faultsInEveryLook,
  openStage,
  type Stage,
} from '../support/browser.ts'
import { englishFinder } from '../support/german.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { IS_THOROUGH } from '../support/thorough.ts'

const WIDE = { width: 1280, height: 900 }
/** The first topic has a name that an admin may change: it is the same in every language. */
const TOPIC_NAME = 'General'
const PASSWORD = 'four plain words here'

describe.skipIf(BROWSER === undefined)('each view', () => {
  let stage: Stage
  let receiver: Receiver
  let admin: BrowserContext
  let organizationId: string
  let topicId: string
  let botId: string
  let deliveryId: string

  beforeAll(async () => {
    stage = await openStage()
    receiver = await startReceiver()
    admin = await stage.visitor()
    await fill()
  })
  afterAll(async () => {
    await stage?.close()
    await receiver?.close()
  })

  /** Fills a small company with something to show in every view. */
  async function fill(): Promise<void> {
    const { url } = stage.server
    const [, token] = stage.setupLink.split('#')
    const made = await ask(admin, url, 'POST', '/people/setup', {
      token,
      organizationName: FROM_THE_RIGHT.organization,
      adminName: FROM_THE_RIGHT.ada,
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: FROM_THE_RIGHT.bot,
    })
    organizationId = String(made.organizationId)
    topicId = String(made.topicId)
    const at = `/people/organizations/${organizationId}`
    const post = (path: string, data: unknown) => ask(admin, url, 'POST', at + path, data)
    const ben = await post('/members', { email: 'ben@example.com', name: FROM_THE_RIGHT.ben })
    await post('/members', { email: 'chioma@example.com', name: 'Chioma Larsen', role: 'admin' })
    for (const name of ['Urgent', 'לקוח (Customer)', 'Idea']) await post('/labels', { name })
    const unit = await post('/org-units', { name: 'שטח (Field)', tag: 'field', type: 'Team' })
    await post(`/org-units/${unit.id}/members`, { memberIds: [ben.id] })
    await post('/bots', { name: 'Calendar bot', credential: 'oauth', delivery: 'polling' })
    const webhook = await post('/bots', {
      name: 'גרסה (Release)',
      credential: 'static',
      permission: 'write',
      delivery: 'webhook',
      webhookUrl: receiver.url,
    })
    botId = String(Object(webhook.bot).id)
    receiver.script(500)
    const sent = await post(`/bots/${encodeURIComponent(botId)}/webhook/test`, {})
    deliveryId = String(sent.deliveryId)
    await receiver.has(1)
  }

  type Look = {
    who?: 'nobody'
    language?: 'de'
    /** The button that opens something over the view. */
    opens?: string
  }
  const views: [name: string, path: () => string, look?: Look][] = [
    ['setup', () => '/setup', { who: 'nobody' }],
    ['sign-in', () => '/sign-in', { who: 'nobody' }],
    ['reset', () => '/reset', { who: 'nobody' }],
    ['join', () => '/join#no-such-token', { who: 'nobody' }],
    ['account', () => '/account'],
    ['overview', () => `/console/${organizationId}`],
    ['members', () => `/console/${organizationId}/members`],
    ['invite', () => `/console/${organizationId}/members`, { opens: members.en.invite }],
    ['bots', () => `/console/${organizationId}/bots`],
    ['new-bot', () => `/console/${organizationId}/bots/new`],
    ...['', '/credentials', '/deliveries', '/events', '/signature'].map((tab): [string, () => string] => [
      `bot${tab.replace('/', '-')}`,
      () => `/console/${organizationId}/bots/${encodeURIComponent(botId)}${tab}`,
    ]),
    [
      'delivery',
      () => `/console/${organizationId}/bots/${encodeURIComponent(botId)}/deliveries?delivery=${deliveryId}`,
    ],
    ['topics', () => `/console/${organizationId}/topics`],
    ['labels', () => `/console/${organizationId}/labels`],
    ['org-units', () => `/console/${organizationId}/org-units`],
    ['settings', () => `/console/${organizationId}/settings`],
    ['settings-de', () => `/console/${organizationId}/settings`, { language: 'de' }],
    ['audit', () => `/console/${organizationId}/audit`],
    ['bots-de', () => `/console/${organizationId}/bots`, { language: 'de' }],
    ['audit-de', () => `/console/${organizationId}/audit`, { language: 'de' }],
    ['nothing', () => '/console/nothing-here'],
    ['nothing-inside', () => `/console/${organizationId}/nothing-here`],
  ]

  test.concurrent.each(views)(
    '%s is for everybody, light and dark, wide and narrow',
    async (name, path, { who, language, opens } = {}) => {
      const visitor = await stage.visitor({ viewport: WIDE, reducedMotion: 'reduce' })
      if (who !== 'nobody') await visitor.addCookies(await admin.cookies())
      if (language)
        await visitor.addCookies([{ name: 'parley_language', value: language, url: stage.server.url }])
      const page = await visitor.newPage()
      const complaints = listen(page)
      await page.goto(path())
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      expect(await page.locator('html').getAttribute('lang')).toBe(language ?? 'en')
      if (opens !== undefined) {
        await page.getByRole('button', { name: opens, exact: true }).click()
        await page.getByRole('dialog').waitFor()
      }
      expect(await faultsInEveryLook(page, name)).toEqual([])
      expect(complaints, name).toEqual([])
      await visitor.close()
    },
  )

  test('the whole console is in German for German readers', async () => {
    const englishOn = await englishFinder()
    const visitor = await stage.visitor({ viewport: WIDE, reducedMotion: 'reduce' })
    await visitor.addCookies(await admin.cookies())
    const page = await visitor.newPage()
    // The finder works: it finds English on an English page.
    await page.goto(`/console/${organizationId}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    expect(await englishOn(page)).toEqual(
      expect.arrayContaining([consoleTexts.en.nav.members, consoleTexts.en.backToChat]),
    )

    await visitor.addCookies([{ name: 'parley_language', value: 'de', url: stage.server.url }])
    const bot = `/bots/${encodeURIComponent(botId)}`
    const places = [
      ...['', '/members', '/members/links', '/topics', `/topics/${topicId}`, '/bots', '/bots/new'],
      ...['', '/credentials', '/deliveries', '/events', '/incoming', '/signature'].map((tab) => bot + tab),
      ...[
        `${bot}/deliveries?delivery=${deliveryId}`,
        '/labels',
        '/org-units',
        '/settings',
        '/audit',
        '/nothing',
      ],
    ]
    const found: [place: string, left: string[]][] = []
    for (const place of places) {
      await page.goto(`/console/${organizationId}${place}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      const english = (await englishOn(page)).filter((text) => text !== TOPIC_NAME)
      found.push([place, [...english, ...(IS_THOROUGH ? await faults(page) : [])]])
    }
    expect(found.filter(([, left]) => left.length > 0)).toEqual([])
    await visitor.close()
  })

  /** Complaints of the browser: errors, and requests that the content security policy stopped. */
  function listen(page: Page): string[] {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      // A refusal that the page is about to show also appears here.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
        complaints.push(message.text())
      }
    })
    return complaints
  }
})
