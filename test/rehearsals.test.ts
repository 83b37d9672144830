import { tmpdir } from 'node:os'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import { LIMITS } from '../contract/limits.ts'
import { forgetOldRehearsals } from '../server/actions/rehearsals/rehearsals.ts'
import { sql } from '../server/db/sql.ts'
import { oauthBot, organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { type Answer, call } from './support/client.ts'
import { commandSettings, jsonOf, runHere } from './support/command-here.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { comparisonOf, hearAll, type Rehearsing, rehearsing, startRehearsal } from './support/rehearsals.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let eve: TestPerson
let bot: StaticTestBot
let releases: string
let secret: string
let question: string

const DAY_MS = 86_400_000

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben Ito' })
  eve = await signInAs(server, { orgId, name: 'Eve Admin', role: 'admin' })
  bot = await staticBot(server, orgId, 'Oracle')
  releases = await topic('Releases', [ada.profileId, ben.profileId])
  secret = await topic('Secret', [ben.profileId])
  question = await say(ben, releases, 'Is 1.4 out?')
  await bot.post('/v2/messages', { topicId: releases, text: 'I do not know.', parentId: question })
  await say(ben, secret, 'The albatross lands at noon.')
  await say(ada, releases, 'And 1.5?')
  await bot.post('/v2/messages', { topicId: releases, text: 'Ask Ben.' })
})
afterAll(() => server.close())

async function topic(name: string, members: string[]): Promise<string> {
  return Object((await bot.post('/v2/topics', { name, members })).body).id
}

async function say(who: TestPerson, topicId: string, text: string, more: object = {}): Promise<string> {
  const { status, body } = await chatOf(who).post('messages', { topicId, text, ...more })
  expect(status).toBe(201)
  return Object(body).id
}

const refusal = ({ status, body }: Answer) => [status, body]
const forgetAll = () => server.parley.db.query(sql`delete from rehearsals where org_id = ${orgId}`)
const textOf = ({ data }: { data: Record<string, unknown> }): string => Object(data.message).text
const start = (who: TestPerson = ada, body: object = {}): Promise<Rehearsing> =>
  startRehearsal(server.url, who, bot.id, body)
const compare = (who: TestPerson, { id }: Rehearsing, query = '') => comparisonOf(who, bot.id, id, query)
const count = async (
  table: 'messages' | 'events' | 'reactions' | 'deliveries' | 'bot_storage',
): Promise<number> => {
  const [row] = await server.parley.db.query<{ count: number }>(
    sql`select (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I where org_id = %L', ${table}::text, ${orgId}::text), false, true, '')))[1]::text::integer as count`,
  )
  return row?.count ?? 0
}

