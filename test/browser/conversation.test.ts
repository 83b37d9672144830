import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { conversationTexts } from '../../web/src/texts/chat-conversation.ts'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { emojiTexts } from '../../web/src/texts/emoji.ts'
import {
  BROWSER,
  faultsInBothThemes,
  openStage,
  openTeam,
  type Stage,
  type Team,
} from '../support/browser.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { PNG } from '../support/samples.ts'

const [composer, conversation, message] = [composerTexts.en, conversationTexts.en, messageTexts.en]
const WIDE = { width: 1280, height: 900 }

/** Texts that would take effect if they were not escaped. */
const HOSTILE = [
  '<script>document.title = "owned"</script>',
  '<img src=x onerror="document.title = \'owned\'">',
  '[click](javascript:document.title="owned") <javascript:document.title="owned">',
  '![pixel](https://evil.invalid/pixel.gif)',
  '[https://bank.example](https://evil.invalid)',
  'invoice\u202egpj.exe',
  '> '.repeat(4000),
  '['.repeat(9000),
  `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(1400)}`,
  'x'.repeat(10_000),
  '\u0645\u0631\u062d\u0628\u0627 '.repeat(20),
]

/**
 * Scrolls up through what is loaded on the way, no faster than rows are drawn; the most that a message in sight moved by
 * anything else than that.
 */
const scrollUp = (steps: number, pixels: number) => `(async () => {
  const list = document.querySelector('[role=log]')
  const frame = () => new Promise(requestAnimationFrame)
  const jumps = [0]
  for (let step = 0; step < ${steps}; step += 1) {
    const { top } = list.getBoundingClientRect()
    const rows = () => [...list.querySelectorAll('[data-row]')].map((row) => ({ row, at: row.getBoundingClientRect().top }))
    const firstTop = () => list.querySelector('[data-row]').parentElement.getBoundingClientRect().top
    const isDrawn = () => firstTop() - 1 < top - Math.min(list.scrollTop, ${pixels})
    for (let waited = 0; waited < 60 && !isDrawn(); waited += 1) await frame()
    const seen = rows().find(({ at }) => at > top + 200)
    const from = list.scrollTop
    list.scrollTop -= ${pixels}
    // The top has less to scroll, until more is loaded.
    const gone = from - list.scrollTop
    // Painted positions count: a frame, and one more for what was measured in it.
    for (const _ of [1, 2, 3]) await frame()
    if (seen?.row.isConnected) jumps.push(Math.abs(seen.row.getBoundingClientRect().top - seen.at - gone))
  }
  return Math.max(...jumps)
})()`
const SCROLL_UP = scrollUp(80, 100)

/** More messages than a page keeps of one conversation, which is 1,500. */
const LONG = 1700

const FOCUSED_ROW = 'document.activeElement?.getAttribute("data-row")'

