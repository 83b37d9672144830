import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docs } from '../../web/src/texts/docs.ts'
import {
  BROWSER,
  faults,
  faultsInBothThemes,
  openStage,
  type Stage,
  takePicture,
} from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { IS_THOROUGH } from '../support/thorough.ts'

const t = docs.en

describe.skipIf(BROWSER === undefined)('the docs', () => {
  let stage: Stage
  let visitor: BrowserContext
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    stage = await openStage()
    visitor = await stage.visitor({ viewport: { width: 1440, height: 900 } })
    page = await visitor.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
  })
  afterAll(() => stage?.close())

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

  test('lead from their start to an operation by search and keys, with an example that can be copied', async () => {
    await visitor.grantPermissions(['clipboard-read', 'clipboard-write'])
    const answer = await page.goto('/docs')
    expect(answer?.headers()['content-security-policy']).not.toContain('unsafe')
    await heading(t.hero.title).waitFor()
    expect(await faultsInBothThemes(page, 'docs-start')).toEqual([])

    await page.keyboard.press('/')
    const field = page.getByRole('combobox', { name: t.searchLabel })
    await field.fill('send message')
    await page
      .getByRole('option', { name: /^POST Send a message/ })
      .first()
      .waitFor()
    expect(await faultsInBothThemes(page, 'docs-search')).toEqual([])
    await page.keyboard.press('Enter')
    await heading('Send a message, or files').waitFor()
    expect(new URL(page.url()).pathname).toBe('/docs/api/sendMessage')
    await page.getByText('message:send').first().waitFor()
    await page.getByText('topicId', { exact: true }).first().waitFor()
    expect(await faultsInBothThemes(page, 'docs-operation')).toEqual([])

    const example = page.getByRole('region', { name: t.example })
    for (const [language, words] of [
      ['curl', '/v2/messages'],
      ['TypeScript', 'parley.sendMessage('],
      ['Python', 'client.send_message('],
    ] as const) {
      await page.getByRole('radio', { name: language }).click()
      await example.getByRole('button', { name: new RegExp(t.copyExample) }).click()
      await example.getByText('Copied').waitFor()
      const copied = String(await page.evaluate('navigator.clipboard.readText()'))
      expect(copied).toContain(words)
      expect(copied).toContain(stage.server.url)
      expect(await example.locator('pre').innerText()).toBe(copied)
    }
    // The choice holds on the next page too, and after a reload.
    await page.goto('/docs/api/readTopic')
    await page.getByText('client.read_topic(').waitFor()
    await page.getByRole('radio', { name: t.credentials.oauth }).click()
    await page.getByText('PARLEY_CLIENT_SECRET').first().waitFor()
  })

  test('have guides whose links lead to guides, sections, operations and files', async () => {
    await page.goto('/docs/guides/bot-api')
    await heading('The bot API').waitFor()
    const article = page.getByRole('article')
    await article.getByRole('link', { name: 'Errors and limits', exact: true }).first().click()
    await heading('Errors and limits').waitFor()
    expect(await faultsInBothThemes(page, 'docs-guide')).toEqual([])
    await page.goBack()
    await article.getByRole('link', { name: 'Authentication', exact: true }).last().click()
    await page.waitForURL('**/docs/guides/authentication#two-functions-for-your-shell')
    const section = page.getByRole('heading', { name: /Two functions for your shell/ })
    await section.waitFor()
    await page.waitForFunction('window.scrollY > 300')

    await page.goto('/docs/guides/topics')
    await article.getByRole('link', { name: 'POST /v2/topics', exact: true }).click()
    await heading('Create a topic').waitFor()
    await page.getByRole('link', { name: t.guide }).click()
    await page.waitForURL(/\/docs\/guides\/topics#/)

    await page.goto('/docs/guides/events')
    await article.getByRole('link', { name: /echo-by-polling/ }).click()
    await heading('examples/echo-by-polling.mjs').waitFor()
    await page.locator('pre').getByText('import').first().waitFor()
    expect(await faults(page)).toEqual([])
    // Remarks for the tests do not appear in the guides.
    await page.goto('/docs/guides/sdk')
    await heading('The TypeScript library').waitFor()
    expect(await article.innerText()).not.toContain('not run by the tests')
  })

  test('keep the API of people apart, and tell events with what they hold', async () => {
    await page.goto('/docs/api')
    await heading(t.botApi).waitFor()
    expect(await page.locator('main').getByText('/people/').count()).toBe(0)
    await takePicture(page, 'docs-bot-api')
    await page.getByRole('link', { name: t.areas.people }).first().click()
    await heading(t.peopleApi).waitFor()
    expect(await page.locator('main').getByText('/v2/').count()).toBe(0)
    expect(await faults(page)).toEqual([])
    await page.goto('/docs/api/on-message-created')
    await page.getByRole('heading', { name: t.payload }).waitFor()
    expect(await faultsInBothThemes(page, 'docs-event')).toEqual([])
    await page.goto('/docs/api/nothing')
    await heading(t.notFound.title).waitFor()
  })

  test('fit a phone, and go through by keyboard', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const pages = ['/docs', '/docs/guides/authentication', '/docs/api/sendMessage', '/docs/api']
    for (const [index, path] of pages.entries()) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360])
      // The frame around them is the same: the gate looks at the page with most in it.
      if (IS_THOROUGH || path === '/docs/api/sendMessage')
        expect(await faultsInBothThemes(page, `docs-phone-${index}`)).toEqual([])
    }
    await page.getByRole('button', { name: t.menu }).press('Enter')
    const contents = page.getByRole('navigation', { name: t.contents })
    await contents.getByRole('link', { name: /Send a message, or files/ }).waitFor()
    expect(await faultsInBothThemes(page, 'docs-phone-menu')).toEqual([])
    await contents.getByRole('link', { name: /Send a message, or files/ }).press('Enter')
    await heading('Send a message, or files').waitFor()
  })

  test('have a German frame, without any complaint of the browser on all of these pages', async () => {
    await visitor.addCookies([{ name: 'parley_language', value: 'de', url: stage.server.url }])
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/docs')
    await heading(docs.de.hero.title).waitFor()
    expect(await faults(page)).toEqual([])
    await takePicture(page, 'docs-german')
    expect(complaints).toEqual([])
  })
})
