import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { call } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { openStream } from './support/stream.ts'
import { sendBytes } from './support/wire.ts'

let server: TestParley
let bot: StaticTestBot
let owner: TestPerson

beforeAll(async () => {
  server = await startTestParley()
  const orgId = await organization(server)
  bot = await staticBot(server, orgId)
  owner = await signInAs(server, { orgId, role: 'owner', name: 'Olu Adeyemi' })
})
afterAll(() => server.close())

/** Answers of every origin: routes, refusals, files, the router, and the parser of HTTP, which knows no route. */
async function answers(): Promise<[string, Headers][]> {
  const paths = [
    '/',
    '/nothing',
    '/docs',
    '/docs/content.json',
    '/docs/raw/docs/topics.md',
    '/docs/plain/topics',
    '/llms.txt',
    '/openapi.json',
    '/outbox',
    '/pages/style.css',
  ]
  const gets = [
    '/health/live',
    '/metrics',
    '/people/session',
    '/v2/members',
    '/v2/nothing',
    '/v2/members/%ff',
  ]
  const plain = [...paths, ...gets, '/assets/nothing.js', '/icon.svg', '/attachments/att_1/x']
  const answered: [string, Headers][] = []
  for (const path of plain) answered.push([path, (await call(server.url, undefined, 'GET', path)).headers])
  answered.push(['a bot', (await bot.get('/v2/members')).headers])
  answered.push(['a token', (await call(server.url, undefined, 'POST', '/oauth/token')).headers])
  const stream = await openStream(owner, owner.orgId)
  onTestFinished(() => stream.close())
  answered.push(['a stream', stream.headers])
  const [head = ''] = (await sendBytes(server.url, 'nonsense\r\n\r\n')).split('\r\n\r\n')
  const lines = head.split('\r\n').slice(1)
  answered.push(['nonsense', new Headers(lines.map((line): [string, string] => splitLine(line)))])
  return answered
}

function splitLine(line: string): [string, string] {
  const [name = '', ...value] = line.split(': ')
  return [name, value.join(': ')]
}

describe('every answer', () => {
  it('tells browsers not to guess what it is', async () => {
    for (const [name, headers] of await answers()) {
      expect([name, headers.get('x-content-type-options')]).toEqual([name, 'nosniff'])
    }
  })

  it('binds browsers to https where the address of the server is https, and only there', async () => {
    for (const [name, headers] of await answers()) {
      expect([name, headers.get('strict-transport-security')]).toEqual([name, null])
    }
    const { config } = server.parley
    const { baseUrl } = config
    onTestFinished(() => {
      config.baseUrl = baseUrl
    })
    config.baseUrl = 'https://chat.example.com'
    for (const path of ['/', '/v2/members', '/v2/nothing', '/docs']) {
      const { headers } = await call(server.url, undefined, 'GET', path)
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000'])
    }
    expect(await sendBytes(server.url, 'nonsense\r\n\r\n')).toContain('Strict-Transport-Security: max-age=')
  })
})

describe('the policy of the docs', () => {
  it('allows nothing inline and nothing from elsewhere', async () => {
    const { headers } = await call(server.url, undefined, 'GET', '/docs')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })
})
