import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { account as accountTexts } from '../../web/src/texts/account.ts'
import { common as commonTexts } from '../../web/src/texts/common.ts'
import { kit } from '../../web/src/texts/kit.ts'
import { notifications } from '../../web/src/texts/notifications.ts'
import { ownSettings as settingsTexts } from '../../web/src/texts/own-settings.ts'
import { places } from '../../web/src/texts/places.ts'
import { shell } from '../../web/src/texts/shell.ts'
import { topicDetails } from '../../web/src/texts/topic-details.ts'
import {
  BROWSER,
  faults,
  faultsInEveryLook,
  openStage,
  openTeam,
  type Stage,
  type Team,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const [t, account, common, notify] = [settingsTexts.en, accountTexts.en, commonTexts.en, notifications.en]
const SECTIONS = ['profile', 'appearance', 'language', 'notifications', 'devices', 'security'] as const

describe.skipIf(BROWSER === undefined)('the settings', () => {
  let stage: Stage
  let team: Team
  let ada: BrowserContext
  let page: Page
  let base: string

  beforeAll(async () => {
    stage = await openStage()
    team = await openTeam(stage)
    ;({ ada } = team)
    base = `/o/${team.organizationId}/settings`
    page = await ada.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`/t/${team.general}`)
  })
  afterAll(() => stage?.close())

  const dialog = () => page.getByRole('dialog', { name: t.title })
  const link = (name: (typeof SECTIONS)[number]) =>
    dialog().getByRole('link', { name: t.sections[name], exact: true })
  const section = (name: (typeof SECTIONS)[number]) =>
    dialog().getByRole('region', { name: t.sections[name] })
  const path = () => new URL(page.url()).pathname

  test('open over a topic, have an address for each section, and lead back by Back and Escape', async () => {
    await page.locator('button[aria-haspopup=menu]', { hasText: 'Ada Okafor' }).click()
    await page.getByRole('menuitem', { name: shell.en.settings }).click()
    await section('profile').waitFor()
    for (const name of SECTIONS) {
      await link(name).click()
      await section(name).waitFor()
      expect(path()).toBe(`${base}/${name}`)
      expect(await link(name).getAttribute('aria-current')).toBe('page')
      await eventually(() => page.title()).toContain(t.sections[name])
    }
    await page.goBack()
    await section('devices').waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    expect(path()).toBe(`/t/${team.general}`)
    await eventually(() => page.title()).toContain('General')
  })

  test.each(SECTIONS)('%s is for everybody, wide and narrow', async (name) => {
    await page.goto(`${base}/${name}`)
    await section(name).waitFor()
    await dialog().locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    expect(await faultsInEveryLook(page, `settings-${name}`, ['dark'])).toEqual([])
  })

  test('are a page of their own on a phone: the list first, and from each section back to it', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(base)
    await link('security').waitFor()
    expect(await faults(page)).toEqual([])
    const { width, height } = (await dialog().boundingBox()) ?? { width: 0, height: 0 }
    expect([width, height]).toEqual([390, 844])
    await link('notifications').click()
    await section('notifications').waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe(t.sections.notifications)
    await dialog().getByRole('link', { name: t.back }).click()
    await link('security').waitFor()
    await dialog().getByRole('button', { name: kit.en.close, exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  test('change the name beside the rest of the profile', async () => {
    await page.goto(`${base}/profile`)
    const { profile } = places.en
    await section('profile').getByLabel(profile.name).fill(' ')
    await section('profile').getByRole('button', { name: profile.save }).click()
    await section('profile').getByText(account.nameMissing).waitFor()
    await section('profile').getByLabel(profile.name).fill('Ada Lovelace')
    await section('profile').getByLabel(profile.job).fill('Engineer')
    await section('profile').getByRole('button', { name: profile.save }).click()
    await page.getByText(profile.saved).waitFor()
    const { me } = await team.chat(ada, 'GET', 'start')
    expect(me).toMatchObject({ name: 'Ada Lovelace', title: 'Engineer' })
  })

  test('change colours and density at once', async () => {
    await link('appearance').click()
    await dialog().getByRole('radio', { name: common.theme.dark }).click()
    await dialog().getByRole('radio', { name: t.compact }).click()
    const { theme, density } = Object(await page.evaluate('({ ...document.documentElement.dataset })'))
    expect({ theme, density }).toEqual({ theme: 'dark', density: 'compact' })
    await dialog().getByRole('radio', { name: common.theme.system }).click()
  })

  test('list the topics that differ, where they are changed back', async () => {
    await team.chat(ada, 'PATCH', `topics/${team.general}/state`, { level: 'nothing', muted: true })
    await link('notifications').click()
    const level = dialog().getByLabel(notify.differ.levelIn('General'))
    await level.waitFor()
    await dialog()
      .getByRole('button', { name: notify.differ.unmuteOne('General') })
      .click()
    await level.selectOption(topicDetails.en.level.mentions)
    const general = async () => {
      const { topics } = Object(await team.chat(ada, 'GET', 'start'))
      return topics.find(({ id }: { id: string }) => id === team.general)
    }
    await eventually(general).toMatchObject({ muted: false, level: 'mentions' })
  })

  test('keep days without notifications, and the sound of this browser', async () => {
    await dialog().getByRole('checkbox', { name: 'Sunday' }).click()
    await dialog().getByRole('checkbox', { name: 'Saturday' }).click()
    await eventually(async () => (await team.chat(ada, 'GET', 'notifications')).quietDays).toEqual([6, 7])
    await dialog().getByRole('switch', { name: notify.browser.sound.label }).click()
    await page.reload()
    const sound = dialog().getByRole('switch', { name: notify.browser.sound.label })
    await sound.waitFor()
    expect(await sound.getAttribute('aria-checked')).toBe('true')
    expect(await dialog().getByRole('checkbox', { name: 'Sunday' }).getAttribute('aria-checked')).toBe(
      'false',
    )
  })

  test('are where former addresses lead', async () => {
    await page.goto('/account')
    await section('security').waitFor()
    expect(path()).toBe(`${base}/security`)
    await page.goto(`/o/${team.organizationId}/notifications`)
    await section('notifications').waitFor()
  })
})
