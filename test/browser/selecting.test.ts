import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { forwardTexts } from '../../web/src/texts/forward.ts'
import { kit } from '../../web/src/texts/kit.ts'
import { selectionTexts } from '../../web/src/texts/selection.ts'
import { BROWSER, faultsInEveryLook, openStage, openTeam, type Stage, type Team } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const [t, m] = [selectionTexts.en, messageTexts.en]

describe.skipIf(BROWSER === undefined)('several messages', () => {
  let stage: Stage
  let team: Team
  let page: Page
  let topicId: string
  let otherId: string

  beforeAll(async () => {
    stage = await openStage()
    team = await openTeam(stage)
    const { ada, ben, benId, chat } = team
    topicId = String((await chat(ada, 'POST', 'topics', { name: 'Harbour', members: [benId] })).id)
    otherId = String((await chat(ada, 'POST', 'topics', { name: 'Pier' })).id)
    await say(ada, 'First of mine')
    await say(ben, 'One of Ben, see https://example.com/plan')
    await say(ada, 'Second of mine')
    await say(ada, 'Third of mine')
    page = await open(ada)
    await page.setViewportSize({ width: 1280, height: 900 })
  })
  afterAll(() => stage?.close())

  const say = (who: BrowserContext, text: string) => team.chat(who, 'POST', 'messages', { topicId, text })
  const row = (on: Page, text: string) => on.getByRole('log').getByRole('article').filter({ hasText: text })
  const bar = (on: Page) => on.getByRole('toolbar', { name: t.bar })
  async function open(who: BrowserContext): Promise<Page> {
    const opened = await who.newPage()
    opened.setDefaultTimeout(PATIENCE_MS)
    await opened.goto(`/t/${topicId}`)
    await row(opened, 'Third of mine').waitFor()
    return opened
  }
  const textsIn = async (id: string) => {
    const { messages } = Object(await team.chat(team.ada, 'GET', `topics/${id}/history`))
    return messages.flatMap((one: { text: string; forwarded?: { text: string } }) =>
      one.forwarded
        ? [one.forwarded.text]
        : one.text.includes('mine') || one.text.includes('Ben')
          ? [one.text]
          : [],
    )
  }

  test('are selected by keys, and saved with an undo that spares what was saved before', async () => {
    const { messages } = Object(await team.chat(team.ada, 'GET', `topics/${topicId}/history`))
    const first = messages.find(({ text }: { text: string }) => text === 'First of mine').id
    await team.chat(team.ada, 'PATCH', `saved-messages/${first}`, {})
    await row(page, 'First of mine').focus()
    await page.keyboard.press('x')
    await row(page, 'Second of mine').focus()
    await page.keyboard.press('Shift+X')
    await bar(page).getByText(t.count(3)).waitFor()
    expect(await faultsInEveryLook(page, 'selecting', ['dark'])).toEqual([])
    await bar(page).getByRole('button', { name: m.keep }).click()
    await page.getByText(t.saved(3)).waitFor()
    const saved = async () => {
      const { saved: kept } = Object(await team.chat(team.ada, 'GET', 'saved-messages'))
      return kept.map(({ message }: { message: { text: string } }) => message.text).toSorted()
    }
    expect(await saved()).toHaveLength(3)
    await bar(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: kit.en.undo }).click()
    await eventually(saved).toEqual(['First of mine'])
  })

  test('are forwarded in their order, selected by the pointer, where links do not open', async () => {
    await row(page, 'Second of mine').hover()
    await row(page, 'Second of mine').getByRole('button', { name: m.more, exact: true }).click()
    await page.getByRole('menuitem', { name: m.select }).click()
    await row(page, 'One of Ben').getByRole('link').click()
    await bar(page).getByText(t.count(2)).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/t/${topicId}`)
    await bar(page).getByRole('button', { name: m.forward }).click()
    const dialog = page.getByRole('dialog', { name: forwardTexts.en.titleOf(2) })
    await dialog.getByRole('combobox').first().fill('Pier')
    await page.getByRole('option', { name: /Pier/ }).click()
    await dialog.getByRole('button', { name: forwardTexts.en.act, exact: true }).click()
    await page.getByText(forwardTexts.en.done).waitFor()
    await bar(page).waitFor({ state: 'detached' })
    await eventually(() => textsIn(otherId)).toEqual([
      'One of Ben, see https://example.com/plan',
      'Second of mine',
    ])
  })

  test('are deleted as far as they are one’s own, after a question, on a phone', async () => {
    const phone = await stage.visitor({
      storageState: await team.ada.storageState(),
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const small = await open(phone)
    await row(small, 'Third of mine').focus()
    await small.keyboard.press('Enter')
    await small.getByRole('menuitem', { name: m.select, exact: true }).tap()
    await row(small, 'One of Ben').tap()
    await row(small, 'Second of mine').tap()
    await bar(small).getByText(t.count(3)).waitFor()
    expect(await small.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await bar(small).getByRole('button', { name: m.remove }).tap()
    const dialog = small.getByRole('dialog', { name: t.deleteTitle(2) })
    await dialog.getByText(t.othersStay(1)).waitFor()
    await dialog.getByRole('button', { name: m.remove, exact: true }).tap()
    await small.getByText(t.deleted(2)).waitFor()
    await eventually(() => textsIn(topicId)).toEqual([
      'First of mine',
      'One of Ben, see https://example.com/plan',
    ])
    await row(page, 'Third of mine').waitFor({ state: 'detached' })
  })
})
