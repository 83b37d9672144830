import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { laterTexts } from '../../web/src/texts/later.ts'
import { shell } from '../../web/src/texts/shell.ts'
import {
  BROWSER,
  faultsInBothThemes,
  openStage,
  openTeam,
  type Stage,
  type Team,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const t = laterTexts.en
const WIDE = { width: 1280, height: 900 }

/** Ada writes now what Ben reads later; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('what is done later', () => {
  let stage: Stage
  let ada: BrowserContext
  let ben: BrowserContext
  let page: Page
  let topicId: string
  let chat: Team['chat']

  beforeAll(async () => {
    stage = await openStage()
    let benId: string
    ;({ ada, ben, benId, chat } = await openTeam(stage, { viewport: WIDE }))
    const topic = await chat(ada, 'POST', 'topics', { name: 'Harbour', members: [benId] })
    topicId = String(topic.id)
    page = await ada.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(() => stage?.close())

  const field = (of: Page): Locator => of.getByRole('textbox', { name: composerTexts.en.message('Harbour') })
  const scheduledOf = async (who: BrowserContext) =>
    (await chat(who, 'GET', 'scheduled-messages')).scheduledMessages as { text: string; sendAt: number }[]
  const entry = (name: string): Locator => page.getByRole('menuitem', { name })
  const rows = (): Locator => page.getByRole('list', { name: t.scheduled.title }).getByRole('listitem')
  const isForEverybody = async (name: string): Promise<void> => {
    expect(await faultsInBothThemes(page, `later-${name}`)).toEqual([])
  }

  test('a message is scheduled from the menu beside the send button, by keys alone', async () => {
    await page.goto(`/t/${topicId}`)
    await field(page).fill('Good morning, **everybody**')
    await page.getByRole('button', { name: t.sendLater }).focus()
    await page.keyboard.press('Enter')
    await entry(t.when.tomorrow).waitFor()
    await isForEverybody('menu')
    await entry(t.when.tomorrow).press('Enter')
    await page.getByText('It will be sent').first().waitFor()
    expect(await field(page).inputValue()).toBe('')
    const [scheduled] = await scheduledOf(ada)
    const tomorrow = new Date()
    tomorrow.setDate(tomorrow.getDate() + 1)
    tomorrow.setHours(9, 0, 0, 0)
    expect(scheduled).toMatchObject({ text: 'Good morning, **everybody**', sendAt: tomorrow.getTime() })
    expect(await scheduledOf(ben)).toEqual([])
  })

  test('a time of one’s own is asked for in a window, which refuses the past', async () => {
    await field(page).fill('In the year to come')
    await page.getByRole('button', { name: t.sendLater }).click()
    await entry(t.when.own).click()
    const dialog = page.getByRole('dialog', { name: t.choose.sendTitle })
    await dialog.getByLabel(`${t.choose.at}: Date`).fill('2020-01-01')
    await dialog.getByRole('button', { name: t.choose.send }).click()
    await dialog.getByText(t.choose.past).waitFor()
    await isForEverybody('choose')
    const next = new Date(Date.now() + 40 * 86_400_000)
    await dialog.getByLabel(`${t.choose.at}: Date`).fill(next.toISOString().slice(0, 10))
    await dialog.getByLabel(`${t.choose.at}: Time`).fill('08:15')
    await dialog.getByRole('button', { name: t.choose.send }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await scheduledOf(ada)).map(({ text }) => text)).toEqual([
      'Good morning, **everybody**',
      'In the year to come',
    ])
  })

  test('the list beside the drafts changes, sends and cancels them', async () => {
    await page.getByRole('button', { name: t.show }).last().click()
    await eventually(() => rows().count()).toBe(2)
    await isForEverybody('scheduled')
    const first = rows().filter({ hasText: 'Good morning, everybody' })
    await first.getByRole('button', { name: t.scheduled.menu('Harbour') }).click()
    await entry(t.scheduled.change).click()
    const dialog = page.getByRole('dialog', { name: t.scheduled.changeTitle })
    await dialog.getByLabel(t.scheduled.text).fill('Good evening')
    await dialog.getByRole('button', { name: t.scheduled.save }).click()
    const changed = rows().filter({ hasText: 'Good evening' })
    await changed.getByRole('button', { name: t.scheduled.menu('Harbour') }).click()
    await entry(t.scheduled.sendNow).click()
    await eventually(() => rows().count()).toBe(1)
    const other = await ben.newPage()
    await other.goto(`/t/${topicId}`)
    await other.getByRole('log').first().getByText('Good evening').waitFor()
    await other.close()
    await rows()
      .getByRole('button', { name: t.scheduled.menu('Harbour') })
      .click()
    await entry(t.scheduled.cancel).click()
    await page.getByText(t.scheduled.empty).waitFor()
    expect(await scheduledOf(ada)).toEqual([])
  })

  test('a message is saved, reminds, and is ticked off', async () => {
    await page.goto(`/t/${topicId}`)
    const row = page.getByRole('log').first().getByRole('article').filter({ hasText: 'Good evening' })
    const openMenu = async () => {
      await row.hover()
      await row.getByRole('button', { name: messageTexts.en.more }).click()
      await entry(messageTexts.en.keep).waitFor()
    }
    await openMenu()
    await entry(messageTexts.en.keep).click()
    await page.getByText(messageTexts.en.kept).waitFor()
    await openMenu()
    await entry(messageTexts.en.remind).click()
    await entry(t.when.tomorrow).waitFor()
    await isForEverybody('remind')
    await entry(t.when.tomorrow).press('Enter')
    await page.getByText('You will be reminded').waitFor()
    const [message] = (await chat(ada, 'GET', 'saved-messages')).saved as { message: { id: string } }[]
    await page.getByRole('link', { name: shell.en.saved }).click()
    await page.getByText('Reminds you').waitFor()
    await chat(ada, 'PATCH', `saved-messages/${message?.message.id}`, { remindAt: Date.now() + 1500 })
    await page.getByText('⏰').waitFor()
    await page.getByText('You were reminded').waitFor()
    await isForEverybody('saved')
    await page.getByRole('button', { name: t.saved.done }).click()
    await page.getByText(t.saved.empty).waitFor()
  })

  test('a failed message is reported at once, and in its list, in German too', async () => {
    await page.goto(`/t/${topicId}`)
    await field(page).waitFor()
    await chat(ada, 'POST', 'messages', { topicId, text: 'Too late', sendAt: Date.now() + 2500 })
    await chat(ada, 'PATCH', `topics/${topicId}`, { archived: true })
    // A toast shows it at once, on any page, and leads to the list.
    const toast = page.locator('[data-toast]').filter({ hasText: t.scheduled.failedTo('Harbour', '').trim() })
    await toast.getByRole('button', { name: t.show }).click()
    await rows().filter({ hasText: 'Too late' }).waitFor()
    await page.getByText('Not sent:').waitFor()
    await isForEverybody('failed')
    await page.evaluate("document.cookie = 'parley_language=de; path=/'")
    await page.reload()
    const german = laterTexts.de
    await page.getByRole('heading', { level: 1, name: german.scheduled.title }).waitFor()
    await page.getByText('Nicht gesendet: Dieses Thema ist archiviert').waitFor()
    await isForEverybody('german')
  })
})
