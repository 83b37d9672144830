import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AxeResults } from 'axe-core'
import pg from 'pg'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { inject } from 'vitest'
import { findRunningPostgres } from '../../server/postgres/embedded.ts'
import { table } from '../../web/src/texts/table.ts'
import { BROWSER, FLAGS, SMALL_BROWSER } from './chromium.ts'
import { fastFolder } from './fast-folder.ts'
import { kill, type ServerProcess, startServerProcess, stop } from './server-process.ts'
import { IS_THOROUGH } from './thorough.ts'

/** The folder for pictures of each view; without it none are taken. */
const PICTURES = process.env.SCREENSHOTS

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
if (BROWSER === undefined) console.warn('There is no Chromium here: the tests of pages are skipped.')

export { BROWSER, FLAGS } from './chromium.ts'

/** A browser, and a server as people run it, on new data. */
export type Stage = {
  browser: Browser
  server: ServerProcess
  /** The link that the server printed for the first run. */
  setupLink: string
  /**
   * A new browser of a person; its paths are relative to the server's address. It has no service worker unless that is asked for: the
   * worker loads all files of the chat at once.
   */
  visitor(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Stops the server; it can come back at the same address. */
  stopServer(): Promise<void>
  startServer(changes?: Record<string, string>): Promise<void>
  /** Changes what no request can change, such as how long ago something happened. */
  query(statement: string): Promise<void>
  close(): Promise<void>
}

const launch = (path = '', flags: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: path, args: [...FLAGS, ...flags] })

let shared: Browser | undefined
/**
 * The browser of all files of this worker, which ends with it: each visitor has a profile of their own anyway. One that crashed is
 * replaced.
 */
async function sharedBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await launch(SMALL_BROWSER ?? BROWSER)
  return shared
}

/** Lets a visitor have the service worker: for tests of it, and of outages, in which it answers. */
export const WITH_SERVICE_WORKER = { serviceWorkers: 'allow' } as const

/** A stage with `flags`, even an empty list, gets its own complete browser. */
export async function openStage(
  environment: Record<string, string> = {},
  flags?: readonly string[],
): Promise<Stage> {
  if (BROWSER === undefined) throw new Error('no browser')
  const dataDir = await fastFolder('parley-pages-')
  // The copy keeps the owners of files. Prepared data cannot be read with another SECRET_KEY.
  if (!environment.SECRET_KEY) await promisify(execFile)('cp', ['-a', `${inject('newData')}/.`, dataDir])
  const settings = {
    DATA_DIR: dataDir,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOWED_ORGANIZATIONS: 'all',
    ...environment,
  }
  const server = await startServerProcess(settings)
  const stopServer = async () => {
    await stop(stage.server.process).catch(() => kill(stage.server.process))
  }
  const browser = await (flags ? launch(BROWSER, flags) : sharedBrowser())
  const visitors: BrowserContext[] = []
  const stage: Stage = {
    browser,
    server,
    setupLink: /http\S+\/setup#\S+/.exec(server.output())?.[0] ?? '',
    async visitor(options) {
      const visitor = await browser.newContext({
        baseURL: server.url,
        locale: 'en-US',
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        ...options,
      })
      visitors.push(visitor)
      return visitor
    },
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
      await Promise.all(visitors.map((visitor) => visitor.close()))
      if (flags) await browser.close()
      await stopServer()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return stage
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Calls the people's API with the cookies of this visitor, as its pages do. */
export async function ask(
  visitor: BrowserContext,
  url: string,
  method: Method,
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

export const PASSWORD = 'four plain words here'

/** Two people with their own browsers in one organization: Ada, who set it up, and Ben, whom she invited. */
export type Team = {
  ada: BrowserContext
  ben: BrowserContext
  adaId: string
  benId: string
  organizationId: string
  /** The path of the organization in the people's API. */
  at: string
  /** The topic of all members. */
  general: string
  bot: { id: string; apiKey: string; apiSecret: string }
  /** Calls a path below `chat/` of the organization. */
  chat(who: BrowserContext, method: Method, path: string, data?: unknown): Promise<Record<string, unknown>>
}

const NAMES = { organization: 'Lighthouse Labs', ada: 'Ada Okafor', ben: 'Ben Ito', bot: 'Deploy bot' }
/** Names that are written from the right: `faults` sees each that is shown outside of a `<bdi>`. */
export const FROM_THE_RIGHT: typeof NAMES = {
  organization: 'מגדלור (Lighthouse)',
  ada: 'עדה (Ada)',
  ben: 'בן (Ben)',
  bot: 'בוט (Deploy)',
}

export async function openTeam(stage: Stage, look: BrowserContextOptions = {}, names = NAMES): Promise<Team> {
  const { url } = stage.server
  const ada = await stage.visitor(look)
  const ben = await stage.visitor(look)
  const made = await ask(ada, url, 'POST', '/people/setup', {
    token: stage.setupLink.split('#')[1],
    organizationName: names.organization,
    adminName: names.ada,
    adminEmail: 'ada@example.com',
    password: PASSWORD,
    botName: names.bot,
  })
  const at = `/people/organizations/${made.organizationId}`
  const invited = await ask(ada, url, 'POST', `${at}/members`, { email: 'ben@example.com', name: names.ben })
  const link = await ask(ada, url, 'POST', `${at}/members/${invited.id}/invitation-link`)
  const token = String(link.url).split('#')[1]
  await ask(ben, url, 'POST', '/people/invitations/accept', { token, name: names.ben, password: PASSWORD })
  const { me } = await ask(ada, url, 'GET', `${at}/chat/start`)
  return {
    ada,
    ben,
    adaId: String(Object(me).id),
    benId: String(invited.id),
    organizationId: String(made.organizationId),
    at,
    general: String(made.topicId),
    bot: Object(made.bot),
    chat: (who, method, path, data) => ask(who, stage.server.url, method, `${at}/chat/${path}`, data),
  }
}

/**
 * Waits until the page would let a person leave without asking. The page then takes a step back in its own history,
 * which would abort a visit that began before.
 */
export async function mayBeLeft(page: Page): Promise<void> {
  await page.waitForFunction('history.state?.isExtra !== true')
}

/** Opens the menu of a row in a table of the console, and chooses from it. */
export async function chooseInRow(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: table.en.actionsOf(name), exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** Saves a picture for a person to look at, if SCREENSHOTS is set. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true })
}

/** Menus pass the focus on through a guard element that never keeps it; axe takes it for a hidden one. */
const FOCUS_GUARD = 'data-base-ui-focus-guard'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules that depend on colours: a page that is the same in the dark is looked at again by these alone. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

const THEMES = ['dark', 'light'] as const
type Theme = (typeof THEMES)[number]

/** Whether views are looked at in every theme and size: by the nightly run, and by one that takes pictures. */
const IN_EVERY_LOOK = IS_THOROUGH || PICTURES !== undefined

/**
 * Accessibility faults of the page as it is now. The gate looks at it in the light, and at whole views in the dark in `tour` and `states`. The
 * nightly run looks at it in both themes. Takes pictures.
 */
export const faultsInBothThemes = (page: Page, name: string): Promise<string[]> =>
  faultsInThemes(page, name, IN_EVERY_LOOK ? THEMES : ['light'])

async function faultsInThemes(page: Page, name: string, themes: readonly Theme[]): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    await takePicture(page, `${name}-${colorScheme}`)
    const rules = colorScheme === 'dark' ? OF_COLOURS : undefined
    found.push(...(await faults(page, rules)).map((fault) => `${name}, ${colorScheme}: ${fault}`))
  }
  return found
}

