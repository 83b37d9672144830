import { readdir, readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { BUILD_FOLDER } from '../../server/project.ts'

const WEB = join(BUILD_FOLDER, 'web')
const REWRITTEN = /html|javascript/

/** Stands before a server that is given another build: the same pages under other names, and none of the former files. */
export type NewBuild = {
  url: string
  /** Makes the server serve the other build alone. */
  takeOver(): void
  close(): Promise<void>
}

export async function openNewBuild(target: string): Promise<NewBuild> {
  const files = (await readdir(`${WEB}/assets`)).filter((name) => !/\.(br|map)$/.test(name))
  const builds = Object.keys(
    JSON.parse((await readFile(`${WEB}/service-worker.js`, 'utf8')).slice(15).split('\n')[0] ?? ''),
  )
  const names = new RegExp(
    `(?<![\\w-])(${[...files, ...builds].map((name) => name.replaceAll('.', '\\.')).join('|')})(?![\\w-])`,
    'g',
  )
  const renamed = (name: string) => name.replace(/(\.\w+)?$/, 'b$1')
  const formerOf = new Map(files.map((name) => [`/assets/${renamed(name)}`, `/assets/${name}`]))
  let isNew = false
  const server = createServer((incoming, answer) => {
    const { url = '/', method } = incoming
    const path = isNew && url.startsWith('/assets/') ? formerOf.get(url) : url
    if (path === undefined) {
      answer.writeHead(404, { 'cache-control': 'no-store' }).end()
      return
    }
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
    const asked = request(`${target}${path}`, { method, headers }, async (given) => {
      if (!isNew || !REWRITTEN.test(String(given.headers['content-type']))) {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
        return
      }
      const body = (await text(given)).replaceAll(names, renamed)
      const { 'content-length': _length, ...rest } = given.headers
      answer.writeHead(given.statusCode ?? 502, rest).end(body)
    })
    asked.on('error', () => answer.destroy())
    answer.on('close', () => asked.destroy())
    incoming.pipe(asked)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    takeOver() {
      isNew = true
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
