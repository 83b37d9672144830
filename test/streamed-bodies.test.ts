import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOf } from '../contract/refusals/index.ts'
import { sql } from '../server/db/sql.ts'
import { LONGEST_LIFE_MS } from '../server/http/stream-life.ts'
import type { StreamingRow } from '../server/queries/messages/streamed-messages.ts'
import { at, type OAuthTestBot, oauthBot, organization, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { openStream } from './support/stream.ts'
import { openBody, type StreamedBody } from './support/streamed-body.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let bot: OAuthTestBot
let other: OAuthTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley({ streamingTimeoutMs: 20_000, bodyMs: 1000 })
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  bot = await oauthBot(server, orgId, 'Writer')
  other = await oauthBot(server, orgId, 'Listener')
  topicId = await newTopic(bot)
})
afterAll(() => server.close())

async function newTopic(who: OAuthTestBot): Promise<string> {
  const members = [ada.profileId, other.id].filter((id) => id !== who.id)
  return Object((await who.post('/v2/topics', { name: 'Releases', members })).body).id
}
async function begin(more: object = {}, who = bot): Promise<string> {
  const { status, body, text } = await who.post('/v2/messages', { topicId, streaming: true, ...more })
  expect(status, text).toBe(201)
  return Object(body).id
}
const pathOf = (id: string, query = '') => `/v2/messages/${id}/append${query}`
const body = (id: string, query = '', who = bot): StreamedBody => openBody(who, pathOf(id, query))
const finish = (id: string, given: object = {}, who = bot) => who.post(`/v2/messages/${id}/finish`, given)
const append = (id: string, text: string, who = bot) => who.post(pathOf(id), { text })

/** The text shown to a person who opens the chat now. */
async function shown(id: string): Promise<string | undefined> {
  const { streaming }: { streaming: { message: { id: string; text: string } }[] } = Object(
    (await chatOf(ada).get('streaming')).body,
  )
  return streaming.find(({ message }) => message.id === id)?.message.text
}
const ended = async (id: string) => (await bot.get(`/v2/messages/${id}`)).body

