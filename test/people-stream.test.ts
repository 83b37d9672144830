import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { removeOldEvents } from '../server/events/log-retention.ts'
import { LONGEST_LIFE_MS } from '../server/http/stream-life.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { eventsFor, lastSeq } from './support/events.ts'
import { keepOpen } from './support/locks.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'
import { ON_LOOPBACK, startDispatcher, startReceiver, until, webhookBot } from './support/receiver.ts'
import { openStream, type Streamed, streamPath, type TestStream } from './support/stream.ts'

const HEARTBEAT = 15_000
const NEW_PASSWORD = 'a long and private sentence'

let server: TestParley
let orgId: string
let owner: TestPerson
let bot: StaticTestBot
const open: TestStream[] = []

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  orgId = await organization(server)
  owner = await signInAs(server, { orgId, role: 'owner', name: 'Olu Adeyemi' })
  bot = await staticBot(server, orgId)
})
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
  server.clock.ahead = 0
})
afterAll(() => server.close())

async function streamOf(who: TestPerson, options: Parameters<typeof openStream>[2] = {}) {
  const stream = await openStream(who, who.orgId, options)
  open.push(stream)
  expect(stream.status).toBe(200)
  return stream
}

/** Opens a stream at the end of the log. */
async function begun(who: TestPerson, query = '') {
  const stream = await streamOf(who, { query })
  await stream.next(({ event }) => event === 'reset')
  return stream
}

let people = 0
const member = (role: 'member' | 'admin' = 'member') =>
  signInAs(server, { orgId, role, name: `Person ${++people}` })

const topicWith = async (...members: TestPerson[]): Promise<string> =>
  Object(
    (await bot.post('/v2/topics', { name: 'Topic', members: members.map(({ profileId }) => profileId) }))
      .body,
  ).id

const say = async (topicId: string, text: string) => {
  const answer = await bot.post('/v2/messages', { topicId, text })
  expect(answer.status, answer.text).toBe(201)
}

const textOf = ({ data }: Streamed): string | undefined => Object(data).message?.text
const says = (text: string) => (streamed: Streamed) => textOf(streamed) === text
const tells = (action: string) => (streamed: Streamed) =>
  streamed.event === 'admin.change' && Object(streamed.data).action === action
/** Events without presence. */
const told = (stream: TestStream) => stream.seen.filter(({ event }) => event !== 'presence')
const texts = (stream: TestStream) => stream.events().flatMap((event) => textOf(event) ?? [])
const at = (path: string) => `/people/organizations/${orgId}/${path}`