describe('a rehearsal', () => {
  it('hears what people said, once and in order, of the topics that its admin is in', async () => {
    const heard = await hearAll(await start())
    const said = heard.filter(({ eventType }) => eventType === 'message.created').map(textOf)
    expect(said).toEqual(['Is 1.4 out?', 'And 1.5?'])
    expect(JSON.stringify(heard)).not.toContain('albatross')
    expect(JSON.stringify(heard)).not.toContain('I do not know.')
  })

  it('shows what the bot would have said beside what it said, and writes nothing else', async () => {
    const before = await Promise.all([count('messages'), count('events'), count('deliveries')])
    const rehearsal = await start(ada, { name: 'Version 2' })
    const events = await count('events') // with the entry about its beginning
    await hearAll(rehearsal, async ({ eventType, data }) => {
      if (eventType !== 'message.created') return
      const { id, topicId } = Object(data.message)
      const text = `New: ${textOf({ data })}`
      const sent = await rehearsal.send('POST', '/v2/messages', { topicId, text, parentId: id })
      expect(sent.status).toBe(201)
    })
    expect([await count('messages'), await count('deliveries')]).toEqual([before[0], before[2]])
    expect(await count('events')).toBe(events)
    const { rehearsal: told, events: compared } = await compare(ada, rehearsal)
    expect(told).toMatchObject({ name: 'Version 2', state: 'over', startedByName: 'Ada Okafor' })
    const [first, second] = compared.filter(({ type }: { type: string }) => type === 'message.created')
    expect(first).toMatchObject({
      topicName: 'Releases',
      actorName: 'Ben Ito',
      text: 'Is 1.4 out?',
      former: [{ text: 'I do not know.' }],
      rehearsed: [{ kind: 'message', text: 'New: Is 1.4 out?', parentId: question }],
    })
    expect(second).toMatchObject({
      former: [{ text: 'Ask Ben.' }],
      rehearsed: [{ text: 'New: And 1.5?' }],
    })
  })

  it('gives an event again that was not finished, and forgets what was said to it', async () => {
    const rehearsal = await start()
    const first = Object((await rehearsal.hear()).body)
    await rehearsal.send('POST', '/v2/messages', { topicId: releases, text: 'Half an answer' })
    const again = Object((await rehearsal.hear()).body) // as a bot does that was killed
    expect(again.updates).toEqual(first.updates)
    await rehearsal.send('POST', '/v2/messages', { topicId: releases, text: 'A whole answer' })
    await rehearsal.hear(again.nextOffset)
    const { events } = await compare(ada, rehearsal)
    expect(events[0].rehearsed.map(({ text }: { text: string }) => text)).toEqual(['A whole answer'])
    const other = await rehearsal.hear(again.nextOffset) // an answer that was lost
    expect(Object(other.body).updates[0].updateId).not.toBe(first.updates[0].updateId)
  })

  it('goes on past an event that it never finishes', async () => {
    const rehearsal = await start()
    const ids = new Set<string>()
    for (let tries = 0; tries <= LIMITS.rehearsalTries; tries += 1)
      ids.add(Object((await rehearsal.hear()).body).updates[0].updateId)
    expect(ids.size).toBe(2)
  })

  it('reads conversations as of the event that it has', async () => {
    const rehearsal = await start()
    await hearAll(rehearsal, async ({ eventType, data }) => {
      if (eventType !== 'message.created' || textOf({ data }) !== 'Is 1.4 out?') return
      const list = await rehearsal.send('GET', `/v2/topics/${releases}/messages?includeSystem=false`)
      expect(Object(list.body).messages.map(({ text }: { text: string }) => text)).toEqual(['Is 1.4 out?'])
      const later = Date.now() + DAY_MS
      const bounded = await rehearsal.send('GET', `/v2/topics/${releases}/messages?before=${later}`)
      expect(bounded.text).not.toContain('And 1.5?')
      const context = await rehearsal.send('GET', `/v2/topics/${releases}/context?message=${question}`)
      expect(context.status).toBe(200)
      expect(context.text).not.toContain('I do not know.')
      expect(context.text).not.toContain('And 1.5?')
      expect((await rehearsal.send('GET', `/v2/messages/${question}`)).status).toBe(200)
      const messages = await bot.get(`/v2/topics/${releases}/messages`)
      const next = Object(messages.body).messages.find(({ text }: { text: string }) => text === 'And 1.5?')
      expect(refusal(await rehearsal.send('GET', `/v2/messages/${next.id}`))).toEqual([
        404,
        'Message not found',
      ])
    })
  })

  it('hides topics that its admin is not in: reads, writes and what is said there', async () => {
    const rehearsal = await start()
    await rehearsal.hear()
    const notFound = [404, 'Topic not found']
    expect(refusal(await rehearsal.send('GET', `/v2/topics/${secret}`))).toEqual(notFound)
    expect(refusal(await rehearsal.send('GET', `/v2/topics/${secret}/messages`))).toEqual(notFound)
    expect(refusal(await rehearsal.send('GET', `/v2/topics/${secret}/context`))).toEqual(notFound)
    const wanted = { topicId: secret, text: 'Hello' }
    expect(refusal(await rehearsal.send('POST', '/v2/messages', wanted))).toEqual(notFound)
    expect(refusal(await rehearsal.send('POST', `/v2/topics/${secret}/working`, {}))).toEqual(notFound)
  })

  it('is compared by admins, of the topics that each is in', async () => {
    const rehearsal = await start()
    await hearAll(rehearsal, () =>
      rehearsal.send('POST', '/v2/messages', { topicId: releases, text: 'Only for Releases' }),
    )
    const shown = await compare(eve, rehearsal)
    expect(shown.events.length).toBeGreaterThan(1)
    expect(shown.events.every(({ isHidden }: { isHidden?: boolean }) => isHidden === true)).toBe(true)
    expect(JSON.stringify(shown)).not.toContain('Only for')
    expect(JSON.stringify(shown)).not.toContain('1.4')
    const path = `/people/organizations/${orgId}/bots/${bot.id}/rehearsals`
    expect((await ben.get(`${path}/${rehearsal.id}`)).status).toBe(403)
    const nothing = await startRehearsal(server.url, eve, bot.id)
    expect(await hearAll(nothing)).toEqual([])
  })

  it('pages through the comparison', async () => {
    const rehearsal = await start()
    const heard = await hearAll(rehearsal)
    const seen: number[] = []
    for (let query = '?limit=1'; ; ) {
      const { events, nextCursor, hasMore } = await compare(ada, rehearsal, query)
      seen.push(...events.map(({ seq }: { seq: number }) => seq))
      if (!hasMore) break
      query = `?limit=1&cursor=${encodeURIComponent(nextCursor)}`
    }
    expect(new Set(seen).size).toBe(heard.length)
    expect(seen).toEqual([...seen].sort((one, other) => one - other))
  })
})

