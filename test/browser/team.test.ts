import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { account as accountTexts } from '../../web/src/texts/account.ts'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { nothingHere } from '../../web/src/texts/nothing-here.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import { topic as topicTexts } from '../../web/src/texts/topic.ts'
import { topicDetails as detailTexts } from '../../web/src/texts/topic-details.ts'
import { ask, BROWSER, faults, openStage, type Stage, takePicture } from '../support/browser.ts'
import { call } from '../support/client.ts'
import { type CutLine, openCutLine } from '../support/cut-line.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

const [account, composer, details, shell, topic] = [
  accountTexts.en,
  composerTexts.en,
  detailTexts.en,
  shellTexts.en,
  topicTexts.en,
]
const PASSWORD = 'four plain words here'

/** Two people in two browsers, a bot that polls and one with a webhook; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('a team', () => {
  let stage: Stage
  let receiver: Receiver
  /** Ben's browser reaches the server over a line that can be cut. */
  let line: CutLine
  let adasBrowser: BrowserContext
  let bensBrowser: BrowserContext
  let ada: Page
  let ben: Page
  let at: string
  let general: string
  let poller: { apiKey: string; apiSecret: string }

  beforeAll(async () => {
    stage = await openStage()
    receiver = await startReceiver()
    line = await openCutLine(stage.server.url)
    const { url } = stage.server
    adasBrowser = await stage.visitor({ viewport: { width: 1280, height: 900 } })
    bensBrowser = await stage.visitor({
      baseURL: line.url,
      viewport: { width: 1280, height: 900 },
    })
    const made = await ask(adasBrowser, url, 'POST', '/people/setup', {
      token: stage.setupLink.split('#')[1],
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Poller',
    })
    at = `/people/organizations/${made.organizationId}`
    general = String(made.topicId)
    const { apiKey, apiSecret } = Object(made.bot)
    poller = { apiKey, apiSecret }
    const hook = await ask(adasBrowser, url, 'POST', `${at}/bots`, {
      name: 'Hook',
      credential: 'static',
      permission: 'write',
      delivery: 'webhook',
      webhookUrl: receiver.url,
      topicIds: [general],
    })
    expect(Object(hook.bot).name).toBe('Hook')
  })
  afterAll(async () => {
    await stage?.close()
    await line?.close()
    await receiver?.close()
  })

  async function open(browser: BrowserContext, path: string): Promise<Page> {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(path)
    return page
  }
  const button = (where: Page | Locator, name: string) => where.getByRole('button', { name, exact: true })
  const field = (page: Page, name = 'General') => page.getByRole('textbox', { name: composer.message(name) })
  const messages = (page: Page) => page.getByRole('log').first().getByRole('article')
  const message = (page: Page, text: string) => messages(page).filter({ hasText: text })
  const sidebar = (page: Page) => page.getByRole('navigation', { name: shell.sidebar })
  const inSidebar = (page: Page, name: string) => sidebar(page).getByRole('link', { name: new RegExp(name) })
  const say = async (page: Page, text: string, name = 'General') => {
    await field(page, name).fill(text)
    await field(page, name).press('Enter')
  }

  test('gathers in General: an invitation leads there, and everybody is in it', async () => {
    ada = await open(adasBrowser, `/t/${general}`)
    await field(ada).waitFor()
    const { url } = stage.server
    const { id } = await ask(adasBrowser, url, 'POST', `${at}/members`, { email: 'ben@example.com' })
    const link = await ask(adasBrowser, url, 'POST', `${at}/members/${id}/invitation-link`)
    ben = await open(bensBrowser, `/join#${String(link.url).split('#')[1]}`)
    await ben.getByLabel(account.name).fill('Ben Ito')
    await ben.getByLabel(account.join.choosePassword, { exact: true }).fill(PASSWORD)
    await button(ben, account.join.action).click()
    await ben.getByRole('heading', { level: 1, name: 'General' }).waitFor()
    await button(ada, topic.membersButton(4)).waitFor()
    await button(ben, topic.membersButton(4)).click()
    for (const name of ['Ada Okafor', 'Ben Ito', 'Poller', 'Hook'])
      await ben.getByRole('complementary').getByText(name).first().waitFor()
    expect(await faults(ben)).toEqual([])
    await takePicture(ben, 'team-members')
    await ben.keyboard.press('Escape')
  })

  test('hears each other: people and bots, both ways', async () => {
    const { url } = stage.server
    await say(ada, 'Hello to everybody')
    await message(ben, 'Hello to everybody').waitFor()
    const heard = async () => (await call(url, poller, 'GET', '/v2/updates?offset=oldest')).text
    await eventually(heard).toContain('Hello to everybody')
    await eventually(async () => JSON.stringify(receiver.received.map(({ event }) => event))).toContain(
      'Hello to everybody',
    )
    await call(url, poller, 'POST', '/v2/messages', { body: { topicId: general, text: 'A bot says hello' } })
    await message(ada, 'A bot says hello').waitFor()
    await message(ben, 'A bot says hello').waitFor()
    await say(ben, 'Ben answers')
    await message(ada, 'Ben answers').waitFor()
    expect(await messages(ada).count()).toBe(await messages(ben).count())
  })

  test('counts what is unread in every tab, and finishes it in all of them', async () => {
    const { id } = await ask(bensBrowser, stage.server.url, 'POST', `${at}/chat/topics`, {
      name: 'Elsewhere',
    })
    await ben.goto(`/t/${id}`)
    await field(ben, 'Elsewhere').waitFor()
    const second = await open(bensBrowser, `/t/${id}`)
    await field(second, 'Elsewhere').waitFor()
    await field(ada).pressSequentially('One for @be')
    await ada.getByRole('option', { name: 'Ben Ito' }).waitFor()
    await field(ada).press('Enter')
    await field(ada).press('Enter')
    await say(ada, 'And one for all')
    for (const tab of [ben, second]) await sidebar(tab).getByText(shell.unread(1)).waitFor()
    await takePicture(ben, 'team-unread')
    await inSidebar(ben, 'General').first().click()
    await message(ben, 'And one for all').waitFor()
    for (const tab of [ben, second]) await sidebar(tab).getByText(shell.allRead).waitFor()
    await second.close()
  })

  test('keeps a draft for another browser', async () => {
    const phone = await stage.visitor({
      storageState: await bensBrowser.storageState(),
      viewport: { width: 390, height: 844 },
    })
    await phone.addCookies(
      (await bensBrowser.cookies(line.url)).map(({ name, value }) => ({
        name,
        value,
        url: stage.server.url,
      })),
    )
    await field(ben).fill('What I was about to say')
    await eventually(async () => {
      const { drafts } = await ask(phone, stage.server.url, 'GET', `${at}/chat/start`)
      return JSON.stringify(drafts)
    }).toContain('What I was about to say')
    const other = await open(phone, `/t/${general}`)
    await eventually(() => field(other).inputValue()).toBe('What I was about to say')
    expect(await faults(other)).toEqual([])
    await takePicture(other, 'team-phone')
    await field(ben).fill('')
    await phone.close()
  })

  test('writes to one person alone', async () => {
    await button(ada, shell.newDirectMessage).click()
    const dialog = ada.getByRole('dialog')
    await dialog.getByRole('combobox').fill('Ben')
    await ada.getByRole('option', { name: /Ben Ito/ }).click()
    await button(dialog, details.direct.action).click()
    await say(ada, 'Just between us', 'Ben Ito')
    await inSidebar(ben, 'Ada Okafor').first().click()
    await message(ben, 'Just between us').waitFor()
    const all = await call(stage.server.url, poller, 'GET', '/v2/updates?offset=oldest')
    expect(all.text).not.toContain('Just between us')
  })

  test('reads announcements, and finds, looks into and joins an open topic', async () => {
    const { url } = stage.server
    const members = Object(await ask(adasBrowser, url, 'GET', `${at}/chat/members`)).members
    const benId = members.find(({ name }: { name: string }) => name === 'Ben Ito').id
    const news = { name: 'News', announcement: true, members: [benId] }
    const { id: newsId } = await ask(adasBrowser, url, 'POST', `${at}/chat/topics`, news)
    await inSidebar(ben, 'News').first().click()
    await ben.getByText(topic.instead.announcement).waitFor()
    await ada.goto(`/t/${newsId}`)
    await say(ada, 'The office moves', 'News')
    await message(ben, 'The office moves').waitFor()

    const { id: openId } = await ask(adasBrowser, url, 'POST', `${at}/chat/topics`, {
      name: 'Bicycles',
      open: true,
    })
    await ask(adasBrowser, url, 'POST', `${at}/chat/messages`, { topicId: openId, text: 'Who rides?' })
    await button(ben, shell.addTopic).click()
    await ben.getByRole('menuitem', { name: shell.browseTopics }).click()
    const dialog = ben.getByRole('dialog')
    await dialog
      .getByRole('button', { name: new RegExp(details.browse.look) })
      .first()
      .click()
    await message(ben, 'Who rides?').waitFor()
    await ben.getByText(topic.instead.look).waitFor()
    await takePicture(ben, 'team-look')
    await button(ben, topic.instead.join).click()
    await say(ben, 'I do', 'Bicycles')
    await ada.goto(`/t/${openId}`)
    await message(ada, 'I do').waitFor()
  })

  test('follows a link to a message of last year', async () => {
    const id = '018cc251-f400-7000-8000-0123456789ab' // the first moment of 2024
    await stage.query(`
      insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
      select org_id, '${id}', topic_id, sender_id, 'text', 'Said long ago', 1704067200000, 1704067200000
      from messages where topic_id = '${general}' and sender_id not like 'b@%' limit 1`)
    await ben.goto(`/m/${id}`)
    await message(ben, 'Said long ago').waitFor()
    expect(new URL(ben.url()).pathname).toBe(`/t/${general}`)
  })

  test('loses nothing and repeats nothing when the server dies while a person writes', async () => {
    await ada.goto(`/t/${general}`)
    await ben.goto(`/t/${general}`)
    await field(ben).waitFor()
    await field(ada).fill('Before the')
    await stage.stopServer()
    await field(ada).pressSequentially(' storm')
    await field(ada).press('Enter')
    await say(ada, 'and in the middle of it')
    await ada.getByText(shell.offline.lead).waitFor()
    expect(await message(ada, 'Before the storm').count()).toBe(1)
    await takePicture(ada, 'team-offline')
    await stage.startServer()
    await message(ben, 'and in the middle of it').waitFor()
    await ada.getByText(shell.offline.lead).waitFor({ state: 'detached' })
    for (const page of [ada, ben]) {
      const said = (await messages(page).allInnerTexts()).filter((text) => /storm|middle/.test(text))
      expect(said.map((text) => /storm/.test(text))).toEqual([true, false])
    }
    await ada.reload()
    await message(ada, 'and in the middle of it').waitFor()
    expect(await message(ada, 'Before the storm').count()).toBe(1)
  })

  test('goes on where it was after the network was cut, in order, each once', async () => {
    line.cut()
    for (const number of [1, 2, 3]) await say(ada, `While Ben was away ${number}`)
    await message(ada, 'While Ben was away 3').waitFor()
    await say(ben, 'Written without a network')
    await ben.getByText(shell.offline.lead).waitFor()
    line.mend()
    await message(ben, 'While Ben was away 3').waitFor()
    await message(ada, 'Written without a network').waitFor()
    await ben.getByText(shell.offline.lead).waitFor({ state: 'detached' })
    const expected = [1, 2, 3].map((number) => `While Ben was away ${number}`)
    const last = async (page: Page) =>
      (await messages(page).allInnerTexts())
        .flatMap((text) => /While Ben was away \d|Written without a network/.exec(text) ?? [])
        .slice(-4)
    await eventually(() => last(ben)).toEqual([...expected, 'Written without a network'])
    expect(await last(ada)).toEqual([...expected, 'Written without a network'])
  })

  test('shows after a night, whose events the log no longer has, everything once and in order', async () => {
    const { url } = stage.server
    const post = (path: string, data: unknown) => ask(adasBrowser, url, 'POST', `${at}/chat/${path}`, data)
    const evening: string[] = []
    for (const text of ['Evening 1', 'Evening 2', 'Evening 3'])
      evening.push(String((await post('messages', { topicId: general, text })).id))
    await message(ben, 'Evening 3').waitFor()
    line.cut()
    await ben.getByText(shell.offline.lead).waitFor()
    const [first, second] = evening
    await ask(adasBrowser, url, 'PATCH', `${at}/chat/messages/${first}`, { text: 'Evening 1, corrected' })
    await ask(adasBrowser, url, 'DELETE', `${at}/chat/messages/${second}`)
    // More than the newest page: the pages read before do not reach the new messages.
    for (let number = 1; number <= 60; number++)
      await post('messages', { topicId: general, text: `Night ${number}.` })
    await stage.query(`
      update organization_logs set floor_seq = last_seq;
      delete from audience_blocks;
      delete from events`)
    // A server that has just started has nothing of the night in its memory either.
    await stage.stopServer()
    await stage.startServer()
    line.mend()
    // A browser says so when its network is back; the page would try again by itself some seconds later.
    await ben.evaluate(`dispatchEvent(new Event('online'))`)
    await message(ben, 'Night 60.').waitFor()
    const told = async () =>
      (await messages(ben).allInnerTexts()).flatMap(
        // Cuts off what a row shows beside its text under the pointer.
        (text) => /(?:Night|Evening) [\w., ]*/.exec(text)?.[0] ?? [],
      )
    await ben.getByRole('log').first().hover()
    const seen: string[] = []
    await eventually(async () => {
      for (const text of await told()) if (!seen.includes(text)) seen.push(text)
      await ben.mouse.wheel(0, -400)
      return seen.some((text) => text.startsWith('Evening 1, corrected'))
    }).toBe(true)
    const nights = (await told()).filter((text) => text.startsWith('Night'))
    const numbers = nights.map((text) => Number(/\d+/.exec(text)?.[0]))
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
    expect(new Set(numbers).size).toBe(numbers.length)
    const night = Array.from({ length: 60 }, (_, index) => `Night ${index + 1}.`)
    expect(seen.filter((text) => text.startsWith('Night')).toSorted()).toEqual(night.toSorted())
    expect(seen).not.toContain('Evening 1')
    expect(seen).not.toContain('Evening 2')
    expect(seen).toContain('Evening 3')
  })

  test('ends where the session is ended elsewhere', async () => {
    const phone = await stage.visitor()
    await ask(phone, stage.server.url, 'POST', '/people/sign-in', {
      email: 'ben@example.com',
      password: PASSWORD,
    })
    await ask(phone, stage.server.url, 'DELETE', '/people/account/sessions')
    await ben.getByRole('heading', { name: nothingHere.en.ended.title }).waitFor()
    await takePicture(ben, 'team-ended')
    expect(await faults(ben)).toEqual([])
  })
})
