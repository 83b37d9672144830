import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import pg from 'pg'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { findRunningPostgres } from '../../server/postgres/embedded.ts'
import { kit } from '../../web/src/texts/kit.ts'
import { kill, type ServerProcess, startServerProcess, stop } from './server-process.ts'

/** Where pictures of each view go; without it none are taken. */
const PICTURES = process.env.SCREENSHOTS

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A Chromium of this machine; undefined where there is none, and the tests of pages are skipped. */
export const BROWSER = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))
if (BROWSER === undefined) console.warn('There is no Chromium here: the tests of pages are skipped.')

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** A browser, and a server as people run it, on data of its own. */
export type Stage = {
  browser: Browser
  server: ServerProcess
  /** What the server printed for the first run. */
  setupLink: string
  /** A person's own browser; the address of the server is the base of its paths. */
  visitor(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Takes the server away, and brings it back at the same address. */
  stopServer(): Promise<void>
  startServer(changes?: Record<string, string>): Promise<void>
  /** Changes what the server cannot be asked to change, such as how long ago something happened. */
  query(statement: string): Promise<void>
  close(): Promise<void>
}

export async function openStage(
  environment: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Stage> {
  if (BROWSER === undefined) throw new Error('no browser')
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-pages-'))
  const settings = { DATA_DIR: dataDir, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', ...environment }
  const server = await startServerProcess(settings)
  const stopServer = async () => {
    await stop(stage.server.process).catch(() => kill(stage.server.process))
  }
  const browser = await chromium.launch({ executablePath: BROWSER, args: [...FLAGS, ...flags] })
  const stage: Stage = {
    browser,
    server,
    setupLink: /http\S+\/setup#\S+/.exec(server.output())?.[0] ?? '',
    visitor: (options) => browser.newContext({ baseURL: server.url, locale: 'en-US', ...options }),
    stopServer,
    async startServer(changes = {}) {
      const again = { ...settings, ...changes, PORT: new URL(server.url).port }
      stage.server = await startServerProcess(again)
    },
    async query(statement) {
      const client = new pg.Client(await findRunningPostgres(dataDir))
      await client.connect()
      await client.query(statement).finally(() => client.end())
    },
    async close() {
      await browser.close()
      await stopServer()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return stage
}

/** Calls the people's API with the cookies of this visitor, as its pages do. */
export async function ask(
  visitor: BrowserContext,
  url: string,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  data?: unknown,
): Promise<Record<string, unknown>> {
  const response = await visitor.request.fetch(`${url}${path}`, {
    method,
    headers: { Origin: url },
    ...(data !== undefined && { data }),
  })
  const text = await response.text()
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}

/**
 * Waits until nothing is left that would ask before somebody leaves. The page then takes a step back in its own history, which
 * would break off a visit that began meanwhile.
 */
export async function mayBeLeft(page: Page): Promise<void> {
  await page.waitForFunction('history.state?.isExtra !== true')
}

/** Opens the menu of a row in a table of the console, and chooses from it. */
export async function chooseInRow(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: kit.en.table.actionsOf(name), exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** For a person to look at, where they were asked for. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
}

/** Menus hand the focus on with an element that nobody stays on; axe takes it for one that hides. */
const FOCUS_GUARD = 'data-base-ui-focus-guard'

/** What keeps somebody from using the page as it is now, by the rules of axe. */
export async function faults(page: Page): Promise<string[]> {
  // Not as a script of the page, which its policy would stop.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await readFile(AXE, 'utf8'))
  const rules = JSON.stringify(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
  const { violations }: AxeResults = await page.evaluate(`axe.run(document, { runOnly: ${rules} })`)
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ html }) => !html.includes(FOCUS_GUARD)) }))
    .filter(({ nodes }) => nodes.length > 0)
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
