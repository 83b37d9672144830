import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { PERSON_SCOPES } from '../contract/scopes.ts'
import { PEOPLE_TOOLS } from '../contract/tools.ts'
import { forgetOldAssistants, forgetOldAssistantTokens } from '../server/auth/assistants.ts'
import { ClientDocuments } from '../server/auth/client-documents.ts'
import { forgetUnusedClients, hasRedirectUri, isRedirectUri } from '../server/auth/oauth-clients.ts'
import { sql } from '../server/db/sql.ts'
import type { ResolvedAddress } from '../server/network/resolver.ts'
import {
  allow,
  askForAccess,
  CALLBACK,
  connectFor,
  connectWith,
  decide,
  Keeping,
  requestOf,
} from './support/assistants.ts'
import { oauthBot, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { eventually } from './support/eventually.ts'
import { callTool, connectAssistant, toolRefusal, toolValue } from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { givePassword, signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'
import { CERTIFICATE, startReceiver } from './support/receiver.ts'

const PASSWORD = 'a long and private sentence'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben Ito' })
  bot = await staticBot(server, orgId)
  const members = [ada.profileId, ben.profileId]
  topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
})
afterAll(() => server.close())

/** Moves the clock, and signs the person in again. */
async function later(ms: number): Promise<void> {
  server.clock.ahead += ms
  ada = await signInToProfile(server, ada)
  ben = await signInToProfile(server, ben)
}

const url = (path: string) => server.url + path
const TOKEN = '/oauth/assistants/token'

async function post(path: string, form: Record<string, string>) {
  const answer = await fetch(url(path), { method: 'POST', body: new URLSearchParams(form) })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers }
}
const register = (given: unknown) =>
  fetch(url('/oauth/assistants/register'), {
    method: 'POST',
    body: JSON.stringify(given),
    headers: { 'content-type': 'application/json' },
  })

async function newClient(redirectUri = CALLBACK): Promise<string> {
  const answer = await register({ client_name: 'Desk assistant', redirect_uris: [redirectUri] })
  expect(answer.status).toBe(201)
  return Object(await answer.json()).client_id
}

const VERIFIER = 'v'.repeat(64)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

/** The query that a program opens the page with; `undefined` leaves something out. */
function request(clientId: string, changed: Record<string, string | undefined> = {}): string {
  const parts = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: 'abc',
    resource: url('/mcp'),
    ...changed,
  }
  const given = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined)
  return new URLSearchParams(given).toString()
}

