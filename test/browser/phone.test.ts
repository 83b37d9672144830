import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { places as placeTexts } from '../../web/src/texts/places.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import {
  BROWSER,
  faults,
  openStage,
  openTeam,
  type Stage,
  type Team,
  takePicture,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { plain } from '../support/samples.ts'

const [message, place, shell] = [messageTexts.en, placeTexts.en, shellTexts.en]

/** Buttons that a finger misses, or that stick out of the screen. A sender's name does what the face beside it does. */
const AWKWARD_BUTTONS = `
  [...document.querySelectorAll('button, [role=button], nav a')].flatMap((button) => {
    const { width, height, left, right, top } = button.getBoundingClientRect()
    const isSeen = button.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 1
    const [x, y] = [left + width / 2, top + height / 2]
    const isHit = [
      [x - 21, y],
      [x + 21, y],
      [x, y - 21],
      [x, y + 21],
    ].every(([atX, atY]) => button.contains(document.elementFromPoint(atX, atY)))
    const isFit = left >= 0 && right <= innerWidth && (isHit || button.matches('article button:has(> bdi)'))
    const name = button.getAttribute('aria-label') ?? button.textContent
    return isSeen && !isFit ? [name + ': ' + width + ' × ' + height + ' at ' + left + ', ' + top] : []
  })`

/** Ada has a phone in her hand, Ben sits at a desk. Each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('the chat on a phone', () => {
  let stage: Stage
  let phone: BrowserContext
  let ada: BrowserContext
  let ben: BrowserContext
  let page: Page
  let touch: CDPSession
  let chat: Team['chat']
  let topicId: string

  beforeAll(async () => {
    stage = await openStage()
    const team = await openTeam(stage)
    ;({ ada, ben, chat } = team)
    const members = [team.benId]
    topicId = String((await chat(ada, 'POST', 'topics', { name: 'Harbour', members })).id)
    await chat(ben, 'POST', 'messages', { topicId, text: 'The pier is open again' })
    phone = await stage.visitor({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    })
    await phone.addCookies(await ada.cookies())
    page = await phone.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    touch = await phone.newCDPSession(page)
    await page.goto(`/t/${topicId}`)
    await row('The pier is open again').waitFor()
  })
  afterAll(() => stage?.close())

  const row = (text: string): Locator => page.getByRole('log').getByRole('article').filter({ hasText: text })
  const finger = (type: 'touchStart' | 'touchEnd', x = 0, y = 0) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  const middleOf = async (what: Locator): Promise<[number, number]> => {
    const box = await what.boundingBox()
    if (!box) throw new Error('it is on the screen')
    return [box.x + box.width / 2, box.y + box.height / 2]
  }

  test('opens what can be done with a message where a finger rests on it', async () => {
    await finger('touchStart', ...(await middleOf(row('The pier is open again').getByText('The pier'))))
    await page.getByRole('menuitem', { name: message.reply }).waitFor()
    await finger('touchEnd')
    await takePicture(page, 'phone-long-press')
    await page.getByRole('menuitem', { name: message.reply }).tap()
    await page.waitForURL('**/thread/*')
    await page.goBack()
    await row('The pier is open again').waitFor()
  })

  test('has buttons within the screen, large enough for a finger', async () => {
    for (const path of [`/t/${topicId}`, '/']) {
      await page.goto(path)
      await page.getByRole('button').first().waitFor()
      expect(await page.evaluate(AWKWARD_BUTTONS), path).toEqual([])
    }
    await page.goto(`/t/${topicId}`)
    await row('The pier is open again').waitFor()
  })

  test('shows others a profile as it is set: photo, title, status and time zone', async () => {
    const own = await ada.newPage()
    await own.goto(`/t/${topicId}`)
    await own.locator('button[aria-haspopup=menu]', { hasText: 'Ada Okafor' }).click()
    await own.getByRole('menuitem', { name: shell.editProfile }).click()
    const dialog = own.getByRole('dialog', { name: place.profile.title })
    await dialog.getByLabel(place.profile.job).fill('Harbour master')
    await dialog.getByLabel(place.profile.status).fill('At sea until noon')
    await dialog.getByLabel(place.profile.timeZone).selectOption('Pacific/Auckland')
    const buffer = await plain(64, 64).png().toBuffer()
    const photo = { name: 'ada.png', mimeType: 'image/png', buffer }
    await dialog.locator('input[type=file]').setInputFiles(photo)
    await dialog.getByRole('button', { name: place.removePicture }).waitFor()
    await takePicture(own, 'profile-dialog')
    expect(await faults(own)).toEqual([])
    await dialog.getByRole('button', { name: place.profile.save }).click()
    await own.getByText(place.profile.saved).waitFor()
    const members = async () => Object(await chat(ben, 'GET', 'members')).members
    await eventually(async () =>
      (await members()).find(({ name }: { name: string }) => name === 'Ada Okafor'),
    ).toMatchObject({
      title: 'Harbour master',
      statusText: 'At sea until noon',
      timeZone: 'Pacific/Auckland',
      photoId: expect.any(String),
    })
    const desk = await ben.newPage()
    await desk.goto(`/t/${topicId}`)
    await chat(ada, 'POST', 'messages', { topicId, text: 'Back at noon' })
    await desk.getByRole('log').getByRole('button', { name: 'Ada Okafor' }).first().click()
    const card = desk.getByRole('dialog')
    for (const text of ['Harbour master', 'At sea until noon']) await card.getByText(text).waitFor()
    await takePicture(desk, 'profile-card')
    await desk.close()
    await own.close()
  })
})
