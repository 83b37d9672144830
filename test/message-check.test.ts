import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import type { IncomingCall } from '../contract/people/incoming-webhooks.ts'
import type { HeldMessage } from '../contract/people/message-check.ts'
import { sendDueMessages } from '../server/background/due-messages.ts'
import { sql } from '../server/db/sql.ts'
import { ENCRYPTED } from '../server/keys/re-encrypt.ts'
import { at } from './support/cast.ts'
import { chatOf, refusal, withKey } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { postTo } from './support/incoming.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PATIENCE_MS } from './support/patience.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { closedPort, isSigned, isSignedByStandard, ON_LOOPBACK, until } from './support/receiver.ts'
import { conversationsOf } from './support/round-trips.ts'
import { answerFor, startTextChecker, type TextChecker } from './support/text-checker.ts'

let server: TestParley
let beside: TestParley
let cast: ChatCast
let checker: TextChecker
let admin: TestPerson

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, webhookAllowedOrganizations: 'all' })
  beside = await server.secondNode()
  cast = await chatCast(server)
  checker = await startTextChecker()
  admin = await signInAs(server, { orgId: cast.orgId, name: 'Dee', role: 'admin' })
})
afterAll(async () => {
  cast.close()
  await checker.close()
  await server.close()
})

const organization = () => `/people/organizations/${cast.orgId}`
const path = () => `${organization()}/message-check`
const held = () => `${organization()}/held-messages`
const set = async (whenAway = 'refuse', address = checker.url) => {
  const answer = await cast.ada.post(path(), { address, whenAway })
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body)
}
const textOf = async (id: string): Promise<string | undefined> => {
  const [row] = await server.parley.db.query<{ text: string }>(sql`
    select text from messages where org_id = ${cast.orgId} and id = ${id}`)
  return row?.text
}
const countMessages = async () =>
  (await server.parley.db.query(sql`select 1 from messages where org_id = ${cast.orgId}`)).length
const say = (text: string, more: object = {}) =>
  chatOf(cast.ada).post('messages', { topicId: cast.topicId, text, ...more })
const REFUSED = { status: 400, body: 'text was refused: it names a secret', code: 'message_refused' }
const AWAY = {
  status: 503,
  body: 'the program that checks messages does not answer',
  code: 'message_check_away',
}

describe('the program of an organization', () => {
  it('is set by owners, who alone get its secret; admins see it, members nothing', async () => {
    for (const [who, status] of [
      [admin, 403],
      [cast.ben, 403],
    ] as const)
      expect((await who.post(path(), { address: checker.url, whenAway: 'send' })).status).toBe(status)
    expect((await cast.ben.get(path())).status).toBe(403)
    expect(Object((await admin.get(path())).body)).toEqual({})
    expect((await cast.ada.delete(path())).status).toBe(404)
    expect((await cast.ada.post(`${path()}/test`, { text: 'Hello' })).status).toBe(404)
    for (const address of ['ftp://x.example', 'http://10.0.0.1/x', 'https://me:pw@x.example/', 'nothing'])
      expect((await cast.ada.post(path(), { address, whenAway: 'send' })).status, address).toBe(400)
    const { check, secret } = await set()
    expect(check).toMatchObject({ address: checker.url, whenAway: 'refuse', setByName: 'Ada' })
    expect(Object((await admin.get(path())).body).check).toEqual(check)
    expect((await set()).secret).toBeUndefined()
    expect((await set('send')).secret).toBeUndefined()
    const renewed = Object(
      (await cast.ada.post(path(), { address: checker.url, whenAway: 'refuse', newSecret: true })).body,
    )
    expect(renewed.secret).not.toBe(secret)
    const elsewhere = await set('refuse', `${checker.url}/other`)
    expect(elsewhere.secret).toEqual(expect.any(String))
    expect(elsewhere.secret).not.toBe(renewed.secret)
    const rows = await server.parley.db.query<{ secret: Buffer }>(sql`select secret from message_checks`)
    expect(rows[0]?.secret.toString()).not.toContain(elsewhere.secret)
    expect(ENCRYPTED.some(({ table }) => table === 'message_checks')).toBe(true)
    expect(server.logLines.join('')).not.toContain(elsewhere.secret)
    const { entries } = Object((await cast.ada.get(`${organization()}/audit?limit=1`)).body)
    expect(entries[0]).toMatchObject({ action: 'organization.message_check_set' })
    await cast.ada.delete(path())
  })

  it('is asked by signed requests, and tried without anybody reading along', async () => {
    const { secret } = await set()
    checker.news()
    const before = await countMessages()
    const test = Object((await cast.ada.post(`${path()}/test`, { text: 'My card 4111' })).body)
    expect(test).toMatchObject({ verdict: 'mask', text: 'My (hidden)' })
    expect(checker.news()).toEqual(['My card 4111'])
    const last = checker.received.at(-1)
    if (!last) throw new Error('the program was asked')
    expect(last.event).toMatchObject({
      type: 'messages.check',
      data: { texts: [{ id: '1', kind: 'message' }] },
    })
    expect(isSigned(last, secret) && isSignedByStandard(last, secret)).toBe(true)
    expect(await countMessages()).toBe(before)
    checker.script(500)
    const failed = Object((await cast.ada.post(`${path()}/test`, { text: 'x' })).body)
    expect(failed.fault).toEqual({ kind: 'status', detail: 'the answer was 500' })
    await set('refuse', `http://127.0.0.1:${await closedPort()}/`)
    expect(Object((await cast.ada.post(`${path()}/test`, { text: 'x' })).body).fault.kind).toBe('refused')
    await cast.ada.delete(path())
  })

  it('costs those without one no statement, and those with one no more in the transaction', async () => {
    await say('To warm up')
    const count = async () => {
      let statements = 0
      for (const conversation of await conversationsOf(() => say('Hello')))
        statements += conversation.statements.filter((one) => /write_messages|message_check/.test(one)).length
      return statements
    }
    checker.news()
    expect(await count()).toBe(1)
    expect(checker.news()).toEqual([])
    await set()
    await say('To warm up')
    expect(await count()).toBe(2) // the message, and the settings of the program
    await cast.ada.delete(path())
    await say('To warm up')
    expect(await count()).toBe(1)
  })
})