describe('a live stream', () => {
  it('begins at the end of the log, with its number', async () => {
    const ada = await member()
    await say(await topicWith(ada), 'Before')
    const stream = await begun(ada)
    expect(told(stream)).toEqual([{ event: 'reset', id: String(await lastSeq(server, orgId)), data: {} }])
  })

  it('has the events of the topics of a person, as bots get them, and of no others', async () => {
    const [ada, ben] = [await member(), await member()]
    const [hers, his] = [await topicWith(ada), await topicWith(ben)]
    const stream = await begun(ada)
    await say(his, 'Not for her')
    await say(hers, 'For her')
    const { id, event, data } = await stream.next(says('For her'))
    expect(event).toBe('message.created')
    const logged = (await eventsFor(server, bot.id)).find(({ seq }) => String(seq) === id)
    expect(data).toEqual(logged?.data)
    await say(hers, 'The last')
    await stream.next(says('The last'))
    expect(texts(stream)).toEqual(['For her', 'The last'])
  })

  it('tells admins of every change, others of those to themselves', async () => {
    const [ada, ben] = [await member('admin'), await member()]
    const [hers, his] = [await begun(ada), await begun(ben)]
    await owner.post(at('labels'), { name: `Label ${people}` })
    await owner.patch(at(`members/${ada.profileId}`), { name: 'Ada' })
    await owner.patch(at(`members/${ben.profileId}`), { name: 'Ben' })
    await his.next(tells('member.renamed'))
    await hers.next(({ data }) => Object(data).target?.id === ben.profileId)
    const changes = (stream: TestStream) => stream.events().filter(({ event }) => event === 'admin.change')
    expect(changes(hers).map(({ data }) => Object(data).action)).toEqual([
      'label.created',
      'member.renamed',
      'member.renamed',
    ])
    expect(changes(his).map(({ data }) => data)).toEqual([
      { action: 'member.renamed', target: { type: 'member', id: ben.profileId } },
    ])
  })

  it('hints to admins that something happened, at most every two seconds', async () => {
    const [ada, ben] = [await member('admin'), await member()]
    const topic = await topicWith(ben)
    const [hers, his] = [await begun(ada), await begun(ben)]
    const started = performance.now()
    for (let n = 0; n < 20; n++) await say(topic, `Message ${n}`)
    await hers.next(({ event }) => event === 'activity')
    await his.next(says('Message 19'))
    const most = Math.ceil((performance.now() - started) / 2000)
    expect(hers.seen.filter(({ event }) => event === 'activity').length).toBeLessThanOrEqual(most)
    expect(hers.events()).toEqual([])
    expect(his.seen.some(({ event }) => event === 'activity')).toBe(false)
  })

  it('hears what is written on another node', async () => {
    const ada = await member()
    const topic = await topicWith(ada)
    const stream = await begun(ada)
    const node = await server.secondNode()
    await node.parley.db.write(orgId, async (tx) => {
      const { id, at: created } = tx.moment()
      await tx.query(sql`
        insert into events (org_id, seq, id, type, topic_id, data, created_at)
        values (${orgId}, ${tx.nextSeq()}, ${id}, 'topic.updated', ${topic}, '{"name":"New"}', ${created})`)
    })
    expect((await stream.next(({ event }) => event === 'topic.updated')).data).toEqual({ name: 'New' })
  })
})

describe('a stream that was cut off', () => {
  it('goes on where it was: nothing is missing and nothing comes twice', async () => {
    const ada = await member()
    const topics = [await topicWith(ada), await topicWith(ada), await topicWith()]
    const stream = await begun(ada)
    const from = await lastSeq(server, orgId)
    const total = 400
    let sent = 0
    const burst = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (sent < total) await say(topics[sent++ % topics.length] ?? '', `Message ${sent}`)
      }),
    )
    const seen: Streamed[] = []
    let current = stream
    for (const cutAfter of [20, 60, 120]) {
      await until(() => current.events().length >= cutAfter)
      current.close()
      await current.ended()
      seen.push(...current.events())
      current = await streamOf(ada, current.lastId === undefined ? {} : { lastId: current.lastId })
    }
    await burst
    const expected = (await eventsFor(server, bot.id, from))
      .filter(({ topicId }) => topicId !== topics[2])
      .map(({ seq }) => String(seq))
    await until(
      () => current.lastId === expected.at(-1) || seen.length + current.events().length >= expected.length,
    )
    seen.push(...current.events())
    expect(seen.map(({ id }) => id)).toEqual(expected)
  })

  it('takes its position from the address too', async () => {
    const ada = await member()
    const topic = await topicWith(ada)
    const after = await lastSeq(server, orgId)
    await say(topic, 'Missed')
    const stream = await streamOf(ada, { query: `?after=${after}` })
    await stream.next(says('Missed'))
    expect(stream.seen.some(({ event }) => event === 'reset')).toBe(false)
  })

  it('reads page by page, also beyond what is not for it', async () => {
    const ada = await member()
    const topic = await topicWith(ada)
    const after = await lastSeq(server, orgId)
    await server.parley.db.write(orgId, async (tx) => {
      for (let n = 0; n < 30; n++) {
        const seqs = Array.from({ length: 200 }, () => tx.nextSeq())
        const ids = seqs.map(() => tx.moment().id)
        await tx.query(sql`
          insert into events (org_id, seq, id, type, topic_id, data, created_at)
          select ${orgId}, seq, id, 'topic.updated', ${n < 3 ? topic : orgId}, '{}', ${tx.now()}
          from unnest(${seqs}::bigint[], ${ids}::uuid[]) as x (seq, id)`)
      }
    })
    await say(topic, 'At the very end')
    const stream = await streamOf(ada, { lastId: String(after) })
    await stream.next(says('At the very end'))
    expect(stream.events()).toHaveLength(601)
  })

  it('gets a reset if the log does not reach back, or never was so long', async () => {
    const inside = await organization(server, 'Elsewhere')
    const eve = await signInAs(server, {
      orgId: inside,
      role: 'owner',
      name: 'Eve',
      email: `e@${inside}.test`,
    })
    for (const name of ['One', 'Two']) await eve.post(`/people/organizations/${inside}/labels`, { name })
    await removeOldEvents(server.parley.db, server.parley.clock() + 1000, 0)
    await eve.post(`/people/organizations/${inside}/labels`, { name: 'Three' })
    const head = String(await lastSeq(server, inside))
    for (const lastId of ['1', '4000', 'nonsense']) {
      const stream = await streamOf(eve, { lastId })
      await stream.next(({ event }) => event === 'reset')
      expect(told(stream)).toEqual([{ event: 'reset', id: head, data: {} }])
    }
    const stream = await streamOf(eve, { lastId: String(Number(head) - 1) })
    await stream.next(tells('label.created'))
    expect(stream.seen.map(({ event }) => event)).not.toContain('reset')
  })
})

