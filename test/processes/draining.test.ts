import { afterAll, beforeAll, expect, it } from 'vitest'
import { organization, type StaticTestBot, staticBot } from '../support/cast.ts'
import { call, sign } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { Nodes } from '../support/nodes.ts'
import { signInAs, type TestPerson } from '../support/people.ts'
import { type BareConnection, headOf, openBare } from '../support/sockets.ts'
import { streamPath } from '../support/stream.ts'

const POLLS = 300
const IDLE = 50

let nodes: Nodes
let bots: StaticTestBot[]
let ada: TestPerson

beforeAll(async () => {
  const dataDir = await migratedFolder('parley-draining-')
  nodes = await Nodes.start(1, { DRAIN_MS: '2000' }, { dataDir })
  ;({ bots, ada } = await nodes.prepare(async (beside) => {
    const orgId = await organization(beside)
    const made: StaticTestBot[] = []
    for (let count = 0; count < 6; count++) made.push(await staticBot(beside, orgId, `Bot ${count}`))
    return { bots: made, ada: await signInAs(beside, { orgId, role: 'owner' }) }
  }))
})
afterAll(() => nodes.close())

const signedHead = ({ credentials }: StaticTestBot, target: string): string => {
  const timestamp = String(Date.now())
  return headOf('GET', target, {
    Authorization: `Bearer ${credentials.apiKey}`,
    'X-Timestamp': timestamp,
    'X-Signature': sign(credentials.apiSecret, timestamp, target),
  })
}

it('says that it stops while it serves everybody, then ends polls and streams, and resets no connection', async () => {
  const url = nodes.url(0)
  const [bot] = bots
  if (!bot) throw new Error('bots were made')
  const resets: string[] = []
  const open = async (): Promise<BareConnection> => {
    const connection = await openBare(url)
    connection.socket.on('error', (error) => resets.push(error.message))
    return connection
  }
  const metric = async (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1])

  const polls = await Promise.all(Array.from({ length: POLLS }, open))
  polls.forEach((poll, index) => {
    const waiting = bots[index % bots.length]
    if (waiting) poll.write(signedHead(waiting, '/v2/updates?timeout=30'))
  })
  await eventually(() => metric('parley_parked_polls')).toBe(POLLS)
  const stream = await open()
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  stream.write(headOf('GET', streamPath(ada.orgId), { Cookie: cookie }))
  await eventually(async () => stream.text()).toContain('retry:')
  const idle = await Promise.all(Array.from({ length: IDLE }, open))
  for (const connection of idle) connection.write(signedHead(bot, '/v2/members/me'))
  for (const connection of idle) await eventually(async () => connection.text()).toMatch(/\r\n\r\n\{/)
  const unused = await open()

  const stopped = nodes.stop(0)
  const ready = async () => {
    const response = await fetch(`${url}/health/ready`)
    return [response.status, await response.json()]
  }
  await eventually(ready).toEqual([503, { status: 'stopping' }])
  // Requests are still served, on new connections and on old ones, which are asked to leave.
  const [first, ...others] = idle
  const before = first?.text().length ?? 0
  first?.write(signedHead(bot, '/v2/members/me'))
  const again = (await first?.closed())?.slice(before)
  expect(again).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(again).toMatch(/^Connection: close\r$/im)
  const topic = await call(url, bot.credentials, 'POST', '/v2/topics', {
    body: { name: 'Late', members: [] },
  })
  expect([topic.status, topic.headers.get('connection')]).toEqual([201, 'close'])
  expect(polls.filter(({ text }) => text() === '').length).toBeGreaterThan(POLLS / 2)

  const answers = await Promise.all(polls.map((poll) => poll.closed()))
  const clean = answers.filter(
    (text) =>
      /^HTTP\/1\.1 200 OK\r\n/.test(text) && /^Connection: close\r$/im.test(text) && text.endsWith('}'),
  )
  expect(clean).toHaveLength(POLLS)
  expect(await stream.closed()).toMatch(/^Connection: close\r$/im)
  expect(stream.text().endsWith('\r\n0\r\n\r\n')).toBe(true)
  for (const connection of [...others, unused]) await connection.closed()
  expect(await stopped).toBe(0)
  expect(resets).toEqual([])
})
