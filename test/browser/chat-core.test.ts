import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, BROWSER, openStage, type Stage, WITH_SERVICE_WORKER } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const PASSWORD = 'four plain words here'

/** Run in the page. */
const READ_KEPT = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('parley-chat')
  opening.onerror = () => reject(opening.error)
  opening.onsuccess = () => {
    const transaction = opening.result.transaction(['parts', 'outbox'])
    const reads = ['parts', 'outbox'].map((name) => [name, transaction.objectStore(name).getAllKeys()])
    transaction.oncomplete = () => {
      opening.result.close()
      resolve(reads.flatMap(([name, { result }]) => result.filter(Array.isArray).map((key) => name + ' ' + key[2])))
    }
  }
})`

/**
 * Tests of parts that exist only in a browser: the shared worker, IndexedDB, uploads. Each test goes on where the one
 * before ended.
 */
describe.skipIf(BROWSER === undefined)("the chat's core in a browser", () => {
  let stage: Stage
  let visitor: BrowserContext
  let tab: Page
  let organizationId: string
  let topicId: string

  beforeAll(async () => {
    stage = await openStage()
    visitor = await stage.visitor(WITH_SERVICE_WORKER)
    const token = decodeURIComponent(new URL(stage.setupLink).hash.slice(1))
    const made = await ask(visitor, stage.server.url, 'POST', '/people/setup', {
      token,
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Hello bot',
    })
    organizationId = String(made.organizationId)
    topicId = String(made.topicId)
    tab = await openTab()
  })
  afterAll(() => stage?.close())

  const chat = (method: 'GET' | 'POST', path: string, data?: unknown) =>
    ask(visitor, stage.server.url, method, `/people/organizations/${organizationId}/chat/${path}`, data)

  async function openTab(): Promise<Page> {
    const page = await visitor.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${stage.server.url}/t/${topicId}`)
    await page.getByRole('main').getByRole('textbox').first().waitFor()
    return page
  }
  const write = async (page: Page, text: string) => {
    await page.getByRole('main').getByRole('textbox').first().fill(text)
    await page.keyboard.press('Enter')
  }
  const sees = (page: Page, text: string) =>
    page.getByRole('main').getByText(text, { exact: true }).first().waitFor()
  const said = async (text: string) => {
    const { messages } = Object(await chat('GET', `topics/${topicId}/history`))
    return messages.filter((message: { text: string }) => message.text === text).length
  }
  /** Names of kept entries, with their store. */
  const kept = (page: Page): Promise<string[]> => page.evaluate(READ_KEPT)
  const waitingToGo = async () => (await kept(tab)).filter((name) => name.startsWith('outbox')).length

  test('leaves nothing of a sent message in the field, however early the page is loaded again', async () => {
    const field = () => tab.getByRole('main').getByRole('textbox').first()
    for (const words of ['First words', 'Further words']) {
      const told = tab.waitForResponse((response) => response.url().endsWith('/drafts'))
      await field().pressSequentially(words)
      await told
      await field().pressSequentially(', sent')
      await tab.keyboard.press('Enter')
      await tab.reload()
      await sees(tab, `${words}, sent`)
      expect(await field().inputValue()).toBe('')
    }
    await eventually(async () => (await chat('GET', 'start')).drafts).toEqual([])
  })

  test('shows in one tab what is sent in another, over a shared worker', async () => {
    const other = await openTab()
    await write(tab, 'Hello from one tab')
    await sees(tab, 'Hello from one tab')
    await sees(other, 'Hello from one tab')
    await eventually(() => said('Hello from one tab')).toBe(1)
    await other.close()
  })

  test('keeps what it shows, and starts with that', async () => {
    await eventually(async () => (await kept(tab)).sort()).toEqual([
      `parts conversation ${topicId}`,
      'parts head',
      'parts members',
      'parts topics',
    ])
    const later = await visitor.newPage()
    await later.route('**/history*', (route) => route.abort())
    await later.goto(`${stage.server.url}/t/${topicId}`)
    await sees(later, 'Hello from one tab')
    await later.close()
  })

  test('sends once what was written while the server was away, also after a reload', async () => {
    await stage.stopServer()
    await write(tab, 'Written in the dark')
    await sees(tab, 'Written in the dark')
    await eventually(waitingToGo).toBe(1)
    await tab.close()
    await stage.startServer()
    tab = await openTab()
    await sees(tab, 'Written in the dark')
    await eventually(() => said('Written in the dark')).toBe(1)
    await eventually(waitingToGo).toBe(0)
    expect(await tab.getByRole('main').getByText('Written in the dark', { exact: true }).count()).toBe(1)
  })

  test('uploads a file from the tab', async () => {
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Some notes') }
    await tab.locator('input[type=file]').first().setInputFiles(file)
    await write(tab, 'With a file')
    await eventually(() => said('With a file')).toBe(1)
    await eventually(waitingToGo).toBe(0)
  })

  test('keeps nothing of who signs out', async () => {
    await tab.getByRole('button', { name: /Your account/ }).click()
    await tab.getByRole('menuitem', { name: 'Sign out' }).click()
    await tab.waitForURL('**/sign-in')
    await eventually(() => kept(tab)).toEqual([])
    expect(
      await tab.evaluate('Object.keys(localStorage).filter((name) => name.includes("emptiedDrafts"))'),
    ).toEqual([])
  })
})