describe('what is told to a bot alone', () => {
  it('is heard by the person who told it, and by no other admin', async () => {
    await forgetAll()
    const topicId = await topic('Commands', [ada.profileId, ben.profileId])
    await bot.put('/v2/commands', { commands: [{ name: 'ask', description: 'Ask' }] })
    await say(ada, topicId, '/ask hers')
    await say(ben, topicId, '/ask his')
    const heard = await hearAll(await start())
    const given = heard.filter(({ eventType }) => eventType === 'message.command')
    expect(given.map(({ data }) => data.text)).toEqual(['hers'])
  })

  it('such as a private message to it, is not heard by others', async () => {
    await forgetAll()
    const direct = await chatOf(ben).post('direct-messages', { memberIds: [bot.id] })
    const sent = await chatOf(ben).post('messages', {
      topicId: Object(direct.body).id,
      text: 'Between us: egret',
    })
    expect(sent.status).toBe(201)
    const rehearsal = await start()
    expect(JSON.stringify(await hearAll(rehearsal))).not.toContain('egret')
    expect(JSON.stringify(await compare(ada, rehearsal))).not.toContain('egret')
  })
})

it('is begun by a command, in the name of an admin', async () => {
  await forgetAll()
  const run = (...args: string[]) => runHere(['bot', 'rehearse', ...args], commandSettings(server), tmpdir())
  const began = jsonOf(await run('--bot', bot.id, '--member', ada.profileId, '--name', 'By hand', '--json'))
  const heard = await hearAll(rehearsing(server.url, String(began.rehearsalId), String(began.token)))
  expect(heard.map(textOf)).toContain('Is 1.4 out?')
  expect((await compare(ada, rehearsing('', String(began.rehearsalId), ''))).rehearsal.name).toBe('By hand')
  const refused = await run('--bot', bot.id, '--member', ben.profileId)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no active admin')])
})