describe('a person who may see less than before', () => {
  it('hears nothing more of a topic that they have left, also not of its past', async () => {
    const ada = await member()
    const [left, other] = [await topicWith(ada), await topicWith(ada)]
    const before = await lastSeq(server, orgId)
    const stream = await begun(ada)
    await say(left, 'Early')
    await stream.next(says('Early'))
    await bot.delete(`/v2/topics/${left}/members`, { memberIds: [ada.profileId] })
    await stream.next(({ event }) => event === 'member.removed')
    await say(left, 'Secret')
    await say(other, 'Later')
    await stream.next(says('Later'))
    expect(texts(stream)).toEqual(['Early', 'Later'])

    const again = await streamOf(ada, { lastId: String(before) })
    await again.next(says('Later'))
    expect(again.events().map(({ event }) => event)).toEqual(['member.removed', 'message.created'])
  })

  it('is no admin from the moment on that they are demoted', async () => {
    const ada = await member('admin')
    const stream = await begun(ada)
    await owner.post(at('labels'), { name: 'While an admin' })
    await stream.next(tells('label.created'))
    await owner.patch(at(`members/${ada.profileId}`), { role: 'member' })
    await stream.next(tells('member.role_changed'))
    await owner.post(at('labels'), { name: 'Afterwards' })
    await owner.patch(at(`members/${ada.profileId}`), { name: 'Ada the member' })
    await stream.next(tells('member.renamed'))
    expect(stream.events().filter(tells('label.created'))).toHaveLength(1)
  })

  it('has a longest life, and goes on without loss where its browser connects again', async () => {
    const ada = await member()
    const topicId = await topicWith(ada)
    const stream = await begun(ada)
    await say(topicId, 'Before')
    await stream.next(says('Before'))
    server.clock.ahead = LONGEST_LIFE_MS.page * 0.89
    await until(() => stream.beats > 0)
    expect(stream.isOver).toBe(false)
    server.clock.ahead = LONGEST_LIFE_MS.page
    await stream.ended()
    server.clock.ahead = 0
    await say(topicId, 'Between')
    const again = await streamOf(ada, stream.lastId === undefined ? {} : { lastId: stream.lastId })
    await again.next(says('Between'))
    expect(texts(again)).toEqual(['Between'])
  })

  it('is cut off when archived', async () => {
    const ada = await member()
    const stream = await begun(ada)
    await owner.patch(at(`members/${ada.profileId}`), { status: 'Archived' })
    await stream.ended()
    expect(stream.events()).toEqual([])
  })

  it('is cut off when the session ends', async () => {
    const ada = await member()
    const other = await signInToProfile(server, ada)
    const [stream, kept] = [await begun(ada), await begun(other)]
    await server.parley.db.query(sql`
      delete from sessions where ctid = (
        select ctid from sessions where account_id = ${ada.accountId} order by created_at, ctid limit 1)`)
    await stream.ended()
    expect(kept.isOver).toBe(false)
    expect(kept.beats, 'at once, not at the next heartbeat').toBe(0)
  })

  let beside: TestParley | undefined
  const nodeBeside = async () => {
    beside ??= await server.secondNode()
    return beside
  }
  const WAYS: [string, (ada: TestPerson, at: TestParley) => Promise<unknown>][] = [
    ['signs out', (ada) => ada.post('/people/sign-out')],
    [
      'ends the session elsewhere',
      async (ada, at) => (await signInToProfile(at, ada)).delete('/people/account/sessions'),
    ],
    [
      'changes the password elsewhere',
      async (ada, at) =>
        (await signInToProfile(at, ada)).post('/people/password', { password: NEW_PASSWORD }),
    ],
    ['is signed out by an admin', (ada) => owner.delete(at(`members/${ada.profileId}/sessions`))],
    ['is archived', (ada) => owner.patch(at(`members/${ada.profileId}`), { status: 'Archived' })],
    ['is deleted', (ada) => owner.patch(at(`members/${ada.profileId}`), { status: 'Deleted' })],
    [
      'has a session that is removed by a command',
      (ada) => server.parley.db.query(sql`delete from sessions where account_id = ${ada.accountId}`),
    ],
  ]

  it.each(WAYS)('is cut off at once, on every node, when a person %s', async (_way, work) => {
    const ada = await member()
    const { url } = await nodeBeside()
    const streams = [await begun(ada), await begun({ ...ada, url })]
    await work(ada, server)
    for (const stream of streams) await stream.ended()
    // Neither clock moved: no heartbeat was due. Events since then are not sent either.
    expect(streams.map(({ beats }) => beats)).toEqual([0, 0])
  })

  it('is cut off from this organization alone who belongs to another too', async () => {
    const ada = await member()
    const elsewhere = await organization(server, 'Elsewhere')
    await person(server, elsewhere, 'Ada', { email: ada.email })
    const [stream, kept] = [await begun(ada), await openStream(ada, elsewhere)]
    await kept.next(({ event }) => event === 'reset')
    await owner.delete(at(`members/${ada.profileId}/sessions`))
    await stream.ended()
    expect(kept.isOver).toBe(false)
    expect((await openStream(ada, orgId)).status).toBe(403)
    kept.close()
  })

  it('is cut off by a new rule that everybody needs a second factor', async () => {
    const orgId = await organization(server, 'Strict')
    const ada = await signInAs(server, { orgId, role: 'owner', email: 'ada@strict.test' })
    const strong = await signInToProfile(server, ada, 'code')
    const [stream, kept] = [await openStream(ada, orgId), await openStream(strong, orgId)]
    for (const one of [stream, kept]) await one.next(({ event }) => event === 'reset')
    await strong.patch(`/people/organizations/${orgId}`, { requireSecondFactor: true })
    await stream.ended()
    expect(kept.isOver).toBe(false)
    expect((await openStream(ada, orgId)).status).toBe(403)
    kept.close()
  })

  it('does not prolong the session by listening', async () => {
    const ada = await member()
    const stream = await begun(ada)
    await server.parley.db.query(sql`
      update sessions set last_seen_at = last_seen_at - 7200000, expires_at = ${server.parley.clock() + 20_000}
      where account_id = ${ada.accountId}`)
    server.clock.ahead += HEARTBEAT
    await until(() => stream.isOver || stream.beats > 0)
    expect(stream.isOver).toBe(false)
    server.clock.ahead += HEARTBEAT
    await stream.ended()
  })
})