/** Two people in one topic; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('a conversation', () => {
  let stage: Stage
  let ada: BrowserContext
  let ben: BrowserContext
  let page: Page
  let other: Page
  let topicId: string
  let benId: string
  let chat: Team['chat']
  const foreign: string[] = []

  beforeAll(async () => {
    stage = await openStage()
    ;({ ada, ben, benId, chat } = await openTeam(stage, { viewport: WIDE }))
    const topic = await chat(ada, 'POST', 'topics', { name: 'Harbour', members: [benId] })
    topicId = String(topic.id)
  })
  afterAll(() => stage?.close())

  const say = async (who: BrowserContext, text: string, parentId?: string): Promise<string> => {
    const body = { topicId, text, ...(parentId !== undefined && { parentId }) }
    return String((await chat(who, 'POST', 'messages', body)).id)
  }
  async function open(who: BrowserContext, path: string): Promise<Page> {
    const opened = await who.newPage()
    opened.setDefaultTimeout(PATIENCE_MS)
    opened.on('request', (request) => {
      if (!request.url().startsWith(stage.server.url) && request.url().startsWith('http'))
        foreign.push(request.url())
    })
    await opened.goto(path)
    return opened
  }
  const log = (of: Page): Locator => of.getByRole('log').first()
  const rows = (of: Page): Locator => log(of).getByRole('article')
  const field = (of: Page): Locator => of.getByRole('textbox', { name: composer.message('Harbour') })
  let found = ''
  const row = (of: Page, text: string): Locator => rows(of).filter({ hasText: text }).last()
  const stateOf = async (who: BrowserContext) => {
    const start = await chat(who, 'GET', 'start')
    const topics = start.topics as { id: string; unread: number; readTo: string | null }[]
    return topics.find(({ id }) => id === topicId)
  }
  const isForEverybody = async (of: Page, name: string): Promise<void> => {
    expect(await faultsInBothThemes(of, `conversation-${name}`)).toEqual([])
  }

  test('begins with a sentence that the other sees at once', async () => {
    page = await open(ada, `/t/${topicId}`)
    other = await open(ben, `/t/${topicId}`)
    await field(other).waitFor() // messages there when the topic opens are not announced
    await field(page).fill('Good morning, **everybody**')
    await field(page).press('Enter')
    await row(other, 'Good morning, everybody').waitFor()
    expect(await row(other, 'Good morning').locator('strong').innerText()).toBe('everybody')
    expect(await field(page).inputValue()).toBe('')
    // A screen reader announces it once.
    await eventuallyHolds(async () =>
      expect(await other.getByRole('status').allInnerTexts()).toContain(
        'Ada Okafor: Good morning, everybody',
      ),
    )
    await isForEverybody(page, 'first')
  })

  test('completes names, sends ids, and shows whom it means', async () => {
    await field(page).pressSequentially('Hello @be')
    await page.getByRole('option', { name: 'Ben Ito' }).waitFor()
    await isForEverybody(page, 'completion')
    await field(page).press('Enter')
    expect(await field(page).inputValue()).toBe('Hello @Ben Ito ')
    await field(page).pressSequentially('look :rocket')
    await page.getByRole('option', { name: ':rocket:' }).waitFor()
    await field(page).press('Tab')
    await field(page).press('Enter')
    const shown = row(other, 'look 🚀')
    await shown.waitFor()
    found = (await shown.getAttribute('data-row')) ?? ''
    const stored = await chat(ada, 'GET', `messages/${found}`)
    expect(stored.text).toBe(`Hello <@${benId}> look 🚀`)
  })

  test('reacts, replies in a thread, edits and deletes by keyboard alone', async () => {
    await field(other).focus()
    await field(other).press('Shift+Tab')
    await rows(other).last().focus()
    await other.keyboard.press('r')
    await other.getByRole('combobox', { name: emojiTexts.en.search }).pressSequentially('thumbs up')
    await other.getByRole('option', { name: 'thumbs up', exact: true }).waitFor()
    await isForEverybody(other, 'picker')
    await other.keyboard.press('Enter')
    await row(page, 'look')
      .getByRole('button', { name: message.reactionAdd('👍', 1) })
      .waitFor()

    await rows(other).last().focus()
    await other.keyboard.press('t')
    const reply = other.getByRole('textbox', { name: composer.replyIn })
    await reply.fill('I saw it')
    await reply.press('Enter')
    await log(page)
      .locator(`[data-row="${found}"]`)
      .getByRole('button', { name: new RegExp(conversation.replies(1)) })
      .waitFor()
    await isForEverybody(other, 'thread')

    await field(page).focus()
    await field(page).press('ArrowUp')
    const editor = page.getByRole('textbox', { name: message.editing })
    expect(await editor.inputValue()).toBe('Hello @Ben Ito look 🚀')
    await isForEverybody(page, 'editor')
    await editor.fill('Hello again')
    await editor.press('Enter')
    await row(other, `Hello again (${message.edited})`).waitFor()

    // The focus is on the message after an edit.
    await eventuallyHolds(async () => expect(await page.evaluate(FOCUSED_ROW)).toBe(found))
    await row(page, 'Good morning').focus()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByText('Good morning').waitFor()
    await isForEverybody(page, 'delete')
    await page.getByRole('button', { name: message.deleteAct }).click()
    await row(other, 'Good morning').waitFor({ state: 'detached' })
  })

  test('takes files by choice, with what is written', async () => {
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        { name: 'notes <b>.txt', mimeType: 'text/plain', buffer: Buffer.from('what was said') },
      ])
    await field(page).fill('The notes')
    await field(page).press('Enter')
    const shown = row(other, 'notes <b>.txt')
    await shown.waitFor()
    expect(await shown.getByRole('link').getAttribute('download')).toBe('notes <b>.txt')
    await isForEverybody(other, 'file')
  })

  test('does no harm, whatever is said in it', async () => {
    for (const text of HOSTILE) await say(ben, text)
    // The messages are taller than the window: the list stays at the first unread one.
    await page.getByRole('button', { name: conversation.jump }).click()
    await row(page, '\u0645\u0631\u062d\u0628\u0627').waitFor()
    await page.evaluate(SCROLL_UP)
    expect(await page.title()).not.toContain('owned')
    expect(await log(page).locator('script, iframe, img[src*="evil"], [onerror]').count()).toBe(0)
    expect(await log(page).locator('a[href^="javascript"], a[href^="data"]').count()).toBe(0)
    expect(foreign).toEqual([])
    // Nothing makes the page wider than its window.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(WIDE.width)
  })

  test('opens at the first unread message, and reads only what was on the screen', async () => {
    await other.close()
    const before = await stateOf(ben)
    const ids: string[] = []
    for (let number = 0; number < 120; number += 1)
      ids.push(await say(ada, `Line ${number}\n\nand more of it`))
    expect((await stateOf(ben))?.readTo).toBe(before?.readTo)
    other = await open(ben, `/t/${topicId}`)
    await log(other).getByText(conversation.newMessages(100)).waitFor()
    await row(other, 'Line 0').waitFor()
    await isForEverybody(other, 'unread')
    // Some of them are read now, but not all.
    await eventuallyHolds(async () => {
      const read = ids.indexOf((await stateOf(ben))?.readTo ?? '')
      expect(read).toBeGreaterThanOrEqual(0)
      expect(read).toBeLessThan(40)
    })
    // Jumping to the newest skips the rest: it stays unread.
    await other.getByRole('button', { name: conversation.jump }).click()
    await row(other, 'Line 119').waitFor()
    await other.waitForTimeout(1500)
    expect(ids.indexOf((await stateOf(ben))?.readTo ?? '')).toBeLessThan(60)
    await isForEverybody(other, 'newest')
    await other.getByRole('button', { name: conversation.markRead }).click()
    await eventuallyHolds(async () => expect((await stateOf(ben))?.unread).toBe(0))
  })

  test('holds its place while older messages load above', async () => {
    const moved = await other.evaluate(SCROLL_UP)
    expect(moved).toBeLessThanOrEqual(2)
  })

  test('holds a part of a long one, and its place in it, from the newest message to the first', async () => {
    const long = String((await chat(ada, 'POST', 'topics', { name: 'Archive', members: [benId] })).id)
    await stage.query(`
      insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
      select topics.org_id, ('018cc251-f400-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${long}', '${benId}', 'text',
        'Entry ' || n || repeat(' of the archive', n % 20), 1704067200000 + n, 1704067200000 + n
      from topics, generate_series(1, ${LONG}) n where id = '${long}'`)
    const archive = await open(ben, `/t/${long}`)
    await row(archive, `Entry ${LONG}`).waitFor()
    await archive.getByRole('textbox', { name: composer.message('Archive') }).waitFor()
    const height = () => archive.evaluate<number>("document.querySelector('[role=log]').scrollHeight")
    const heights = [await height()]
    // Rows that were drawn before the list had its size are measured with the first steps.
    await archive.evaluate(scrollUp(5, 300))
    let moved = 0
    while (!(await archive.getByRole('heading', { level: 2, name: 'Archive' }).isVisible())) {
      moved = Math.max(moved, await archive.evaluate<number>(scrollUp(20, 300)))
      heights.push(await height())
    }
    expect(moved).toBeLessThanOrEqual(2)
    // The newest were dropped while the oldest were loaded.
    expect(heights.at(-1)).toBeLessThan(0.85 * Math.max(...heights))
    await log(archive).focus()
    await archive.keyboard.press('End')
    await row(archive, `Entry ${LONG}`).waitFor()
    // New messages arrive again once the newest ones are loaded.
    await chat(ben, 'POST', 'messages', { topicId: long, text: 'The last entry' })
    await row(archive, 'The last entry').waitFor()
    await archive.close()
  })

  test('is followed to a message by its link', async () => {
    await other.goto(`/m/${found}`)
    await other.locator(`[data-row="${found}"]`).waitFor()
    await eventuallyHolds(async () => expect(await other.evaluate(FOCUSED_ROW)).toBe(found))
  })

  test('fits into a narrow window', async () => {
    const narrow = await stage.visitor({ viewport: { width: 360, height: 740 } })
    await narrow.addCookies(await ben.cookies())
    const small = await open(narrow, `/t/${topicId}`)
    await rows(small).first().waitFor()
    await isForEverybody(small, 'narrow')
    expect(await small.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await narrow.close()
  })

  test('has custom emoji, which one person adds and all use', async () => {
    const t = emojiTexts.en
    await page.goto(`/t/${topicId}`)
    await page.getByRole('button', { name: composer.emoji, exact: true }).click()
    await page.getByRole('button', { name: t.manage }).click()
    const dialog = page.getByRole('dialog', { name: t.title })
    await dialog.getByText(t.empty).waitFor()
    await dialog.getByRole('button', { name: t.add }).click()
    await dialog.getByText(t.pictureMissing).waitFor()
    await dialog.getByLabel(t.name).fill('Harbour Blue')
    expect(await dialog.getByLabel(t.name).inputValue()).toBe('harbour_blue')
    await dialog.getByLabel(t.choose).setInputFiles({ name: 'blue.png', mimeType: 'image/png', buffer: PNG })
    await isForEverybody(page, 'emoji-dialog')
    await dialog.getByRole('button', { name: t.add }).click()
    await dialog.getByRole('img', { name: ':harbour_blue:' }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await field(page).fill('')
    await field(page).pressSequentially('From 10:30:00 it is :harbour_b')
    await page.getByRole('option', { name: ':harbour_blue:' }).waitFor()
    await field(page).press('Tab')
    await field(page).press('Enter')
    await other.goto(`/t/${topicId}`)
    const said = row(other, 'From 10:30:00 it is')
    await said.getByRole('img', { name: ':harbour_blue:' }).waitFor()
    const loaded = (of: Locator) => of.evaluate((image) => Reflect.get(image, 'naturalWidth'))
    await eventuallyHolds(async () => expect(await loaded(said.getByRole('img'))).toBeGreaterThan(0))
    await said.focus()
    await other.keyboard.press('r')
    await other.getByRole('combobox', { name: t.search }).pressSequentially('harbour_blue')
    await isForEverybody(other, 'emoji-own')
    await other.keyboard.press('Enter')
    await row(page, 'From 10:30:00')
      .getByRole('button', { name: message.reactionAdd(':harbour_blue:', 1) })
      .getByRole('img')
      .waitFor()
    await isForEverybody(other, 'emoji-shown')
  })
})
