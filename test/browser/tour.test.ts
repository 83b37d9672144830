import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consoleTexts } from '../../web/src/texts/console.ts'
import { members } from '../../web/src/texts/members.ts'
import { LANGUAGE_NAMES, type Language } from '../../web/src/texts/texts.ts'
import {
  ask,
  BROWSER,
  FROM_THE_RIGHT,
  faults,
  faultsInEveryLook,
  openStage,
  type Stage,
  takePicture,
} from '../support/browser.ts'
import { englishFinder } from '../support/english-left.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { IS_THOROUGH } from '../support/thorough.ts'

const WIDE = { width: 1280, height: 900 }
const NARROW = { width: 390, height: 844 }
/** The first topic has a name that an admin may change: it is the same in every language. */
const TOPIC_NAME = 'General'
const PASSWORD = 'four plain words here'

describe.skipIf(BROWSER === undefined)('each view', () => {
  let stage: Stage
  let receiver: Receiver
  let admin: BrowserContext
  let pages: Record<'nobody' | 'en' | 'de', Page>
  /** Complaints of the browser: errors, and requests that the content security policy stopped. */
  let complaints: string[] = []
  let organizationId: string
  let topicId: string
  let botId: string
  let deliveryId: string

  beforeAll(async () => {
    stage = await openStage()
    receiver = await startReceiver()
    admin = await stage.visitor({ viewport: WIDE })
    const nobody = await stage.visitor({ viewport: WIDE })
    await fill()
    pages = { nobody: await open(nobody), en: await open(admin), de: await reading('de') }
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

  async function open(visitor: BrowserContext): Promise<Page> {
    const page = await visitor.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      // A refusal that the page is about to show also appears here.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) {
        complaints.push(message.text())
      }
    })
    await page.goto(`/console/${organizationId}/reports`)
    await isDrawn(page)
    return page
  }
  /** Opens a page of the admin in a language that was chosen before. */
  async function reading(language: Language): Promise<Page> {
    const visitor = await stage.visitor({ viewport: WIDE })
    const chosen = { name: 'parley_language', value: language, url: stage.server.url }
    await visitor.addCookies([...(await admin.cookies()), chosen])
    return open(visitor)
  }
  async function isDrawn(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  }
  /** Goes to another view as a link does, which does not load the page again. Each view has a title of its own. */
  async function goTo(page: Page, path: string): Promise<void> {
    const former = await page.title()
    await page.evaluate(`history.pushState(null, '', '${path}')`)
    await eventually(() => page.title()).not.toBe(former)
    await isDrawn(page)
  }

  type Look = {
    who?: 'nobody' | 'de'
    /** The button that opens something over the view. */
    opens?: string
  }
  const views: [name: string, path: () => string, look?: Look][] = [
    ['setup', () => '/setup', { who: 'nobody' }],
    ['sign-in', () => '/sign-in', { who: 'nobody' }],
    ['reset', () => '/reset', { who: 'nobody' }],
    ['join', () => '/join#no-such-token', { who: 'nobody' }],
    ['account', () => '/account'],
    ['nothing', () => '/console/nothing-here'],
    ['overview', () => `/console/${organizationId}`],
    ['members', () => `/console/${organizationId}/members`],
    ['bots', () => `/console/${organizationId}/bots`],
    ['invite', () => `/console/${organizationId}/members`, { opens: members.en.invite }],
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
    ['settings-de', () => `/console/${organizationId}/settings`, { who: 'de' }],
    ['audit', () => `/console/${organizationId}/audit`],
    ['bots-de', () => `/console/${organizationId}/bots`, { who: 'de' }],
    ['audit-delivery', () => `/console/${organizationId}/audit/delivery`],
    ['audit-de', () => `/console/${organizationId}/audit`, { who: 'de' }],
    ['nothing-inside', () => `/console/${organizationId}/nothing-here`],
  ]

  test.each(views)('%s is for everybody, light and dark, wide and narrow', async (name, path, look = {}) => {
    const { who = 'en', opens } = look
    const page = pages[who]
    complaints = []
    await goTo(page, path())
    expect(await page.locator('html').getAttribute('lang')).toBe(who === 'de' ? 'de' : 'en')
    if (opens !== undefined) {
      await page.getByRole('button', { name: opens, exact: true }).click()
      await page.getByRole('dialog').waitFor()
    }
    expect(await faultsInEveryLook(page, name, ['dark'])).toEqual([])
    if (opens !== undefined) {
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(complaints, name).toEqual([])
  })

  const others = LANGUAGE_NAMES.map(([language]) => language).filter((language) => language !== 'en')

  test('English is found where it is left', async () => {
    await goTo(pages.en, `/console/${organizationId}`)
    for (const language of others) {
      const englishOn = await englishFinder(language)
      expect(await englishOn(pages.en)).toEqual(
        expect.arrayContaining([consoleTexts.en.nav.members, consoleTexts.en.backToChat]),
      )
    }
  })

  test.each(others)('the whole console is in the language of its readers (%s)', async (language) => {
    const englishOn = await englishFinder(language)
    const page = await reading(language)
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
        '/audit/delivery',
        '/nothing',
      ],
    ]
    const found: [place: string, left: string[]][] = []
    for (const place of places) {
      await goTo(page, `/console/${organizationId}${place}`)
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      const left = (await englishOn(page)).filter((text) => text !== TOPIC_NAME)
      await page.setViewportSize(NARROW)
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      await takePicture(page, `console-${language}-${found.length}`)
      await page.setViewportSize(WIDE)
      await takePicture(page, `console-${language}-${found.length}-wide`)
      found.push([
        place,
        [...left, ...(isTooWide ? ['too wide'] : []), ...(IS_THOROUGH ? await faults(page) : [])],
      ])
    }
    expect(found.filter(([, left]) => left.length > 0)).toEqual([])
    await page.close()
  })
})