describe('what a bot does in a rehearsal', () => {
  let rehearsal: Rehearsing
  const shown = async (): Promise<object[]> => (await compare(ada, rehearsal)).events[0].rehearsed
  const send = (...request: Parameters<Rehearsing['send']>) => rehearsal.send(...request)

  beforeAll(async () => {
    rehearsal = await start()
  })

  it('sets commands before the first event, without changing those of the bot', async () => {
    await bot.put('/v2/commands', { commands: [{ name: 'real', description: 'The real one' }] })
    const set = await send('PUT', '/v2/commands', { commands: [{ name: 'deploy', description: 'Deploy' }] })
    expect(set.body).toEqual({ commands: [{ name: 'deploy', description: 'Deploy', arguments: [] }] })
    const twice = [
      { name: 'a', description: 'A' },
      { name: 'a', description: 'B' },
    ]
    expect(refusal(await send('PUT', '/v2/commands', { commands: twice }))[0]).toBe(400)
    expect((await send('PUT', '/v2/prompts', { prompts: ['What is new?'] })).status).toBe(200)
    const { events } = await compare(ada, rehearsal)
    expect(events).toEqual([
      {
        seq: 0,
        former: [],
        rehearsed: [
          { kind: 'commands', text: '/deploy' },
          { kind: 'prompts', text: 'What is new?' },
        ],
      },
    ])
    expect(Object((await bot.get('/v2/commands')).body).commands[0].name).toBe('real')
    expect((await bot.get('/v2/prompts')).body).toEqual({ prompts: [] })
    let offset: string | undefined
    for (;;) {
      const { updates, nextOffset } = Object((await rehearsal.hear(offset)).body)
      if (updates[0]?.eventType === 'message.created') break
      offset = nextOffset
    }
  })

  const last = async (): Promise<object> => {
    const { events } = await compare(ada, rehearsal)
    return events.at(-1).rehearsed.at(-1)
  }

  it('sends, edits and deletes its own messages, and no others', async () => {
    const sent = await send('POST', '/v2/messages', { topicId: releases, text: 'First' })
    const { id } = Object(sent.body)
    expect((await send('PATCH', `/v2/messages/${id}`, { text: 'Second' })).status).toBe(200)
    expect(await last()).toEqual({ kind: 'message', text: 'Second', isEdited: true })
    const reply = await send('POST', '/v2/messages', { topicId: releases, text: 'More', parentId: id })
    expect(reply.status).toBe(201)
    expect((await send('DELETE', `/v2/messages/${id}`)).status).toBe(204)
    expect(refusal(await send('DELETE', `/v2/messages/${id}`))).toEqual([404, 'Message not found'])
    const { body } = await bot.get(`/v2/topics/${releases}/messages?senderId=${bot.id}`)
    const real = Object(body).messages[0].id
    expect((await send('PATCH', `/v2/messages/${real}`, { text: 'Changed' })).status).toBe(404)
    expect((await send('DELETE', `/v2/messages/${real}`)).status).toBe(404)
    expect((await bot.get(`/v2/messages/${real}`)).text).not.toContain('Changed')
    expect((await bot.get(`/v2/messages/${id}`)).status).toBe(404)
  })

  it('is refused what a real message is refused', async () => {
    const to = (body: object) => send('POST', '/v2/messages', { topicId: releases, ...body }).then(refusal)
    expect(await to({})).toEqual([400, 'text is required'])
    expect(await to({ text: 'x'.repeat(LIMITS.messageText + 1) })).toEqual([400, 'text too long'])
    expect(await to({ text: `<@${eve.profileId}>` })).toEqual([400, 'Invalid mention'])
    expect(await to({ text: 'x', parentId: ada.profileId })).toEqual([400, 'Invalid parentId'])
    expect(await to({ text: 'x', sendAt: 5 })).toEqual([400, expect.any(String)])
    expect(await to({ text: 'x', streaming: true, sendAt: Date.now() + 1000 })).toEqual([
      400,
      expect.any(String),
    ])
    expect(await to({ forwardMessageId: question })).toEqual([403, 'no rehearsal has this operation'])
  })

  it('sends no files, and no text as it comes', async () => {
    for (const type of ['multipart/form-data; boundary=x', 'text/plain']) {
      const headers = { 'content-type': type }
      const path = type.startsWith('text') ? `/v2/messages/${question}/append` : '/v2/messages'
      const answer = await rehearsal.send('POST', path, '--x--', { headers })
      expect(answer.headers.get('x-error-code')).toBe('not_in_rehearsals')
    }
    expect(await last()).toEqual({ kind: 'refused', text: 'appendToMessage (file or plain text)' })
  })

  it('repeats the answer to a key', async () => {
    const body = { topicId: releases, text: 'Once' }
    const headers = { 'idempotency-key': 'the same' }
    const first = await send('POST', '/v2/messages', body, { headers })
    expect((await send('POST', '/v2/messages', body, { headers })).body).toEqual(first.body)
    expect((await bot.post('/v2/messages', { ...body, text: 'Real' }, { headers })).status).toBe(201)
  })

  it('streams with steps', async () => {
    const begun = await send('POST', '/v2/messages', { topicId: releases, streaming: true })
    const { id } = Object(begun.body)
    const append = (body: object) => send('POST', `/v2/messages/${id}/append`, body)
    expect(Object((await append({ text: 'Ähm, ', from: 0 })).body).length).toBe(5)
    expect(Object((await append({ text: 'yes', from: 0 })).body).length).toBe(3)
    expect(refusal(await append({ text: 'x', from: 9 }))[0]).toBe(409)
    const steps = [{ id: 'a', title: 'Look', status: 'done' }]
    expect((await send('PUT', `/v2/messages/${id}/progress`, { steps })).status).toBe(204)
    expect(await last()).toEqual({ kind: 'message', text: 'yes', steps: ['Look'], isUnfinished: true })
    const actions = { elements: [{ id: 'ok', text: 'Fine' }] }
    expect((await send('POST', `/v2/messages/${id}/finish`, { actions })).status).toBe(200)
    expect(await last()).toEqual({ kind: 'message', text: 'yes', steps: ['Look'], buttons: ['Fine'] })
    expect(refusal(await append({ text: 'more' }))[0]).toBe(409)
  })

  it('reacts, answers in private and takes both back', async () => {
    const reactions = await count('reactions')
    const reacted = await send('POST', `/v2/messages/${question}/reactions`, { reaction: '👍' })
    expect(reacted.status).toBe(201)
    const { id } = Object(reacted.body)
    expect(await last()).toEqual({ kind: 'reaction', text: '👍' })
    expect((await send('DELETE', `/v2/messages/${question}/reactions/${id}`)).status).toBe(204)
    expect((await send('DELETE', `/v2/messages/${question}/reactions/${id}`)).status).toBe(404)
    const path = (memberId: string) => `/v2/messages/${question}/private-answers/${memberId}`
    expect((await send('PUT', path(ben.profileId), { text: 'Only you' })).status).toBe(204)
    expect(await last()).toEqual({ kind: 'private', text: 'Only you', memberId: ben.profileId })
    expect((await send('PUT', path(eve.profileId), { text: 'Not you' })).status).toBe(400)
    expect((await send('DELETE', path(ben.profileId))).status).toBe(204)
    expect(await count('reactions')).toBe(reactions)
  })

  it('asks nobody: a question is over at once, with what counts without an answer', async () => {
    const elements = [
      { id: 'yes', text: 'Yes' },
      { id: 'no', text: 'No' },
    ]
    const asked = await send('POST', '/v2/questions', {
      ...{ topicId: releases, text: 'Deploy?', elements, otherwise: 'no' },
    })
    expect(asked.status).toBe(201)
    expect(asked.body).toMatchObject({ status: 'expired', elementId: 'no', answers: [] })
    expect(await last()).toEqual({ kind: 'question', text: 'Deploy?', buttons: ['Yes', 'No'] })
  })

  it('stores apart from the bot', async () => {
    await bot.put('/v2/storage/settings', { value: { city: 'Lisbon' } })
    expect((await send('GET', '/v2/storage/settings')).status).toBe(404)
    expect((await send('PUT', '/v2/storage/settings', { value: 1 })).status).toBe(201)
    expect((await send('PUT', '/v2/storage/settings', { value: 2, version: 1 })).status).toBe(200)
    expect((await send('PUT', '/v2/storage/settings', { value: 3, version: 1 })).status).toBe(409)
    expect((await send('GET', '/v2/storage/settings')).body).toMatchObject({ value: 2, version: 2 })
    expect(Object((await send('GET', '/v2/storage')).body).entries).toHaveLength(1)
    expect((await send('DELETE', '/v2/storage/settings')).status).toBe(204)
    expect((await bot.get('/v2/storage/settings')).body).toMatchObject({ value: { city: 'Lisbon' } })
    const huge = 'x'.repeat(60_000)
    const statuses: number[] = []
    for (let entry = 0; entry < 20; entry += 1)
      statuses.push((await send('PUT', `/v2/storage/${entry}`, { value: huge })).status)
    expect(statuses.filter((status) => status === 201).length).toBeLessThan(19)
    expect(statuses.at(-1)).toBe(400)
  })

  it('reports tokens without spending the budget', async () => {
    expect(Object((await send('POST', '/v2/usage', { tokens: 7 })).body).tokens).toBe(7)
    expect(Object((await bot.get('/v2/usage')).body).tokens).toBe(0)
    expect((await compare(ada, rehearsal)).rehearsal.tokens).toBe(7)
  })

  it('is refused every other operation, and the comparison says so once', async () => {
    const refused = { name: 'New', members: [ben.profileId] }
    for (let tries = 0; tries < 3; tries += 1) {
      const answer = await send('POST', '/v2/topics', refused)
      expect(answer.headers.get('x-error-code')).toBe('not_in_rehearsals')
    }
    const sayings = Object((await compare(ada, rehearsal)).events.at(-1)).rehearsed
    const names = sayings.filter(({ text }: { text: string }) => text === 'createTopic')
    expect(names).toEqual([{ kind: 'refused', text: 'createTopic' }])
  })

  it('reaches nothing by any operation of the bot API', async () => {
    const state = () =>
      server.parley.db.query(sql`
      select (select last_seq from organization_logs where org_id = ${orgId}) as seq,
        (select count(*) from messages where org_id = ${orgId}) as messages,
        (select count(*) from tasks where org_id = ${orgId}) as tasks,
        (select count(*) from topics where org_id = ${orgId}) as topics,
        (select count(*) from message_marks where org_id = ${orgId}) as marks,
        (select count(*) from idempotent_answers where org_id = ${orgId}) as answers`)
    const before = await state()
    const ids: Record<string, string> = {
      topicId: releases,
      messageId: question,
      memberId: ben.profileId,
      key: 'k',
    }
    const [, ...rest] = await Promise.all([
      Promise.resolve(),
      ...OPERATIONS.filter(({ scope }) => scope !== null).map(async (operation) => {
        const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? question)
        const body = operation.method === 'GET' ? undefined : (operation.bodyExample ?? {})
        const given = body && Object.hasOwn(body, 'topicId') ? { ...body, topicId: releases } : body
        const answer = await call(
          server.url,
          { token: rehearsal.token },
          operation.method,
          `/rehearsal${path}`,
          {
            ...(given && { body: given }),
          },
        )
        return [operation.id, answer.status] as const
      }),
    ])
    expect(rest.filter(([, status]) => status >= 500)).toEqual([])
    expect(await state()).toEqual(before)
  })

  it('is over when everything was heard', async () => {
    await hearAll(rehearsal)
    const answer = await send('POST', '/v2/messages', { topicId: releases, text: 'Too late' })
    expect(refusal(answer)).toEqual([409, 'the rehearsal is over'])
    expect((await shown()).length).toBeGreaterThan(0)
  })
})

