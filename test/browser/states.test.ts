import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { nothingHere } from '../../web/src/texts/nothing-here.ts'
import { notifications as notifyTexts } from '../../web/src/texts/notifications.ts'
import { ownSettings as settingsTexts } from '../../web/src/texts/own-settings.ts'
import { places as placeOfTexts } from '../../web/src/texts/places.ts'
import { searchTexts } from '../../web/src/texts/search.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import { shellPlaces as placeTexts } from '../../web/src/texts/shell-places.ts'
import { LANGUAGE_NAMES, type Language } from '../../web/src/texts/texts.ts'
import {
  ask,
  BROWSER,
  FLAGS,
  FROM_THE_RIGHT,
  faults,
  openStage,
  openTeam,
  type Stage,
  type Team,
  takePicture,
  WITH_SERVICE_WORKER,
} from '../support/browser.ts'
import { call } from '../support/client.ts'
import { type CutLine, openCutLine } from '../support/cut-line.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { atNight } from '../support/thorough.ts'

const [shell, places, pane, notify] = [shellTexts.en, placeTexts.en, placeOfTexts.en, notifyTexts.en]
const TOPIC = 'אביב (Spring release)'
const PHONE = { width: 360, height: 740 }

/** Sizes, and 1280 px at 200 %: half the width. Each with a theme and a language, so that each of those is seen wide and narrow. */
const LOOKS = [
  { name: 'wide', width: 1280, height: 800, theme: 'light', language: 'en' },
  { name: 'wide-de', width: 1280, height: 800, theme: 'dark', language: 'de' },
  { name: 'tablet', width: 768, height: 1024, theme: 'light', language: 'en' },
  { name: 'zoomed', width: 640, height: 400, theme: 'dark', language: 'en' },
  { name: 'phone', ...PHONE, theme: 'light', language: 'en' },
  { name: 'phone-de', ...PHONE, theme: 'dark', language: 'de' },
  { name: 'phone-fr', ...PHONE, theme: 'light', language: 'fr' },
  { name: 'wide-es', width: 1280, height: 800, theme: 'light', language: 'es' },
  { name: 'phone-es', ...PHONE, theme: 'dark', language: 'es' },
] as const
/** Looks of the panes beside the conversation, which have each theme and language: wide, narrow, and at night also enlarged. */
const PANE_LOOKS: readonly string[] = ['wide', 'phone-de', 'phone-fr', 'phone-es', ...atNight('zoomed')]

/** The chat in every state that a browser can put it into. Each test goes on where the one before ended. */
/** The list of tabs is wider than the pane and scrolls. */
const CHOSEN_TAB_IS_SEEN = `(() => {
  const tab = document.querySelector('[role=tab][aria-selected=true]')?.getBoundingClientRect()
  const list = document.querySelector('[role=tablist]')?.getBoundingClientRect()
  return tab !== undefined && tab.left >= list.left && tab.right <= list.right
})()`

