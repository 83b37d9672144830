import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { conversationTexts } from '../../web/src/texts/chat-conversation.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import {
  BROWSER,
  faultsInBothThemes,
  openStage,
  openTeam,
  resize,
  type Stage,
  type Team,
  takePicture,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const [composer, conversation, shell] = [composerTexts.en, conversationTexts.en, shellTexts.en]
const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

/** Ada and Ben sit at their desks; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('threads', () => {
  let stage: Stage
  let ada: BrowserContext
  let ben: BrowserContext
  let adasPage: Page
  let bensPage: Page
  let topicId: string
  let parentId: string
  let chat: Team['chat']

  beforeAll(async () => {
    stage = await openStage()
    const team = await openTeam(stage, { viewport: WIDE })
    ;({ ada, ben, chat } = team)
    topicId = String((await chat(ada, 'POST', 'topics', { name: 'Harbour', members: [team.benId] })).id)
    parentId = await say(ada, 'Is the crane free on Thursday?')
    await say(ada, 'And the barge?')
  })
  afterAll(() => stage?.close())

  async function say(who: BrowserContext, text: string, reply: object = {}): Promise<string> {
    return String((await chat(who, 'POST', 'messages', { topicId, text, ...reply })).id)
  }
  async function open(who: BrowserContext, path: string): Promise<Page> {
    const opened = await who.newPage()
    opened.setDefaultTimeout(PATIENCE_MS)
    await opened.goto(path)
    return opened
  }
  const topic = (of: Page): Locator => of.getByRole('log', { name: conversation.messages('Harbour') })
  const replies = (of: Page): Locator => of.getByRole('log', { name: conversation.threadMessages })
  const row = (of: Locator, text: string): Locator => of.getByRole('article').filter({ hasText: text }).last()
  /** The line below the first message; a reply that the topic shows quotes that message, and has none. */
  const line = (of: Page): Locator =>
    topic(of)
      .getByRole('article')
      .filter({ hasText: 'crane' })
      .first()
      .getByRole('button', { name: /repl(y|ies)/ })
  const bell = (pressed: boolean): Locator =>
    adasPage.getByRole('button', { name: conversation.follow, pressed })
  const threads = (of: Page): Locator => of.getByRole('link', { name: shell.threads })

  test('keep a reply: the topic has one line for it, the other a number at "Threads"', async () => {
    adasPage = await open(ada, `/t/${topicId}`)
    bensPage = await open(ben, `/t/${topicId}/thread/${parentId}`)
    await row(topic(adasPage), 'barge').waitFor()
    const field = bensPage.getByRole('textbox', { name: composer.replyIn })
    await field.fill('Free all day.')
    await field.press('Enter')
    await row(replies(bensPage), 'Free all day.').waitFor()
    await line(adasPage).waitFor()
    // The worker that decides about notifications tells Ada that she follows the thread now.
    await eventually(() => line(adasPage).innerText()).toMatch(/1 reply.*last .*1 new/s)
    await eventually(() => threads(adasPage).innerText()).toMatch(/^Threads\n1\n/)
    expect(await topic(adasPage).getByText('Free all day.').count()).toBe(0)
    expect(await faultsInBothThemes(adasPage, 'threads-topic')).toEqual([])
  })

  test('are read by looking at them, and left and followed by their bell', async () => {
    await line(adasPage).click()
    await row(replies(adasPage), 'Free all day.').waitFor()
    await eventually(() => threads(adasPage).innerText()).not.toMatch(/1/)
    await eventually(() => line(adasPage).innerText()).not.toContain('new')
    await bell(true).click()
    await bell(false).waitFor()
    await say(ben, 'From eight.', { parentId })
    await row(replies(adasPage), 'From eight.').waitFor()
    expect(await threads(adasPage).innerText()).not.toMatch(/1/)
    await bell(false).click()
    await bell(true).waitFor()
    expect(await faultsInBothThemes(adasPage, 'threads-pane')).toEqual([])
  })

  test('give a reply to the topic, too, where its sender says so', async () => {
    const field = bensPage.getByRole('textbox', { name: composer.replyIn })
    await field.fill('Booked!')
    await bensPage.getByRole('checkbox', { name: composer.alsoInTopic('Harbour') }).click()
    await field.press('Enter')
    await row(topic(adasPage), 'Booked!').waitFor()
    await row(replies(adasPage), 'Booked!').waitFor()
    await eventually(() =>
      bensPage.getByRole('checkbox', { name: composer.alsoInTopic('Harbour') }).isChecked(),
    ).toBe(false)
    await say(ben, 'By the way', { parentId })
    await row(replies(adasPage), 'By the way').waitFor()
    expect(await topic(adasPage).getByText('By the way').count()).toBe(0)
  })

  test('stand beside an answer in the topic itself, which quotes one of many', async () => {
    await row(topic(bensPage), 'barge').focus()
    await bensPage.keyboard.press('q')
    const field = bensPage.getByRole('textbox', { name: composer.message('Harbour') })
    await eventually(() => field.and(bensPage.locator(':focus')).count()).toBe(1)
    expect(await faultsInBothThemes(bensPage, 'threads-quote')).toEqual([])
    await field.fill('It is in the dock.')
    await field.press('Enter')
    const answer = row(topic(adasPage), 'It is in the dock.')
    await answer.waitFor()
    expect(await answer.innerText()).toContain('And the barge?')
    expect(await bensPage.getByRole('button', { name: composer.stopQuoting }).count()).toBe(0)
  })

  test('are reached by a link to one of their replies, and fit on a phone', async () => {
    const reply = await say(ben, 'The first of many', { parentId })
    await Promise.all(Array.from({ length: 80 }, (_, index) => say(ben, `Then ${index}`, { parentId })))
    await resize(bensPage, PHONE.width, PHONE.height)
    await bensPage.goto(`/m/${reply}`)
    await bensPage.waitForURL(`**/t/${topicId}/thread/${parentId}?m=${reply}`)
    const linked = row(replies(bensPage), 'The first of many')
    const isInSight = async () => {
      const [list, box] = [await replies(bensPage).boundingBox(), await linked.boundingBox()]
      return list && box && box.y >= list.y && box.y + box.height <= list.y + list.height
    }
    await linked.waitFor()
    await eventually(isInSight).toBe(true)
    expect(await bensPage.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await faultsInBothThemes(bensPage, 'threads-phone')).toEqual([])
    await bensPage.goto(`/t/${topicId}?m=${reply}`)
    await bensPage.waitForURL(`**/thread/${parentId}?m=${reply}`)
    await eventually(isInSight).toBe(true)
    await bensPage.goto(`/t/${topicId}`)
    await line(bensPage).waitFor()
    await takePicture(bensPage, 'threads-phone-topic')
  })
})