/** A code of a consent, and the values to exchange it with. */
async function newCode(who = ada, chosen: Parameters<typeof decide>[2] = {}) {
  const clientId = await newClient()
  const returned = await allow(who, request(clientId), chosen)
  return {
    grant_type: 'authorization_code',
    code: returned.searchParams.get('code') ?? '',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    resource: url('/mcp'),
  }
}
async function newTokens(who = ada, chosen: Parameters<typeof decide>[2] = {}) {
  const form = await newCode(who, chosen)
  const { status, body } = await post(TOKEN, form)
  expect(status).toBe(200)
  const tokens: { access_token: string; refresh_token: string; expires_in: number; scope: string } = body
  return { ...tokens, clientId: form.client_id }
}
const ping = (token: string) =>
  fetch(url('/mcp'), {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
const works = async (token: string) => (await ping(token)).status

const assistantsOf = async (who: TestPerson) =>
  Object((await who.get('/people/account/assistants')).body).assistants

async function auditOf(action: string) {
  const answer = await ada.get(`/people/organizations/${orgId}/audit?target=assistant&limit=100`)
  return Object(answer.body).entries.filter((entry: { action: string }) => entry.action === action)
}

describe('what an assistant does', () => {
  it("is the person's, marked as written by it, and in the audit log", async () => {
    const { client } = await connectFor(ada)
    const sent = await toolValue(client, 'send_message', {
      topicId,
      text: `Good morning <@${ben.profileId}>`,
    })
    const messageId = String(sent.value.id)
    expect((await bot.get(`/v2/messages/${messageId}`)).body).toMatchObject({
      senderId: ada.profileId,
      senderType: 'user',
      mentions: [ben.profileId],
      assistant: { name: 'Desk assistant' },
    })
    const { updates } = Object((await bot.get('/v2/updates?offset=oldest&limit=100')).body)
    const told = updates.find((update: { data: unknown }) => Object(update.data).message?.id === messageId)
    expect(told?.data.message.assistant).toEqual({ name: 'Desk assistant' })

    const chat = `/people/organizations/${orgId}/chat`
    await ada.patch(`${chat}/messages/${messageId}`, { text: 'Good evening' })
    expect((await bot.get(`/v2/messages/${messageId}`)).body).not.toHaveProperty('assistant')
    await toolValue(client, 'edit_message', { messageId, text: 'Good night' })
    expect((await bot.get(`/v2/messages/${messageId}`)).body).toMatchObject({
      text: 'Good night',
      assistant: { name: 'Desk assistant' },
    })
    const own = Object((await ada.post(`${chat}/messages`, { topicId, text: 'By myself' })).body)
    expect((await bot.get(`/v2/messages/${own.id}`)).body).not.toHaveProperty('assistant')

    const task = await toolValue(client, 'create_task', {
      topicId,
      title: 'Ship it',
      assignee: ben.profileId,
    })
    await toolValue(client, 'add_reaction', { messageId, reaction: '🚀' })
    const poll = { topicId, question: 'Now?', options: ['yes', 'no'], selectionType: 'single' }
    const { id: pollId } = (await toolValue(client, 'create_poll', poll)).value
    expect((await bot.get(`/v2/tasks/${task.value.id}`)).body).toMatchObject({ assignee: ben.profileId })
    const history = Object((await bot.get(`/v2/topics/${topicId}/messages`)).body).messages
    const marked = history.filter((message: object) => 'assistant' in message)
    expect(marked.map(({ type }: { type: string }) => type).sort()).toEqual(['poll', 'task', 'text'])
    expect((await callTool(client, 'delete_message', { messageId })).isError).toBeUndefined()

    const calls = await auditOf('assistant.called')
    const byTool = new Map(calls.map((entry: { changes: { to: string }[] }) => [entry.changes[0]?.to, entry]))
    expect([...byTool.keys()]).toEqual(
      expect.arrayContaining([
        'send_message',
        'edit_message',
        'create_task',
        'add_reaction',
        'delete_message',
      ]),
    )
    expect(byTool.get('send_message')).toMatchObject({
      actor: { kind: 'person', id: ada.profileId, assistant: 'Desk assistant' },
      target: { type: 'assistant', name: 'Desk assistant' },
      changes: [
        { field: 'tool', to: 'send_message' },
        { field: 'topicId', to: topicId },
      ],
      client: { address: '127.0.0.1' },
    })
    expect(JSON.stringify(calls)).not.toContain('Good morning')
    expect(pollId).toEqual(expect.any(String))
    const csv = await ada.get(`/people/organizations/${orgId}/audit/export?format=csv&target=assistant`)
    expect(csv.text).toContain('Desk assistant')
    await client.close()
  })

  it('is what the person allowed, and not more than they can do themselves', async () => {
    const { client } = await connectFor(
      ben,
      { scopes: ['channel:list', 'message:read'] },
      new Keeping({ toolsets: 'all' }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'read_updates',
      'list_topics',
      'list_messages',
      'read_message',
      'read_context',
      'list_scheduled_messages',
      'list_emoji',
    ])
    expect((await toolValue(client, 'list_emoji', {})).value).toEqual({ emoji: [] })
    expect(await toolRefusal(client, 'send_message', { topicId, text: 'x' })).toBe(
      'forbidden: the token lacks the scope message:send',
    )
    const foreign = Object((await bot.post('/v2/topics', { name: 'Elsewhere', members: [] })).body).id
    expect(await toolRefusal(client, 'list_messages', { topicId: foreign })).toBe('Topic not found')
    await client.close()

    const all = await connectFor(ben, {}, new Keeping({ toolsets: 'all' }))
    const offered = (await all.client.listTools()).tools
    expect(offered.map(({ name }) => name)).toEqual(PEOPLE_TOOLS.map(({ definition }) => definition.name))
    const send = offered.find(({ name }) => name === 'send_message')
    expect(Object.keys(Object(send?.inputSchema.properties))).toEqual([
      'topicId',
      'text',
      'forwardMessageId',
      'sendAt',
      'parentId',
      'alsoInTopic',
      'externalId',
    ])
    for (const { name } of offered) expect(name).not.toMatch(/usage|storage|command|organization/)
    await expect(all.client.callTool({ name: 'read_storage' })).rejects.toThrow('Unknown tool')
    const create = offered.find(({ name }) => name === 'create_topic')
    expect(Object.keys(Object(create?.inputSchema.properties))).not.toContain('externalId')
    await all.client.close()
  })

  it('creates topics in the name of the person, whose other pages get an event', async () => {
    const { client } = await connectFor(ben)
    const { value } = await toolValue(client, 'create_topic', { name: 'By hand of mine', members: [bot.id] })
    const made = await ben.get(`/people/organizations/${orgId}/chat/topics/${Object(value).id}`)
    expect(made.body).toMatchObject({ name: 'By hand of mine', createdBy: ben.profileId })
    expect(Object((await bot.get(`/v2/topics/${Object(value).id}`)).body).memberIds.sort()).toEqual(
      [bot.id, ben.profileId].sort(),
    )
    const [event] = await server.parley.db.query<{ type: string }>(sql`
      select type from events where org_id = ${orgId} and topic_id = ${Object(value).id} and type = 'topic.created'`)
    expect(event).toBeDefined()
    expect(await toolRefusal(client, 'create_topic', { name: 'Nobody', members: ['x'] })).toContain(
      'Invalid member',
    )
    await client.close()
    const reading = await connectFor(ben, { scopes: ['message:read'] })
    expect(await toolRefusal(reading.client, 'create_topic', { name: 'Not', members: [] })).toContain(
      'channel:write',
    )
    await reading.client.close()
  })

  it('waits for what happens in the topics of the person, and for nothing else', async () => {
    const { client } = await connectFor(ben)
    const elsewhere = Object((await bot.post('/v2/topics', { name: 'Elsewhere', members: [] })).body).id
    const say = (text: string, where = topicId) => bot.post('/v2/messages', { topicId: where, text })
    const read = async (given: Record<string, unknown>) => {
      const { value } = await toolValue(client, 'read_updates', given)
      const { updates, nextOffset }: { updates: { eventType: string; data: unknown }[]; nextOffset: string } =
        Object(value)
      return { texts: updates.map(({ data }) => Object(data).message?.text), updates, nextOffset }
    }
    await say('Before anybody waited')
    const begun = await read({})
    expect(begun.updates).toEqual([])
    const waiting = read({ offset: begun.nextOffset, timeout: 30 })
    await say('Not for Ben', elsewhere)
    await say('For Ben')
    const woken = await waiting
    expect(woken.texts).toEqual(['For Ben'])
    // Reads one by one, past events for others, and none twice.
    await say('Two')
    await say('Not for Ben', elsewhere)
    await say('Three')
    const two = await read({ offset: woken.nextOffset, limit: 1 })
    const three = await read({ offset: two.nextOffset, limit: 1, timeout: 30 })
    expect([...two.texts, ...three.texts]).toEqual(['Two', 'Three'])
    expect((await read({ offset: three.nextOffset, timeout: 1 })).updates).toEqual([])
    expect((await read({ offset: 'oldest' })).texts).toContain('Before anybody waited')
    expect(await toolRefusal(client, 'read_updates', { offset: 'nonsense' })).toBe('invalid offset')
    // An offset belongs to one person.
    const ofAda = await connectFor(ada)
    expect(await toolRefusal(ofAda.client, 'read_updates', { offset: three.nextOffset })).toBe(
      'invalid offset',
    )
    await ofAda.client.close()
    const sending = await connectFor(ben, { scopes: ['message:send'] })
    expect(await toolRefusal(sending.client, 'read_updates')).toContain('message:read')
    await sending.client.close()
    // An assistant that is disconnected while waiting is turned away as at the door.
    const last = client.callTool({
      name: 'read_updates',
      arguments: { offset: three.nextOffset, timeout: 30 },
    })
    const ended = expect(last).rejects.toThrow()
    await eventually(async () => server.parley.longPolls.count).toBe(1)
    await server.parley.db.query(
      sql`delete from assistants where org_id = ${orgId} and profile_id = ${ben.profileId}`,
    )
    await say('Too late')
    await ended
    await client.close()
  })

  it('counts among the requests of the person', async () => {
    server.parley.config.personRateLimitPerMinute = 3
    try {
      const tokens = await newTokens(await signInAs(server, { orgId, name: 'Cora Lind' }))
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_me' } }
      const answers: unknown[] = []
      for (let index = 0; index < 4; index += 1) {
        const answer = await fetch(url('/mcp'), {
          method: 'POST',
          body: JSON.stringify(call),
          headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.access_token}` },
        })
        answers.push(Object(await answer.json()).result)
      }
      // Consent itself was one of the three.
      expect(answers.map((answer) => Object(answer).isError === true)).toEqual([false, false, true, true])
    } finally {
      server.parley.config.personRateLimitPerMinute = 0
    }
  })

  it('works on /mcp alone: the token opens nothing else, and no other token opens this as a person', async () => {
    const { access_token: token, refresh_token: refresh } = await newTokens()
    const asBot = await fetch(url('/v2/topics'), { headers: { authorization: `Bearer ${token}` } })
    expect(asBot.status).toBe(401)
    const asPerson = await fetch(url(`/people/organizations/${orgId}/chat/start`), {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(asPerson.status).toBe(401)
    expect(await works(refresh)).toBe(401)
    expect(await works(token)).toBe(200)
    const other = await oauthBot(server, orgId)
    const client = await connectAssistant(other)
    expect((await toolValue(client, 'read_me')).value).toMatchObject({ id: other.id })
    await client.close()
  })
})

describe('the way of the official client', () => {
  it('goes from the first refusal over registration and consent to tools, refresh and revocation', async () => {
    const keeping = await askForAccess(server.url)
    expect(keeping.client).toMatchObject({
      client_id: expect.stringMatching(/^c_\w+$/),
      redirect_uris: [CALLBACK],
    })
    expect(keeping.client).not.toHaveProperty('client_secret')
    const asked = new URLSearchParams(requestOf(keeping))
    expect(keeping.opened?.pathname).toBe('/oauth/assistants/authorize')
    expect(asked.get('resource')).toBe(url('/mcp'))

    const looked = await ada.post('/people/assistants/look', { request: requestOf(keeping) })
    expect(looked.body).toMatchObject({
      asks: { name: 'Desk assistant', isVerified: false, scopes: PERSON_SCOPES, organizationIds: [orgId] },
      host: '127.0.0.1',
      isOnDevice: true,
    })
    const { client, keeping: connected } = await connectFor(ada)
    expect(client.getInstructions()).toContain('for a person')
    const me = await toolValue(client, 'read_me')
    expect(me.value).toMatchObject({ id: ada.profileId, type: 'user' })
    const topics = Object((await toolValue(client, 'list_topics')).value).topics
    expect(topics).toMatchObject([{ id: topicId, name: 'Releases' }])
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain(`parley://topics/${topicId}/messages`)

    // The token ends; the client fetches another, and the next call works.
    const first = { ...connected.kept }
    expect(first).toMatchObject({ token_type: 'Bearer', expires_in: LIMITS.assistantTokenMinutes * 60 })
    await later(LIMITS.assistantTokenMinutes * MINUTE_MS + 1000)
    expect(await works(String(first.access_token))).toBe(401)
    expect((await toolValue(client, 'read_me')).value).toMatchObject({ id: ada.profileId })
    expect(connected.kept?.access_token).not.toBe(first.access_token)
    expect(connected.kept?.refresh_token).not.toBe(first.refresh_token)

    const [shown] = await assistantsOf(ada)
    expect(shown).toMatchObject({
      name: 'Desk assistant',
      host: '127.0.0.1',
      isVerified: false,
      organizationId: orgId,
      scopes: PERSON_SCOPES,
      lastUsedAt: expect.any(Number),
    })
    expect((await ada.delete(`/people/account/assistants/${shown.id}`)).status).toBe(204)
    expect(await works(connected.kept?.access_token ?? '')).toBe(401)
    await expect(client.callTool({ name: 'read_me' })).rejects.toThrow()
    expect((await ada.delete(`/people/account/assistants/${shown.id}`)).status).toBe(404)
    await client.close()
  })

  it('finds the server by its metadata, also from a refusal', async () => {
    const refused = await ping('nonsense')
    expect(refused.status).toBe(401)
    const [, metadata = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    expect(metadata).toBe(url('/.well-known/oauth-protected-resource/mcp'))
    for (const address of [metadata, url('/.well-known/oauth-protected-resource')])
      expect(await (await fetch(address)).json()).toMatchObject({
        resource: url('/mcp'),
        authorization_servers: [server.url],
        scopes_supported: PERSON_SCOPES,
      })
    const described = await (await fetch(url('/.well-known/oauth-authorization-server'))).json()
    expect(described).toMatchObject({
      issuer: server.url,
      authorization_endpoint: url('/oauth/assistants/authorize'),
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })
})

describe('the consent', () => {
  it('needs a person who has just signed in, on a page of this server, in their own organization', async () => {
    const asked = request(await newClient())
    const stranger = visitor(server.url)
    const path = `/people/organizations/${orgId}/assistants`
    const body = { request: asked, scopes: ['message:read'], days: 30 }
    expect((await stranger.post(path, body)).status).toBe(401)
    expect((await stranger.post('/people/assistants/look', { request: asked })).status).toBe(401)
    for (const origin of ['https://evil.example', undefined])
      expect((await ada.post(path, body, { headers: { origin } })).status).toBe(403)
    const elsewhere = await signInAs(server, { orgId: await organization(server, 'There'), name: 'Tom' })
    expect((await elsewhere.post(path, body)).status).toBe(404)
    expect((await ada.post(path, { ...body, scopes: ['storage:read'] })).status).toBe(400)
    expect((await ada.post(path, { ...body, scopes: [] })).body).toBe('scopes is required')
    expect((await ada.post(path, { ...body, days: 365 })).status).toBe(400)
    const narrow = request(await newClient(), { scope: 'message:read openid' })
    expect((await ada.post(path, { ...body, request: narrow, scopes: ['message:send'] })).body).toBe(
      'the assistant does not ask for this',
    )
    const stale = ada
    await later((LIMITS.freshSessionMinutes + 1) * MINUTE_MS)
    expect((await stale.post(path, body)).body).toBe('sign in again first')
    expect((await ada.post(path, body)).status).toBe(201)
  })

  it('redirects to no address that is not the program’s own', async () => {
    const clientId = await newClient()
    const look = async (asked: string) => {
      const { status, body } = await ada.post('/people/assistants/look', { request: asked })
      return [status, body]
    }
    for (const redirect of [
      'https://evil.example/callback',
      'http://127.0.0.1:3118/callback/',
      'http://127.0.0.1:3118/callback?x=1',
      'http://127.0.0.1.evil.example/callback',
      'http://user@127.0.0.1:3118/callback',
      'https://127.0.0.1:3118/callback',
      'http://localhost:3118/callback',
      'javascript:alert(1)',
      undefined,
    ])
      expect(await look(request(clientId, { redirect_uri: redirect })), redirect).toEqual([
        400,
        'the address to return to is not one of this assistant',
      ])
    expect(await look(`${request(clientId)}&redirect_uri=https://evil.example`)).toEqual([
      400,
      expect.any(String),
    ])
    expect(await look(request('c_unknown'))).toEqual([400, 'this assistant is not known here'])
    expect(await look('')).toEqual([400, 'this assistant is not known here'])
    const [status, otherPort] = await look(request(clientId, { redirect_uri: 'http://127.0.0.1:9/callback' }))
    expect([status, Object(otherPort).asks]).toMatchObject([200, { name: 'Desk assistant' }])
  })

  it.each([
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_target', { resource: 'https://other.example/mcp' }],
    ['invalid_scope', { scope: 'openid profile' }],
  ])('tells the program of its mistake: %s for %j', async (error, changed) => {
    const asked = request(await newClient(), changed)
    const looked = Object((await ada.post('/people/assistants/look', { request: asked })).body)
    expect(looked).not.toHaveProperty('asks')
    expect(looked.problem).toEqual(expect.any(String))
    const answer = new URL(looked.returnTo).searchParams
    expect(Object.fromEntries(answer)).toMatchObject({ error, state: 'abc', iss: server.url })
    expect((await decide(ada, asked)).status).toBe(400)
  })

  it('names this server in every answer, keeps the state, and can be refused', async () => {
    const asked = request(await newClient('https://app.example/back?own=1'), {
      redirect_uri: 'https://app.example/back?own=1',
      state: 'ä&=#',
    })
    const looked = Object((await ada.post('/people/assistants/look', { request: asked })).body)
    expect(Object.fromEntries(new URL(looked.returnTo).searchParams)).toEqual({
      own: '1',
      error: 'access_denied',
      state: 'ä&=#',
      iss: server.url,
    })
    expect([looked.host, looked.isOnDevice]).toEqual(['app.example', false])
    const returned = await allow(ada, asked)
    expect(returned.origin).toBe('https://app.example')
    expect(Object.fromEntries(returned.searchParams)).toEqual({
      own: '1',
      code: expect.stringMatching(/^parley_code_\w{43}$/),
      state: 'ä&=#',
      iss: server.url,
    })
  })

  it('is on a page that no other page can show in a frame', async () => {
    const page = await fetch(url(`/oauth/assistants/authorize?${request(await newClient())}`))
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  })
})

describe('codes', () => {
  it.each([
    ['another verifier', { code_verifier: 'w'.repeat(64) }],
    ['another client', { client_id: 'c_other' }],
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:9/callback' }],
    ['another code', { code: `parley_code_${'x'.repeat(43)}` }],
  ])('do not work with %s, and go on working for who they are for', async (_what, changed) => {
    const form = await newCode()
    expect(await post(TOKEN, { ...form, ...changed })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    expect((await post(TOKEN, form)).status).toBe(200)
  })

  it('are refused for another resource, without a verifier, and when they are late', async () => {
    const form = await newCode()
    const other = await post(TOKEN, { ...form, resource: 'https://other.example/mcp' })
    expect([other.status, other.body.error]).toEqual([400, 'invalid_target'])
    const { code_verifier: _verifier, ...without } = form
    expect((await post(TOKEN, without)).body).toMatchObject({ error: 'invalid_request' })
    expect((await post(TOKEN, { ...form, grant_type: 'password' })).body.error).toBe('unsupported_grant_type')
    expect((await post('/oauth/token', form)).body.error).toBe('unsupported_grant_type')
    await later(LIMITS.authorizationCodeSeconds * 1000 + 1)
    expect((await post(TOKEN, form)).body.error).toBe('invalid_grant')
  })

  it('that are used again end everything that was given for them', async () => {
    const form = await newCode()
    const { body } = await post(TOKEN, form)
    expect(await works(body.access_token)).toBe(200)
    expect((await post(TOKEN, form)).body.error).toBe('invalid_grant')
    expect(await works(body.access_token)).toBe(401)
    const [ended] = await auditOf('assistant.ended')
    expect(ended).toMatchObject({ actor: { kind: 'server' }, changes: [{ field: 'reason', to: 'reused' }] })
  })

  it('are worth one pair of tokens, however many come at once', async () => {
    const form = await newCode()
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(TOKEN, form)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('refresh tokens', () => {
  const refresh = (clientId: string, token: string) =>
    post(TOKEN, { grant_type: 'refresh_token', refresh_token: token, client_id: clientId })

  it('are replaced with each use, and one that comes again ends the whole family', async () => {
    const first = await newTokens()
    expect((await refresh('c_other', first.refresh_token)).body.error).toBe('invalid_grant')
    const second = await refresh(first.clientId, first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.headers.get('cache-control')).toBe('no-store')
    const third = await refresh(first.clientId, second.body.refresh_token)
    expect([await works(first.access_token), await works(third.body.access_token)]).toEqual([200, 200])
    expect((await refresh(first.clientId, first.refresh_token)).body.error).toBe('invalid_grant')
    const all = [first.access_token, second.body.access_token, third.body.access_token]
    expect(await Promise.all(all.map(works))).toEqual([401, 401, 401])
    expect((await refresh(first.clientId, third.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('and all others end when the person said that they do', async () => {
    const tokens = await newTokens(ada, { days: 1 })
    await later(DAY_MS - MINUTE_MS)
    const last = await refresh(tokens.clientId, tokens.refresh_token)
    expect(last.body.expires_in).toBeLessThanOrEqual(60)
    await later(MINUTE_MS)
    expect((await refresh(tokens.clientId, last.body.refresh_token)).body.error).toBe('invalid_grant')
    expect(await works(last.body.access_token)).toBe(401)
  })

  it('can be given back, by the client that has them', async () => {
    const tokens = await newTokens()
    const path = '/oauth/assistants/revoke'
    expect((await post(path, { token: tokens.refresh_token, client_id: 'c_other' })).status).toBe(400)
    expect(await works(tokens.access_token)).toBe(200)
    expect((await post(path, { token: tokens.refresh_token, client_id: tokens.clientId })).status).toBe(200)
    expect(await works(tokens.access_token)).toBe(401)
    expect((await post(path, { token: tokens.refresh_token, client_id: tokens.clientId })).status).toBe(200)
    const [ended] = await auditOf('assistant.ended')
    expect(ended).toMatchObject({ actor: { id: ada.profileId, assistant: 'Desk assistant' }, changes: [] })
    const { credentials } = await oauthBot(server, orgId)
    expect((await post(path, { token: credentials.token, client_id: 'x' })).body.error).toBe(
      'unsupported_token_type',
    )
  })
})

describe('an assistant ends with', () => {
  const newPerson = (name: string) => signInAs(server, { orgId, name, email: `${name}@ends.test` })

  it('the member, who is archived; bringing them back does not bring it back', async () => {
    const who = await newPerson('dan')
    const { access_token: token } = await newTokens(who)
    const path = `/people/organizations/${orgId}/members/${who.profileId}`
    await ada.patch(path, { status: 'Archived' })
    expect(await works(token)).toBe(401)
    await ada.patch(path, { status: 'Active' })
    expect(await works(token)).toBe(401)
  })

  it('their sessions, when an admin ends them', async () => {
    const who = await newPerson('eva')
    const { access_token: token } = await newTokens(who)
    await ada.delete(`/people/organizations/${orgId}/members/${who.profileId}/sessions`)
    expect(await works(token)).toBe(401)
    expect(await assistantsOf(await signInToProfile(server, who))).toEqual([])
  })

  it('their password', async () => {
    const who = await newPerson('fay')
    await givePassword(server, who, PASSWORD)
    const { access_token: token } = await newTokens(who)
    const changed = { currentPassword: PASSWORD, password: 'another private sentence' }
    expect((await who.post('/people/password', changed)).status).toBe(204)
    expect(await works(token)).toBe(401)
    expect(await assistantsOf(who)).toEqual([])
  })

  it('the permission of the organization, and its demand for a missing second factor', async () => {
    const there = await organization(server, 'Strict')
    const owner = await signInAs(server, { orgId: there, role: 'owner', name: 'Olga' })
    const { access_token: token } = await newTokens(owner)
    const settings = `/people/organizations/${there}`
    const strong = await signInToProfile(server, owner, 'code')
    const withCode = await newTokens(strong)
    expect((await strong.patch(settings, { requireSecondFactor: true })).status).toBe(200)
    expect([await works(token), await works(withCode.access_token)]).toEqual([401, 200])
    expect((await decide(owner, request(await newClient()))).status).toBe(403)
    const off = await strong.patch(settings, { allowAssistants: false })
    expect(off.body).toMatchObject({ allowAssistants: false })
    expect(await works(withCode.access_token)).toBe(401)
    expect((await decide(strong, request(await newClient()))).body).toBe(
      'this organization does not allow assistants',
    )
    const looked = await strong.post('/people/assistants/look', { request: request(await newClient()) })
    expect(Object(looked.body).asks.organizationIds).toEqual([])
    await strong.patch(settings, { allowAssistants: true })
    expect(await works(withCode.access_token)).toBe(401)
  })

  it('the fiftieth after it', async () => {
    const who = await newPerson('gil')
    const first = await newTokens(who)
    const asked = request(await newClient())
    const { db } = server.parley
    await db.query(sql`
      insert into assistants (org_id, id, profile_id, client_id, name, host, is_verified, scopes, signed_in_with, created_at,
        connected_at, expires_at)
      select x.org_id, gen_random_uuid(), x.profile_id, x.client_id, x.name, x.host, false, x.scopes, 'password',
        x.created_at + n, x.created_at, x.expires_at
      from assistants x, generate_series(1, ${LIMITS.assistantsPerMember - 1}) n where x.profile_id = ${who.profileId}`)
    server.clock.ahead += LIMITS.assistantsPerMember // none of them was made in the future
    expect(await works(first.access_token)).toBe(200)
    await allow(who, asked)
    expect(await works(first.access_token)).toBe(401)
  })
})

describe('an admin', () => {
  it('sees the assistants of all members, page by page, and disconnects one of them', async () => {
    const path = `/people/organizations/${orgId}/assistants`
    const { access_token: token } = await newTokens(ben)
    await newTokens(ada)
    const page = async (query: string) => {
      const answer = await ada.get(path + query)
      expect(answer.status, answer.text).toBe(200)
      const body: { assistants: { id: string; memberId: string }[]; nextCursor?: string } = Object(
        answer.body,
      )
      return body
    }
    const first = await page('?limit=1')
    expect(first.assistants).toMatchObject([{ memberId: ada.profileId }])
    const [assistant] = (await page(`?limit=1&cursor=${encodeURIComponent(first.nextCursor ?? '')}`))
      .assistants
    expect(assistant).toMatchObject({
      memberId: ben.profileId,
      memberName: 'Ben Ito',
      name: 'Desk assistant',
    })
    expect((await ben.get(path)).status).toBe(403)
    expect((await ben.delete(`${path}/${assistant?.id}`)).status).toBe(403)
    expect(await works(token)).toBe(200)
    expect((await ada.delete(`${path}/${assistant?.id}`)).status).toBe(204)
    expect(await works(token)).toBe(401)
    expect((await ada.delete(`${path}/${assistant?.id}`)).body).toBe('Assistant not found')
    const audit = await ada.get(`/people/organizations/${orgId}/audit?targetId=${assistant?.id}&limit=1`)
    expect(audit.body).toMatchObject({
      entries: [
        {
          action: 'assistant.ended',
          actor: { id: ada.profileId },
          changes: [{ field: 'member', to: 'Ben Ito' }],
        },
      ],
    })
  })
})

describe('nobody else', () => {
  it('sees or ends an assistant', async () => {
    const { access_token: token } = await newTokens(ada)
    const [{ id }] = await assistantsOf(ada)
    expect(await assistantsOf(await signInAs(server, { orgId, name: 'Hal' }))).toEqual([])
    expect((await ben.delete(`/people/account/assistants/${id}`)).body).toBe('Assistant not found')
    expect(await works(token)).toBe(200)
  })

  it('reads a token in the database or in a log', async () => {
    const tokens = await newTokens()
    const secrets = [tokens.access_token, tokens.refresh_token]
    const rows = await server.parley.db.query<{ row: string }>(sql`
      select t::text as row from assistant_tokens t union all select x::text from assistants x
      union all select a::text from audit_log a`)
    const kept = rows.map(({ row }) => row).join() + server.logLines.join()
    for (const secret of secrets) expect(kept).not.toContain(secret)
    expect(kept).toContain(createHash('sha256').update(tokens.access_token).digest('hex'))
  })
})

describe('programs', () => {
  it.each([
    [[]],
    [['http://example.com/callback']],
    [['javascript:alert(1)']],
    [['javascript://host/%0aalert(1)']],
    [['data:text/html,x']],
    [['https://example.com/#fragment']],
    [['https://user:password@example.com/']],
    [[`https://example.com/${'x'.repeat(500)}`]],
    [Array.from({ length: 11 }, (_, index) => `https://example.com/${index}`)],
    ['https://example.com/callback'],
    [[7]],
  ])('cannot register %j', async (redirectUris) => {
    const answer = await register({ client_name: 'x', redirect_uris: redirectUris })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_redirect_uri' })
  })

  it('register with the parts of their description that count, and are removed when unused', async () => {
    const answer = await register({
      client_name: '  Desk\u202e assistant',
      redirect_uris: ['app.example.desk:/callback', 'http://localhost/callback'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'admin',
    })
    expect(await answer.json()).toMatchObject({
      client_name: 'app.example.desk:',
      token_endpoint_auth_method: 'none',
    })
    expect((await register('{')).status).toBe(400)
    const used = await newTokens()
    const unused = await newClient()
    const { db } = server.parley
    const left = async () =>
      (await db.query<{ id: string }>(sql`select id from oauth_clients`)).map(({ id }) => id)
    await forgetUnusedClients(db, server.parley.clock() + DAY_MS + MINUTE_MS, 1000)
    expect(await left()).toContain(used.clientId)
    expect(await left()).not.toContain(unused)
    await forgetOldAssistants(db, server.parley.clock() + 91 * DAY_MS, 1000)
    // On a cluster, where tokens are in the center, they do not go with their assistants.
    await forgetOldAssistantTokens(db, server.parley.clock() + 91 * DAY_MS, 1000)
    await forgetUnusedClients(db, server.parley.clock() + 91 * DAY_MS, 1000)
    expect(await left()).not.toContain(used.clientId)
    const [rows] = await db.query<{ count: number }>(sql`select count(*) from assistant_tokens`)
    expect(rows?.count).toBe(0)
  })

  it('cannot register without end', async () => {
    const other = await startTestParley()
    try {
      const statuses = new Map<number, number>()
      for (let index = 0; index < LIMITS.clientRegistrationsPerHour + 2; index += 1) {
        const answer = await fetch(`${other.url}/oauth/assistants/register`, {
          method: 'POST',
          body: JSON.stringify({ redirect_uris: [CALLBACK] }),
          headers: { 'content-type': 'application/json' },
        })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
      expect(statuses).toEqual(
        new Map([
          [201, LIMITS.clientRegistrationsPerHour],
          [429, 2],
        ]),
      )
    } finally {
      await other.close()
    }
  })

  it('are sent to https, to the own device, or to an app whose scheme is a domain backwards, and nowhere else', () => {
    for (const uri of [
      'https://a.example/cb',
      'http://127.0.0.1:1/cb',
      'com.example.app:/cb',
      'cursor://x/cb',
    ])
      expect(isRedirectUri(uri), uri).toBe(true)
    // Schemes with system handlers, which may run, install or open things.
    const handled = [
      'ms-msdt',
      'search-ms',
      'ms-officecmd',
      'ms-word',
      'steam',
      'ssh',
      'ldap',
      'zoommtg',
      'vscode',
    ]
    const run = ['javascript', 'data', 'file', 'blob', 'intent', 'view-source', 'shell', 'jar', 'wss', 'tel']
    for (const scheme of [...handled, ...run, ...run.map((one) => one.toUpperCase())])
      expect(isRedirectUri(`${scheme}://x/cb`), scheme).toBe(false)
  })

  it('have redirect addresses of their own, with any port on the own device', () => {
    const client = {
      id: 'x',
      name: 'x',
      redirectUris: ['http://[::1]/cb', 'https://a.example/cb', 'cursor://x/cb'],
    }
    expect(hasRedirectUri(client, 'http://[::1]:4711/cb')).toBe(true)
    expect(hasRedirectUri(client, 'https://a.example/cb')).toBe(true)
    expect(hasRedirectUri(client, 'https://a.example:8443/cb')).toBe(false)
    expect(hasRedirectUri(client, 'cursor://x/cb')).toBe(true)
    expect(hasRedirectUri(client, 'http://127.0.0.1/cb')).toBe(false)
    expect(
      ['JavaScript:alert(1)', 'file:///etc', 'http://evil.example', 'cursor:', ''].map(isRedirectUri),
    ).toEqual(Array(5).fill(false))
  })
})

describe('programs that are known by a document', () => {
  const resolve = async (): Promise<ResolvedAddress[]> => [{ address: '127.0.0.1', family: 4 }]

  it('need no registration; their host is known where the answer goes there', async () => {
    const host = await startReceiver({ tls: true })
    const before = server.parley.clientDocuments
    server.parley.clientDocuments = new ClientDocuments(['127.0.0.1'], server.parley.clock, {
      resolve,
      ca: CERTIFICATE,
    })
    try {
      const home = `https://receiver.test:${host.port}`
      const id = `${home}/assistant.json`
      const document = {
        client_id: id,
        client_name: 'Hosted assistant',
        redirect_uris: [`${home}/back`, CALLBACK],
      }
      const json = { 'content-type': 'application/json' }
      const good = { status: 200, headers: json, body: JSON.stringify(document) }
      host.otherwise = good
      const look = async (asked: string) =>
        Object((await ada.post('/people/assistants/look', { request: asked })).body)
      const looked = await look(request(id, { redirect_uri: `${home}/back` }))
      expect(looked.asks).toMatchObject({ name: 'Hosted assistant', isVerified: true })
      expect(looked.host).toBe(`receiver.test:${host.port}`)
      expect((await look(request(id))).asks).toMatchObject({ isVerified: false })
      expect(host.received).toHaveLength(1)

      const keeping = new Keeping({ clientMetadataUrl: id })
      const { client } = await connectFor(ada, {}, keeping)
      expect(keeping.client?.client_id).toBe(id)
      expect((await toolValue(client, 'read_me')).value).toMatchObject({ id: ada.profileId })
      await client.close()
      expect(host.received).toHaveLength(1)

      const refused = 'the description of this assistant could not be read'
      const cases: [string, Parameters<typeof host.script>[0]][] = [
        ['other-id', good],
        ['status', 404],
        ['redirect', { status: 302, headers: { location: id } }],
        ['type', { status: 200, headers: { 'content-type': 'text/html' }, body: JSON.stringify(document) }],
        ['no-json', { status: 200, headers: json, body: '{' }],
        ['large', { status: 200, headers: json, body: ' '.repeat(20_000) }],
        ['close', 'close'],
      ]
      for (const [name, reply] of cases) {
        host.script(reply)
        const asked = request(`${home}/${name}`, { redirect_uri: `${home}/back` })
        expect(await ada.post('/people/assistants/look', { request: asked })).toMatchObject({
          status: 400,
          body: refused,
        })
      }
      const wrong = {
        ...document,
        client_id: `${home}/secret`,
        token_endpoint_auth_method: 'private_key_jwt',
      }
      host.script({ status: 200, headers: json, body: JSON.stringify(wrong) })
      expect((await ada.post('/people/assistants/look', { request: request(`${home}/secret`) })).body).toBe(
        refused,
      )
    } finally {
      await server.parley.clientDocuments.close()
      server.parley.clientDocuments = before
      await host.close()
    }
  })

  it('are not read from inside of the network, nor by other ways than https', async () => {
    const inside = await startReceiver({ tls: true })
    for (const id of [
      `https://127.0.0.1:${inside.port}/assistant.json`,
      `https://localhost:${inside.port}/assistant.json`,
      `https://user@receiver.test/assistant.json`,
      'https://receiver.test/',
      'https://receiver.test/a/../b.json',
      'https://receiver.test/a.json#x',
    ])
      expect(await ada.post('/people/assistants/look', { request: request(id) }), id).toMatchObject({
        status: 400,
      })
    expect(inside.received).toEqual([])
    await inside.close()
  })
})

it('the official client without a token can do nothing', async () => {
  const keeping = new Keeping()
  await askForAccess(server.url, keeping)
  await expect(connectWith(server.url, keeping)).rejects.toThrow()
})
