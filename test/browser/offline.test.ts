import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { common } from '../../web/src/texts/common.ts'
import { shareTexts } from '../../web/src/texts/share.ts'
import { shell as shellTexts } from '../../web/src/texts/shell.ts'
import {
  BROWSER,
  faultsInBothThemes,
  openStage,
  openTeam,
  type Stage,
  type Team,
  WITH_SERVICE_WORKER,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { openNewBuild } from '../support/new-build.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { PNG } from '../support/samples.ts'

const [composer, share, shell] = [composerTexts.en, shareTexts.en, shellTexts.en]

/** The chat's page is kept after all of its files. */
const IS_SHELL_KEPT = `caches.match('/').then((page) => page !== undefined)`
/** Keys of people's data in this browser: none but the mark of the last deletion. */
const KEPT_OF_PEOPLE = `new Promise((resolve) => {
  const opening = indexedDB.open('parley-chat')
  opening.onsuccess = () => {
    const reading = opening.result.transaction(['parts', 'outbox'])
    const asked = ['parts', 'outbox'].map((name) => reading.objectStore(name).getAllKeys())
    reading.oncomplete = () => {
      opening.result.close()
      const kept = asked.flatMap(({ result }) => result).filter((key) => key !== 'generation')
      resolve([...kept.map(String), ...Object.keys(localStorage).filter((key) => key === 'parley.session')])
    }
  }
})`
const CACHED = `caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name))))
  .then((all) => Promise.all(all.map((one) => one.keys())))
  .then((all) => [...new Set(all.flat().map(({ url }) => new URL(url).pathname.replace(/[^/]+$/, '')))].sort())`

/** Each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('the app without a network', () => {
  let stage: Stage
  let team: Team
  let topicId: string
  let phone: BrowserContext

  beforeAll(async () => {
    stage = await openStage()
    team = await openTeam(stage)
    const members = [team.benId]
    topicId = String((await team.chat(team.ada, 'POST', 'topics', { name: 'Harbour', members })).id)
    await team.chat(team.ben, 'POST', 'messages', { topicId, text: 'The pier is open again' })
    phone = await stage.visitor({ ...WITH_SERVICE_WORKER, viewport: { width: 360, height: 740 } })
    await phone.addCookies(await team.ada.cookies())
  })
  afterAll(() => stage?.close())

  const open = async (visitor: BrowserContext, path: string): Promise<Page> => {
    const page = await visitor.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(path)
    return page
  }
  const row = (page: Page, text: string): Locator =>
    page.getByRole('log').getByRole('article').filter({ hasText: text })
  const said = async (): Promise<string[]> => {
    const { messages } = await team.chat(team.ben, 'GET', `topics/${topicId}/history`)
    return (messages as { text: string }[]).map(({ text }) => text)
  }
  const write = async (page: Page, text: string) => {
    await page.getByRole('textbox').fill(text)
    await page.getByRole('textbox').press('Enter')
    await row(page, text).waitFor()
  }

  test('starts with what was there, takes what is written, and sends it once and in order', async () => {
    const stranger = await stage.visitor({ ...WITH_SERVICE_WORKER, locale: 'de-DE' })
    const entrance = await open(stranger, '/sign-in')
    const first = await open(phone, `/t/${topicId}`)
    await row(first, 'The pier is open again').waitFor()
    for (const page of [entrance, first]) await eventually(() => page.evaluate(IS_SHELL_KEPT)).toBe(true)
    await eventually(() => first.evaluate(KEPT_OF_PEOPLE)).toContainEqual(
      expect.stringContaining(`conversation ${topicId}`),
    )
    for (const page of [entrance, first]) await page.close()
    await stage.stopServer()

    const nobody = await open(stranger, '/')
    await nobody.getByText(common.de.unreachable).waitFor()
    expect(await faultsInBothThemes(nobody, 'offline-nobody')).toEqual([])

    const page = await open(phone, `/t/${topicId}`)
    await row(page, 'The pier is open again').waitFor()
    await page.getByText(shell.offline.lead).waitFor()
    await expect(page.getByText(common.en.noConnection).count()).resolves.toBe(0)
    for (const text of ['One from the ferry', 'Two from the ferry']) await write(page, text)
    expect(await faultsInBothThemes(page, 'offline-topic')).toEqual([])
    // Waiting messages are still there at the next start.
    await page.close()
    const again = await open(phone, '/')
    await again.getByRole('link', { name: 'Harbour' }).waitFor()
    expect(await faultsInBothThemes(again, 'offline-list')).toEqual([])
    await again.getByRole('link', { name: 'Harbour' }).click()
    await row(again, 'Two from the ferry').waitFor()
    await write(again, 'Three from the ferry')

    await stage.startServer()
    await again.getByText(shell.offline.lead).waitFor({ state: 'detached' })
    await eventually(said).toEqual([
      'The pier is open again',
      ...['One', 'Two', 'Three'].map((count) => `${count} from the ferry`),
    ])
    await nobody.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
    await again.close()
    await stranger.close()
  })

  test('takes a new build over, and leaves its own to pages that are open', async () => {
    const front = await openNewBuild(stage.server.url)
    const visitor = await stage.visitor({ ...WITH_SERVICE_WORKER, baseURL: front.url })
    const cookies = await team.ada.cookies()
    await visitor.addCookies(cookies.map(({ name, value }) => ({ name, value, url: front.url })))
    const buildOf = (page: Page) => page.evaluate(`document.querySelector('meta[name=parley-build]').content`)
    const shells = (page: Page) =>
      page.evaluate(`caches.keys().then((names) => names.map((name) => name.replace('parley-shell ', '')))`)
    const former = await open(visitor, `/t/${topicId}`)
    await row(former, 'The pier is open again').waitFor()
    const build = String(await buildOf(former))
    await eventually(() => former.evaluate(IS_SHELL_KEPT)).toBe(true)
    expect(await shells(former)).toEqual([build])

    front.takeOver()
    const second = await open(visitor, `/t/${topicId}`)
    await row(second, 'The pier is open again').waitFor()
    expect(await buildOf(second)).toBe(build)
    await eventually(() => second.evaluate(`caches.has('parley-shell ${build}b')`)).toBe(true)
    await eventually(async () => {
      const next = await open(visitor, `/t/${topicId}`)
      const found = await buildOf(next)
      await next.close()
      return found
    }).toBe(`${build}b`)

    // This cache alone has the scripts that the old page has not loaded yet.
    await former.keyboard.press('Control+k')
    await former.getByRole('dialog').getByRole('combobox').waitFor()
    await former.keyboard.press('Escape')
    await second.close()

    // The page reloads once if the kept script is gone.
    let loads = 0
    former.on('load', () => {
      loads += 1
    })
    await former.evaluate(
      `history.pushState(null, '', '/console/${team.organizationId}'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await eventually(async () => loads).toBe(1)
    await former.getByRole('heading', { level: 1 }).waitFor()
    expect([await buildOf(former), loads]).toEqual([`${build}b`, 1])
    await former.goto(`/t/${topicId}`)
    await row(former, 'The pier is open again').waitFor()
    await eventually(() => shells(former)).toEqual([`${build}b`])
    await visitor.close()
    await front.close()
  })

  test('asks where to send what another app shares, and puts it into the composer there', async () => {
    const yard = '5b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11'
    await stage.query(`
      insert into organizations (org_id, name, created_at, updated_at) values ('${yard}', 'Boatyard', 1, 1);
      insert into organization_logs (org_id) values ('${yard}');
      insert into profiles (org_id, id, kind, name, status, account_id, created_at, updated_at)
        select '${yard}', '${yard}', 'user', name, status, account_id, 1, 1 from profiles where id = '${team.adaId}'`)
    const page = await open(phone, '/')
    await page.getByRole('link', { name: 'Harbour' }).waitFor()
    // Submits the form as the system does for an installed app.
    await page.evaluate(`{
      const form = Object.assign(document.createElement('form'), { action: '/share', method: 'post', enctype: 'multipart/form-data' })
      for (const [name, value] of Object.entries({ title: 'Tides', text: 'Tides of the week', url: 'https://tides.example/' }))
        form.append(Object.assign(document.createElement('input'), { name, value }))
      const files = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true })
      const chosen = new DataTransfer()
      for (const name of ['pier.png', 'boat.png'])
        chosen.items.add(new File([Uint8Array.from(${JSON.stringify([...PNG])})], name, { type: 'image/png' }))
      files.files = chosen.files
      form.append(files)
      document.body.append(form)
      form.submit()
    }`)
    const dialog = page.getByRole('dialog', { name: share.title })
    await dialog.getByText('Tides of the week').waitFor()
    // A person in several organizations chooses one of them.
    for (const [name, id] of [
      ['Boatyard', yard],
      ['Lighthouse Labs', team.organizationId],
    ] as const) {
      await dialog.getByLabel(share.organization).selectOption({ label: name })
      await page.waitForURL(`**/o/${id}?shared`)
      await dialog.getByText('Tides of the week').waitFor()
    }
    expect(await faultsInBothThemes(page, 'share-chooser')).toEqual([])
    await dialog.getByRole('button', { name: composer.removeFile('boat.png') }).click()
    await dialog.getByRole('combobox', { name: share.to, exact: true }).fill('Harb')
    await page.getByRole('option', { name: 'Harbour' }).click()
    await dialog.getByRole('button', { name: share.act }).click()
    await page.waitForURL(`**/t/${topicId}`)
    await page.getByRole('list', { name: composer.files }).getByText('pier.png').waitFor()
    const field = page.getByRole('textbox')
    expect(await field.inputValue()).toBe('Tides of the week\nhttps://tides.example/')
    expect(await faultsInBothThemes(page, 'share-draft')).toEqual([])
    expect(await page.evaluate(`caches.has('parley-shared')`)).toBe(false)
    await page.getByRole('button', { name: composer.send, exact: true }).click()
    await eventually(said).toContain('Tides of the week\nhttps://tides.example/')
    await page.close()
  })

  test('says so when something is shared before it is ready for it', async () => {
    const visitor = await stage.visitor()
    await visitor.addCookies(await team.ada.cookies())
    const page = await open(visitor, `/t/${topicId}`)
    await page.evaluate(`{
      const form = Object.assign(document.createElement('form'), { action: '/share', method: 'post', enctype: 'multipart/form-data' })
      form.append(Object.assign(document.createElement('input'), { name: 'text', value: 'Tides' }))
      document.body.append(form)
      form.submit()
    }`)
    await page.getByText(share.lost).waitFor()
    await eventually(async () => new URL(page.url()).search).toBe('')
    await visitor.close()
  })

  test('leaves nothing of who signs out, and nothing but its own files in caches', async () => {
    const page = await open(phone, `/t/${topicId}`)
    await row(page, 'The pier is open again').waitFor()
    expect(await page.evaluate(CACHED)).toEqual(['/', '/assets/'])
    await page.goto(`/o/${team.organizationId}`)
    await page.locator('button[aria-haspopup=menu]', { hasText: shell.youTab }).click()
    await page.getByRole('menuitem', { name: common.en.signOut }).click()
    await page.waitForURL('**/sign-in*')
    await eventually(() => page.evaluate(KEPT_OF_PEOPLE)).toEqual([])
    await stage.stopServer()
    await page.goto(`/t/${topicId}`)
    await page.getByText(common.en.unreachable).waitFor()
    expect(await page.getByRole('article').count()).toBe(0)
    await stage.startServer()
    await page.close()
  })

  test('signs out while the server is away, and tells it once it is back', async () => {
    const visitor = await stage.visitor(WITH_SERVICE_WORKER)
    await visitor.addCookies(await team.ben.cookies())
    const page = await open(visitor, `/t/${topicId}`)
    await row(page, 'The pier is open again').waitFor()
    await eventually(() => page.evaluate(IS_SHELL_KEPT)).toBe(true)
    await page.locator('button[aria-haspopup=menu]', { hasText: 'Ben' }).waitFor()
    await stage.stopServer()
    await page.getByText(shell.offline.lead).waitFor()
    await page.locator('button[aria-haspopup=menu]', { hasText: 'Ben' }).click()
    await page.getByRole('menuitem', { name: common.en.signOut }).click()
    await page.waitForURL('**/sign-in*')
    await eventually(() => page.evaluate(KEPT_OF_PEOPLE)).toEqual([])
    await page.goto(`/t/${topicId}`)
    await page.getByText(common.en.unreachable).waitFor()
    expect(await page.getByRole('article').count()).toBe(0)
    await stage.startServer()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    const session = await visitor.request.get(`${stage.server.url}/people/session`)
    expect((await session.json()).account).toBe(null)
    await visitor.close()
  })
})