describe('texts that are checked', () => {
  beforeEach(async () => {
    server.parley.messageCheck.limitMs = PATIENCE_MS // a machine that is busy with other tests is not away
    await set()
    checker.news()
  })
  afterEach(async () => {
    checker.otherwise = answerFor
    await cast.ada.delete(path())
  })

  it('are refused with a reason, and masked, whoever writes them in whatever way', async () => {
    const { ada, bot, topicId } = cast
    const ofAda: string = Object((await say('Fine')).body).id
    const ofBot: string = Object((await bot.post('/v2/messages', { topicId, text: 'Fine' })).body).id
    const later = { topicId, text: 'Later', sendAt: server.parley.clock() + 86_400_000 }
    const scheduled: string = Object((await chatOf(ada).post('messages', later)).body).id
    const taskId: string = Object((await bot.post('/v2/tasks', { topicId, title: 'Plain' })).body).id
    const { id: streamId } = Object((await bot.post('/v2/messages', { topicId, streaming: true })).body)
    const before = await countMessages()
    const picture = form({ topicId, caption: 'Our secret' }, [{ content: Buffer.from('x'), name: 'x.txt' }])
    const type = { headers: { 'content-type': picture.contentType } }
    const actions = { elements: [{ id: 'yes', text: 'Yes' }] }
    const labelled = { elements: [{ id: 'yes', text: 'Secret' }] }
    for (const [name, answer] of Object.entries({
      'a person': await say('My secret'),
      'a command': await say('/deploy secret'),
      'an @everyone': await say('@everyone secret'),
      'a bot': await bot.post('/v2/messages', { topicId, text: 'secret' }),
      buttons: await bot.post('/v2/messages', { topicId, text: 'secret', actions }),
      label: await bot.post('/v2/messages', { topicId, text: 'Tea?', actions: labelled }),
      question: await bot.post('/v2/questions', { topicId, text: 'Tea?', elements: labelled.elements }),
      edit: await chatOf(ada).patch(`messages/${ofAda}`, { text: 'A secret after all' }),
      'edit by a bot': await bot.patch(`/v2/messages/${ofBot}`, { text: 'A secret after all' }),
      'edit of buttons': await bot.patch(`/v2/messages/${ofBot}`, { actions: labelled }),
      scheduled: await chatOf(ada).post('messages', { ...later, text: 'secret' }),
      'scheduled edit': await chatOf(ada).patch(`scheduled-messages/${scheduled}`, { text: 'secret' }),
      caption: await chatOf(ada).post('messages', picture.body, type),
      comment: await chatOf(ada).post('messages', { topicId, text: 'secret', forwardMessageId: ofBot }),
      poll: await bot.post('/v2/polls', {
        topicId,
        question: 'Tea?',
        options: ['a', 'secret'],
        selectionType: 'single',
      }),
      task: await bot.post('/v2/tasks', { topicId, title: 'A secret' }),
      'task edit': await bot.patch(`/v2/tasks/${taskId}`, { description: 'The secret' }),
      place: await chatOf(ada).post('locations', { topicId, latitude: 1, longitude: 2, name: 'Secret bay' }),
      contact: await chatOf(ada).post('contacts', { topicId, name: 'Sue', role: 'Secret agent' }),
      'private answer': await bot.put(`/v2/messages/${ofAda}/private-answers/${ada.profileId}`, {
        text: 'secret',
      }),
      steps: await bot.put(`/v2/messages/${streamId}/progress`, { activity: 'Reading the secret' }),
      stream: await bot.post(`/v2/messages/${streamId}/finish`, { text: 'The secret' }),
    }))
      expect([name, refusal(answer)]).toEqual([name, REFUSED])
    expect(await countMessages()).toBe(before)

    const masked = async (answer: { status: number; text: string; body: unknown }, expected: string) => {
      expect(answer.status, answer.text).toBeLessThan(300)
      expect(await textOf(Object(answer.body).id)).toBe(expected)
    }
    await masked(await say('My card 12'), 'My (hidden)')
    await masked(await say('@everyone card 12'), '@everyone (hidden)')
    await masked(await bot.post('/v2/messages', { topicId, text: 'A card 12', actions }), 'A (hidden)')
    await masked(await chatOf(ada).patch(`messages/${ofAda}`, { text: 'Now card 12' }), 'Now (hidden)')
    await masked(
      await chatOf(ada).post('messages', { topicId, text: 'See card 12', forwardMessageId: ofBot }),
      'See (hidden)',
    )
    await masked(
      await bot.post(`/v2/messages/${streamId}/finish`, { text: 'At last card 12' }),
      'At last (hidden)',
    )
    const label = { elements: [{ id: 'yes', text: 'card 12' }] }
    const same = await bot.post('/v2/messages', { topicId, text: 'card 12', actions: label })
    expect([same.status, refusal(same).code]).toEqual([400, 'message_refused'])
  })

  it('are asked about once for a key, and never for those who may not write', async () => {
    const key = withKey('once')
    for (const text of ['My secret', 'My card 5', 'odd', 'Plain']) {
      const keyed = withKey(`once ${text}`)
      const [first, second] = [
        await chatOf(cast.ada).post('messages', { topicId: cast.topicId, text }, keyed),
        await chatOf(cast.ada).post('messages', { topicId: cast.topicId, text }, keyed),
      ]
      expect([second.status, second.text]).toEqual([first.status, first.text])
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      expect(checker.news()).toEqual([text])
    }
    const asked = await cast.bot.post(
      '/v2/messages',
      { topicId: cast.topicId, text: 'Sure?', actions: { elements: [{ id: 'a', text: 'A' }] } },
      key,
    )
    expect(asked.status).toBe(201)
    await cast.bot.post(
      '/v2/messages',
      { topicId: cast.topicId, text: 'Sure?', actions: { elements: [{ id: 'a', text: 'A' }] } },
      key,
    )
    expect(checker.news().sort()).toEqual(['A', 'Sure?'])
    expect(
      (await chatOf(cast.cy).post('messages', { topicId: cast.topicId, text: 'Let me in' })).status,
    ).toBe(404)
    expect((await say('Ghost', { parentId: cast.topicId })).status).toBe(400)
    expect(checker.news()).not.toContain('Let me in')
  })

  it('are sent or refused while the program is away, as its organization says', async () => {
    const replies = [
      'close',
      500,
      302,
      { status: 200, body: 'no' },
      { status: 200, body: '{"verdicts":[]}' },
      { status: 200, body: '{"verdicts":[{"id":"1","verdict":"maybe"}]}' },
      { status: 200, body: '{"verdicts":[{"id":"1","verdict":"mask","text":""}]}' },
    ] as const
    for (const reply of replies) {
      checker.script(reply)
      expect(refusal(await say('Hello')), JSON.stringify(reply)).toEqual(AWAY)
    }
    const key = withKey('away')
    checker.script('hang')
    server.parley.messageCheck.limitMs = LIMITS.messageCheckMs
    const began = performance.now()
    expect(
      refusal(await chatOf(cast.ada).post('messages', { topicId: cast.topicId, text: 'Later' }, key)),
    ).toEqual(AWAY)
    expect(performance.now() - began).toBeGreaterThan(LIMITS.messageCheckMs - 50)
    server.parley.messageCheck.limitMs = PATIENCE_MS
    // A 503 is not kept for a key.
    expect(
      (await chatOf(cast.ada).post('messages', { topicId: cast.topicId, text: 'Later' }, key)).status,
    ).toBe(201)
    checker.otherwise = 500
    for (const answer of [
      await chatOf(cast.ada).post('polls', {
        topicId: cast.topicId,
        question: 'Tea?',
        options: ['a', 'b'],
        selectionType: 'single',
      }),
      await cast.bot.post('/v2/tasks', { topicId: cast.topicId, title: 'T' }),
    ])
      expect(refusal(answer)).toEqual(AWAY)
    await eventuallyHolds(async () =>
      expect(Object((await admin.get(path())).body).check).toMatchObject({
        failingSince: expect.any(Number),
        fault: { kind: 'status' },
      }),
    )
    await set('send')
    expect((await say('Sent unchecked')).status).toBe(201)
    expect((await cast.bot.post('/v2/tasks', { topicId: cast.topicId, title: 'T' })).status).toBe(201)
    checker.otherwise = answerFor
    await say('Back')
    await eventuallyHolds(async () =>
      expect(Object((await admin.get(path())).body).check.failingSince).toBeUndefined(),
    )
  })

  it('are refused where the right was lost while the program thought', async () => {
    let release = () => {}
    const thinking = new Promise<void>((resolve) => {
      release = resolve
    })
    checker.otherwise = async (received) => {
      await thinking
      return answerFor(received)
    }
    checker.received.length = 0
    const text = 'While I was out'
    const sends = [
      chatOf(cast.ben).post('messages', { topicId: cast.topicId, text }),
      chatOf(cast.ben).post('messages', { topicId: cast.topicId, text: `@everyone ${text}` }),
    ]
    await until(() => checker.received.length > 0)
    await cast.bot.delete(`/v2/topics/${cast.topicId}/members`, { memberIds: [cast.ben.profileId] })
    release()
    for (const answer of await Promise.all(sends)) expect(answer.status).toBe(404)
    checker.otherwise = answerFor
    expect(
      (await cast.bot.post(`/v2/topics/${cast.topicId}/members`, { memberIds: [cast.ben.profileId] })).status,
    ).toBeLessThan(300)
  })

  it('are asked about together while one is under way, and hold up no other organization', async () => {
    const other = await chatCast(server)
    let release = () => {}
    const thinking = new Promise<void>((resolve) => {
      release = resolve
    })
    checker.otherwise = async (received) => {
      await thinking
      return answerFor(received)
    }
    checker.received.length = 0
    const first = say('first')
    await until(() => checker.received.length === 1)
    const rest = Array.from({ length: 20 }, (_, number) => say(`one of ${number}`))
    await until(() => checker.asked().flat().length === 21)
    const about = { kind: 'message' as const, topicId: cast.topicId, senderId: cast.ada.profileId }
    checker.received.length = 0
    const asked = Array.from({ length: 60 }, (_, number) =>
      server.parley.messageCheck.ask(cast.orgId, [{ ...about, text: `text ${number}` }]),
    )
    await until(() => checker.received.length === 2)
    const sizes = checker.asked().map((texts) => texts.length)
    expect(sizes.sort()).toEqual([10, LIMITS.messageCheckTexts])
    const free = await chatOf(other.ada).post('messages', { topicId: other.topicId, text: 'Free' })
    expect(free.status).toBe(201)
    // Nor those who write something else in this one.
    expect((await cast.ada.patch(organization(), { linkPreviews: false })).status).toBe(200)
    release()
    for (const answer of await Promise.all([first, ...rest])) expect(answer.status).toBe(201)
    expect((await Promise.all(asked)).map(({ verdicts }) => verdicts.size)).toEqual(asked.map(() => 1))
    other.close()
  })

  it('are not shown while a bot still writes them, and dropped if nobody may see them', async () => {
    const { bot, topicId, ada, ben } = cast
    const stream = await cast.stream(ben)
    const { id } = Object((await bot.post('/v2/messages', { topicId, text: 'The ', streaming: true })).body)
    await bot.post(`/v2/messages/${id}/append`, { text: 'secret' })
    const { streaming } = Object((await chatOf(ben).get('streaming')).body)
    expect(JSON.stringify(streaming ?? (await chatOf(ben).get('streaming')).body)).not.toContain('secret')
    expect((await chatOf(ada).post(`streaming/${id}/stop`, {})).status).toBeLessThan(300)
    expect(await textOf(id)).toBe('')
    await stream.next(({ event }) => event === 'message.created')
    expect(JSON.stringify(stream)).not.toContain('secret')
  })
})