describe('a quiet stream', () => {
  it('moves its number on, so that it need not start over', async () => {
    const [ada, ben] = [await member(), await member()]
    const topic = await topicWith(ben)
    const stream = await begun(ada)
    const first = stream.lastId
    await say(topic, 'Not for her')
    await until(async () => {
      server.clock.ahead += HEARTBEAT
      await new Promise((resolve) => setTimeout(resolve, 200))
      return stream.lastId === String(await lastSeq(server, orgId))
    })
    expect(stream.lastId).not.toBe(first)
    expect(stream.events()).toEqual([])
  })

  it('hints at deliveries of the bot that is watched, to admins', async () => {
    const [ada, ben] = [await member('admin'), await member()]
    const receiver = await startReceiver()
    const dispatcher = startDispatcher(server)
    const watched = await webhookBot(server, orgId, receiver.url)
    const [hers, his] = [await begun(ada, `?watch=${watched.id}`), await begun(ben, `?watch=${watched.id}`)]
    const topic = Object((await watched.post('/v2/topics', { name: 'T', members: [] })).body).id
    await until(async () => {
      await watched.post('/v2/messages', { topicId: topic, text: 'Hello' })
      await new Promise((resolve) => setTimeout(resolve, 300))
      return hers.seen.some(({ event }) => event === 'deliveries')
    })
    expect(hers.seen.find(({ event }) => event === 'deliveries')).toEqual({
      event: 'deliveries',
      id: undefined,
      data: { botId: watched.id },
    })
    expect(told(his).map(({ event }) => event)).toEqual(['reset'])
    await dispatcher.stop()
    await receiver.close()
  })
})