describe('the token of a rehearsal', () => {
  beforeEach(forgetAll)

  it('opens nothing but rehearsals', async () => {
    const { token } = await start()
    const at = (path: string, method = 'GET') =>
      call(server.url, { token }, method, path).then(({ status }) => status)
    expect(await at('/v2/members/me')).toBe(401)
    expect(await at('/v2/updates')).toBe(401)
    expect(await at('/scim/v2/Users')).toBe(401)
    expect(await at('/mcp', 'POST')).toBe(401)
    expect(await at('/rehearsal/v2/members/me')).toBe(200)
    expect(await at('/rehearsal/v2/organizations', 'POST')).toBe(404)
    expect(await at('/rehearsal/mcp', 'POST')).toBe(404)
  })

  it('is the only one that rehearsals take', async () => {
    const oauth = await oauthBot(server, orgId)
    const { token } = await start()
    for (const wrong of [
      oauth.credentials.token,
      token.slice(0, -1),
      token.replace(/_\w{32}_/, `_${'0'.repeat(32)}_`),
    ]) {
      const answer = await call(server.url, { token: wrong }, 'GET', '/rehearsal/v2/members/me')
      expect(answer.status).toBe(401)
    }
    const signed = await call(server.url, bot.credentials, 'GET', '/rehearsal/v2/members/me')
    expect(signed.status).toBe(401)
  })

  it('ends with the role of its admin, with the bot, after a day, and by hand', async () => {
    const mia = await signInAs(server, { orgId, name: `Mia ${Date.now()}`, role: 'admin' })
    const status = async ({ token }: Rehearsing) =>
      (await call(server.url, { token }, 'GET', '/rehearsal/v2/members/me')).status
    const hers = await start(mia)
    expect(await status(hers)).toBe(200)
    await ada.patch(`/people/organizations/${orgId}/members/${mia.profileId}`, { role: 'member' })
    expect(await status(hers)).toBe(401)

    const mine = await start()
    const path = `/people/organizations/${orgId}/bots/${bot.id}`
    await ada.patch(path, { paused: true })
    expect((await mine.hear()).headers.get('x-error-code')).toBe('bot_paused')
    await ada.patch(path, { paused: false })
    expect((await mine.hear()).status).toBe(200)
    await ada.delete(`${path}/rehearsals/${mine.id}`)
    expect(await status(mine)).toBe(401)
    expect((await ada.get(`${path}/rehearsals/${mine.id}`)).status).toBe(404)

    const old = await start()
    server.clock.ahead += DAY_MS
    expect(await status(old)).toBe(401)
    expect((await compare(ada, old)).rehearsal.state).toBe('expired')
    server.clock.ahead -= DAY_MS
  })

  it('loses a topic when its admin or the bot leaves it', async () => {
    const topicId = await topic('Left', [ada.profileId, ben.profileId])
    await say(ben, topicId, 'Before they left')
    const rehearsal = await start()
    await bot.post(`/v2/topics/${topicId}/members`, { memberIds: [eve.profileId] })
    await chatOf(ada)
      .delete(`topics/${topicId}/members/me`)
      .catch(() => {})
    await server.parley.db.query(
      sql`delete from topic_members where org_id = ${orgId} and topic_id = ${topicId} and profile_id = ${ada.profileId}`,
    )
    expect(JSON.stringify(await hearAll(rehearsal))).not.toContain('Before they left')
    expect((await rehearsal.send('GET', `/v2/topics/${topicId}`)).status).not.toBe(200)
  })

  it('keeps to the scopes of its bot', async () => {
    const narrow = await oauthBot(server, orgId, 'Narrow', ['updates:read', 'message:read'])
    await bot.post(`/v2/topics/${releases}/members`, { memberIds: [narrow.id] })
    const rehearsal = await startRehearsal(server.url, ada, narrow.id)
    await rehearsal.hear()
    const answer = await rehearsal.send('POST', '/v2/messages', { topicId: releases, text: 'No scope' })
    expect(answer.status).toBe(403)
    expect((await rehearsal.send('GET', `/v2/topics/${releases}/messages`)).status).toBe(200)
  })
})