describe('messages that are held', () => {
  beforeAll(async () => {
    server.parley.messageCheck.limitMs = PATIENCE_MS
    await set()
    await server.parley.db.query(sql`delete from scheduled_messages where org_id = ${cast.orgId}`)
  })
  const list = async () => Object((await admin.get(held())).body).heldMessages
  const hold = async (text: string, who: TestPerson = cast.ada) => {
    const answer = await chatOf(who).post('messages', { topicId: cast.topicId, text })
    expect([answer.status, Object(answer.body).held]).toEqual([202, true])
    const id: string = Object(answer.body).id
    return id
  }
  const texts = async () =>
    (
      await server.parley.db.query<{ text: string }>(
        sql`select text from messages where org_id = ${cast.orgId}`,
      )
    ).map(({ text }) => text)

  it('wait for somebody else, who reads them by the audit log, and go out as they are', async () => {
    checker.news()
    const id = await hold('An odd thing')
    const own = Object((await chatOf(cast.ada).get('scheduled-messages')).body).scheduledMessages
    expect(own).toContainEqual(expect.objectContaining({ id, state: 'held', heldReason: 'it is odd' }))
    expect(await list()).toContainEqual(
      expect.objectContaining({ id, reason: 'it is odd', sender: { id: cast.ada.profileId, name: 'Ada' } }),
    )
    expect(JSON.stringify(await list())).not.toContain('An odd thing')
    expect((await cast.ben.get(held())).status).toBe(403)
    expect((await cast.ben.post(`${held()}/${id}/content`, {})).status).toBe(403)
    expect(Object((await admin.post(`${held()}/${id}/content`, {})).body).text).toBe('An odd thing')
    const { entries } = Object((await cast.ada.get(`${organization()}/audit?limit=1`)).body)
    expect(entries[0]).toMatchObject({
      action: 'held_message.read',
      target: { type: 'held_message', name: 'Ada' },
    })
    for (const answer of [
      await chatOf(cast.ada).patch(`scheduled-messages/${id}`, { text: 'Innocent' }),
      await chatOf(cast.ada).post(`scheduled-messages/${id}/send`, {}),
    ])
      expect(refusal(answer).code).toBe('scheduled_message_held')
    expect(refusal(await cast.ada.post(`${held()}/${id}/decision`, { outcome: 'released' })).code).toBe(
      'held_message_own',
    )
    expect((await admin.post(`${held()}/${id}/decision`, { outcome: 'released' })).status).toBe(204)
    expect(refusal(await admin.post(`${held()}/${id}/decision`, { outcome: 'released' })).code).toBe(
      'held_message_not_found',
    )
    await sendDueMessages(server.parley)
    expect(await texts()).toContain('An odd thing')
    expect(checker.news()).toEqual(['An odd thing'])
    expect(await list()).toEqual([])
  })

  it('come from incoming webhooks, too: once, however often the program tries', async () => {
    const path = `${organization()}/bots/${cast.bot.id}/incoming-webhooks`
    const wanted = { name: 'Builds', topicId: cast.topicId, format: 'generic' }
    const { url, incomingWebhook } = Object((await cast.ada.post(path, wanted)).body)
    const send = (text: string) => postTo(url, { text }, { headers: { 'idempotency-key': text } })
    expect([(await send('An odd build')).status, (await send('An odd build')).status]).toEqual([200, 200])
    const ofBot = async () => (await list()).filter(({ sender }: HeldMessage) => sender.id === cast.bot.id)
    const [one, ...others] = await ofBot()
    expect([one?.reason, others]).toEqual(['it is odd', []])
    const { calls } = Object((await cast.ada.get(`${path}/${incomingWebhook.id}/calls`)).body)
    expect(calls.map(({ status, reason }: IncomingCall) => [status, reason])).toEqual([
      [200, 'held'],
      [200, 'held'],
    ])
    expect((await send('A secret build')).status).toBe(400)
    expect((await admin.post(`${held()}/${one?.id}/decision`, { outcome: 'released' })).status).toBe(204)
    await sendDueMessages(server.parley)
    expect((await texts()).filter((text) => text.includes('An odd build'))).toHaveLength(1)
  })

  it('are rejected, or cancelled by their sender, and a change after the review counts as new', async () => {
    const rejected = await hold('odd one')
    await admin.post(`${held()}/${rejected}/decision`, { outcome: 'rejected' })
    const own = Object((await chatOf(cast.ada).get('scheduled-messages')).body).scheduledMessages
    expect(own).toContainEqual(
      expect.objectContaining({ id: rejected, state: 'failed', reasonCode: 'message_rejected' }),
    )
    const cancelled = await hold('odd two')
    expect((await chatOf(cast.ada).delete(`scheduled-messages/${cancelled}`)).status).toBe(204)
    const changed = await hold('odd three')
    await admin.post(`${held()}/${changed}/decision`, { outcome: 'released' })
    expect((await chatOf(cast.ada).patch(`scheduled-messages/${changed}`, { text: 'odd four' })).status).toBe(
      200,
    )
    await sendDueMessages(server.parley)
    expect(await texts()).not.toContain('odd four')
    expect(await list()).toEqual([expect.objectContaining({ id: changed })])
    await chatOf(cast.ada).delete(`scheduled-messages/${changed}`)
    expect((await texts()).filter((text) => text.startsWith('odd'))).toEqual([])
  })

  it('are scheduled ones too, when they are due; not edits, tasks and forwards, which say so', async () => {
    const { bot, topicId, ada } = cast
    const soon = server.parley.clock() + 60_000
    expect((await say('odd at noon', { sendAt: soon })).status).toBe(201)
    server.clock.ahead += 120_000
    await sendDueMessages(server.parley)
    expect(await list()).toEqual([expect.objectContaining({ reason: 'it is odd' })])
    const id: string = Object((await say('Plain')).body).id
    for (const answer of [
      await chatOf(ada).patch(`messages/${id}`, { text: 'odd' }),
      await bot.post('/v2/tasks', { topicId, title: 'odd' }),
      await chatOf(ada).post('messages', { topicId, text: 'odd', forwardMessageId: id }),
    ])
      expect(refusal(answer)).toMatchObject({ status: 400, code: 'message_held' })
    const [first] = await list()
    await admin.post(`${held()}/${first.id}/decision`, { outcome: 'rejected' })
  })

  it('do not go out when their sender has lost the right since', async () => {
    const id = await hold('odd of Ben', cast.ben)
    await cast.bot.delete(`/v2/topics/${cast.topicId}/members`, { memberIds: [cast.ben.profileId] })
    await admin.post(`${held()}/${id}/decision`, { outcome: 'released' })
    await sendDueMessages(server.parley)
    expect(await texts()).not.toContain('odd of Ben')
    await cast.bot.post(`/v2/topics/${cast.topicId}/members`, { memberIds: [cast.ben.profileId] })
  })

  it('stay what they are on another node, and when texts are no longer checked', async () => {
    const id = await hold('odd until the end')
    expect((await cast.ada.delete(path())).status).toBe(204)
    const sent = await at(beside.url, cast.bot).post('/v2/messages', {
      topicId: cast.topicId,
      text: 'My secret',
    })
    expect(sent.status).toBe(201)
    expect((await cast.ada.post(path(), { address: checker.url, whenAway: 'refuse' })).status).toBe(200)
    const refused = await at(beside.url, cast.bot).post('/v2/messages', {
      topicId: cast.topicId,
      text: 'My secret',
    })
    expect(refusal(refused)).toEqual(REFUSED)
    expect(await list()).toEqual([expect.objectContaining({ id })])
  })
})