/** Changes the size of the window, and waits until the page has drawn itself for it. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

const SIZES = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 740 } }

/**
 * Finds faults in wide and narrow windows. Scrolling sideways is a fault too. The gate looks at the wide page in the light, and at the narrow one
 * in `narrowThemes`; the nightly run looks at both in both.
 */
export async function faultsInEveryLook(
  page: Page,
  name: string,
  narrowThemes: readonly Theme[] = [],
): Promise<string[]> {
  const found: string[] = []
  for (const [size, { width, height }] of Object.entries(SIZES)) {
    await resize(page, width, height)
    const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    if (isTooWide) found.push(`${name}-${size} scrolls sideways`)
    const gateThemes = size === 'wide' ? (['light'] as const) : narrowThemes
    found.push(...(await faultsInThemes(page, `${name}-${size}`, IN_EVERY_LOOK ? THEMES : gateThemes)))
  }
  await page.setViewportSize(SIZES.wide)
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

/**
 * Texts written from the right that could turn the words around them: those in no `<bdi>` and nothing else that finds its
 * own direction.
 */
const LOOSE_NAMES = `(() => {
  const found = new Set()
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const findsItsDirection = (element) =>
    element !== null && (element.matches('bdi, [dir=auto], script, style') ||
      getComputedStyle(element).unicodeBidi === 'plaintext' || findsItsDirection(element.parentElement))
  while (walk.nextNode()) {
    const { parentElement, data } = walk.currentNode
    if (/[\\u0590-\\u08ff]/.test(data) && !findsItsDirection(parentElement)) found.add(parentElement.outerHTML.slice(0, 200))
  }
  return [...found]
})()`

/** Accessibility faults of the page as it is now, by the rules of axe, or by these alone. */
export async function faults(page: Page, rules?: readonly string[]): Promise<string[]> {
  // `evaluate` injects axe, because the page's policy would block it as a script.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await axeSource)
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: TAGS }
  const [violations, loose]: [AxeResults['violations'], string[]] = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })
      .then(({ violations }) => [violations, ${LOOSE_NAMES}])`,
  )
  const broken = violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => ({ id, nodes: nodes.filter(({ html }) => !html.includes(FOCUS_GUARD)) }))
    .filter(({ nodes }) => nodes.length > 0)
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  return [...broken, ...loose.map((html) => `a name without bdi: ${html}`)]
}