describe('what is gone', () => {
  beforeEach(forgetAll)

  it('does not come back: deleted and edited messages are not heard, and what was said to them is hidden', async () => {
    const topicId = await topic('Gone', [ada.profileId, ben.profileId])
    const deleted = await say(ben, topicId, 'To be deleted: heron')
    const edited = await say(ben, topicId, 'To be edited: heron')
    const later = await say(ben, topicId, 'Deleted later: stork')
    await say(ben, topicId, 'Stays')
    await chatOf(ben).delete(`messages/${deleted}`)
    await chatOf(ben).patch(`messages/${edited}`, { text: 'Edited' })
    const rehearsal = await start()
    const heard = await hearAll(rehearsal, async ({ eventType, data }) => {
      if (eventType !== 'message.created') return
      const { topicId: to } = Object(data.message)
      await rehearsal.send('POST', '/v2/messages', { topicId: to, text: `You said: ${textOf({ data })}` })
    })
    const ofTopic = heard.filter(({ data }) => Object(data.message).topicId === topicId).map(textOf)
    expect(ofTopic).toEqual(['Deleted later: stork', 'Stays', 'Edited'])
    expect(JSON.stringify(heard)).not.toContain('heron')
    expect(JSON.stringify(await compare(ada, rehearsal))).toContain('stork')
    await chatOf(ben).delete(`messages/${later}`)
    expect(JSON.stringify(await compare(ada, rehearsal))).not.toContain('stork')
  })

  it('goes with an erased person', async () => {
    const leaver = await signInAs(server, { orgId, name: 'Lea Ver' })
    const topicId = await topic('Leaver', [ada.profileId, leaver.profileId])
    await say(leaver, topicId, 'My name is Lea')
    const rehearsal = await start()
    await hearAll(rehearsal)
    const path = `/people/organizations/${orgId}`
    await ada.post(`${path}/members/${leaver.profileId}/erasure`, { withMessages: false })
    expect((await ada.get(`${path}/bots/${bot.id}/rehearsals/${rehearsal.id}`)).status).toBe(404)
    const mine = await call(server.url, { token: rehearsal.token }, 'GET', '/rehearsal/v2/members/me')
    expect(mine.status).toBe(401)
  })

  it('is deleted some days later', async () => {
    const rehearsal = await start()
    await rehearsal.send('POST', '/v2/messages', { topicId: releases, text: 'Soon gone' })
    const now = Date.now() + server.clock.ahead + LIMITS.rehearsalKeptDays * DAY_MS
    while (await forgetOldRehearsals(server.parley.db, now, 5));
    for (const table of ['rehearsals', 'rehearsal_events', 'rehearsal_sayings', 'rehearsal_storage'] as const)
      expect(await rows(table)).toBe(0)
  })

  const rows = async (table: string): Promise<number> => {
    const [row] = await server.parley.db.query<{ count: number }>(
      sql`select (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', ${table}::text), false, true, '')))[1]::text::integer as count`,
    )
    return row?.count ?? -1
  }
})