/** Begun and ended requests of a server, which a client that reads nothing does not see. */
function watchRequests({ app }: TestParley) {
  const seen: { open: number; closed: number; last: ServerResponse | undefined } = {
    open: 0,
    closed: 0,
    last: undefined,
  }
  app.server.on('request', (_, response) => {
    seen.open += 1
    seen.last = response
    response.on('close', () => {
      seen.closed += 1
    })
  })
  return seen
}

/** Holds all sign-ins back until `work` is done. */
const whileSessionsWait = <Result>({ parley }: TestParley, work: () => Promise<Result>) =>
  parley.db.transaction(async (open) => {
    await keepOpen(open)
    await open.query(sql`lock table sessions in access exclusive mode`)
    return work()
  })

const requestOf = (who: TestPerson, org: string) => {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return `GET ${streamPath(org)} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`
}

describe('a browser that is gone', () => {
  it('before it was admitted leaves no stream', async () => {
    const ada = await member()
    const requests = watchRequests(server)
    const { hostname, port } = new URL(server.url)
    const count = 40 // twice as many as one may have
    await whileSessionsWait(server, async () => {
      const browsers = Array.from({ length: count }, () => connect(Number(port), hostname))
      for (const browser of browsers) browser.write(requestOf(ada, orgId))
      await until(() => requests.open === count)
      for (const browser of browsers) browser.destroy()
      await until(() => requests.closed === count)
    })
    await begun(ada)
  })

  it('or takes nothing any more is let go at the next heartbeat', async () => {
    const ada = await member()
    const topic = await topicWith(ada)
    const requests = watchRequests(server)
    const { hostname, port } = new URL(server.url)
    const browser = connect(Number(port), hostname).pause()
    browser.write(requestOf(ada, orgId))
    await until(() => requests.open === 1)
    const tellMuch = () =>
      server.parley.db.write(orgId, async (tx) => {
        const data = JSON.stringify({ name: 'x'.repeat(1_000_000) })
        for (let n = 0; n < 30; n++) {
          const { id, at: created } = tx.moment()
          await tx.query(sql`
            insert into events (org_id, seq, id, type, topic_id, data, created_at)
            values (${orgId}, ${tx.nextSeq()}, ${id}, 'topic.updated', ${topic}, ${data}, ${created})`)
        }
      })
    await new Promise((resolve) => setTimeout(resolve, 1000)) // it has found the end of the log by then
    await tellMuch()
    await until(() => requests.last?.socket?.writableNeedDrain === true)
    expect(requests.closed).toBe(0)
    server.clock.ahead += HEARTBEAT
    await until(() => requests.closed === 1)
    browser.destroy()
  })
})

