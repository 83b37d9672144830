import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { kit as kitTexts } from '../../web/src/texts/kit.ts'
import { nothingHere } from '../../web/src/texts/nothing-here.ts'
import { reach as reachTexts } from '../../web/src/texts/reach.ts'
import { searchTexts } from '../../web/src/texts/search.ts'
import { sections as sectionTexts } from '../../web/src/texts/sections.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import { shellPlaces as placeTexts } from '../../web/src/texts/shell-places.ts'
import { topic as topicTexts } from '../../web/src/texts/topic.ts'
import { topicDetails as detailTexts } from '../../web/src/texts/topic-details.ts'
import { ask, BROWSER, faultsInBothThemes, openStage, openTeam, type Stage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const [kit, shell, places, topic, details] = [
  kitTexts.en,
  shellTexts.en,
  placeTexts.en,
  topicTexts.en,
  detailTexts.en,
]
const reach = reachTexts.en
const sections = sectionTexts.en
const search = searchTexts.en

/** Around the conversations: each way to get somewhere, by keyboard, and what a narrow page shows. */
describe.skipIf(BROWSER === undefined)('the shell', () => {
  let stage: Stage
  let ada: Page
  let ben: BrowserContext
  let chat: string
  let general: string
  let release: string

  beforeAll(async () => {
    stage = await openStage()
    const team = await openTeam(stage)
    ;({ ben, general } = team)
    chat = `${team.at}/chat`
    const topic = { name: 'Spring release', members: [team.benId] }
    const created = await team.chat(team.ada, 'POST', 'topics', topic)
    release = String(created.id)
    await team.chat(ben, 'POST', 'topics', { name: 'Bike commuters', open: true })
    ada = await team.ada.newPage()
    ada.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(() => stage?.close())

  const heading = (name: string) => ada.getByRole('heading', { level: 1, name, exact: true })
  const row = (name: string) => ada.getByRole('navigation').getByRole('link', { name })
  const benSays = (topicId: string, text: string) =>
    ask(ben, stage.server.url, 'POST', `${chat}/messages`, { topicId, text })

  const isForEverybody = async (name: string): Promise<void> => {
    expect(await faultsInBothThemes(ada, `shell-${name}`)).toEqual([])
  }

  test('starts in the topic that everybody is in', async () => {
    await ada.goto('/')
    await heading('General').waitFor()
    expect(new URL(ada.url()).pathname).toBe(`/t/${general}`)
    await ada.getByRole('heading', { name: shell.allRead }).waitFor()
  })

  test('lists what is unread until it was read and left, or all at once', async () => {
    await benSays(release, 'Ready when you are')
    await ada.getByRole('heading', { name: shell.unread(1) }).waitFor()
    await ada.keyboard.press('Alt+Shift+ArrowDown')
    await heading('Spring release').waitFor()
    await ada.getByRole('heading', { name: shell.allRead }).waitFor()
    const unread = ada.getByRole('region', { name: shell.allRead })
    await unread.getByRole('link', { name: 'Spring release' }).waitFor()
    await row('General').click()
    await heading('General').waitFor()
    expect(await unread.getByRole('link').count(), 'it went home').toBe(0)

    await benSays(release, 'One more thing')
    await ada.getByRole('button', { name: shell.markAllRead }).click()
    await ada.getByRole('heading', { name: shell.allRead }).waitFor()
    const left = async () => {
      const { topics } = Object(await ask(ada.context(), stage.server.url, 'GET', `${chat}/start`))
      return Object(topics).filter(({ unread }: { unread: number }) => unread > 0).length
    }
    await eventually(left).toBe(0)
  })

  test('keeps its list as it is while one looks at it, and as one wants it', async () => {
    const list = ada.getByRole('navigation', { name: shell.sidebar })
    const topics = list.getByRole('region', { name: shell.topics, exact: true })
    await row('General').click()
    await heading('General').waitFor()
    await topics.getByRole('link', { name: 'General' }).click({ button: 'right' })
    await ada.getByRole('menuitem', { name: topic.favourite }).click()
    const favourites = list.getByRole('region', { name: shell.favourites, exact: true })
    await favourites.getByRole('link', { name: 'General' }).waitFor()

    await topics.getByRole('button', { name: shell.topics, exact: true }).click()
    expect(await topics.getByRole('link').count(), 'collapsed').toBe(0)
    await ada.reload()
    await heading('General').waitFor()
    await eventually(() => topics.getByRole('link').count()).toBe(0)
    await topics.getByRole('button', { name: shell.topics, exact: true }).click()
    await topics.getByRole('link', { name: 'Spring release' }).waitFor()

    const setList = async (name: string, role: 'menuitemcheckbox' | 'menuitemradio') => {
      await topics.getByRole('button', { name: sections.more(shell.topics) }).click()
      await ada.getByRole(role, { name }).click()
      await ada.keyboard.press('Escape')
    }
    await setList(sections.unreadFirst, 'menuitemcheckbox')
    await benSays(release, 'In its place')
    await ada.getByRole('heading', { name: shell.unread(1) }).waitFor()
    expect(await topics.getByRole('link', { name: 'Spring release' }).count(), 'where it was').toBe(1)
    await setList(sections.unreadFirst, 'menuitemcheckbox')
    const unread = list.getByRole('region', { name: shell.unread(1) })
    await unread.getByRole('link', { name: 'Spring release' }).waitFor()
    await ada.getByRole('button', { name: shell.markAllRead }).click()
    await favourites.getByRole('link', { name: 'General' }).click({ button: 'right' })
    await ada.getByRole('menuitem', { name: topic.unfavourite }).click()
    await topics.getByRole('link', { name: 'General' }).waitFor()
  })

  test('has sections of her own: by menu, by dragging and by keys, on each of her pages', async () => {
    const list = ada.getByRole('navigation', { name: shell.sidebar })
    const section = (name: string) => list.getByRole('region', { name, exact: true })
    const names = (name: string) => section(name).getByRole('link').allInnerTexts()
    const other = await ada.context().newPage()
    await other.goto(`/t/${general}`)
    const elsewhere = other.getByRole('navigation', { name: shell.sidebar })

    await section(shell.topics).getByRole('link', { name: 'Spring release' }).click({ button: 'right' })
    await ada.getByRole('menuitem', { name: sections.moveTo }).click()
    const moving = ada.getByRole('dialog')
    await isForEverybody('move-topic')
    await moving.getByRole('button', { name: sections.create }).click()
    await ada.getByRole('dialog').getByRole('textbox').fill('Launch')
    await isForEverybody('new-section')
    await ada.getByRole('button', { name: sections.createAction }).click()
    await section('Launch').getByRole('link', { name: 'Spring release' }).waitFor()
    await elsewhere
      .getByRole('region', { name: 'Launch' })
      .getByRole('link', { name: 'Spring release' })
      .waitFor()

    await section(shell.topics).getByRole('link', { name: 'General' }).dragTo(section('Launch').locator('h2'))
    await eventually(() => names('Launch')).toEqual(['General', 'Spring release'])
    await section('Launch').getByRole('link', { name: 'General' }).focus()
    await ada.keyboard.press('Control+Shift+ArrowDown')
    await eventually(() => names('Launch')).toEqual(['Spring release', 'General'])
    await ada.getByText(sections.byHand('Launch')).waitFor()
    await section('Launch')
      .getByRole('link', { name: 'General' })
      .dragTo(section('Launch').getByRole('link', { name: 'Spring release' }), {
        targetPosition: { x: 40, y: 3 },
      })
    await eventually(() => names('Launch')).toEqual(['General', 'Spring release'])
    await section('Launch').getByRole('link', { name: 'General' }).focus()
    await ada.keyboard.press('m')
    await ada.getByRole('dialog').getByRole('button', { name: shell.topics, exact: true }).click()
    await section(shell.topics).getByRole('link', { name: 'General' }).waitFor()

    await section(shell.topics).getByRole('button', { name: shell.addTopic }).click()
    await ada.getByRole('menuitem', { name: sections.create }).click()
    await ada.getByRole('dialog').getByRole('textbox').fill('First')
    await ada.keyboard.press('Enter')
    const own = () => list.locator('[data-section-head] h2').allInnerTexts()
    await eventually(own).toEqual(['Launch', 'First'])
    await section('First')
      .locator('[data-section-head]')
      .dragTo(section('Launch').locator('h2'), { targetPosition: { x: 20, y: 2 } })
    await eventually(own).toEqual(['First', 'Launch'])
    await ada.reload()
    await eventually(own).toEqual(['First', 'Launch'])
    await isForEverybody('sections')

    await section('Launch')
      .getByRole('button', { name: sections.more('Launch') })
      .click()
    await ada.getByRole('menuitem', { name: sections.remove }).click()
    await section(shell.topics).getByRole('link', { name: 'Spring release' }).waitFor()
    await ada.getByRole('button', { name: kit.undo }).click()
    await section('Launch').getByRole('link', { name: 'Spring release' }).waitFor()
    await eventually(own).toEqual(['First', 'Launch'])
    for (const name of ['First', 'Launch']) {
      await section(name)
        .getByRole('button', { name: sections.more(name) })
        .click()
      await ada.getByRole('menuitem', { name: sections.remove }).click()
      await section(name).waitFor({ state: 'detached' })
    }
    await eventually(() => elsewhere.locator('[data-section-head]').count()).toBe(0)
    await other.close()
  })

  test('goes anywhere by its palette, with keys alone', async () => {
    await ada.keyboard.press('Control+k')
    const palette = ada.getByRole('dialog', { name: places.palette.title })
    await palette.getByRole('option').first().waitFor()
    await isForEverybody('palette')
    await ada.keyboard.type('spri')
    await palette.getByRole('option', { name: /Spring release/ }).waitFor()
    await ada.keyboard.press('Enter')
    await heading('Spring release').waitFor()
    await ada.keyboard.press('Control+k')
    await palette.getByRole('option').first().waitFor()
    await ada.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await heading('Spring release').focus()
    await ada.keyboard.press('?')
    await ada.getByRole('dialog', { name: places.keyList.title }).waitFor()
    await isForEverybody('keys')
    await ada.keyboard.press('Escape')
  })

  test('keeps what is typed before its palette has come', async () => {
    // This browser has no cache: the palette is loaded over the network.
    const visitor = await stage.visitor()
    await visitor.addCookies(await ada.context().cookies())
    const page = await visitor.newPage()
    let letCome = () => {}
    const mayCome = new Promise<void>((resolve) => {
      letCome = resolve
    })
    await page.route(/\/palette-[^/]+\.js$/, async (route) => {
      await mayCome
      await route.continue()
    })
    await page.goto(`/t/${general}`)
    const composer = page.getByRole('textbox', { name: composerTexts.en.message('General') })
    await composer.click()
    const asked = page.waitForRequest(/\/palette-[^/]+\.js$/)
    await page.keyboard.press('Control+k')
    await asked
    await page.keyboard.type('spr')
    letCome()
    const palette = page.getByRole('dialog', { name: places.palette.title })
    await palette.getByRole('option', { name: /Spring release/ }).waitFor()
    await page.keyboard.type('i')
    await eventually(() => palette.getByRole('combobox').inputValue()).toBe('spri')
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await composer.and(page.locator(':focus')).waitFor()
    expect(await composer.inputValue()).toBe('')
    await page.close()
  })

  test('searches messages by keyboard alone, and returns to the results', async () => {
    const { id } = await benSays(release, 'The <b>lanterns</b> are lit along the quay')
    await benSays(general, 'Nobody needs a lantern here')
    await ada.goto(`/t/${general}`)
    await heading('General').waitFor()
    await ada.keyboard.press('Control+k')
    const palette = ada.getByRole('dialog', { name: places.palette.title })
    await palette.getByRole('option').first().waitFor()
    await ada.keyboard.type('lanterns quay')
    await palette.getByRole('option', { name: search.searchFor('lanterns quay') }).waitFor()
    await ada.keyboard.press('Enter')
    await heading(search.title).waitFor()
    const field = ada.getByRole('combobox', { name: search.field })
    await eventually(() => field.inputValue()).toBe('lanterns quay')
    const results = ada.getByRole('list', { name: search.messages }).getByRole('button')
    // A message can be found a moment after it was sent; a reload searches again.
    await eventually(async () => {
      if ((await results.count()) === 0) await ada.reload()
      await ada.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      return results.count()
    }).toBe(1)
    expect(await results.first().locator('mark').allTextContents()).toEqual(['lanterns', 'quay'])
    expect(await results.first().innerText()).toContain('The <b>lanterns</b> are lit')
    await isForEverybody('search')

    await field.focus()
    const isReached = async () => (await results.first().and(ada.locator(':focus')).count()) === 1
    for (let presses = 0; presses < 20 && !(await isReached()); presses++) await ada.keyboard.press('Tab')
    expect(await isReached()).toBe(true)
    await ada.keyboard.press('Enter')
    await heading('Spring release').waitFor()
    expect(new URL(ada.url()).search).toBe(`?m=${id}`)
    await ada.goBack()
    await heading(search.title).waitFor()
    expect(await field.inputValue()).toBe('lanterns quay')
    await results.first().waitFor()
  })

  test('narrows a search, says what is wrong with it, and what can be typed', async () => {
    const field = ada.getByRole('combobox', { name: search.field })
    const results = ada.getByRole('list', { name: search.messages }).getByRole('button')
    await field.fill('lantern')
    await eventually(() => results.count()).toBe(2)
    await ada.getByRole('radio', { name: search.best }).click()
    await ada.waitForURL(/order=best/)
    await ada.getByRole('radio', { name: search.newest }).click()
    await ada.getByRole('button', { name: search.chips['in:'] }).click()
    await ada.keyboard.type('general')
    await ada.waitForURL((url) => url.searchParams.get('q') === 'lantern in:general')
    await eventually(() => results.count()).toBe(1)
    await field.fill('lantern has:nothing')
    await ada.getByRole('alert').filter({ hasText: 'has: takes' }).waitFor()
    await field.fill('lantern inn:general')
    await ada.getByRole('button', { name: search.instead('in') }).click()
    await eventually(() => results.count()).toBe(1)
    await field.fill('lantern du')
    await ada.getByRole('option', { name: 'during:' }).waitFor()
    await isForEverybody('search-completions')
    await field.press('ArrowDown')
    await field.press('Enter')
    await field.pressSequentially('tod')
    await field.press('ArrowDown')
    await field.press('Tab')
    await ada.waitForURL((url) => url.searchParams.get('q') === 'lantern during:today ')
    await eventually(() => results.count()).toBe(2)
    await field.fill('general')
    await ada.getByRole('radio', { name: search.kinds.topics }).click()
    await ada
      .getByRole('region', { name: search.kinds.topics })
      .getByRole('button', { name: 'General' })
      .click()
    await heading('General').waitFor()
    await ada.getByRole('button', { name: shell.searchHere }).click()
    await ada.getByRole('button', { name: search.everywhere }).waitFor()
    await field.fill('lantern')
    await eventually(() => results.count()).toBe(1)
    await ada.getByRole('button', { name: search.everywhere }).click()
    await eventually(() => results.count()).toBe(2)
    await field.fill('zeppelin')
    await ada.getByText(search.empty('zeppelin')).waitFor()
    await field.fill('spring')
    await ada.getByRole('region', { name: search.names }).getByRole('button').first().waitFor()
    await isForEverybody('search-names')
    await field.fill('')
    await ada.getByRole('region', { name: search.help.title }).waitFor()
    await isForEverybody('search-help')
    await ada.context().route('**/chat/search?*', (route) => route.abort())
    await field.fill('lantern')
    await ada.getByRole('alert').getByRole('button').waitFor()
    await ada.context().unroute('**/chat/search?*')
    await ada.getByRole('alert').getByRole('button').click()
    await eventually(() => results.count()).toBe(2)
    await ada.setViewportSize({ width: 360, height: 740 })
    expect(await ada.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await isForEverybody('search-narrow')
    await ada.setViewportSize({ width: 1280, height: 720 })
    await row('General').click()
    await heading('General').waitFor()
  })

  test('finds an open topic, looks into it and joins', async () => {
    await ada.getByRole('button', { name: shell.addTopic }).click()
    await ada.getByRole('menuitem', { name: shell.browseTopics }).click()
    const dialog = ada.getByRole('dialog', { name: details.browse.title })
    await dialog.getByText('Bike commuters').waitFor()
    await isForEverybody('browse')
    await dialog.getByRole('button', { name: `${details.browse.look}: Bike commuters` }).click()
    await heading('Bike commuters').waitFor()
    await ada.getByText(topic.instead.look).waitFor()
    expect(await ada.getByRole('main').getByRole('textbox').count()).toBe(0)
    await ada.getByRole('button', { name: topic.instead.join, exact: true }).click()
    await ada.getByRole('main').getByRole('textbox').first().waitFor()
    await row('Bike commuters').waitFor()
  })

  test('creates a topic with a bot in it, which is visibly one', async () => {
    await ada.getByRole('button', { name: shell.addTopic }).click()
    await ada.getByRole('menuitem', { name: shell.createTopic }).click()
    const dialog = ada.getByRole('dialog', { name: details.create.title })
    await dialog.getByLabel(details.name).fill('Announcements')
    await dialog.getByLabel(details.create.members).fill('Deploy')
    await ada.getByRole('option', { name: /Deploy bot/ }).click()
    await ada.keyboard.press('Escape')
    await dialog.getByText(details.create.botHint('Deploy bot')).waitFor()
    await dialog.getByLabel(reach.label).selectOption('commands')
    await isForEverybody('create')
    await dialog.getByRole('button', { name: details.create.action }).click()
    await heading('Announcements').waitFor()
    await ada.getByRole('button', { name: topic.details }).click()
    const pane = ada.getByRole('complementary', { name: topic.details })
    await pane.getByText(details.bots(1)).waitFor()
    await pane.getByText(reach.hears.commands).waitFor()
    await isForEverybody('details')
    await pane.getByRole('button', { name: details.memberMenu('Deploy bot') }).click()
    await ada.getByRole('menuitemradio', { name: reach.names.mentions }).click()
    await ada.keyboard.press('Escape')
    await pane.getByText(reach.hears.mentions).waitFor()
    await ada.keyboard.press('Escape')
    await pane.waitFor({ state: 'detached' })
    expect(new URL(ada.url()).search).toBe('')
  })

  test('mutes with a way back, which is in the way of nothing', async () => {
    await ada.getByRole('button', { name: topic.details }).click()
    const pane = ada.getByRole('complementary', { name: topic.details })
    await pane.waitFor()
    await ada.getByRole('main').getByRole('button', { name: topic.more, exact: true }).first().click()
    await ada.getByRole('menuitem', { name: topic.mute }).click()
    await ada.getByText(topic.muted('Announcements')).first().waitFor()
    await row('Announcements').getByText(shell.isMuted).waitFor()
    await ada.keyboard.press('Escape')
    await pane.waitFor({ state: 'detached' })
    await ada.getByRole('button', { name: kit.undo }).click()
    await row('Announcements').getByText(shell.isMuted).waitFor({ state: 'detached' })
  })

  test('starts a direct message', async () => {
    await ada.getByRole('button', { name: shell.newMessage }).click()
    const dialog = ada.getByRole('dialog', { name: details.direct.title })
    await dialog.getByLabel(details.direct.to).fill('Ben')
    await ada.getByRole('option', { name: /Ben Ito/ }).click()
    await ada.keyboard.press('Escape')
    await dialog.getByRole('button', { name: details.direct.action }).click()
    await heading('Ben Ito').waitFor()
  })

  test('says that a topic is not there, and leads back', async () => {
    await ada.goto('/t/00000000-0000-4000-8000-000000000000')
    await heading(shell.missing.title).waitFor()
    await isForEverybody('missing')
    await ada.getByRole('link', { name: shell.missing.home }).click()
    await heading('Ben Ito').waitFor()
  })

  test('has one column on a narrow page, and a way back', async () => {
    await ada.setViewportSize({ width: 360, height: 740 })
    await ada.goto(`/t/${release}`)
    await heading('Spring release').waitFor()
    expect(await ada.getByRole('button', { name: shell.goTo }).count()).toBe(0)
    await ada.getByRole('link', { name: shell.back }).click()
    await ada.getByRole('button', { name: shell.goTo }).waitFor()
    await isForEverybody('narrow')
    expect(await ada.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await ada.setViewportSize({ width: 1280, height: 800 })
  })

  test('says so when the session ends elsewhere', async () => {
    await ada.goto(`/t/${general}`)
    await heading('General').waitFor()
    await ask(ada.context(), stage.server.url, 'POST', '/people/sign-out')
    await eventually(() => ada.getByRole('heading', { level: 1 }).innerText()).toBe(
      nothingHere.en.ended.title,
    )
    await isForEverybody('ended')
    await ada.getByRole('link', { name: nothingHere.en.ended.signIn }).click()
    await ada.waitForURL((url) => url.pathname === '/sign-in')
  })
})