describe('a body of plain text', () => {
  it('is appended as it comes in, is seen to grow, touches one row, and is answered at its end', async () => {
    const eyes = await openStream(ada, orgId)
    await eyes.next(({ event }) => event === 'reset')
    const id = await begin({ text: 'So: ' })
    const writes = () =>
      server.parley.db
        .query<{ n: number }>(sql`select count(*)::integer as n from streaming_messages where id = ${id}`)
        .then(([row]) => row?.n)
    const sent = body(id, '?from=4')
    sent.write('It is')
    await eyes.next(({ event, data }) => event === 'streaming' && JSON.stringify(data).includes('It is'))
    const party = Buffer.from(' 🎉')
    sent.write(party.subarray(0, 3))
    await eventually(() => shown(id)).toBe('So: It is ')
    sent.write(party.subarray(3))
    await eventually(() => shown(id)).toBe('So: It is 🎉')
    expect(await writes()).toBe(1)
    const { status, body: answer } = await sent.end(' done')
    expect([status, answer]).toEqual([200, { id, length: 16, bodyMs: expect.any(Number) }])
    expect(Object(answer).bodyMs).toBeGreaterThan(0)
    expect((await finish(id)).status).toBe(200)
    expect(await ended(id)).toMatchObject({ text: 'So: It is 🎉 done' })
    eyes.close()
  })

  it('replaces what the message has beyond `from`, and does not leave a gap', async () => {
    const id = await begin({ text: 'Red.' })
    expect(refusal(await body(id, '?from=9').end('x'))).toMatchObject({
      status: 409,
      body: 'text is missing before this',
    })
    expect((await body(id, '?from=0').end('Green.')).body).toMatchObject({ length: 6 })
    expect(await shown(id)).toBe('Green.')
    for (const query of ['?from=10001', '?from=x', '?from=-1'])
      expect(refusal(await body(id, query).end('x')).status).toBe(400)
    expect(refusal(await bot.post(pathOf(id, '?from=3'), { text: 'x' })).body).toBe(
      'from belongs in the JSON body',
    )
    expect((await body(id).end()).body).toMatchObject({ length: 6 })
    expect(await shown(id)).toBe('Green.')
    await finish(id)
  })

  it('keeps what came before a piece that is refused', async () => {
    const cases: [piece: string | Buffer, refused: object][] = [
      ['x'.repeat(9994), { status: 400, body: 'text too long' }],
      [Buffer.from([0x61, 0xff]), { status: 400, body: 'body must be valid UTF-8' }],
      ['a\0b', { status: 400, body: 'text must not contain NUL or lone surrogates' }],
    ]
    for (const [piece, refused] of cases) {
      const id = await begin()
      const sent = body(id)
      sent.write('So far.')
      await eventually(() => shown(id)).toBe('So far.')
      sent.write(piece)
      expect(refusal(await sent.answer)).toMatchObject(refused)
      expect(await shown(id)).toBe('So far.')
      sent.cut()
      expect((await append(id, '!')).body).toEqual({ id, length: 8 })
      await finish(id)
    }
    const half = await begin()
    expect(refusal(await body(half).end(Buffer.from('é').subarray(0, 1))).body).toBe(
      'body must be valid UTF-8',
    )
    await finish(half, { status: 'failed' })
  })

  it('needs a token, goes without a key, and is UTF-8: told before anything is sent', async () => {
    const id = await begin()
    const signed = await staticBot(server, orgId, 'Signer')
    const plain = { headers: { 'content-type': 'text/plain' } }
    const refused = { status: 400, body: textOf('plain_text_needs_token') }
    expect(refusal(await signed.post(pathOf(id), 'hello', plain))).toMatchObject(refused)
    // Neither the key nor the signature is checked.
    const wrong = { ...plain, signature: 'a'.repeat(64) }
    expect(refusal(await signed.post(pathOf(id), 'hello', wrong))).toMatchObject(refused)
    const stranger = { url: server.url, credentials: { token: 'nobody' } }
    const headers = { 'x-timestamp': String(Date.now()), 'x-signature': 'a'.repeat(64) }
    expect(refusal(await openBody(stranger, pathOf(id), headers).answer)).toMatchObject(refused)
    expect(refusal(await openBody(bot, pathOf(id), { 'idempotency-key': 'k' }).answer)).toMatchObject({
      status: 400,
      body: textOf('plain_text_takes_no_key'),
    })
    const latin = { 'content-type': 'text/plain; charset=latin1' }
    expect(refusal(await openBody(bot, pathOf(id), latin).answer)).toMatchObject({
      status: 400,
      body: textOf('plain_text_not_utf8'),
    })
    const reader = await oauthBot(server, orgId, 'Reader', ['message:read'])
    expect(refusal(await body(id, '', reader).answer).status).toBe(403)
    expect(refusal(await body(id, '', other).answer)).toMatchObject({ status: 403, body: 'forbidden' })
    const gone = { url: server.url, credentials: { token: `${bot.credentials.token}x` } }
    expect(refusal(await openBody(gone, pathOf(id)).answer).status).toBe(401)
    expect(await shown(id)).toBe('')
    // Other operations take no plain text.
    expect(refusal(await bot.post(`/v2/messages/${id}/finish`, 'hello', plain)).body).toBe(
      'content type must be application/json',
    )
    await finish(id, { status: 'failed' })
  })

  it('counts as one request, whatever its pieces', async () => {
    const id = await begin()
    const sent = body(id)
    for (let piece = 0; piece < 200; piece += 1) sent.write('.')
    expect((await sent.end()).body).toMatchObject({ length: 200 })
    // A machine busy with other tests may take seconds for this many.
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 120 }, () => body(id).end()))
      return answers.some(({ status }) => status === 429)
    }).toBe(true)
    await finish(id)
  })

  it('ends with the message: stopped, finished, failed, deleted, or left for too long', async () => {
    const ends: [end: (id: string) => Promise<unknown>, told: object][] = [
      [(id) => chatOf(ada).post(`streaming/${id}/stop`), { status: 409, body: 'stopped by a person' }],
      [(id) => finish(id), { status: 409, body: 'message is finished' }],
      [(id) => finish(id, { status: 'failed' }), { status: 409, body: 'message is finished' }],
      [(id) => bot.delete(`/v2/messages/${id}`), { status: 404, body: 'Message not found' }],
      [
        async () => {
          server.clock.ahead += 21_000
          await server.parley.streaming.endSilent()
        },
        { status: 409, body: 'message is finished' },
      ],
    ]
    for (const [end, told] of ends) {
      const id = await begin()
      const sent = body(id)
      sent.write('On and on')
      await eventually(() => shown(id)).toBe('On and on')
      await end(id)
      expect(refusal(await sent.answer)).toMatchObject(told)
      sent.cut()
    }
  })

  it('waits for an end that is refused, and goes on', async () => {
    const id = await begin()
    const sent = body(id)
    const cy = await signInAs(server, { orgId, name: 'Cy' })
    const asked = `Ask <@${cy.profileId}>`
    sent.write(asked)
    await eventually(() => shown(id)).toBe(asked)
    const refused = finish(id)
    sent.write(' please')
    expect(refusal(await refused).status).toBe(400)
    expect((await sent.end('!')).body).toMatchObject({ length: asked.length + 8 })
    await finish(id, { text: 'Ask' })
  })

  it('leaves the message to go on where its sender goes away', async () => {
    const id = await begin()
    const sent = body(id)
    sent.write('Half of')
    await eventually(() => shown(id)).toBe('Half of')
    sent.cut()
    expect((await append(id, ' it')).body).toEqual({ id, length: 10 })
    expect((await finish(id)).status).toBe(200)
    expect(await ended(id)).toMatchObject({ text: 'Half of it' })
  })

  it('goes no further once another request goes on with the message', async () => {
    const id = await begin()
    const told = { status: 409, body: 'another request goes on with this message' }
    const [first, second] = [body(id), body(id)]
    // One of the two has ended; it may be either.
    const loser = await Promise.race([
      first.answer.then((answer) => ({ answer, left: second })),
      second.answer.then((answer) => ({ answer, left: first })),
    ])
    expect(refusal(loser.answer)).toMatchObject(told)
    loser.left.write('mine')
    await eventually(() => shown(id)).toBe('mine')
    expect((await append(id, '!')).body).toEqual({ id, length: 5 })
    expect(refusal(await loser.left.answer)).toMatchObject(told)
    first.cut()
    second.cut()
    await finish(id)
  })

  it('may take longer than other bodies, and ends with the rights of its bot', async () => {
    const writer = await oauthBot(server, orgId, 'Paused')
    const place = await newTopic(writer)
    const id = await begin({ topicId: place }, writer)
    const sent = body(id, '', writer)
    const since = performance.now()
    let pieces = 0
    while (performance.now() - since < 1600) {
      sent.write('.')
      pieces += 1
      await eventually(() => shown(id)).toBe('.'.repeat(pieces))
    }
    const path = `/people/organizations/${orgId}/bots/${writer.id}`
    expect((await ada.patch(path, { paused: true })).status).toBe(200)
    let isAnswered = false
    const answer = sent.answer.finally(() => {
      isAnswered = true
    })
    await eventually(async () => {
      sent.write('!')
      return isAnswered
    }).toBe(true)
    expect(refusal(await answer)).toMatchObject({ status: 403, body: textOf('bot_paused') })
    sent.cut()
  })

  const TAKEN: [string, (path: string) => Promise<{ status: number }>, { status: number; body: string }][] = [
    ['paused', (path) => ada.patch(path, { paused: true }), { status: 403, body: textOf('bot_paused') }],
    ['switched off', (path) => ada.patch(path, { active: false }), { status: 401, body: 'unauthorized' }],
    ['deleted', (path) => ada.delete(path), { status: 401, body: 'unauthorized' }],
  ]
  it.each(TAKEN)('ends although nothing more comes, when its bot is %s', async (_, take, refused) => {
    const writer = await oauthBot(server, orgId, 'Silent')
    const id = await begin({ topicId: await newTopic(writer) }, writer)
    const sent = body(id, '', writer)
    sent.write('so far')
    await eventually(() => shown(id)).toBe('so far')
    expect((await take(`/people/organizations/${orgId}/bots/${writer.id}`)).status).toBeLessThan(300)
    expect(refusal(await sent.answer)).toMatchObject(refused)
    sent.cut()
  })

  it('has a longest life: what came stands, and the bot goes on with another request', async () => {
    const id = await begin()
    const sent = body(id)
    sent.write('an hour')
    await eventually(() => shown(id)).toBe('an hour')
    server.clock.ahead = LONGEST_LIFE_MS.body
    const answer = await sent.answer
    server.clock.ahead = 0
    expect(answer).toMatchObject({ status: 200, body: { id, length: 7 } })
    sent.cut()
    expect((await append(id, ', and more')).body).toEqual({ id, length: 17 })
    await finish(id)
  })

  it('is refused in an archived topic', async () => {
    const place = await newTopic(bot)
    const id = await begin({ topicId: place })
    const sent = body(id)
    sent.write('so far')
    await eventually(() => shown(id)).toBe('so far')
    await chatOf(ada).patch(`topics/${place}`, { archived: true })
    await eventually(async () => (await append(id, '')).status).toBe(403)
    sent.write('!')
    expect(refusal(await sent.answer)).toMatchObject({ status: 403, body: 'topic is archived' })
    sent.cut()
    await finish(id, { status: 'failed' })
  })
})

