import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { conversationTexts } from '../../web/src/texts/chat-conversation.ts'
import { common as commonTexts } from '../../web/src/texts/common.ts'
import { guests as guestTexts } from '../../web/src/texts/guests.ts'
import { kit as kitTexts } from '../../web/src/texts/kit.ts'
import { members as memberTexts } from '../../web/src/texts/members.ts'
import { nothingHere } from '../../web/src/texts/nothing-here.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import { topicDetails as detailTexts } from '../../web/src/texts/topic-details.ts'
import {
  BROWSER,
  chooseInRow,
  faultsInBothThemes,
  openStage,
  openTeam,
  resize,
  type Stage,
  type Team,
  takePicture,
} from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const [composer, conversation, common, guests, kit, members, shell, details] = [
  composerTexts.en,
  conversationTexts.en,
  commonTexts.en,
  guestTexts.en,
  kitTexts.en,
  memberTexts.en,
  shellTexts.en,
  detailTexts.en,
]
const WIDE = { width: 1280, height: 900 }
const PASSWORD = 'a long enough passphrase'

/** Ada invites Gil to one topic of hers; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('guests', () => {
  let stage: Stage
  let team: Team
  let gil: BrowserContext
  let adasPage: Page
  let gilsPage: Page
  let topicId: string

  beforeAll(async () => {
    stage = await openStage()
    team = await openTeam(stage, { viewport: WIDE })
    gil = await stage.visitor({ viewport: WIDE })
    topicId = String((await team.chat(team.ada, 'POST', 'topics', { name: 'Harbour', members: [] })).id)
    adasPage = await open(team.ada, `/t/${topicId}?details=members`)
  })
  afterAll(() => stage?.close())

  async function open(who: BrowserContext, path: string): Promise<Page> {
    const opened = await who.newPage()
    opened.setDefaultTimeout(PATIENCE_MS)
    await opened.goto(path)
    return opened
  }
  const ask = async (who: BrowserContext, path: string, data: object = {}) => {
    const headers = { origin: stage.server.url }
    const answer = await who.request.post(`${stage.server.url}${path}`, { data, headers })
    return Object(await answer.json())
  }
  const dialog = (of: Page): Locator => of.getByRole('dialog')
  const field = (of: Page): Locator => of.getByRole('textbox', { name: composer.message('Harbour') })
  const row = (of: Page, text: string): Locator =>
    of
      .getByRole('log', { name: conversation.messages('Harbour') })
      .getByRole('article')
      .filter({ hasText: text })
      .last()

  test('are invited to a topic, which says so from then on', async () => {
    await adasPage.getByRole('button', { name: guests.invite }).click()
    await dialog(adasPage).getByRole('button', { name: guests.action }).click()
    await dialog(adasPage).getByText(guests.emailMissing).waitFor()
    await dialog(adasPage).getByLabel(guests.email).fill('gil@guests.test')
    await dialog(adasPage).getByLabel(guests.name).fill('Gil')
    expect(await faultsInBothThemes(adasPage, 'guests-invite')).toEqual([])
    await dialog(adasPage).getByRole('button', { name: guests.action }).click()
    await adasPage.getByText(guests.here(1)).waitFor()
    await dialog(adasPage).waitFor({ state: 'detached' })
    expect(await faultsInBothThemes(adasPage, 'guests-here')).toEqual([])
  })

  test('see their topic alone, and are offered nothing else', async () => {
    const found = await team.chat(team.ada, 'GET', `members?topicId=${topicId}`)
    const invited = Object(found.members).find(({ name }: { name: string }) => name === 'Gil')
    const { url } = await ask(team.ada, `${team.at}/members/${invited.id}/invitation-link`)
    const token = String(url).split('#')[1]
    await ask(gil, '/people/invitations/accept', { token, name: 'Gil', password: PASSWORD })
    gilsPage = await open(gil, `/t/${topicId}?details=members`)
    await field(gilsPage).waitFor()
    await gilsPage
      .getByRole('link', { name: /Harbour/ })
      .first()
      .waitFor()
    expect(await gilsPage.getByRole('link', { name: /General/ }).count()).toBe(0)
    expect(await gilsPage.getByText(guests.here(1)).count()).toBe(0)
    expect(await gilsPage.getByRole('button', { name: details.addMembers }).count()).toBe(0)
    expect(await gilsPage.getByRole('button', { name: guests.invite }).count()).toBe(0)
    await gilsPage.getByRole('button', { name: shell.addTopic }).click()
    expect(await gilsPage.getByRole('menuitem', { name: shell.createTopic }).count()).toBe(0)
    await gilsPage.keyboard.press('Escape')
    expect(await faultsInBothThemes(gilsPage, 'guests-page')).toEqual([])
    await gilsPage.keyboard.press('Control+k')
    await gilsPage.keyboard.type('Ben')
    await gilsPage.getByRole('option').first().waitFor()
    expect(await gilsPage.getByRole('option', { name: /^Ben/ }).count()).toBe(0)
    expect(await gilsPage.getByRole('option', { name: shell.createTopic }).count()).toBe(0)
    await gilsPage.keyboard.press('Escape')
    await gilsPage.getByRole('option').first().waitFor({ state: 'detached' })
    expect(await gilsPage.content()).not.toContain('ada@example.com')
  })

  test('are marked beside what they write', async () => {
    await field(gilsPage).click()
    await field(gilsPage).pressSequentially('Is the crane free?')
    await takePicture(gilsPage, 'guests-writing')
    await field(gilsPage).press('Enter')
    await row(gilsPage, 'Is the crane free?').waitFor()
    const said = row(adasPage, 'Is the crane free?')
    await said.getByText(kit.guest, { exact: true }).waitFor()
    await said.getByRole('button', { name: 'Gil' }).first().click()
    await dialog(adasPage).getByText(kit.guest).first().waitFor()
    expect(await faultsInBothThemes(adasPage, 'guests-card')).toEqual([])
    await adasPage.keyboard.press('Escape')
    await resize(adasPage, 390, 844)
    await adasPage.goto(`/t/${topicId}`)
    await adasPage.getByText(guests.here(1)).waitFor()
    expect(await faultsInBothThemes(adasPage, 'guests-phone')).toEqual([])
    await resize(adasPage, WIDE.width, WIDE.height)
  })

  test('have an end of access in the console, and are out of their page at that moment', async () => {
    await adasPage.goto(`/console/${team.organizationId}/members`)
    const gilsRow = adasPage.getByRole('row', { name: /Gil/ })
    await gilsRow.getByText(common.roles.guest, { exact: true }).waitFor()
    await chooseInRow(adasPage, 'Gil', members.guestEnd.action)
    const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    await dialog(adasPage).getByLabel(members.guestEnd.label).fill('2020-01-01')
    await dialog(adasPage).getByRole('button', { name: common.save }).click()
    await dialog(adasPage).getByText(members.guestEnd.past).waitFor()
    await dialog(adasPage).getByLabel(members.guestEnd.label).fill(inAWeek)
    expect(await faultsInBothThemes(adasPage, 'guests-end')).toEqual([])
    await dialog(adasPage).getByRole('button', { name: common.save }).click()
    await gilsRow.getByText(members.guestEnd.until).waitFor()
    expect(await faultsInBothThemes(adasPage, 'guests-console')).toEqual([])
    await stage.query(`update profiles set guest_until = 1 where email = 'gil@guests.test'`)
    await gilsPage.getByRole('heading', { name: nothingHere.en.ended.title }).waitFor()
  })
})
