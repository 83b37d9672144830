import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOf } from '../../contract/refusals/index.ts'
import {
  ask as askPeople,
  type Client,
  connect,
  type EventData,
  type Operations,
  openStream,
  ParleyError,
} from '../../sdk/index.ts'
import { actionTexts } from '../../web/src/texts/chat-actions.ts'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { stepTexts } from '../../web/src/texts/chat-steps.ts'
import { places } from '../../web/src/texts/places.ts'
import { topicDetails } from '../../web/src/texts/topic-details.ts'
import { ask, BROWSER, faultsInBothThemes, openStage, type Stage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { sentenceOf } from '../support/sentences.ts'

const [en, de] = [messageTexts.en, messageTexts.de]
const [enActions, deActions] = [actionTexts.en, actionTexts.de]
const [enSteps, deSteps] = [stepTexts.en, stepTexts.de]
type Actions = NonNullable<Operations['sendMessage']['input']['body']['actions']>
const PASSWORD = 'four plain words here'
const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 360, height: 780 }

/** Two people, one of them German with a phone, and a bot in their topic; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('bots at work', () => {
  let stage: Stage
  let page: Page
  let phone: Page
  let bot: Client
  let topicId: string
  let ada: BrowserContext
  let at: string

  beforeAll(async () => {
    stage = await openStage({ BOT_LOOP_SLOW_AFTER: '0', BOT_LOOP_STOP_AFTER: '6' })
    ada = await stage.visitor({ viewport: WIDE })
    const ben = await stage.visitor({
      viewport: PHONE,
      locale: 'de-DE',
      hasTouch: true,
      isMobile: true,
    })
    const { url } = stage.server
    const made = await ask(ada, url, 'POST', '/people/setup', {
      token: stage.setupLink.split('#')[1],
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Deploy bot',
    })
    at = `/people/organizations/${made.organizationId}`
    const invited = await ask(ada, url, 'POST', `${at}/members`, {
      email: 'ben@example.com',
      name: 'Ben Ito',
    })
    const link = await ask(ada, url, 'POST', `${at}/members/${invited.id}/invitation-link`)
    const token = String(link.url).split('#')[1]
    await ask(ben, url, 'POST', '/people/invitations/accept', { token, name: 'Ben Ito', password: PASSWORD })
    const key = Object(made.bot)
    bot = connect({ url, apiKey: String(key.apiKey), apiSecret: String(key.apiSecret) })
    const start = await ask(ada, url, 'GET', `${at}/chat/start`)
    const members = [String(invited.id), String(Object(start.me).id)]
    topicId = (await bot.createTopic({ body: { name: 'Harbour', members } })).id
    page = await open(ada)
    phone = await open(ben)
  })
  afterAll(() => stage?.close())

  async function open(who: BrowserContext): Promise<Page> {
    const opened = await who.newPage()
    opened.setDefaultTimeout(PATIENCE_MS)
    await opened.goto(`/t/${topicId}`)
    return opened
  }
  const rows = (of: Page): Locator => of.getByRole('log').first().getByRole('article')
  const row = (of: Page, text: string): Locator => rows(of).filter({ hasText: text }).last()
  const isForEverybody = async (of: Page, name: string): Promise<void> => {
    expect(await faultsInBothThemes(of, `bots-${name}`)).toEqual([])
  }

  test('shows an answer as it grows, on both screens and after a reload, and lets people stop it', async () => {
    const stream = await openStream(bot, { topicId })
    await row(page, en.writing).waitFor()
    await row(phone, de.writing).waitFor()
    stream.append('Looking at the **build**')
    await row(page, 'Looking at the build').waitFor()
    await row(phone, 'Looking at the build').waitFor()
    expect(await row(page, 'Looking at').getAttribute('aria-busy')).toBe('true')
    await phone.reload()
    await row(phone, 'Looking at the build').waitFor()
    stream.append(', all checks')
    await row(phone, 'Looking at the build, all checks').waitFor()
    await row(page, 'all checks').waitFor()
    expect(await rows(page).filter({ hasText: 'Looking at' }).count()).toBe(1)
    await isForEverybody(page, 'writing')
    await isForEverybody(phone, 'writing-phone')
    expect(await stream.finish('The build is **green**.')).toBe(true)
    for (const one of [page, phone]) {
      await row(one, 'The build is green.').waitFor()
      await eventually(() => row(one, 'The build is green.').getAttribute('aria-busy')).not.toBe('true')
      expect(await rows(one).filter({ hasText: 'build' }).count()).toBe(1)
    }

    // One screen is used by keyboard, the other by touch.
    const endless = await openStream(bot, { topicId })
    endless.append('On and on')
    const stop = row(page, 'On and on').getByRole('button', { name: en.stop })
    await stop.focus()
    await page.keyboard.press('Enter')
    await row(page, en.stoppedByYou).waitFor()
    await row(phone, de.stoppedBy('Ada Okafor')).waitFor()
    endless.append(' and on')
    await eventually(async () => endless.signal.aborted).toBe(true)
    expect(await endless.finish()).toBe(false)
    const other = await openStream(bot, { topicId })
    other.append('Still going')
    await row(phone, 'Still going').getByRole('button', { name: de.stop }).tap()
    await row(page, en.stoppedBy('Ben Ito')).waitFor()
  })

  test('shows the steps of an answer while they are done, and its sources', async () => {
    const { id } = await bot.sendMessage({ body: { topicId, streaming: true } })
    const params = { messageId: id }
    const read = { id: 'read', title: 'Read the handbook', output: '3 pages' }
    const write = { id: 'write', title: 'Write the answer', details: 'In plain words' }
    const sources = [{ title: 'Handbook', url: 'https://example.com/handbook', quote: 'Ship on Fridays.' }]
    await row(page, en.writing).waitFor()
    const going = [
      { ...read, status: 'done' as const },
      { ...write, status: 'in_progress' as const },
    ]
    await bot.setProgress({ params, body: { steps: going, sources, activity: 'searches the handbook' } })
    await row(page, 'searches the handbook').waitFor()
    await row(page, enSteps.done(1, 2)).getByText('In plain words').waitFor()
    await row(phone, deSteps.done(1, 2)).getByText('In plain words').waitFor()
    await isForEverybody(page, 'steps')
    await isForEverybody(phone, 'steps-phone')
    await bot.setProgress({
      params,
      body: { steps: going.map((step) => ({ ...step, status: 'done' })), sources },
    })
    await bot.finishMessage({ params, body: { text: 'The harbour ships on Friday.' } })
    for (const one of [page, phone]) {
      const answer = row(one, 'The harbour ships on Friday.')
      await answer.getByRole('link', { name: 'Handbook' }).waitFor()
      expect(await answer.getByText('3 pages').isVisible()).toBe(false)
    }
    const folded = row(page, 'The harbour ships on Friday.')
    await folded.getByText(enSteps.done(2, 2)).click()
    await folded.getByText('Read the handbook').click()
    await folded.getByText('3 pages').waitFor()
    await isForEverybody(page, 'steps-done')
  })

  test('answers one person alone, under what they wrote', async () => {
    const question = { topicId, text: 'How many days do I have?' }
    await ask(phone.context(), stage.server.url, 'POST', `${at}/chat/messages`, question)
    await row(page, 'How many days do I have?').waitFor()
    const { messages } = await bot.listMessages({ params: { topicId }, query: { limit: 1 } })
    const [asked] = messages
    if (!asked) throw new Error('the message is there')
    const params = { messageId: asked.id, memberId: asked.senderId }
    await bot.answerPrivately({
      params,
      body: { text: 'You have **12 days** left:\n\n- 10 of this year\n- 2 more' },
    })
    const answered = row(phone, 'How many days do I have?')
    await answered.getByText(deActions.privately('Deploy bot')).waitFor()
    await answered.getByRole('listitem').first().waitFor()
    await isForEverybody(phone, 'private-phone')
    await phone.reload()
    await answered.getByText(deActions.privately('Deploy bot')).waitFor()
    expect(await page.getByText('12 days').count()).toBe(0)
    await bot.withdrawPrivateAnswer({ params })
    await answered.getByText(deActions.privately('Deploy bot')).waitFor({ state: 'detached' })
    const start = await ask(ada, stage.server.url, 'GET', `${at}/chat/start`)
    const toAda = { messageId: asked.id, memberId: String(Object(start.me).id) }
    await bot.answerPrivately({ params: toAda, body: { text: 'Ben has asked about his days.' } })
    await row(page, 'Ben has asked about his days.').waitFor()
    await isForEverybody(page, 'private')
  })

  test('waits for an approval of two, one of them on a phone', async () => {
    const elements = [
      { id: 'approve', text: 'Open the gate', style: 'primary' as const, doneText: 'Opened' },
      { id: 'refuse', text: 'Keep it shut' },
    ]
    const text = 'The ferry waits outside.'
    const approval = askPeople(bot, {
      topicId,
      text,
      title: 'Shall the harbour gate open?',
      facts: [
        { label: 'Ferry', text: 'Aurora, 214 on board' },
        { label: 'Tide', text: 'Falls from 18:00' },
      ],
      elements,
      approval: true,
      quorum: 2,
      decisive: ['refuse'],
      otherwise: 'refuse',
    })
    await row(page, enActions.quorum(2)).waitFor()
    await row(page, text).getByText('Shall the harbour gate open?').waitFor()
    await row(phone, text).getByText('Aurora, 214 on board').waitFor()
    await row(phone, text)
      .getByText(/: Keep it shut$/)
      .waitFor() // what counts without an answer
    await isForEverybody(page, 'approval-open')
    await isForEverybody(phone, 'approval-open-phone')
    await row(phone, text).getByRole('button', { name: 'Open the gate' }).tap()
    await row(page, enActions.doneBy('Opened', 'Ben Ito')).waitFor()
    await eventually(() => row(phone, text).getByRole('button', { name: 'Open the gate' }).count()).toBe(0)
    await isForEverybody(phone, 'approval-phone')
    await row(page, text).getByRole('button', { name: 'Open the gate' }).click()
    expect(await approval).toMatchObject({ status: 'answered', elementId: 'approve' })
    await row(page, enActions.decided('Open the gate')).waitFor()
    await row(phone, deActions.decided('Open the gate')).waitFor()
    expect(await row(page, text).getByRole('button', { name: 'Keep it shut' }).count()).toBe(0)
    await isForEverybody(page, 'approval')
  })

  test('asks with buttons, choices and forms, by keyboard and by touch, and tells each what it means', async () => {
    const ask = async (text: string, actions: Actions) =>
      (await bot.sendMessage({ body: { topicId, text, actions } })).id
    const button = (of: Page, text: string, name: string): Locator =>
      row(of, text).getByRole('button', { name, exact: true })
    const heard = async () => {
      const { updates } = await bot.readUpdates({ query: { offset: 'oldest', limit: 100 } })
      return updates.flatMap(({ eventType, data }) =>
        eventType === 'message.action' ? [data as EventData['message.action']] : [],
      )
    }
    const { length: earlier } = await heard()
    const deploy = await ask('Deploy 1.4 to production?', {
      elements: [
        { id: 'approve', text: 'Deploy', style: 'primary' },
        {
          id: 'refuse',
          text: 'Not now',
          fields: [
            { id: 'reason', text: 'Why not?', type: 'paragraph', required: true },
            { id: 'hours', text: 'For how many hours?', type: 'number' },
            {
              id: 'who',
              text: 'Who decides?',
              type: 'choice',
              options: [{ text: 'The team', value: 'team' }],
            },
          ],
        },
      ],
      approval: true,
    })
    await ask('Who cleans the build server?', {
      elements: [{ id: 'me', text: 'I do', style: 'danger' }],
      who: 'admins',
      expiresAt: Date.now() + 3_600_000,
    })
    const days = [
      { text: 'Monday', value: 'mon' },
      { text: 'Friday', value: 'fri' },
    ]
    await ask('When do we meet?', {
      elements: [{ id: 'day', text: 'Which day?', options: days }],
      use: 'each',
    })

    // Waiting, open for some, not for this one, in both themes and on a phone.
    await row(phone, 'Who cleans').getByText(deActions.onlyAdmins).waitFor()
    expect(await button(phone, 'Who cleans', 'I do').getAttribute('aria-disabled')).toBe('true')
    await row(page, 'Who cleans').getByText('Open until').waitFor()
    await isForEverybody(page, 'buttons')
    await isForEverybody(phone, 'buttons-phone')
    const box = await button(phone, 'Deploy 1.4', 'Deploy').boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)

    // The form, by keyboard: missing values are named, and the values go to the bot alone.
    await button(page, 'Deploy 1.4', 'Not now').focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Not now' })
    await form.getByLabel('Why not?').waitFor()
    await form.getByLabel('For how many hours?').fill('two')
    await page.keyboard.press('Enter')
    await form.getByText(enActions.missing).waitFor()
    await form.getByText(enActions.noNumber).waitFor()
    await isForEverybody(page, 'form')
    await form.getByLabel('Why not?').fill('The fair is today.')
    await form.getByLabel('For how many hours?').fill('2.5')
    await form.getByRole('button', { name: enActions.send }).press('Enter')
    await row(page, 'Deploy 1.4').getByText(enActions.answered(en.you, 'Not now')).waitFor()
    await row(phone, 'Deploy 1.4').getByText('Ada Okafor: Not now').waitFor()
    expect(await page.getByText('The fair is today.').count()).toBe(0)
    expect(await button(phone, 'Deploy 1.4', 'Deploy').count()).toBe(0)
    const [answered] = (await heard()).slice(earlier)
    expect(answered).toMatchObject({
      messageId: deploy,
      values: { reason: 'The fair is today.', hours: '2.5' },
    })

    // The bot's note reaches the person alone, now and after a reload, even if it has removed the buttons.
    await bot.noteAction({
      params: { actionId: answered?.actionId ?? '' },
      body: { text: 'I ask again at noon.' },
    })
    await row(page, 'Deploy 1.4').getByText('I ask again at noon.').waitFor()
    await bot.editMessage({ params: { messageId: deploy }, body: { text: 'Not deployed.', actions: null } })
    await row(phone, 'Not deployed.').waitFor()
    await eventually(() => button(page, 'Not deployed.', 'Deploy').count()).toBe(0)
    await page.reload()
    await row(page, 'Not deployed.').getByText('I ask again at noon.').waitFor()
    expect(await phone.getByText('I ask again at noon.').count()).toBe(0)

    // A choice by touch, one of each person.
    const choice = row(phone, 'When do we meet?')
    await choice.getByLabel('Which day?').selectOption('Friday')
    await choice.getByRole('button', { name: deActions.choose }).tap()
    await row(page, 'When do we meet?').getByText('Ben Ito: Friday').waitFor()
    await eventually(() => choice.getByLabel('Which day?').count()).toBe(0)
    expect(await row(page, 'When do we meet?').getByLabel('Which day?').isDisabled()).toBe(false)
    await button(page, 'Who cleans', 'I do').click()
    await row(phone, 'Who cleans').getByText('Ada Okafor: I do').waitFor()
    await isForEverybody(page, 'answered')
    await isForEverybody(phone, 'answered-phone')
    const answers = (await heard()).slice(earlier)
    expect(answers.map(({ elementId, value }) => [elementId, value])).toEqual([
      ['refuse', undefined],
      ['day', 'fri'],
      ['me', undefined],
    ])
  })

  test('refuses an answer to a text that has changed, says so, and shows the new one', async () => {
    const elements: Actions['elements'] = [
      { id: 'yes', text: 'Yes' },
      { id: 'if', text: 'If', fields: [{ id: 'what', text: 'If what?' }] },
    ]
    const actions: Actions = { elements, approval: true }
    const sent = await bot.sendMessage({ body: { topicId, text: 'Wipe staging?', actions } })
    const params = { messageId: sent.id }
    const answers = async () => (await bot.readMessage({ params })).actions?.answers.length
    const button = (text: string, name: string): Locator =>
      row(page, text).getByRole('button', { name, exact: true })
    // The text changes between the click and its arrival.
    const press = `**/actions/${sent.id}/press`
    await page.route(
      press,
      async (route) => {
        await bot.editMessage({ params, body: { text: 'Wipe PRODUCTION?' } })
        await route.continue()
      },
      { times: 1 },
    )
    await button('Wipe staging?', 'Yes').click()
    await page.getByText(sentenceOf('question_changed', 'en')).waitFor()
    await row(page, 'Wipe PRODUCTION?').waitFor()
    expect(await row(page, 'Wipe staging?').count()).toBe(0)
    expect(await answers()).toBe(0)
    await isForEverybody(page, 'changed')

    // A form answers the text under which it was opened.
    await button('Wipe PRODUCTION?', 'If').click()
    const form = page.getByRole('dialog', { name: 'If' })
    await form.getByText(enActions.alsoAudit('Deploy bot')).waitFor()
    await form.getByLabel('If what?').fill('nobody works')
    await bot.editMessage({ params, body: { text: 'Wipe the backups?' } })
    await row(page, 'Wipe the backups?').waitFor({ state: 'attached' })
    await form.getByRole('button', { name: enActions.send }).click()
    await form.getByText(sentenceOf('question_changed', 'en')).waitFor()
    expect(await answers()).toBe(0)
    await isForEverybody(page, 'changed-form')
    // Escape asks before it drops a form with something in it.
    await page.keyboard.press('Escape')
    const slip = page.getByRole('dialog', { name: enActions.discardTitle })
    await slip.getByText(enActions.discardText).waitFor()
    await isForEverybody(page, 'form-slip')
    await page.keyboard.press('Escape')
    await slip.waitFor({ state: 'detached' })
    expect(await form.getByLabel('If what?').inputValue()).toBe('nobody works')
    await page.keyboard.press('Escape')
    await slip.getByRole('button', { name: enActions.discard }).click()
    await form.waitFor({ state: 'detached' })
    await button('Wipe the backups?', 'Yes').click()
    await row(page, 'Wipe the backups?').getByText(enActions.answered(en.you, 'Yes')).waitFor()
    await row(phone, 'Wipe the backups?').getByText('Ada Okafor: Yes').waitFor()
  })

  test('asks for days, bounded numbers, people and topics in a form, by keyboard and by touch', async () => {
    const actions: Actions = {
      use: 'each',
      elements: [
        {
          id: 'plan',
          text: 'Plan it',
          fields: [
            { id: 'day', text: 'Day', type: 'date', required: true },
            { id: 'constructor', text: 'Hours', type: 'number', min: 1, max: 8 },
            { id: 'lead', text: 'Lead', type: 'person', required: true },
            { id: 'news', text: 'Announce in', type: 'topic' },
          ],
        },
      ],
    }
    const { id } = await bot.sendMessage({ body: { topicId, text: 'Who plans the dry dock?', actions } })
    const values = async () => {
      const { updates } = await bot.readUpdates({ query: { offset: 'oldest', limit: 100 } })
      return updates.flatMap(({ eventType, data }) =>
        eventType === 'message.action' && Object(data).messageId === id ? [Object(data).values] : [],
      )
    }
    const people = (await bot.listMembers({ query: { limit: 50 } })).members
    const idOf = (name: string) => people.find((one) => one.name === name)?.id

    await row(page, 'dry dock').getByRole('button', { name: 'Plan it' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Plan it' })
    await form.getByText(enActions.range(1, 8)).waitFor()
    await form.getByLabel(enActions.optional('Hours')).fill('9')
    await page.keyboard.press('Enter')
    await eventually(() => form.getByText(enActions.missing).count()).toBe(2)
    const hours = form.getByLabel(enActions.optional('Hours'))
    expect(await hours.getAttribute('aria-invalid')).toBe('true')
    const lead = form.getByRole('combobox', { name: 'Lead' })
    expect(await lead.getAttribute('aria-invalid')).toBe('true')
    await isForEverybody(page, 'form-kinds-missing')
    await hours.fill('2,5')
    await form.getByLabel('Day').fill('2027-01-31')
    await lead.click()
    await page.keyboard.type('ada')
    await page.getByRole('option', { name: 'Ada Okafor' }).waitFor() // oneself, too
    await page.keyboard.press('Enter')
    await form.getByRole('combobox', { name: 'Announce in' }).click()
    await page.keyboard.type('harb')
    await page.getByRole('option', { name: 'Harbour' }).waitFor()
    await page.keyboard.press('Enter')
    await isForEverybody(page, 'form-kinds')
    await form.getByRole('button', { name: enActions.send }).press('Enter')
    await form.waitFor({ state: 'detached' })
    const first = { day: '2027-01-31', constructor: '2.5', lead: idOf('Ada Okafor'), news: topicId }
    expect(await values()).toEqual([first])

    await row(phone, 'dry dock').getByRole('button', { name: 'Plan it' }).tap()
    const small = phone.getByRole('dialog', { name: 'Plan it' })
    await small.getByLabel('Day').fill('2027-02-28')
    await small.getByRole('combobox', { name: 'Lead' }).tap()
    await phone.getByRole('option', { name: 'Ben Ito' }).tap()
    await isForEverybody(phone, 'form-kinds-phone')
    expect(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await small.getByRole('button', { name: deActions.send }).tap()
    await small.waitFor({ state: 'detached' })
    expect(await values()).toEqual([first, { day: '2027-02-28', lead: idOf('Ben Ito') }])
  })

  test('completes what a bot can be told, and tells the bot', async () => {
    const given = [{ name: 'environment', description: 'Where to' }]
    await bot.setCommands({
      body: {
        commands: [
          { name: 'deploy', description: 'Deploy a version', arguments: given },
          { name: 'status', description: 'What is deployed where' },
        ],
      },
    })
    const field = page.getByRole('textbox', { name: composerTexts.en.message('Harbour') })
    await field.click()
    await page.keyboard.type('/')
    const offered = page.getByRole('listbox', { name: composerTexts.en.suggestions }).getByRole('option')
    await offered.filter({ hasText: 'What is deployed' }).waitFor()
    await offered.filter({ hasText: '/deploy [environment]' }).waitFor()
    await isForEverybody(page, 'commands')
    await page.keyboard.type('de')
    await eventually(() => offered.count()).toBe(1)
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('/deploy ')
    await page.keyboard.type('production')
    await page.keyboard.press('Enter')
    await row(phone, '/deploy production').waitFor()
    await eventually(async () => {
      const { updates } = await bot.readUpdates({ query: { offset: 'oldest', limit: 100 } })
      return updates.flatMap(({ eventType, data }) =>
        eventType === 'message.command' ? [(data as EventData['message.command']).arguments] : [],
      )
    }).toEqual([{ environment: 'production' }])
  })

  test('opens the form of a command for the person who gives it, by keyboard and by touch', async () => {
    const vacation = {
      name: 'vacation',
      description: 'Ask for days off',
      fields: [
        { id: 'from', text: 'From', type: 'date' as const, required: true },
        { id: 'days', text: 'Days', type: 'number' as const, min: 1, max: 30 },
        { id: 'stand-in', text: 'Stand-in', type: 'person' as const },
      ],
    }
    await bot.setCommands({ body: { commands: [vacation] } })
    const heard = async () => {
      const { updates } = await bot.readUpdates({ query: { offset: 'oldest', limit: 100 } })
      return updates.flatMap(({ eventType, data }) =>
        eventType === 'message.command' && Object(data).name === 'vacation' ? [Object(data).arguments] : [],
      )
    }
    await page.reload()
    const field = page.getByRole('textbox', { name: composerTexts.en.message('Harbour') })
    await field.fill('')
    await field.click()
    await page.keyboard.type('/vac')
    const offered = page.getByRole('listbox', { name: composerTexts.en.suggestions }).getByRole('option')
    await offered.filter({ hasText: '/vacation' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: '/vacation' })
    await form.getByText('Ask for days off').waitFor()
    await form.getByText(enActions.onlyBot('Deploy bot')).waitFor()
    await page.keyboard.press('Escape') // nothing is filled in, so nothing is asked
    await form.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('/vacation ')
    await eventually(() => page.locator(':focus').inputValue()).toBe('/vacation ')
    await page.keyboard.press('Enter')
    await form.getByLabel('From').fill('2027-01-31')
    await form.getByRole('combobox', { name: enActions.optional('Stand-in') }).click()
    await page.keyboard.type('ben')
    await page.getByRole('option', { name: 'Ben Ito' }).waitFor()
    await page.keyboard.press('Enter')
    await isForEverybody(page, 'command-form')
    // The answer of the first attempt is lost: what is sent again counts once.
    await page.route(
      '**/topics/*/commands',
      async (route) => {
        if (route.request().method() !== 'POST') return route.fallback()
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await form.getByRole('button', { name: enActions.send }).press('Enter')
    await form.getByRole('alert').waitFor()
    await form.getByRole('button', { name: enActions.send }).click()
    await form.waitFor({ state: 'detached' })
    await row(page, '/vacation').waitFor()
    await row(phone, '/vacation').waitFor()
    expect(await field.inputValue()).toBe('')
    expect(await phone.getByText('2027-01-31').count()).toBe(0)
    expect(await rows(page).filter({ hasText: '/vacation' }).count()).toBe(1)
    const { members } = await bot.listMembers({ query: { limit: 50 } })
    const ben = members.find(({ name }) => name === 'Ben Ito')?.id
    expect(await heard()).toEqual([{ from: '2027-01-31', 'stand-in': ben }])

    const small = phone.getByRole('textbox', { name: composerTexts.de.message('Harbour') })
    await small.tap()
    await small.fill('/vacation')
    await phone.getByRole('button', { name: composerTexts.de.send, exact: true }).tap()
    const opened = phone.getByRole('dialog', { name: '/vacation' })
    await opened.getByLabel('From').fill('2027-02-28')
    await opened.getByLabel(deActions.optional('Days')).fill('2,5')
    await isForEverybody(phone, 'command-form-phone')
    expect(await phone.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    // The button Back asks, too.
    phone.once('dialog', (question) => void question.dismiss())
    await phone.goBack()
    expect(await opened.getByLabel('From').inputValue()).toBe('2027-02-28')
    await opened.getByRole('button', { name: deActions.send }).tap()
    await opened.waitFor({ state: 'detached' })
    await eventually(heard).toEqual([
      { from: '2027-01-31', 'stand-in': ben },
      { from: '2027-02-28', days: '2.5' },
    ])
  })

  test('completes what an argument can be, and refuses what it cannot', async () => {
    const kind = { name: 'kind', type: 'choice' as const, options: ['Holiday', 'Sick leave'], required: true }
    const from = { name: 'from', type: 'date' as const, required: true }
    const standIn = { name: 'stand-in', type: 'person' as const }
    const leave = { name: 'leave', description: 'Ask for days off', arguments: [kind, from, standIn] }
    await bot.setCommands({ body: { commands: [leave] } })
    await page.reload()
    const field = page.getByRole('textbox', { name: composerTexts.en.message('Harbour') })
    await field.fill('') // the draft of what was sent just before the page was left
    await field.click()
    await page.keyboard.type('/leave ')
    const offered = page.getByRole('listbox', { name: composerTexts.en.suggestions }).getByRole('option')
    await offered.filter({ hasText: 'Sick leave' }).waitFor()
    await isForEverybody(page, 'arguments')
    await page.keyboard.type('si')
    await eventually(() => offered.count()).toBe(1)
    await page.keyboard.press('Enter')
    await offered.filter({ hasText: composerTexts.en.tomorrow }).waitFor()
    expect(await field.inputValue()).toBe('/leave "Sick leave" ')
    await page.keyboard.type('tom')
    await page.keyboard.press('Enter')
    await offered.filter({ hasText: 'Ben Ito' }).click()
    expect(await field.inputValue()).toMatch(/^\/leave "Sick leave" \d{4}-\d{2}-\d{2} @Ben Ito $/)
    await page.keyboard.press('Enter')
    await row(phone, '/leave "Sick leave"').waitFor()
    await eventually(async () => {
      const { updates } = await bot.readUpdates({ query: { offset: 'oldest', limit: 100 } })
      return updates.flatMap(({ eventType, data }) =>
        eventType === 'message.command' ? [(data as EventData['message.command']).arguments] : [],
      )
    }).toContainEqual({
      kind: 'Sick leave',
      from: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      'stand-in': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  test('suggests what to ask, on the profile and where a direct message begins', async () => {
    const prompts = ['What went live today?', 'Who is on call?']
    await bot.setPrompts({ body: { prompts } })
    const profile = page.getByRole('dialog', { name: topicDetails.en.profile.label('Deploy bot') })
    const suggested = (of: Page | Locator): Locator =>
      of.getByRole('list', { name: places.en.profile.prompts }).getByRole('button')
    await rows(page).getByRole('button', { name: 'Deploy bot', exact: true }).last().click()
    await suggested(profile).first().waitFor()
    expect(await suggested(profile).allTextContents()).toEqual(prompts)
    await isForEverybody(page, 'prompts-profile')
    await suggested(profile).first().click()
    const field = page.getByRole('textbox', { name: composerTexts.en.message('Deploy bot') })
    await field.waitFor()
    await eventually(() => field.inputValue()).toBe('What went live today?')
    await suggested(page).first().waitFor()
    await isForEverybody(page, 'prompts')
    await field.fill('')
    await suggested(page).last().click()
    await eventually(() => field.inputValue()).toBe('Who is on call?')
    await page.keyboard.press('Enter')
    await row(page, 'Who is on call?').waitFor()
    await page.goto(`/t/${topicId}`)
  })

  test('stops two bots that greet each other, until a person lets them go on', async () => {
    const { url } = stage.server
    const wanted = { name: 'Greeter', credential: 'static', delivery: 'polling', topicIds: [topicId] }
    const made = await ask(ada, url, 'POST', `${at}/bots`, wanted)
    const greeter = connect({ url, apiKey: String(made.apiKey), apiSecret: String(made.apiSecret) })
    const greet = async (who: Client) => {
      await who.listMessages({ params: { topicId }, query: { limit: 1 } }) // it answers only what it has read
      const sent = await who
        .sendMessage({ body: { topicId, text: 'Nice to meet you' } })
        .catch((error) => error)
      return sent instanceof ParleyError ? sent.refusal : ''
    }
    const greetInTurns = async () => [await greet(bot), await greet(greeter)]
    await eventually(greetInTurns).toEqual([textOf('bots_stopped'), textOf('bots_stopped')])
    const [enDetails, deDetails] = [topicDetails.en.botsStopped, topicDetails.de.botsStopped]
    await phone.getByText(deDetails.lead).waitFor()
    await page.getByText(enDetails.lead).waitFor()
    await isForEverybody(page, 'stopped')
    await isForEverybody(phone, 'stopped-phone')
    await page.getByRole('button', { name: enDetails.release }).click()
    for (const [of, { lead }] of [[page, enDetails] as const, [phone, deDetails] as const])
      await of.getByText(lead).waitFor({ state: 'detached' })
    expect(await greet(bot)).toBe('')
  })

  test('marks what a bot has broken off, also after the server was restarted, and lets the bot make it good', async () => {
    const { id } = await bot.sendMessage({ body: { topicId, streaming: true, text: 'Half of it' } })
    await row(page, 'Half of it').waitFor()
    await stage.stopServer()
    await stage.startServer({ STREAMING_TIMEOUT_SECONDS: '5' })
    await row(page, en.streamInterrupted).waitFor()
    await row(phone, de.streamInterrupted).waitFor()
    const late = await bot
      .appendToMessage({ params: { messageId: id }, body: { text: '!' } })
      .catch((error) => error)
    expect(late instanceof ParleyError && late.refusal).toBe('message is finished')
    await bot.editMessage({ params: { messageId: id }, body: { text: 'All of it' } })
    await row(page, 'All of it').waitFor()
    await eventually(() => page.getByText(en.streamInterrupted).count()).toBe(0)
  })
})
