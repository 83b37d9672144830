import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conversationTexts } from '../../web/src/texts/chat-conversation.ts'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { sentenceOf } from '../support/sentences.ts'
import '../../web/src/texts/late-errors.ts'
import { reportTexts } from '../../web/src/texts/report.ts'
import { reportsTexts } from '../../web/src/texts/reports.ts'
import { settings as settingTexts } from '../../web/src/texts/settings.ts'
import {
  BROWSER,
  chooseInRow,
  FROM_THE_RIGHT,
  faultsInBothThemes,
  mayBeLeft,
  openStage,
  openTeam,
  type Stage,
  type Team,
} from '../support/browser.ts'
import { call } from '../support/client.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const [report, reports, settings] = [reportTexts.en, reportsTexts.en, settingTexts.en]

/** Ada is an admin, Ben is not; a bot writes to both. Each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('a team with rules', () => {
  let stage: Stage
  let team: Team
  let topicId: string
  let admin: Page
  let chat: Page

  beforeAll(async () => {
    stage = await openStage()
    team = await openTeam(stage, { viewport: { width: 1280, height: 900 } }, FROM_THE_RIGHT)
    const made = await team.chat(team.ada, 'POST', 'topics', {
      name: 'Harbour',
      members: [team.benId, team.bot.id],
    })
    topicId = String(made.id)
    const open = async (who: BrowserContext) => {
      const page = await who.newPage()
      page.setDefaultTimeout(PATIENCE_MS)
      return page
    }
    admin = await open(team.ada)
    chat = await open(team.ben)
    await chat.goto(`/t/${topicId}`)
  })
  afterAll(() => stage?.close())

  const asBot = async (path: string, body: unknown): Promise<void> => {
    const { status, text } = await call(stage.server.url, team.bot, 'POST', path, { body })
    expect(status, text).toBeLessThan(300)
  }
  const inLog = (text: string) => chat.getByRole('log').first().getByText(text, { exact: true })
  const consoleOf = (place: string) => admin.goto(`/console/${team.organizationId}/${place}`)
  const isForEverybody = async (page: Page, name: string): Promise<void> => {
    expect(await faultsInBothThemes(page, `rules-${name}`)).toEqual([])
  }

  test('reports a message to admins, who read it and delete it for everybody', async () => {
    await asBot('/v2/messages', { topicId, text: 'Buy cheap grog' })
    await inLog('Buy cheap grog').hover()
    const row = chat.getByRole('article').filter({ hasText: 'Buy cheap grog' })
    await row.getByRole('button', { name: messageTexts.en.more }).click()
    await chat.getByRole('menuitem', { name: messageTexts.en.report }).click()
    const dialog = chat.getByRole('dialog', { name: report.title })
    await dialog.getByRole('button', { name: report.action }).click()
    await dialog.getByText(report.missing).waitFor()
    await isForEverybody(chat, 'report')
    await dialog.getByLabel(report.reason).fill('Advertising')
    await dialog.getByRole('button', { name: report.action }).click()
    await chat.getByText(report.done).waitFor()

    await consoleOf('reports')
    await admin.getByRole('cell', { name: 'Advertising' }).waitFor()
    expect(await admin.getByText('Buy cheap grog').count()).toBe(0)
    await chooseInRow(admin, FROM_THE_RIGHT.bot, reports.read)
    const opened = admin.getByRole('dialog')
    await opened.getByText('Buy cheap grog').waitFor()
    await isForEverybody(admin, 'reported')
    await opened.getByRole('button', { name: reports.report.delete }).click()
    await admin.getByRole('dialog').getByRole('button', { name: reports.report.confirm.action }).click()
    await admin.getByText(reports.report.deleted).waitFor()
    await inLog('Buy cheap grog').waitFor({ state: 'detached' })
    await admin.getByText(reports.none.title).waitFor()
  })

  test('refuses a message with a blocked word, and says so beside it', async () => {
    await consoleOf('settings')
    await admin.getByLabel(settings.words.label).fill('bilge rat')
    await admin.getByRole('button', { name: settings.words.save }).click()
    await admin.getByText(settings.words.saved).waitFor()
    await mayBeLeft(admin)
    const field = chat.getByRole('main').getByRole('textbox').first()
    await field.fill('You Bilge-rat!')
    await field.press('Enter')
    const why = sentenceOf('word_blocked', 'en')
    await chat.getByText(messageTexts.en.notSent(why)).waitFor()
    await isForEverybody(chat, 'blocked')
    const { messages } = Object(await team.chat(team.ada, 'GET', `topics/${topicId}/history`))
    expect(messages.map(({ text }: { text: string }) => text)).not.toContain('You Bilge-rat!')
  })

  test('sees that a bot is at work, and no longer where presence is switched off', async () => {
    const working = chat.getByText(conversationTexts.en.workingOne(FROM_THE_RIGHT.bot))
    await asBot(`/v2/topics/${topicId}/working`, {})
    await working.waitFor()
    await isForEverybody(chat, 'working')
    await asBot('/v2/messages', { topicId, text: 'There it is' })
    await working.waitFor({ state: 'detached' })

    await consoleOf('settings')
    await admin.getByRole('switch', { name: settings.presence.label }).click()
    await admin.getByText(settings.presence.turnedOff).waitFor()
    await asBot(`/v2/topics/${topicId}/working`, {})
    await team.chat(team.ada, 'POST', 'messages', { topicId, text: 'Is anybody there?' })
    await inLog('Is anybody there?').waitFor()
    expect(await working.count()).toBe(0)
  })
})