describe('permission to open one', () => {
  const statusFor = async (who: Pick<TestPerson, 'url' | 'cookies'>, org: string, headers = {}) => {
    const stream = await openStream({ ...visitor(who.url), cookies: who.cookies }, org, { headers })
    stream.close()
    return stream.status
  }

  it('is a member, signed in, from a page of this server', async () => {
    const inside = await organization(server, 'Elsewhere')
    const eve = await signInAs(server, {
      orgId: inside,
      role: 'owner',
      name: 'Eve',
      email: `e@${inside}.test`,
    })
    expect(await statusFor(visitor(server.url), orgId)).toBe(401)
    expect(await statusFor(eve, orgId)).toBe(404)
    expect(await statusFor(eve, 'nonsense')).toBe(404)
    expect(await statusFor(eve, inside, { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await statusFor(eve, inside, { origin: 'https://elsewhere.example' })).toBe(403)
    expect(await statusFor(eve, inside)).toBe(200)
  })

  it('asks for it, and not only for what it would be', async () => {
    const ada = await member()
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const head = await fetch(`${server.url}${streamPath(orgId)}`, { method: 'HEAD', headers: { cookie } })
    expect(head.status).toBe(404)
  })

  it('has at most twenty of them at a time', async () => {
    const ada = await member()
    for (let n = 0; n < 20; n++) await begun(ada)
    const path = streamPath(orgId)
    const refused = await ada.get(path)
    expect([refused.status, refused.body]).toEqual([429, 'too many open pages, close some of them'])
    expect(refused.headers.get('retry-after')).toBe('30')
    const other = await member()
    expect((await begun(other)).status).toBe(200)
    open.pop()?.close()
    open.pop()?.close()
    await until(async () => {
      const stream = await openStream(ada, orgId)
      open.push(stream)
      return stream.status === 200
    })
  })
})

describe('a server that stops', () => {
  it('ends its streams at once, and connections that browsers opened in advance', async () => {
    const other = await startTestParley()
    const inside = await organization(other)
    const ada = await signInAs(other, { orgId: inside, role: 'owner' })
    const stream = await openStream(ada, inside)
    await stream.next(({ event }) => event === 'reset')
    const { hostname, port } = new URL(other.url)
    const inAdvance = connect(Number(port), hostname)
    const closed = once(inAdvance, 'close')
    await once(inAdvance, 'connect')
    const started = performance.now()
    await other.close()
    await Promise.all([stream.ended(), closed])
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('ends one at once whose request came before', async () => {
    const other = await startTestParley()
    const inside = await organization(other)
    const ada = await signInAs(other, { orgId: inside, role: 'owner' })
    const requests = watchRequests(other)
    const isAway = () =>
      fetch(`${other.url}/health/ready`).then(
        ({ status }) => status === 503,
        () => true,
      )
    const { opening, closing } = await whileSessionsWait(other, async () => {
      const opening = openStream(ada, inside)
      await until(() => requests.open === 1)
      const closing = other.close()
      await until(isAway)
      return { opening, closing }
    })
    await (await opening).ended()
    await closing
  })
})
