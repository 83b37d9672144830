import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { makerTexts } from '../../web/src/texts/chat-makers.ts'
import { kit } from '../../web/src/texts/kit.ts'
import { laterTexts } from '../../web/src/texts/later.ts'
import { presenceTexts } from '../../web/src/texts/presence.ts'
import { topicDetails } from '../../web/src/texts/topic-details.ts'
import {
  BROWSER,
  faults,
  openStage,
  openTeam,
  type Stage,
  type Team,
  takePicture,
} from '../support/browser.ts'
import { call } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const composer = composerTexts.en

describe.skipIf(BROWSER === undefined)('commands of Parley itself', () => {
  let stage: Stage
  let team: Team
  let page: Page

  beforeAll(async () => {
    stage = await openStage()
    team = await openTeam(stage)
    await team.chat(team.ada, 'POST', 'messages', { topicId: team.general, text: 'Read the plan' })
    page = await team.ada.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`/t/${team.general}`)
    await field().waitFor()
  })
  afterAll(() => stage?.close())

  const field = () => page.getByRole('textbox', { name: composer.message('General') })
  const options = () => page.getByRole('listbox', { name: composer.suggestions }).getByRole('option')
  const write = async (text: string) => {
    await field().fill(text)
    await field().press('Escape')
    await field().press('Enter')
  }
  const said = async () => {
    const { messages } = Object(await team.chat(team.ada, 'GET', `topics/${team.general}/history`))
    return messages.map(({ text }: { text: string }) => text)
  }

  test('are offered, and each opens its form with what was written behind it', async () => {
    await field().pressSequentially('/')
    await options().filter({ hasText: composer.ownCommands.remind }).waitFor()
    expect(await options().count()).toBe(6)
    expect(await faults(page)).toEqual([])
    await takePicture(page, 'own-commands')
    await field().pressSequentially('po')
    await eventually(() => options().count()).toBe(1)
    await field().press('Enter')
    expect(await field().inputValue()).toBe('/poll ')
    await field().pressSequentially('Which **day**?')
    await field().press('Enter')
    const poll = page.getByRole('dialog')
    expect(await poll.getByLabel(makerTexts.en.poll.question).inputValue()).toBe('Which day?')
    await page.keyboard.press('Escape')
    expect(await field().inputValue()).toBe('')

    await write('/task Book the hall')
    expect(await page.getByRole('dialog').getByLabel(makerTexts.en.task.what).inputValue()).toBe(
      'Book the hall',
    )
    await page.keyboard.press('Escape')
    await write('/status At lunch')
    const status = page.getByRole('dialog', { name: presenceTexts.en.title })
    expect(await status.getByLabel(presenceTexts.en.text).inputValue()).toBe('At lunch')
    await page.keyboard.press('Escape')
    await write('/topic Harbour')
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    expect(await page.getByRole('dialog').getByRole('textbox').first().inputValue()).toBe('Harbour')
    await page.keyboard.press('Escape')
    await field().pressSequentially('/dm @Be')
    await options().filter({ hasText: 'Ben Ito' }).waitFor()
    await field().press('Enter')
    await field().press('Enter')
    await page
      .getByRole('dialog', { name: topicDetails.en.direct.title })
      .getByText('Ben Ito')
      .first()
      .waitFor()
    // The first Escape closes the list of names.
    await page.getByRole('dialog').getByRole('button', { name: kit.en.close, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await said()).not.toContain('/task Book the hall')
  })

  test('remind of the latest message', async () => {
    await write('/remind')
    const dialog = page.getByRole('dialog', { name: laterTexts.en.saved.remind })
    await dialog.getByRole('button', { name: laterTexts.en.saved.remindAct }).click()
    await dialog.waitFor({ state: 'detached' })
    const { saved } = Object(await team.chat(team.ada, 'GET', 'saved-messages'))
    expect(saved[0]).toMatchObject({ message: { text: 'Read the plan' }, remindAt: expect.any(Number) })
  })

  test('leave a bot its command of the same name, by the name of the bot', async () => {
    const { url } = stage.server
    const commands = [{ name: 'poll', description: 'Counts hands', arguments: [] }]
    const given = await call(url, team.bot, 'PUT', '/v2/commands', { body: { commands } })
    expect(given.status).toBe(200)
    await page.reload()
    await field().pressSequentially('/poll')
    await options().filter({ hasText: 'Counts hands' }).click()
    expect(await field().inputValue()).toBe('/poll @Deploy bot ')
    await field().pressSequentially('now')
    await field().press('Enter')
    await eventually(async () =>
      (await said()).some((text: string) => /^\/poll <@b@.*> now$/.test(text)),
    ).toBe(true)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
