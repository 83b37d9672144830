import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { makeStatusLink } from '../server/http/status-link.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const DAY_MS = 24 * 60 * 60_000

let server: TestParley

beforeAll(async () => {
  server = await startTestParley()
  const now = server.parley.clock()
  const failing = {
    name: 'old <sessions>',
    failuresInARow: 12,
    failingSince: now - 600_000,
    lastError: 'relation "sessions" does not exist',
  }
  const state = {
    memoryMb: 92,
    freeDiskMb: 12_345,
    parkedPolls: 7,
    isStopping: false,
    workers: [failing, { name: 'mail', failingSince: null }],
  }
  for (const [name, seenAt] of [
    ['<one>', now],
    ['two', now - 60_000],
  ] as const)
    await server.parley.db.query(sql`
      insert into nodes (id, name, version, roles, started_at, seen_at, state)
      values (gen_random_uuid(), ${name}, '0.1.0', '{api}', ${now - DAY_MS}, ${seenAt}, ${JSON.stringify(state)})`)
})
afterAll(() => server.close())

const link = (now = server.parley.clock()) =>
  makeStatusLink(server.parley.secrets, { baseUrl: server.url }, now).url
const read = async (url: string, language = 'en') => {
  const response = await fetch(url, { headers: { 'accept-language': language } })
  return { response, html: await response.text() }
}

it('shows nodes, database, work and backup to anyone with a link', async () => {
  const { response, html } = await read(link())
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(html).toContain(
    '&lt;one&gt;</th><td>0.1.0</td><td>up for 24 hr</td><td>api</td><td>92 MB</td><td>12,345 MB',
  )
  expect(html).toMatch(/two<\/th><td>0.1.0<\/td><td class="wrong">silent for \d+ sec/)
  expect(html).toContain('Migrations</th><td>up to date</td>')
  expect(html).toContain('0 waiting, the oldest for 0 sec')
  expect(html).toContain('<td class="wrong">none yet</td>')
})

it('names background work that fails, without the text of its error', async () => {
  const { html } = await read(link())
  expect(html).toContain(
    'old &lt;sessions&gt; (&lt;one&gt;)</th><td class="wrong">failing for 10 min, 12 times in a row</td>',
  )
  expect(html).not.toContain('does not exist')
  expect(html).not.toContain('mail (')
})

it('speaks German', async () => {
  const { html } = await read(link(), 'de-AT,en;q=0.5')
  expect(html).toContain('<html lang="de">')
  expect(html).toContain('<h1>Serverstatus</h1>')
  expect(html).toContain('12.345 MB')
})

it('does not exist otherwise: not without a link, nor with one that was changed or has ended', async () => {
  const url = link()
  const later = url.replace(/\d{13}/, (end) => String(Number(end) + 1))
  const ended = link(server.parley.clock() - DAY_MS - 1)
  for (const other of [`${server.url}/status/x`, `${url}x`, later, ended])
    expect((await read(other)).response.status, other).toBe(404)
})