describe('bounds', () => {
  beforeEach(forgetAll)

  it('of the number of rehearsals, and of what one holds', async () => {
    const first = await start()
    for (let more = 1; more < LIMITS.rehearsals; more += 1) await start()
    const path = `/people/organizations/${orgId}/bots/${bot.id}/rehearsals`
    expect(refusal(await ada.post(path, {}))).toEqual([400, expect.stringContaining('rehearsals at a time')])
    const [, second] = Object((await ada.get(path)).body).rehearsals
    await server.parley.db.query(
      sql`update rehearsals set over_at = 1 where org_id = ${orgId} and id = ${second.id}`,
    )
    expect((await ada.post(path, {})).status).toBe(201)
    const kept = Object((await ada.get(path)).body).rehearsals
    expect(kept).toHaveLength(LIMITS.rehearsals)
    expect(kept.map(({ id }: { id: string }) => id)).not.toContain(second.id)
    for (const body of [{ days: 0 }, { days: 8 }, { days: 1.5 }, { name: 'x'.repeat(101) }, { other: 1 }])
      expect((await ada.post(path, body)).status).toBe(400)

    await first.hear()
    await server.parley.db.query(sql`
      update rehearsals set sayings = ${LIMITS.rehearsalSayings - 1} where org_id = ${orgId} and id = ${first.id}`)
    const say = () => first.send('POST', '/v2/messages', { topicId: releases, text: 'Hello' })
    expect((await say()).status).toBe(201)
    expect(refusal(await say())).toEqual([403, 'the rehearsal is full: nothing more is kept of it'])
    expect((await first.send('POST', '/v2/tasks', { topicId: releases, title: 'No' })).status).toBe(403)
    await server.parley.db.query(sql`
      update rehearsals set sayings = 0, bytes = ${LIMITS.rehearsalBytes - 10} where org_id = ${orgId} and id = ${first.id}`)
    expect(Object(await say()).status).toBe(403)
    await server.parley.db.query(sql`
      update rehearsals set events = ${LIMITS.rehearsalEvents} where org_id = ${orgId} and id = ${first.id}`)
    const { nextOffset } = Object((await first.hear()).body)
    expect((await first.hear(nextOffset)).headers.get('x-error-code')).toBe('rehearsal_over')
  })

  it('hears as far back as it was asked to', async () => {
    server.clock.ahead += 2 * DAY_MS
    const rehearsal = await start(ada, { days: 1 })
    server.clock.ahead -= 2 * DAY_MS
    expect(await hearAll(rehearsing(server.url, rehearsal.id, rehearsal.token))).toEqual([])
  })

  it('counts requests apart from those of the bots that work', async () => {
    const limited = await startTestParley({ rateLimitPerMinute: 5 })
    try {
      const org = await organization(limited)
      const owner = await signInAs(limited, { orgId: org, name: 'Olu', role: 'owner' })
      const worker = await staticBot(limited, org)
      await person(limited, org, 'Someone')
      const rehearsal = await startRehearsal(limited.url, owner, worker.id)
      const statuses: number[] = []
      for (let requests = 0; requests < 8; requests += 1)
        statuses.push((await rehearsal.send('GET', '/v2/members/me')).status)
      expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
      expect((await worker.get('/v2/members/me')).status).toBe(200)
    } finally {
      await limited.close()
    }
  })
})