describe.skipIf(BROWSER === undefined)('states of the chat', () => {
  let stage: Stage
  let ada: BrowserContext
  let ben: BrowserContext
  let benId: string
  let at: string
  let topicId: string
  let general: string
  let parentId: string
  let bot: Team['bot']
  let chat: Team['chat']
  const lines: CutLine[] = []
  const browsers: Browser[] = []

  beforeAll(async () => {
    stage = await openStage()
    ;({ ada, ben, benId, at, general, bot, chat } = await openTeam(stage, {}, FROM_THE_RIGHT))
    const topic = await chat(ada, 'POST', 'topics', {
      name: TOPIC,
      description: 'What goes out in April, and who does what.',
      members: [benId],
    })
    topicId = String(topic.id)
    await fill()
  })
  afterAll(async () => {
    for (const line of lines) await line.close()
    for (const browser of browsers) await browser.close()
    await stage?.close()
  })

  const say = async (who: BrowserContext, text: string, more: Record<string, unknown> = {}) =>
    String((await chat(who, 'POST', 'messages', { topicId, text, ...more })).id)

  /** Fills a conversation with everything that it can show. */
  async function fill(): Promise<void> {
    const adaId = String(Object((await chat(ada, 'GET', 'start')).me).id)
    await say(ben, 'Shall we ship on **Thursday**? See `CHANGELOG.md` and https://example.com/plan.')
    parentId = await say(ada, 'Yes, if the tests are green:\n\n```ts\nawait release("spring")\n```')
    await say(ben, `Then it is settled, <@${adaId}>.`, { parentId })
    await chat(ben, 'POST', `messages/${parentId}/reactions`, { reaction: '🎉' })
    await chat(ada, 'POST', `messages/${parentId}/pin`)
    await chat(ada, 'POST', 'tasks', { topicId, title: 'Write the notes' })
    await chat(ada, 'POST', 'polls', {
      topicId,
      question: 'Which day?',
      options: ['Thursday', 'Friday'],
      selectionType: 'single',
    })
    await chat(ada, 'POST', 'drafts', { topicId, text: 'One more thing' })
    await chat(ada, 'POST', 'direct-messages', { memberIds: [benId] })
  }

  async function open(who: BrowserContext, path: string): Promise<Page> {
    const page = await who.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(path)
    return page
  }
  const log = (page: Page) => page.getByRole('log').first()
  const seen = (page: Page, text: string) => log(page).getByText(text, { exact: true })
  const titleOf = (page: Page) => () => page.title()

  const looksOf = (view: string, of: Language) =>
    LOOKS.filter(
      ({ name, language }) => language === of && (view === 'conversation' || PANE_LOOKS.includes(name)),
    )

  const tab = (name: string) => (page: Page) => page.locator(`[data-tab=${name}][aria-selected=true]`)
  const titled = (titleIn: (language: Language) => string) => (page: Page, language: Language) =>
    page.getByRole('heading', { level: 1, name: titleIn(language), exact: true })
  type View = [name: string, path: () => string, sign: (page: Page, language: Language) => Locator]
  const place = (name: string) => () => `/o/${at.split('/').at(-1)}/${name}`
  const VIEWS: View[] = [
    [
      'conversation',
      () => `/t/${topicId}`,
      // The composer is loaded after the messages.
      (page, language) => page.getByRole('textbox', { name: composerTexts[language].message(TOPIC) }),
    ],
    [
      'thread',
      () => `/t/${topicId}/thread/${parentId}`,
      (page, language) => page.getByRole('textbox', { name: composerTexts[language].replyIn }),
    ],
    ['details', () => `/t/${topicId}?details=members`, tab('members')],
    ['settings', () => `/t/${topicId}?details=settings`, tab('settings')],
    ['files', () => `/t/${topicId}?details=files`, tab('files')],
    ['history', () => `/t/${topicId}?details=history`, tab('history')],
    ['drafts', place('drafts'), titled((language) => placeTexts[language].draftList.title)],
    ['threads', place('threads'), titled((language) => placeOfTexts[language].threads.title)],
    ['mentions', place('mentions'), titled((language) => placeOfTexts[language].mentions.title)],
    ['notifications', place('notifications'), titled((language) => settingsTexts[language].title)],
    ['search', place('search?q=thursday'), titled((language) => searchTexts[language].title)],
  ]

  describe('every view', () => {
    /** One page for each language, which goes from view to view without being loaded again. */
    const pages = new Map<Language, Page>()

    beforeAll(async () => {
      for (const [language] of LANGUAGE_NAMES) {
        const reader = await stage.visitor()
        const chosen = { name: 'parley_language', value: language, url: stage.server.url }
        await reader.addCookies([...(await ada.cookies()), chosen])
        pages.set(language, await open(reader, `/t/${general}`))
      }
    })
    afterAll(async () => {
      for (const page of pages.values()) await page.close()
    })

    test.each(VIEWS)('%s is for everybody, in each size, theme and language', async (name, path, sign) => {
      for (const [language, page] of pages) {
        await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' })
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await page.evaluate(`history.pushState(null, '', '${path()}')`)
        for (const { name: look, width, height, theme } of looksOf(name, language)) {
          await page.setViewportSize({ width, height })
          await page.emulateMedia({ colorScheme: theme })
          await sign(page, language).waitFor({ state: 'attached' })
          await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
          await takePicture(page, `states-${name}-${look}`)
          expect(await faults(page), `${name}, ${look}`).toEqual([])
          expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), look).toBe(true)
        }
      }
    })
  })

  test('goes on in a hidden tab, and shows the result when it is visible again', async () => {
    const page = await open(ada, `/t/${general}`)
    await page.getByRole('heading', { level: 1, name: 'General' }).waitFor()
    await eventually(titleOf(page)).toContain('General')
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => window.isShown ? 'visible' : 'hidden' })
      document.hasFocus = () => window.isShown === true
      // A browser draws no frames in a hidden tab.
      window.requestAnimationFrame = (work) => setTimeout(() => window.isShown && work(performance.now()), 16)
      document.dispatchEvent(new Event('visibilitychange'))`)
    await chat(ben, 'POST', 'messages', { topicId: general, text: 'Anybody here?' })
    await eventually(titleOf(page)).toMatch(/^• General/)
    await seen(page, 'Anybody here?').waitFor({ state: 'attached' })
    const unread = async () => {
      const { topics } = Object(await chat(ada, 'GET', 'start'))
      return topics.find(({ id }: { id: string }) => id === general).unread
    }
    expect(await unread(), 'nobody has looked').toBe(1)
    await page.evaluate("window.isShown = true; document.dispatchEvent(new Event('visibilitychange'))")
    await eventually(unread).toBe(0)
    await eventually(titleOf(page)).toMatch(/^General/)
    await page.close()
  })

  test('offers notifications once, after the first mention', async () => {
    const whole = await chromium.launch({ executablePath: BROWSER ?? '', args: FLAGS }) // the small one has no notifications
    browsers.push(whole)
    const desk = await whole.newContext({
      baseURL: stage.server.url,
      locale: 'en-US',
      reducedMotion: 'reduce',
    })
    await desk.addCookies(await ada.cookies())
    await desk.grantPermissions(['notifications'], { origin: stage.server.url })
    const page = await open(desk, `/t/${topicId}`)
    await seen(page, 'Write the notes').first().waitFor()
    const offer = page.getByText(notify.offer.text)
    expect(await offer.count()).toBe(0)
    const adaId = String(Object((await chat(ada, 'GET', 'start')).me).id)
    const mention = (text: string) =>
      chat(ben, 'POST', 'messages', { topicId: general, text: `${text} <@${adaId}>` })
    await mention('Look at this,')
    await offer.waitFor()
    expect(await faults(page)).toEqual([])
    await page.reload()
    await offer.waitFor()
    await page.getByRole('button', { name: notify.offer.accept, exact: true }).click()
    await page
      .getByText(notify.browser.states.page)
      .or(page.getByText(notify.browser.states.always))
      .waitFor()
    await offer.waitFor({ state: 'detached' })

    const other = await whole.newContext({
      baseURL: stage.server.url,
      locale: 'en-US',
      reducedMotion: 'reduce',
    })
    await other.addCookies(await ada.cookies())
    await other.grantPermissions(['notifications'], { origin: stage.server.url })
    const declining = await open(other, `/t/${topicId}`)
    await seen(declining, 'Write the notes').first().waitFor()
    await mention('And this,')
    await declining.getByRole('button', { name: notify.offer.decline, exact: true }).click()
    await mention('And that,')
    await eventually(() => declining.evaluate("localStorage.getItem('parley.notifications.offer')")).toBe(
      'answered',
    )
    await declining.reload()
    await seen(declining, 'Write the notes').first().waitFor()
    expect(await declining.getByText(notify.offer.text).count()).toBe(0)
    await chat(ada, 'PATCH', `topics/${general}/state`, { readTo: 'ffffffff-ffff-7fff-bfff-ffffffffffff' })
  })

  test('notifies once for all tabs, as chosen by keyboard, and withdraws what was read', async () => {
    const whole = await chromium.launch({ executablePath: BROWSER ?? '', args: FLAGS }) // the small one has no notifications
    browsers.push(whole)
    const desk = await whole.newContext({
      baseURL: stage.server.url,
      locale: 'en-US',
      reducedMotion: 'reduce',
    })
    await desk.addCookies(await ada.cookies())
    await desk.grantPermissions(['notifications'], { origin: stage.server.url })
    const organizationId = at.split('/').at(-1)
    const page = await open(desk, `/o/${organizationId}/notifications`)
    const toggle = async (name: string) => {
      await page.getByRole('switch', { name }).focus()
      await page.keyboard.press('Space')
    }
    await toggle(notify.browser.label)
    // A browser without a push service shows them only while a page is open.
    await page
      .getByText(notify.browser.states.page)
      .or(page.getByText(notify.browser.states.always))
      .waitFor()
    await toggle(notify.when.quiet.label)
    await page.getByLabel(notify.when.from).waitFor()
    await page.getByLabel(notify.what.keywords).focus()
    await page.keyboard.type('spring, lighthouse keeper')
    await page.keyboard.press('Enter')
    await page.getByText(notify.what.saved).waitFor()
    const kept = { keywords: ['spring', 'lighthouse keeper'], quietHours: { from: '22:00', to: '07:00' } }
    expect(await chat(ada, 'GET', 'notifications')).toMatchObject(kept)
    expect(await faults(page)).toEqual([])
    await toggle(notify.when.quiet.label)
    await page.getByLabel(notify.when.from).waitFor({ state: 'detached' })

    const other = await open(desk, `/t/${topicId}`)
    await seen(other, 'Write the notes').first().waitFor()
    for (const tab of [page, other]) {
      await tab.evaluate(`
        window.shownHere = 0
        window.badges = []
        const [setBadge, clearBadge] = [navigator.setAppBadge, navigator.clearAppBadge]
        navigator.setAppBadge = (count) => (window.badges.push(count), setBadge.call(navigator, count))
        navigator.clearAppBadge = () => (window.badges.push(0), clearBadge.call(navigator))
        const show = ServiceWorkerRegistration.prototype.showNotification
        ServiceWorkerRegistration.prototype.showNotification = function (...given) {
          window.shownHere += 1
          return show.apply(this, given)
        }
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => window.isShown ? 'visible' : 'hidden' })
        document.hasFocus = () => window.isShown === true
        document.dispatchEvent(new Event('visibilitychange'))`)
    }
    const shown = () =>
      other.evaluate(`navigator.serviceWorker.getRegistration('/').then((registration) => registration.getNotifications())
        .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`)
    await chat(ben, 'POST', 'messages', { topicId: general, text: 'Nothing for Ada' })
    await chat(ben, 'POST', 'messages', { topicId: general, text: 'To the lighthouse keeper' })
    const told = { title: `${FROM_THE_RIGHT.ben} · General`, body: 'To the lighthouse keeper', tag: general }
    await eventually(shown).toEqual([told])
    const counts = await Promise.all([page, other].map((tab) => tab.evaluate('window.shownHere')))
    expect(counts.toSorted()).toEqual([0, 1])
    // The icon counts what waits for Ada: a mention does, a word in a topic does not.
    expect(await other.evaluate('window.badges')).toEqual([])
    const adaId = String(Object((await chat(ada, 'GET', 'start')).me).id)
    await chat(ben, 'POST', 'messages', { topicId: general, text: `For <@${adaId}>` })
    await eventually(() => other.evaluate('window.badges')).toEqual([1])
    await chat(ada, 'PATCH', `topics/${general}/state`, { readTo: 'ffffffff-ffff-7fff-bfff-ffffffffffff' })
    await eventually(shown).toEqual([])
    await eventually(() => other.evaluate('window.badges')).toEqual([1, 0])

    // A push while no page is open, as the browser hands it to the service worker.
    for (const tab of [page, other]) await tab.goto('about:blank')
    const devtools = await desk.newCDPSession(other)
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [one] = registrations
        if (one) resolve(one.registrationId)
      })
    })
    await devtools.send('ServiceWorker.enable')
    const registrationId = await registered
    const push = (content: object) =>
      devtools.send('ServiceWorker.deliverPushMessage', {
        origin: stage.server.url,
        registrationId,
        data: JSON.stringify(content),
      })
    const [worker] = desk.serviceWorkers()
    const shownByWorker = async () =>
      worker?.evaluate(`self.registration.getNotifications()
        .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`)
    const pushed = { title: 'Pushed', body: 'Hello', topicId, messageId: parentId, waiting: 1 }
    await push({ kind: 'show', ...pushed })
    await eventually(shownByWorker).toEqual([{ title: 'Pushed', body: 'Hello', tag: topicId }])
    await push({ kind: 'close', topicId, messageId: general.replaceAll(/./g, '0'), waiting: 1 })
    await push({ kind: 'show', ...pushed, title: 'Twice' })
    await push({ kind: 'show', ...pushed, topicId: general, title: 'Another topic' })
    await eventuallyHolds(async () => expect(await shownByWorker()).toHaveLength(2))
    expect(await shownByWorker()).toContainEqual({ title: 'Pushed', body: 'Hello', tag: topicId })
    await push({ kind: 'close', topicId, messageId: parentId, waiting: 1 })
    await eventuallyHolds(async () => expect(await shownByWorker()).toHaveLength(1))
    await whole.close()
  })

  test('has threads and mentions as places, and the history of a topic', async () => {
    await chat(ada, 'PATCH', `topics/${topicId}`, { name: `${TOPIC} 2` })
    await chat(ada, 'PATCH', `topics/${topicId}`, { name: TOPIC })
    const page = await open(ada, `/o/${at.split('/').at(-1)}`)
    const sidebar = page.getByRole('navigation')
    const threads = sidebar.getByRole('link', { name: shell.threads })
    const toThread = async () => {
      await threads.click()
      await page.getByRole('heading', { level: 1, name: pane.threads.title }).waitFor()
      await page.getByRole('list', { name: pane.threads.title }).getByRole('button').first().click()
      await page.waitForURL(`**/thread/${parentId}`)
      await eventually(() => threads.innerText()).toBe(shell.threads)
    }
    await toThread()
    await page.goto(`/t/${general}`)
    const reply = await say(ben, 'And the notes are written.', { parentId })
    await eventually(() => threads.innerText()).toMatch(/^Threads\n1\n/)
    await toThread()
    await chat(ben, 'DELETE', `messages/${reply}`)
    await sidebar.getByRole('link', { name: shell.mentions }).click()
    await page
      .getByRole('list', { name: pane.mentions.title })
      .getByRole('button', { name: /settled/ })
      .click()
    await page.waitForURL(/\?m=/)
    await page.goto(`/t/${topicId}?details=history`)
    await page.getByText(pane.history.name('You', `${TOPIC} 2`)).waitFor()
    await page.goto(`/t/${topicId}?details=settings`)
    await eventually(async () => page.evaluate(CHOSEN_TAB_IS_SEEN)).toBe(true)
    await page.getByRole('tab', { name: pane.tabs.tasks }).click()
    await page.getByRole('complementary').getByText('Write the notes').waitFor()
    await page.getByRole('tab', { name: pane.tabs.polls }).click()
    await page.getByRole('complementary').getByText('Which day?').waitFor()
    await page.close()
  })

  test('follows the link that a bot makes of its own id for a topic', async () => {
    const made = await asBot('POST', '/v2/topics', {
      name: 'Order 42',
      members: [benId],
      externalId: 'order-42',
    })
    const page = await open(ben, `/?external_topic=${encodeURIComponent(`${bot.id}:order-42`)}`)
    await page.getByRole('heading', { level: 1, name: 'Order 42' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/t/${made.id}`)
    await page.goto('/?external_topic=order-42')
    await page.getByRole('heading', { level: 1, name: 'Order 42' }).waitFor()
    await page.goto('/?external_topic=order-43')
    await page.getByRole('heading', { level: 1, name: nothingHere.en.missingMessage.title }).waitFor()
    const { bot: second, ...credentials } = Object(
      await ask(ada, stage.server.url, 'POST', `${at}/bots`, {
        name: 'Shop bot',
        credential: 'static',
        permission: 'write',
        delivery: 'polling',
      }),
    )
    expect(second.name).toBe('Shop bot')
    await asBot(
      'POST',
      '/v2/topics',
      { name: 'The other order', members: [benId], externalId: 'order-42' },
      credentials,
    )
    await page.goto('/?external_topic=order-42')
    await page.getByRole('heading', { level: 1, name: places.choose.title }).waitFor()
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: /The other order/ }).click()
    await page.getByRole('heading', { level: 1, name: 'The other order' }).waitFor()
    await page.close()
  })

  const asBot = async (
    method: string,
    path: string,
    body: unknown,
    credentials: { apiKey: string; apiSecret: string } = bot,
  ) => {
    const answer = await call(stage.server.url, credentials, method, path, { body })
    expect(answer.status, answer.text).toBeLessThan(300)
    return Object(answer.body)
  }

  test('has one connection for all tabs without shared workers too, and survives a minute without network', async () => {
    const line = await openCutLine(stage.server.url)
    lines.push(line)
    const old = await stage.visitor({ ...WITH_SERVICE_WORKER, baseURL: line.url })
    await old.addCookies(await ben.cookies())
    await old.addInitScript('delete window.SharedWorker')
    await old.clock.install()
    const streams = new Set<unknown>()
    old.on('request', (request) => request.url().includes('/stream') && streams.add(request))
    old.on('requestfinished', (request) => streams.delete(request))
    old.on('requestfailed', (request) => streams.delete(request))
    const first = await open(old, `${line.url}/t/${topicId}`)
    await seen(first, 'Write the notes').first().waitFor()
    const second = await open(old, `${line.url}/t/${topicId}`)
    await seen(second, 'Write the notes').first().waitFor()
    await say(ada, 'To both tabs')
    await seen(first, 'To both tabs').waitFor()
    await seen(second, 'To both tabs').waitFor()
    expect(streams.size, 'streams').toBe(1)

    line.cut()
    await say(ada, 'While the line was cut')
    await first.getByText(shell.offline.lead).waitFor()
    await second.getByText(shell.offline.lead).waitFor()
    await second.getByRole('main').getByRole('textbox').first().fill('Written meanwhile')
    await second.keyboard.press('Enter')
    await seen(second, 'Written meanwhile').waitFor()
    await old.clock.runFor(60_000)
    line.mend()
    await old.clock.runFor(60_000)
    for (const page of [first, second]) {
      await seen(page, 'While the line was cut').waitFor()
      await seen(page, 'Written meanwhile').waitFor()
      await page.getByText(shell.offline.lead).waitFor({ state: 'detached' })
    }
    await eventuallyHolds(async () => {
      const { messages } = Object(await chat(ada, 'GET', `topics/${topicId}/history`))
      const texts = messages.map(({ text }: { text: string }) => text)
      expect(texts.slice(-3)).toEqual(['To both tabs', 'While the line was cut', 'Written meanwhile'])
    })
    expect(streams.size, 'streams').toBe(1)

    // Another tab takes the connection over from one that closes.
    await first.close()
    await say(ada, 'To who is left')
    await seen(second, 'To who is left').waitFor()
    await old.close()
  })
})
