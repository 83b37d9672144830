import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardTexts } from '../../web/src/texts/chat-cards.ts'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { makerTexts } from '../../web/src/texts/chat-makers.ts'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
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

const [card, maker, composer] = [cardTexts.en, makerTexts.en, composerTexts.en]
const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 360, height: 780 }
const QUESTION = 'Which day do we ship?'

/** Two people in one topic; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('cards', () => {
  let stage: Stage
  let ada: BrowserContext
  let ben: BrowserContext
  let page: Page
  let other: Page
  let topicId: string
  let adaId: string
  let benId: string
  let organizationId: string
  let tell: Team['chat']
  const foreign: string[] = []

  beforeAll(async () => {
    stage = await openStage()
    ;({ ada, ben, adaId, benId, organizationId, chat: tell } = await openTeam(stage, { viewport: WIDE }))
    topicId = String((await tell(ada, 'POST', 'topics', { name: 'Harbour', members: [benId] })).id)
    page = await open(ada, `/t/${topicId}`)
    other = await open(ben, `/t/${topicId}`)
  })
  afterAll(() => stage?.close())

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
  const rows = (of: Page): Locator => of.getByRole('log').first().getByRole('article')
  const row = (of: Page, text: string): Locator => rows(of).filter({ hasText: text }).last()
  const poll = (of: Page, question = QUESTION): Locator =>
    of.getByRole('group', { name: `${card.poll}: ${question}` }).last()
  const option = (of: Page, text: string, share: string, votes: number, question = QUESTION): Locator =>
    poll(of, question).getByRole('button', {
      name: new RegExp(`^${text}.*\\b${share}\\s*${card.votes(votes)}$`),
    })
  const toast = (of: Page, text: string | RegExp): Locator => of.getByText(text).last()
  /** Toasts are dialogs too. */
  const windowOf = (of: Page): Locator => of.getByRole('dialog').filter({ has: of.locator('form') })
  const make = async (of: Page, kind: string): Promise<Locator> => {
    await of.getByRole('button', { name: composer.make, exact: true }).focus()
    await of.keyboard.press('Enter')
    await of.getByRole('menuitem', { name: kind }).press('Enter')
    const dialog = windowOf(of)
    await dialog.waitFor()
    return dialog
  }
  const isForEverybody = async (of: Page, name: string): Promise<void> => {
    expect(await faultsInBothThemes(of, `cards-${name}`)).toEqual([])
  }

  test('asks by keyboard, votes, changes, takes back and closes, as it comes on both screens', async () => {
    const dialog = await make(page, composer.makePoll)
    await page.keyboard.press('Enter') // an empty form says what is missing
    await dialog.getByText(maker.poll.questionMissing).waitFor()
    await dialog.getByLabel(maker.poll.question).fill(QUESTION)
    await dialog.getByLabel(maker.poll.option(1)).fill('Tuesday')
    await dialog.getByLabel(maker.poll.option(2)).fill('Tuesday')
    await page.keyboard.press('Enter')
    await dialog.getByText(maker.poll.optionsMissing).waitFor()
    await dialog.getByLabel(maker.poll.option(2)).fill('Wednesday')
    await dialog.getByRole('button', { name: maker.poll.addOption }).press('Enter')
    await page.keyboard.type(
      'After the trade fair, which may well be much later than anybody would like it to be',
    )
    await isForEverybody(page, 'poll-maker')
    await page.keyboard.press('Enter')
    await option(other, 'Tuesday', '0%', 0).press('Enter')
    await option(page, 'Tuesday', '100%', 1).waitFor()
    expect(await option(other, 'Tuesday', '100%', 1).getAttribute('aria-pressed')).toBe('true')
    await option(page, 'Wednesday', '0%', 0).click()
    await option(other, 'Wednesday', '50%', 1).waitFor()
    await option(other, 'Wednesday', '50%', 1).click() // moves it
    await option(page, 'Wednesday', '100%', 2).waitFor()
    await isForEverybody(page, 'poll')
    await poll(other).getByRole('button', { name: card.takeBack }).click()
    await option(page, 'Wednesday', '100%', 1).waitFor()
    expect(await poll(other).getByRole('button', { name: card.closePoll }).count()).toBe(0)
    await poll(page).getByRole('button', { name: card.closePoll }).click()
    await page
      .getByRole('dialog', { name: card.closeTitle })
      .getByRole('button', { name: card.closePoll })
      .click()
    await poll(other).getByText(card.closed).waitFor()
    expect(await option(other, 'Tuesday', '0%', 0).getAttribute('aria-disabled')).toBe('true')
    expect(await rows(page).filter({ hasText: QUESTION }).count()).toBe(1)
  })

  test('keeps an anonymous poll anonymous, and takes back what the server refuses, in words', async () => {
    const dialog = await make(page, composer.makePoll)
    await dialog.getByLabel(maker.poll.question).fill('Which green?')
    await dialog.getByLabel(maker.poll.option(1)).fill('Fern')
    await dialog.getByLabel(maker.poll.option(2)).fill('Bottle')
    await dialog.getByRole('radio', { name: maker.poll.several }).click()
    await dialog.getByRole('checkbox', { name: maker.poll.anonymous }).click()
    await dialog.getByRole('button', { name: maker.poll.act }).click()
    await option(other, 'Fern', '0%', 0, 'Which green?').click()
    await option(other, 'Bottle', '0%', 0, 'Which green?').click()
    await option(page, 'Bottle', '100%', 1, 'Which green?').waitFor()
    await poll(page, 'Which green?').getByText(card.voters(1)).waitFor()
    expect(await poll(page, 'Which green?').locator('[data-face]').count()).toBe(0)
    // Another session closed it while this page still offers it.
    await stage.query(`update polls set status = 'closed' where question = 'Which green?'`)
    await option(page, 'Fern', '100%', 1, 'Which green?').click()
    await toast(page, /poll is closed/i).waitFor()
    const fern = option(page, 'Fern', '100%', 1, 'Which green?')
    expect(await fern.getAttribute('aria-pressed')).toBe('false')
    await toast(page, /poll is closed/i).waitFor({ state: 'detached' })
  })

  test('makes a task from a message, which the other completes; lines say who did what', async () => {
    await tell(ada, 'POST', 'messages', {
      topicId,
      text: 'Check the size step against a **real** tape measure',
    })
    await row(page, 'Check the size').waitFor()
    await row(page, 'Check the size').hover()
    await row(page, 'Check the size').getByRole('button', { name: messageTexts.en.more }).click()
    const item = page.getByRole('menuitem', { name: messageTexts.en.makeTask })
    await item.waitFor()
    const place = await item.boundingBox()
    await item.hover()
    await row(page, 'Check the size').getByRole('toolbar').waitFor({ state: 'detached' })
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    expect(await item.boundingBox(), 'a menu stays under the pointer').toEqual(place)
    await item.click()
    const dialog = windowOf(page)
    expect(await dialog.getByLabel(maker.task.what).inputValue()).toBe(
      'Check the size step against a real tape measure',
    )
    await dialog.getByRole('combobox', { name: maker.task.who }).fill('Ben')
    await page.getByRole('option', { name: 'Ben Ito' }).click()
    await dialog.getByLabel(`${maker.task.due}: ${maker.moment.date}`).fill('2031-03-17')
    await isForEverybody(page, 'task-maker')
    await dialog.getByRole('button', { name: maker.task.act }).click()
    const title = 'Check the size step against a real tape measure'
    const tick = other.getByRole('button', { name: card.markDone(title) })
    await tick.waitFor()
    const tasksPlace = other.getByRole('link', { name: shellTexts.en.myTasks })
    expect(await tasksPlace.innerText()).toMatch(/\s1$/)
    expect(await row(other, title).innerText()).toContain('Ben Ito')
    expect(await row(other, title).innerText()).toContain('2031')
    await tick.press('Enter')
    await row(page, 'completed the task').waitFor()
    await eventually(() => tasksPlace.innerText()).toBe(shellTexts.en.myTasks)
    expect(await row(page, 'completed the task').innerText()).toMatch(/Ben Ito.* completed the task/)
    await page.getByRole('button', { name: card.markOpen(title) }).waitFor()
    expect(await rows(page).filter({ hasText: 'created a task' }).count()).toBe(1)
    await isForEverybody(page, 'task')
  })

  test('lists tasks of all topics with filters, and puts those of a topic in order by keys', async () => {
    for (const [title, assignee] of [
      ['Translate the size table', benId],
      ['Refresh stock counts', adaId],
      ['Photograph the green frame', benId],
    ])
      await tell(ada, 'POST', 'tasks', {
        topicId,
        title,
        assignee,
        ...(assignee === benId && { dueDate: 1000 }),
      })
    await other.getByRole('link', { name: shellTexts.en.myTasks }).click()
    await other.getByText('Translate the size table').waitFor()
    await other.getByText('Photograph the green frame').waitFor()
    expect(await other.getByText('Refresh stock counts').count()).toBe(0)
    await isForEverybody(other, 'my-tasks')
    await other.getByRole('combobox', { name: maker.tasks.due }).selectOption('never')
    await other.getByText(maker.tasks.noneFound).waitFor()
    await other.getByRole('combobox', { name: maker.tasks.due }).selectOption('over')
    await other.getByText('Translate the size table').waitFor()
    await other.getByRole('radio', { name: maker.tasks.done }).click()
    await other.getByRole('combobox', { name: maker.tasks.due }).selectOption('any')
    await other.getByText('Check the size step').waitFor()
    await other.getByRole('radio', { name: maker.tasks.open }).click()
    await other.getByRole('combobox', { name: maker.tasks.topic }).selectOption({ label: 'Harbour' })
    await other.getByRole('radio', { name: maker.tasks.everyone }).click()
    await other.getByText('Refresh stock counts').waitFor()
    const order = () => other.locator('[data-task]').allInnerTexts()
    const handle = other.getByRole('button', { name: maker.tasks.drag('Photograph the green frame') })
    await handle.focus()
    await other.keyboard.press('ArrowUp')
    await other.keyboard.press('ArrowUp')
    await eventually(async () => (await order())[0]).toContain('Photograph')
    const read = async () => {
      const { tasks } = await tell(ben, 'GET', `topics/${topicId}/tasks`)
      return (tasks as { title: string }[]).map(({ title }) => title)
    }
    await eventually(read).toEqual([
      'Photograph the green frame',
      'Translate the size table',
      'Refresh stock counts',
    ])
    await other
      .locator('[data-task]', { hasText: 'Photograph' })
      .dragTo(other.locator('[data-task]', { hasText: 'Refresh' }), { sourcePosition: { x: 20, y: 20 } })
    await eventually(async () => (await read())[1]).toBe('Photograph the green frame')
    await isForEverybody(other, 'topic-tasks')
    // Changes of others appear without a reload.
    await tell(ada, 'POST', 'tasks', { topicId, title: 'Ring the bell' })
    await other.getByText('Ring the bell').waitFor()
    await other.setViewportSize(PHONE)
    await isForEverybody(other, 'tasks-phone')
    expect(await other.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
    await other.setViewportSize(WIDE)
    await other.goto(`/t/${topicId}`)
  })

  test('sends a place, typed or found, without asking any map; a refusal is said in words', async () => {
    const dialog = await make(page, composer.makeLocation)
    await dialog.getByRole('button', { name: maker.place.mine }).click()
    await dialog.getByText(maker.place.refused).waitFor()
    await isForEverybody(page, 'location-refused')
    await dialog.getByLabel(maker.place.coordinates).fill('somewhere')
    await dialog.getByRole('button', { name: maker.place.act }).click()
    await dialog.getByText(maker.place.coordinatesWrong).waitFor()
    await ada.grantPermissions(['geolocation'])
    await ada.setGeolocation({ latitude: -33.8568, longitude: 151.2153 })
    await dialog.getByRole('button', { name: maker.place.mine }).click()
    await eventually(() => dialog.getByLabel(maker.place.coordinates).inputValue()).toBe(
      '-33.85680, 151.21530',
    )
    await dialog.getByLabel(maker.place.name).fill('Opera <b>House</b>')
    await dialog.getByRole('button', { name: maker.place.act }).click()
    const shown = row(other, 'Opera <b>House</b>')
    await shown.waitFor()
    await shown.getByText('33.8568° S 151.2153° E').waitFor()
    const map = shown.getByRole('link', { name: card.openMap })
    expect(await map.getAttribute('rel')).toContain('noopener')
    expect(await shown.getByRole('link', { name: card.openApp }).getAttribute('href')).toBe(
      'geo:-33.8568,151.2153',
    )
    expect(foreign).toEqual([])
  })

  test('sends a contact, whose profile is a press away', async () => {
    const dialog = await make(page, composer.makeContact)
    await dialog.getByRole('combobox', { name: maker.contact.member }).fill('Ben')
    await page.getByRole('option', { name: 'Ben Ito' }).click()
    await dialog.getByLabel(maker.contact.phone).fill('+49 40 1234')
    await dialog.getByRole('button', { name: maker.contact.act }).click()
    const shown = row(other, '+49 40 1234')
    await shown.getByRole('button', { name: card.showProfile }).click()
    await other.getByRole('dialog').last().getByText('Ben Ito').first().waitFor()
    await other.keyboard.press('Escape')
  })

  test('tells of calls and of what happened to tasks in words, in German too, and on a phone', async () => {
    const calls = [
      ['video', 'ended', 'finished'],
      ['audio', 'ended', 'missed'],
      ['audio', 'active', ''],
    ]
    for (const [index, [callType, status, endReason]] of calls.entries()) {
      const call = { id: 'c', initiatorId: benId, callType, status, startedAt: 1, endedAt: 2, endReason }
      const details = JSON.stringify({ call: { ...call, duration: 720_000, participantCount: 3 } })
      await stage.query(`
        insert into messages (org_id, id, topic_id, sender_id, type, text, details, created_at, updated_at)
        values ('${organizationId}', 'ffffffff-0000-7000-8000-00000000000${index}', '${topicId}', '${benId}', 'call', '',
          '${details}', ${Date.now()}, ${Date.now()})`)
    }
    // Browsers without a cache, because no event announces rows written like this.
    for (const [locale, words] of [
      ['en-US', ['video call has ended (12 minutes, 3 people)', 'Missed call from', 'started a call']],
      [
        'de-DE',
        ['ist beendet (12 Minuten, 3 Personen)', 'Verpasster Anruf von', 'hat einen Anruf gestartet'],
      ],
    ] as const) {
      const fresh = await stage.visitor({ viewport: PHONE, locale })
      await fresh.addCookies(await ada.cookies())
      const shown = await open(fresh, `/t/${topicId}?m=ffffffff-0000-7000-8000-000000000002`)
      for (const text of words) await row(shown, text).waitFor()
      await isForEverybody(shown, `phone-${locale}`)
      expect(await shown.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
      await fresh.close()
    }
    await stage.query(`delete from messages where id >= 'ffffffff-0000-7000-8000-000000000000'`)
  })

  test('is sent once the connection is back, and says so if a member was removed in between', async () => {
    await stage.stopServer()
    await other.goto(`/t/${topicId}`).catch(() => {})
    const dialog = await make(page, composer.makeTask)
    await dialog.getByLabel(maker.task.what).fill('Written without a connection')
    await dialog.getByRole('button', { name: maker.task.act }).click()
    await row(page, 'Written without a connection').waitFor()
    await stage.startServer()
    const written = page.getByRole('button', { name: card.markDone('Written without a connection') })
    await written.waitFor()
    expect(await rows(page).filter({ hasText: 'Written without a connection' }).count()).toBe(1)
    await other.goto(`/t/${topicId}`)
    await row(other, 'Written without a connection').waitFor()
    await make(other, composer.makePoll)
    await tell(ada, 'DELETE', `topics/${topicId}/members`, { memberIds: [benId] })
    await other.getByRole('alert').getByText(maker.gone.text).waitFor()
    await isForEverybody(other, 'removed')
  })
})
