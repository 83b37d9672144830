import { connect } from 'node:net'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../server/config.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { type Answer, call } from './support/client.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const PATH = '/v2/agentic/organization/create'
const SECOND = 1000

let server: TestParley

const signup = (changes: Record<string, unknown> = {}) => ({
  companyName: 'Lighthouse Labs',
  humanEmail: `${newUuid()}@example.com`,
  companySize: 12,
  industry: 'Software',
  botName: 'Deploy bot',
  ...changes,
})

const signUp = (address: string, changes = {}, node = server): Promise<Answer> =>
  call(node.url, undefined, 'POST', PATH, { body: signup(changes), headers: { 'X-Forwarded-For': address } })

describe('attempts to sign up from an address', () => {
  const ATTEMPTS = 5
  const FLOOD = 20
  let logo: Buffer
  let taken: string
  let lastAddress = 0
  const newAddress = () => `198.51.100.${++lastAddress}`

  beforeAll(async () => {
    server = await startTestParley({
      agentSignupPerMinute: 1,
      agentSignupAttemptsPerMinute: ATTEMPTS,
      trustProxy: ['127.0.0.1'],
    })
    taken = `${newUuid()}@example.com`
    expect((await signUp(newAddress(), { humanEmail: taken })).status).toBe(201)
    logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
  })
  afterAll(() => server.close())
  afterEach(() => {
    server.clock.ahead = 0
  })

  const withLogo = (changes = {}) => form(signup(changes), [{ content: logo }], { metaPart: 'metadata' })
  const send = (
    { body, contentType }: ReturnType<typeof withLogo>,
    address: string,
    key: string = newUuid(),
  ) =>
    call(server.url, undefined, 'POST', PATH, {
      body,
      headers: { 'content-type': contentType, 'X-Forwarded-For': address, 'Idempotency-Key': key },
    })
  /** Sends a sign-up whose logo is decoded and stored before the rest is refused. */
  const inVain = (address: string) => send(withLogo({ humanEmail: taken }), address)

  /** Number of logos decoded and stored while `work` ran. */
  async function decodedWhile<Result>(work: () => Promise<Result>): Promise<[number, Result]> {
    const stored = vi.spyOn(server.parley.files, 'store')
    try {
      const result = await work()
      return [stored.mock.calls.length, result]
    } finally {
      stored.mockRestore()
    }
  }
  const count = (answers: Answer[], status: number) =>
    answers.filter((answer) => answer.status === status).length

  it('cost no more bodies and logos than are allowed, whatever their keys, and no neighbour waits for more', async () => {
    const address = newAddress()
    const [decoded, [neighbour, ...flood]] = await decodedWhile(() =>
      Promise.all([send(withLogo(), newAddress()), ...Array.from({ length: FLOOD }, () => inVain(address))]),
    )
    expect(neighbour?.status).toBe(201)
    expect([count(flood, 400), count(flood, 429)]).toEqual([1, FLOOD - 1])
    expect(decoded).toBeLessThanOrEqual(ATTEMPTS + 1)
    const refused = flood.find(({ status }) => status === 429)
    expect(refused?.body).toBe('rate limit exceeded')
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(50)
  })

  it('are not given back, and start over with the next minute', async () => {
    const address = newAddress()
    const invalid = () => signUp(address, { companySize: 0 })
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) expect((await invalid()).status).toBe(400)
    expect((await invalid()).status).toBe(429)
    expect((await signUp(address)).status).toBe(429)
    server.clock.ahead = 60 * SECOND
    expect((await signUp(address)).status).toBe(201)
  })

  it('count as sign-ups when they name a taken address, so that trying does not reveal accounts', async () => {
    const address = newAddress()
    expect(await signUp(address, { humanEmail: taken })).toMatchObject({
      status: 400,
      body: 'Unable to create organization',
    })
    expect((await signUp(address, { humanEmail: taken.toUpperCase() })).status).toBe(429)
    expect((await signUp(address)).status).toBe(429)
    server.clock.ahead = 60 * SECOND
    expect((await signUp(address)).status).toBe(201)
  })

  it('end for a day where as many organizations were created as the operator allows', async () => {
    const few = await server.secondNode({ agentSignupsPerDay: 3, trustProxy: ['127.0.0.1'] })
    await server.parley.db.query(sql`delete from budgets where name = 'signups'`)
    const statuses = []
    for (let index = 0; index < 4; index++) statuses.push((await signUp(newAddress(), {}, few)).status)
    expect(statuses).toEqual([201, 201, 201, 429])
    const late = await signUp(newAddress(), {}, few)
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(80_000)
    few.clock.ahead = 24 * 3600 * SECOND
    expect((await signUp(newAddress(), {}, few)).status).toBe(201)
    await server.parley.db.query(sql`delete from budgets where name = 'signups'`)
  })

  it('are counted for all addresses of an IPv6 network together', async () => {
    const invalid = (host: number) => signUp(`2001:db8:0:9::${host.toString(16)}`, { companySize: 0 })
    const answers = []
    for (let host = 1; host <= ATTEMPTS + 2; host++) answers.push(await invalid(host))
    expect([count(answers, 400), count(answers, 429)]).toEqual([ATTEMPTS, 2])
  })

  it('are refused without a byte of their body, and before it has come', async () => {
    const address = newAddress()
    expect((await send(withLogo(), address)).status).toBe(201)
    const head = [
      `POST ${PATH} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Content-Type: multipart/form-data; boundary=x',
      'Content-Length: 5000000',
      `X-Forwarded-For: ${address}`,
      `Idempotency-Key: ${newUuid()}`,
    ]
    const answer = await firstLine(server.url, `${head.join('\r\n')}\r\n\r\n`)
    expect(answer).toBe('HTTP/1.1 429 Too Many Requests')
  })

  it('do not count where they can only be given an earlier answer again, of which nothing is decoded', async () => {
    const address = newAddress()
    const accepted = withLogo()
    const first = await send(accepted, address, 'kept')
    expect(first.status).toBe(201)
    const [decoded, again] = await decodedWhile(() =>
      Promise.all(Array.from({ length: ATTEMPTS + 10 }, () => send(accepted, address, 'kept'))),
    )
    expect(new Set(again.map(({ text }) => text))).toEqual(new Set([first.text]))
    expect(again.every(({ headers }) => headers.get('idempotent-replayed') === 'true')).toBe(true)
    expect(decoded).toBe(0)
    const [decodedOther, other] = await decodedWhile(() => send(withLogo(), address, 'kept'))
    expect([other.status, other.body, decodedOther]).toEqual([
      400,
      'Idempotency-Key was already used with another request',
      0,
    ])
    expect((await send(accepted, newAddress(), 'kept')).status, 'of another address it is no answer').toBe(
      400,
    )
  })

  it('are as many as the operator sets, or as accepted ones where those are more', async () => {
    const config = (settings: Record<string, string>) => readConfig(settings).agentSignupAttemptsPerMinute
    expect(config({})).toBe(30)
    expect(config({ AGENT_SIGNUP_PER_MINUTE: '0' })).toBe(30)
    expect(config({ AGENT_SIGNUP_PER_MINUTE: '500' })).toBe(500)
    expect(config({ AGENT_SIGNUP_ATTEMPTS_PER_MINUTE: '5' })).toBe(5)
    const less = { AGENT_SIGNUP_PER_MINUTE: '10', AGENT_SIGNUP_ATTEMPTS_PER_MINUTE: '9' }
    expect(() => readConfig(less)).toThrow('AGENT_SIGNUP_ATTEMPTS_PER_MINUTE is "9"')

    const strict = await server.secondNode({ agentSignupPerMinute: 1, agentSignupAttemptsPerMinute: 2 })
    const free = await server.secondNode({ agentSignupPerMinute: 0, agentSignupAttemptsPerMinute: 2 })
    for (const [limited, statuses] of [
      [strict, [400, 400, 429]],
      [free, [400, 400, 400]],
    ] as const) {
      const address = newAddress()
      const invalid = async () => (await signUp(address, { companySize: 0 }, limited)).status
      expect([await invalid(), await invalid(), await invalid()]).toEqual(statuses)
    }
  })

  it('with an address that is in use are all answered, however many come at once', async () => {
    const open = await server.secondNode({ agentSignupPerMinute: 2, agentSignupAttemptsPerMinute: 40 })
    const address = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => signUp(address, { humanEmail: taken }, open)),
    )
    expect([count(answers, 400), count(answers, 429)]).toEqual([2, 28])
    expect((await signUp(newAddress(), {}, open)).status, 'for others it goes on').toBe(201)
  })
})

/** Sends only these bytes, and returns the server's first line. */
function firstLine(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.once('data', (chunk) => {
      resolve(chunk.toString().split('\r\n', 1)[0] ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })
}
