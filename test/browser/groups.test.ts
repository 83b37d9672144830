import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { conversationTexts } from '../../web/src/texts/chat-conversation.ts'
import { groupTexts } from '../../web/src/texts/groups.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import {
  BROWSER,
  faultsInBothThemes,
  openStage,
  openTeam,
  resize,
  type Stage,
  type Team,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const [composer, conversation, groups, shell] = [
  composerTexts.en,
  conversationTexts.en,
  groupTexts.en,
  shellTexts.en,
]
const WIDE = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

/** Ada, who owns the organization, makes a group and mentions many; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('groups', () => {
  let stage: Stage
  let ada: BrowserContext
  let ben: BrowserContext
  let adasPage: Page
  let bensPage: Page
  let chat: Team['chat']
  let benId: string

  beforeAll(async () => {
    stage = await openStage()
    ;({ ada, ben, chat, benId } = await openTeam(stage, { viewport: WIDE }))
    const topicId = String((await chat(ada, 'POST', 'topics', { name: 'Harbour', members: [benId] })).id)
    await stage.query(`
      with guests as (
        insert into profiles (org_id, id, kind, name, email, status, role, created_at, updated_at)
        select org_id, gen_random_uuid()::text, 'user', 'Guest ' || number, '', 'Active', 'member', 0, 0
        from topics cross join generate_series(1, 24) as number where id = '${topicId}'
        returning org_id, id
      )
      insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
      select org_id, '${topicId}', id, 0, 0 from guests`)
    adasPage = await open(ada, `/t/${topicId}`)
    bensPage = await open(ben, `/t/${topicId}`)
  })
  afterAll(() => stage?.close())

  async function open(who: BrowserContext, path: string): Promise<Page> {
    const opened = await who.newPage()
    opened.setDefaultTimeout(PATIENCE_MS)
    await opened.goto(path)
    return opened
  }
  const field = (of: Page): Locator => of.getByRole('textbox', { name: composer.message('Harbour') })
  const topic = (of: Page): Locator => of.getByRole('log', { name: conversation.messages('Harbour') })
  const row = (of: Page, text: string): Locator =>
    topic(of).getByRole('article').filter({ hasText: text }).last()
  const dialog = (of: Page): Locator => of.getByRole('dialog')
  const dialogIsWithin = (of: Page) => of.evaluate('document.documentElement.scrollWidth <= innerWidth')

  test('are made in a window, where their owner says who is in them', async () => {
    await adasPage.getByRole('button', { name: /Ada/ }).last().click()
    await adasPage.getByRole('menuitem', { name: shell.groups }).click()
    await dialog(adasPage).getByText(groups.none).waitFor()
    await dialog(adasPage).getByRole('button', { name: groups.create }).click()
    await dialog(adasPage).getByRole('textbox', { name: groups.name }).fill('Design crew')
    await eventually(() => dialog(adasPage).getByRole('textbox', { name: groups.tag }).inputValue()).toBe(
      'design-crew',
    )
    await dialog(adasPage).getByRole('combobox', { name: groups.people }).fill('Ben')
    await adasPage.getByRole('option', { name: /Ben/ }).click()
    await adasPage.keyboard.press('Escape')
    expect(await faultsInBothThemes(adasPage, 'groups-new')).toEqual([])
    await dialog(adasPage).getByRole('button', { name: groups.create }).click()
    await dialog(adasPage)
      .getByText(`@design-crew · ${groups.members(2)}`)
      .waitFor()
    expect(await faultsInBothThemes(adasPage, 'groups-one')).toEqual([])
    await adasPage.keyboard.press('Escape')
  })

  test('stand among the suggestions, and as a name in the message', async () => {
    await field(bensPage).waitFor()
    await field(adasPage).click()
    await adasPage.keyboard.type('@des')
    await adasPage.getByRole('option', { name: /@design-crew/ }).waitFor()
    expect(await faultsInBothThemes(adasPage, 'groups-suggested')).toEqual([])
    await adasPage.keyboard.press('Enter')
    await adasPage.keyboard.type('look at the crane')
    await adasPage.keyboard.press('Enter')
    await row(bensPage, 'look at the crane').getByRole('button', { name: '@design-crew' }).waitFor()
    expect(await row(bensPage, 'look at the crane').innerText()).not.toContain('<@')
  })

  test('ask before they notify more than 20 people, and send nothing until then', async () => {
    await field(adasPage).click()
    await adasPage.keyboard.type('@everyone the barge is here')
    await adasPage.keyboard.press('Escape')
    await adasPage.keyboard.press('Enter')
    const question = dialog(adasPage)
    await question.getByText(groups.notifyText(25)).waitFor()
    expect(await faultsInBothThemes(adasPage, 'groups-question')).toEqual([])
    await adasPage.keyboard.press('Escape')
    expect(await field(adasPage).inputValue()).toContain('the barge is here')
    expect(await row(adasPage, 'the barge is here').count()).toBe(0)
    await field(adasPage).press('Enter')
    await question.getByRole('button', { name: groups.notifyAction }).click()
    await row(bensPage, 'the barge is here').getByText('@everyone').waitFor()
    expect(await faultsInBothThemes(bensPage, 'groups-mentioned')).toEqual([])
  })

  test('of so many people are for admins', async () => {
    await field(bensPage).click()
    await bensPage.keyboard.type('@everyone me too')
    await bensPage.keyboard.press('Escape')
    await bensPage.keyboard.press('Enter')
    await bensPage.getByText(groups.tooMany(25, 20)).waitFor()
    expect(await field(bensPage).inputValue()).toContain('me too')
    await field(bensPage).fill('')
  })

  test('fit on a phone', async () => {
    await resize(bensPage, PHONE.width, PHONE.height)
    await row(bensPage, 'look at the crane').getByRole('button', { name: '@design-crew' }).click()
    await dialog(bensPage)
      .getByText(`@design-crew · ${groups.members(2)}`)
      .waitFor()
    expect(await dialogIsWithin(bensPage)).toBe(true)
    expect(await faultsInBothThemes(bensPage, 'groups-phone')).toEqual([])
    await dialog(bensPage).getByRole('button', { name: groups.leave }).click()
    await dialog(bensPage)
      .getByText(`@design-crew · ${groups.members(1)}`)
      .waitFor()
    await bensPage.keyboard.press('Escape')
    expect(await faultsInBothThemes(bensPage, 'groups-phone-topic')).toEqual([])
  })
})
