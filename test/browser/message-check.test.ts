import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { laterTexts } from '../../web/src/texts/later.ts'
import { messageCheckTexts } from '../../web/src/texts/message-check.ts'
import {
  BROWSER,
  faultsInBothThemes,
  faultsInEveryLook,
  openStage,
  openTeam,
  type Stage,
  type Team,
} from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startTextChecker, type TextChecker } from '../support/text-checker.ts'

const t = messageCheckTexts.en
const later = laterTexts.en.scheduled

/** Ada is the owner, Ben is not; a program holds, masks and refuses what they write. */
describe.skipIf(BROWSER === undefined)('messages that a program checks', () => {
  let stage: Stage
  let team: Team
  let checker: TextChecker
  let owner: Page
  let chat: Page
  let topicId: string

  beforeAll(async () => {
    checker = await startTextChecker()
    stage = await openStage()
    team = await openTeam(stage, { viewport: { width: 1280, height: 900 } })
    topicId = String(
      (await team.chat(team.ada, 'POST', 'topics', { name: 'Harbour', members: [team.benId] })).id,
    )
    owner = await team.ada.newPage()
    chat = await team.ben.newPage()
    for (const page of [owner, chat]) page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(async () => {
    await stage?.close()
    await checker.close()
  })

  const isForEverybody = async (page: Page, name: string): Promise<void> => {
    expect(await faultsInBothThemes(page, `message-check-${name}`)).toEqual([])
  }
  const write = async (text: string) => {
    const field = chat.getByRole('main').getByRole('textbox').first()
    await field.fill(text)
    await field.press('Enter')
  }

  test('are set up and tried by an owner', async () => {
    await owner.goto(`/console/${team.organizationId}/message-check`)
    await owner.getByText(t.program.none).waitFor()
    await isForEverybody(owner, 'empty')
    await owner.getByRole('button', { name: t.program.add }).click()
    const form = owner.getByRole('dialog')
    await form.getByRole('button', { name: t.program.save }).click()
    await form.getByText(t.program.missing).waitFor()
    await form.getByLabel(t.program.address).fill(checker.url)
    await isForEverybody(owner, 'form')
    await form.getByRole('button', { name: t.program.save }).click()
    await owner.getByText(t.program.secret.once).waitFor()
    await owner.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await owner.getByLabel(t.test.label).fill('My card 4111')
    await owner.getByRole('button', { name: t.test.action, exact: true }).click()
    await owner.getByText('My (hidden)').waitFor()
  })

  test('are masked, refused beside the text, and held with a word to their sender', async () => {
    await chat.goto(`/t/${topicId}`)
    await write('My card 4111')
    await chat.getByRole('log').first().getByText('My (hidden)', { exact: true }).waitFor()
    await write('The secret plan')
    await chat.getByText('Text was refused: it names a secret.').waitFor()
    await write('An odd thing')
    await chat.getByText(later.heldTo('Harbour', 'it is odd')).waitFor()
    await isForEverybody(chat, 'sender')
    await owner.getByText('it is odd').waitFor()
    expect(await owner.getByText('An odd thing').count()).toBe(0)
    expect(await faultsInEveryLook(owner, 'message-check-held')).toEqual([])
    await owner.getByRole('button', { name: t.held.readOne('Ben Ito') }).click()
    await owner.getByRole('dialog').getByText('An odd thing').waitFor()
    await isForEverybody(owner, 'opened')
    await owner.getByRole('dialog').getByRole('button', { name: t.held.release }).click()
    await chat.getByRole('log').first().getByText('An odd thing', { exact: true }).waitFor()
    await owner.getByText(t.held.none).waitFor()
  })
})
