import type { BrowserContext, CDPSession, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { conversationTexts } from '../../web/src/texts/chat-conversation.ts'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { emojiTexts } from '../../web/src/texts/emoji.ts'
import { kit as kitTexts } from '../../web/src/texts/kit.ts'
import { ownSettings } from '../../web/src/texts/own-settings.ts'
import { places as placeTexts } from '../../web/src/texts/places.ts'
import { presenceTexts } from '../../web/src/texts/presence.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import {
  BROWSER,
  faults,
  openStage,
  openTeam,
  type Stage,
  type Team,
  takePicture,
  WITH_SERVICE_WORKER,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { plain } from '../support/samples.ts'

const [message, place, shell] = [messageTexts.en, placeTexts.en, shellTexts.en]
const [kit, conversation] = [kitTexts.en, conversationTexts.en]

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

/** Conversations with messages kept in the browser. */
const KEPT_CONVERSATIONS = `new Promise((resolve) => {
  const opening = indexedDB.open('parley-chat')
  opening.onsuccess = () => {
    const keys = opening.result.transaction('parts').objectStore('parts').getAllKeys()
    keys.onsuccess = () => {
      opening.result.close()
      resolve(keys.result.map((key) => String(key[2]).replace('conversation ', '')))
    }
  }
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
      ...WITH_SERVICE_WORKER,
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
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
  /** `at`, in seconds, fixes the time between two touches, however slow the machine is. */
  const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0, at?: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
      ...(at !== undefined && { timestamp: at }),
    })
  const swipe = async ([x, y]: [number, number], by: [number, number], seconds = 0.2) => {
    const at = Date.now() / 1000
    await finger('touchStart', x, y, at)
    await finger('touchMove', x + by[0] / 2, y + by[1] / 2, at + seconds / 2)
    await finger('touchMove', x + by[0], y + by[1], at + seconds)
    await finger('touchEnd', 0, 0, at + seconds)
  }
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
    expect(await faults(page)).toEqual([])
    await page.getByRole('menuitem', { name: message.reply }).tap()
    await page.waitForURL('**/thread/*')
    await page.goBack()
    await row('The pier is open again').waitFor()
  })

  test('reacts from the sheet with one of six emoji, and says so away from the composer', async () => {
    const openSheet = async () => {
      await finger('touchStart', ...(await middleOf(row('The pier is open again').getByText('The pier'))))
      await page.getByRole('menuitem', { name: message.reply }).waitFor()
      await finger('touchEnd')
    }
    await openSheet()
    const [width, height] = [360, 740]
    const box = await page.getByRole('menu').boundingBox()
    expect(box).toMatchObject({ x: 0, width })
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(height)
    expect(await page.getByRole('menuitem', { name: /^React with / }).count()).toBe(6)
    await page.getByRole('menuitem', { name: message.reactWith('🎉') }).tap()
    const reaction = row('The pier is open again').getByRole('button', { name: /🎉/ })
    await reaction.tap()
    await reaction.waitFor({ state: 'detached' })
    await openSheet()
    await page.getByRole('menuitem', { name: message.pin, exact: true }).tap()
    const undo = page.getByRole('button', { name: kit.undo })
    const composer = await page.getByRole('textbox').boundingBox()
    const toast = await undo.boundingBox()
    expect((toast?.y ?? height) + (toast?.height ?? 0)).toBeLessThan(composer?.y ?? 0)
    await undo.tap()
    await undo.waitFor({ state: 'detached' })
  })

  test('has a field of one line until it is touched', async () => {
    const field = page.getByRole('textbox')
    const more = page.getByRole('button', { name: composerTexts.en.mention, exact: true })
    expect(await more.isVisible()).toBe(false)
    const plus = await middleOf(page.getByRole('button', { name: composerTexts.en.make, exact: true }))
    expect(Math.abs(plus[1] - (await middleOf(field))[1]), 'in one line').toBeLessThan(6)
    await field.tap()
    await more.waitFor()
    await field.fill('One\nTwo\nThree')
    await page.getByRole('heading', { level: 1 }).tap()
    expect(await more.isVisible(), 'with a text it stays').toBe(true)
    await field.fill('')
    await page.getByRole('heading', { level: 1 }).tap()
    await more.waitFor({ state: 'hidden' })
  })

  test('has its places at the foot of lists, and a way back from a thread', async () => {
    const tabs = page.getByRole('navigation', { name: shell.tabs })
    expect(await tabs.count(), 'a conversation has its composer there').toBe(0)
    await page.getByRole('link', { name: shell.back }).tap()
    await tabs.getByRole('link', { name: shell.mentions }).tap()
    await page.getByRole('heading', { level: 1, name: place.mentions.title }).waitFor()
    await eventually(() => page.evaluate(AWKWARD_BUTTONS)).toEqual([])
    await tabs.getByRole('link', { name: shell.home }).tap()
    await eventually(() => page.evaluate(AWKWARD_BUTTONS)).toEqual([])
    expect(await faults(page)).toEqual([])
    await tabs.getByRole('button', { name: shell.youTab }).tap()
    await page.getByRole('menuitem', { name: shell.settings }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Harbour' }).tap()
    await row('The pier is open again').waitFor()
    const parent = await page.evaluate<string>(
      'document.querySelector("[data-row]").getAttribute("data-row")',
    )
    await page.goto(`/t/${topicId}/thread/${parent}`)
    await page.getByRole('button', { name: conversation.backToTopic }).tap()
    await page.waitForURL(`**/t/${topicId}`)
    await row('The pier is open again').waitFor()
  })

  test('goes back to the list by a swipe, and by nothing that is none', async () => {
    const start = await middleOf(row('The pier is open again'))
    const left: [number, number] = [40, start[1]]
    await swipe(await middleOf(page.getByRole('textbox')), [150, 0])
    await swipe(left, [100, 90])
    await swipe([300, start[1]], [-200, 0])
    await swipe(left, [200, 0], 2)
    expect(await page.evaluate('location.pathname')).toBe(`/t/${topicId}`)
    await swipe(left, [200, 10])
    await page.waitForURL('**/o/*')
    await page.getByRole('link', { name: 'Harbour' }).tap()
    await row('The pier is open again').waitFor()
  })

  test('keeps the composer above the keyboard, and the newest message above the composer', async () => {
    const bottomOf = async (what: Locator) => {
      const box = await what.boundingBox()
      return box ? box.y + box.height : Number.POSITIVE_INFINITY
    }
    const composer = page.getByRole('textbox')
    await composer.tap()
    const whole = await bottomOf(composer)
    expect(whole).toBeGreaterThan(500)
    // A keyboard as Safari shows it: the page keeps its height, and less of it is seen.
    await page.evaluate(`
      Object.defineProperty(visualViewport, 'height', { configurable: true, get: () => 400 })
      visualViewport.dispatchEvent(new Event('resize'))`)
    await eventually(async () => bottomOf(composer)).toBeLessThanOrEqual(400)
    const [newest, top] = [row('The pier is open again'), (await composer.boundingBox())?.y]
    await eventually(async () => bottomOf(newest)).toBeLessThanOrEqual(top ?? 0)
    await page.evaluate(`
      delete visualViewport.height
      visualViewport.dispatchEvent(new Event('resize'))`)
    await eventually(async () => bottomOf(composer)).toBe(whole)
  })

  test('starts with what was there last, and asks for no message again', async () => {
    const kept = await phone.newPage()
    await kept.goto(`/t/${topicId}`)
    await kept.getByRole('article').filter({ hasText: 'The pier is open again' }).waitFor()
    await eventually(async () => kept.evaluate(KEPT_CONVERSATIONS)).toContain(topicId)
    await kept.close()
    const again = await phone.newPage()
    const asked: string[] = []
    again.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await again.route('**/chat/**', (route) => route.abort())
    await again.goto(`/t/${topicId}`)
    await again.getByRole('article').filter({ hasText: 'The pier is open again' }).waitFor()
    expect(asked.filter((path) => path.includes('/history'))).toEqual([])
    expect(asked.filter((path) => path === '/people/session')).toHaveLength(1)
    await again.close()
  })

  test('has buttons within the screen, large enough for a finger', async () => {
    for (const path of [`/t/${topicId}`, '/']) {
      await page.goto(path)
      await page.getByRole('button').first().waitFor()
      // The composer appears after the messages.
      if (path !== '/') await page.getByRole('button', { name: composerTexts.en.make, exact: true }).waitFor()
      // A list that scrolls to its place takes no presses for a moment.
      await eventually(() => page.evaluate(AWKWARD_BUTTONS)).toEqual([])
      if (path === '/') continue
      await page.getByRole('textbox').tap()
      await page.getByRole('button', { name: composerTexts.en.send, exact: true }).waitFor()
      await eventually(() => page.evaluate(AWKWARD_BUTTONS)).toEqual([])
    }
    await page.goto(`/t/${topicId}`)
    await row('The pier is open again').waitFor()
  })

  test('shows others a profile as it is set: photo, title, status and time zone', async () => {
    const own = await ada.newPage()
    await own.goto(`/t/${topicId}`)
    await own.locator('button[aria-haspopup=menu]', { hasText: 'Ada Okafor' }).click()
    await own.getByRole('menuitem', { name: shell.settings }).click()
    const dialog = own.getByRole('dialog', { name: ownSettings.en.title })
    await dialog.getByLabel(place.profile.job).fill('Harbour master')
    await dialog.getByLabel(place.profile.timeZone).selectOption('Pacific/Auckland')
    const buffer = await plain(64, 64).png().toBuffer()
    const photo = { name: 'ada.png', mimeType: 'image/png', buffer }
    await dialog.locator('input[type=file]').setInputFiles(photo)
    await dialog.getByRole('button', { name: place.removePicture }).waitFor()
    await takePicture(own, 'profile-dialog')
    expect(await faults(own)).toEqual([])
    await dialog.getByRole('button', { name: place.profile.save }).click()
    await own.getByText(place.profile.saved).waitFor()
    await own.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await own.locator('button[aria-haspopup=menu]', { hasText: 'Ada Okafor' }).click()
    await own.getByRole('menuitem', { name: shell.setStatus }).click()
    const status = own.getByRole('dialog', { name: presenceTexts.en.title })
    await status.getByLabel(presenceTexts.en.text).fill('At sea until noon')
    await status.getByRole('button', { name: presenceTexts.en.chooseEmoji }).click()
    await own.getByLabel(emojiTexts.en.search).fill('sailboat')
    await own.keyboard.press('Enter')
    await status.getByLabel(presenceTexts.en.ends).selectOption('hours')
    await status.getByLabel(presenceTexts.en.shownAs).selectOption('dnd')
    await takePicture(own, 'status-dialog')
    expect(await faults(own)).toEqual([])
    await status.getByRole('button', { name: presenceTexts.en.save }).click()
    await own.getByText(presenceTexts.en.saved).waitFor()
    const members = async () => Object(await chat(ben, 'GET', 'members')).members
    await eventually(async () =>
      (await members()).find(({ name }: { name: string }) => name === 'Ada Okafor'),
    ).toMatchObject({
      title: 'Harbour master',
      statusText: 'At sea until noon',
      statusEmoji: '⛵',
      statusUntil: expect.any(Number),
      dndUntil: expect.any(Number),
      timeZone: 'Pacific/Auckland',
      photoId: expect.any(String),
    })
    const desk = await ben.newPage()
    await desk.goto(`/t/${topicId}`)
    await chat(ada, 'POST', 'messages', { topicId, text: 'Back at noon' })
    await desk.getByRole('log').getByRole('button', { name: 'Ada Okafor' }).first().click()
    const card = desk.getByRole('dialog')
    for (const text of ['Harbour master', '⛵ At sea until noon', shell.dnd])
      await card.getByText(text).first().waitFor()
    await takePicture(desk, 'profile-card')
    await desk.close()
    await own.close()
  })
})
