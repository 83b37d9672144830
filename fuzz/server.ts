import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServerProcess, stop } from '../test/support/server-process.ts'
import { chooseSignOn, type SignOnProvider } from './sign-on.ts'
import { CHECK, checkTexts } from './text-checks.ts'

/** A server as people run it, with all that it speaks to, on loopback and in a temporary folder. */
export type FuzzedServer = {
  url: string
  dataDir: string
  /** A receiver of webhooks that accepts everything. */
  receiverUrl: string
  signOn: SignOnProvider
  /** Serves a page once, at a new address that previews may fetch. */
  servePage(html: string): { address: string; fetched: Promise<void> }
  output(): string
  /** The peak memory; NaN if there is no /proc. */
  peakMegabytes(): Promise<number>
  end(): Promise<void>
}

/** Limits by the minute are off: this is about what requests do, and most of them would be refused. */
const SETTINGS = {
  LOG_LEVEL: 'warn',
  AGENT_SIGNUP: 'on',
  ORG_UNIT_CHANGES_PER_MINUTE: '0',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOK_ALLOWED_ORGANIZATIONS: 'all',
  LINK_PREVIEW_NETWORKS: '127.0.0.0/8',
  TRUST_PROXY: '127.0.0.1',
}

export async function startFuzzedServer(seed: number): Promise<FuzzedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-fuzz-'))
  const dataDir = join(folder, 'data')
  const pages = new Map<string, { html: string; tell(): void }>()
  const receiver = createServer((request, response) => {
    const page = pages.get(request.url ?? '')
    if (request.url === CHECK) return void checkTexts(request, response)
    if (!page) return request.resume().on('end', () => response.end())
    response.on('close', page.tell).setHeader('Content-Type', 'text/html; charset=utf-8').end(page.html)
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const signOn = await chooseSignOn(seed, folder)
  const server = await startServerProcess({ ...SETTINGS, ...signOn.settings, DATA_DIR: dataDir })
  const { port } = receiver.address() as AddressInfo
  return {
    url: server.url,
    dataDir,
    receiverUrl: `http://127.0.0.1:${port}/`,
    signOn,
    servePage(html) {
      const path = `/pages/${pages.size}`
      const fetched = new Promise<void>((tell) => pages.set(path, { html, tell }))
      return { address: `http://127.0.0.1:${port}${path}`, fetched }
    },
    output: server.output,
    async peakMegabytes() {
      const status = await readFile(`/proc/${server.process.pid}/status`, 'utf8').catch(() => '')
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
    },
    async end() {
      await stop(server.process)
      receiver.closeAllConnections()
      receiver.close()
      await signOn.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