describe('two nodes', () => {
  it('let a bot go on at the other one, and with another request when one of them leaves', async () => {
    const second = await server.secondNode()
    await eventually(async () => server.parley.wake.isAlone || second.parley.wake.isAlone).toBe(false)
    const there = at(second.url, bot)
    const id = await begin()
    const sent = body(id)
    sent.write('here')
    await eventually(() => shown(id)).toBe('here')
    // Accepted text stays, and the message is at the last request's node.
    expect((await append(id, ' and there', there)).body).toEqual({ id, length: 14 })
    expect((await sent.answer).body).toMatchObject({ id, length: 4 })
    sent.cut()

    const last = body(id, '?from=14', there)
    last.write(', at last')
    const seenThere = async () => {
      const [row] = await server.parley.db.query<StreamingRow>(sql`
        select * from streaming_messages where org_id = ${orgId} and id = ${id}`)
      return row && second.parley.streaming.current(row).text
    }
    await eventually(seenThere).toBe('here and there, at last')
    second.parley.draining.announce()
    const answer = await last.answer
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    expect(answer.body).toMatchObject({ id, length: 23 })
    last.cut()
    // A node that stops still takes text, a piece with each request.
    const late = body(id, '?from=23', there)
    late.write('.')
    expect((await late.answer).body).toMatchObject({ id, length: 24 })
    late.cut()
    expect((await finish(id, {}, bot)).status).toBe(200)
    expect(await ended(id)).toMatchObject({ text: 'here and there, at last.' })
  })
})
