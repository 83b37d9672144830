import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { kill, type ServerProcess, startServerProcess, stop } from './server-process.ts'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A Chromium of this machine; undefined where there is none, and the tests of pages are skipped. */
export const BROWSER = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))
if (BROWSER === undefined) console.warn('There is no Chromium here: the tests of pages are skipped.')

const FLAGS = [
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
  close(): Promise<void>
}

export async function openStage(environment: Record<string, string> = {}): Promise<Stage> {
  if (BROWSER === undefined) throw new Error('no browser')
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-pages-'))
  const server = await startServerProcess({
    DATA_DIR: dataDir,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...environment,
  })
  const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS })
  return {
    browser,
    server,
    setupLink: /http\S+\/setup#\S+/.exec(server.output())?.[0] ?? '',
    visitor: (options) => browser.newContext({ baseURL: server.url, locale: 'en-US', ...options }),
    async close() {
      await browser.close()
      await stop(server.process).catch(() => kill(server.process))
      await rm(dataDir, { recursive: true, force: true })
    },
  }
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
