import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ErrorCode, LATEST_PROTOCOL_VERSION, McpError } from '@modelcontextprotocol/sdk/types.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import { LIMITS } from '../contract/limits.ts'
import { TOOLS } from '../contract/tools.ts'
import { sql } from '../server/db/sql.ts'
import { anyText } from './support/any-text.ts'
import {
  at,
  type OAuthTestBot,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
} from './support/cast.ts'
import { setRateLimit } from './support/limits.ts'
import {
  callTool,
  connectAssistant,
  connectStateless,
  STATELESS_VERSION,
  toolRefusal,
  toolValue,
} from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { countOf } from './support/thorough.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

let server: TestParley
let orgId: string
let ada: string
let bot: OAuthTestBot
let deploy: StaticTestBot
let assistant: Client
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await person(server, orgId, 'Ada Okafor')
  bot = await oauthBot(server, orgId, 'Assistant')
  deploy = await staticBot(server, orgId)
  assistant = await connectAssistant(bot)
  const { value } = await toolValue(assistant, 'create_topic', {
    name: 'Releases',
    description: 'What went out',
    members: [ada, deploy.id],
  })
  topicId = String(value.id)
})
afterAll(async () => {
  await assistant?.close()
  await server.close()
})

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error instanceof McpError ? error.code : error),
  )

/** A message as sent over the wire, without the client. */
function post(message: unknown, headers: Record<string, string> = {}, url = server.url, query = '') {
  return fetch(`${url}/mcp${query}`, {
    method: 'POST',
    body: typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${bot.credentials.token}`,
      ...headers,
    },
  })
}
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('the protocol', () => {
  it('is the newest revision, and the one before for who asks for it', async () => {
    expect(assistant.getServerVersion()).toMatchObject({ name: 'parley', title: 'Parley' })
    expect(assistant.getServerCapabilities()).toEqual({
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
    })
    expect(assistant.getInstructions()).toContain('list_topics')
    for (const [asked, given] of [
      [LATEST_PROTOCOL_VERSION, LATEST_PROTOCOL_VERSION],
      ['2025-06-18', '2025-06-18'],
      ['1999-01-01', LATEST_PROTOCOL_VERSION],
    ]) {
      const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
      const answer = await post({ jsonrpc: '2.0', id: 'a', method: 'initialize', params })
      expect(await answer.json()).toMatchObject({ id: 'a', result: { protocolVersion: given } })
      expect(answer.headers.get('mcp-session-id')).toBeNull()
    }
    expect((await post(ping, { 'mcp-protocol-version': '2025-06-18' })).status).toBe(200)
    expect((await post(ping, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
  })

  it('needs no session: the next request may go to another node', async () => {
    const node = await server.secondNode()
    const other = await connectAssistant(at(node.url, bot))
    await assistant.ping()
    const { value } = await toolValue(other, 'read_topic', { topicId })
    expect(value).toMatchObject({ name: 'Releases' })
    expect(await (await post(ping, {}, node.url)).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    await other.close()
  })

  it('takes notifications and answers without a word, and has no stream to open', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
      { jsonrpc: '2.0', id: 3, result: {} },
    ]) {
      const answer = await post(message)
      expect([answer.status, await answer.text()]).toEqual([202, ''])
    }
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${server.url}/mcp`, { method })
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  it.each([
    ['{', 400, -32700],
    [Buffer.from([0x22, 0xff, 0x22]), 400, -32700],
    ['', 400, -32700],
    ['null', 400, -32600],
    [[ping], 400, -32600],
    [{ ...ping, jsonrpc: '1.0' }, 400, -32600],
    [{ ...ping, id: null }, 400, -32600],
    [{ ...ping, id: 1.5 }, 400, -32600],
    [{ ...ping, method: 7 }, 400, -32600],
    [{ ...ping, params: [] }, 400, -32600],
    [{ ...ping, method: 'sampling/createMessage' }, 200, -32601],
    [{ ...ping, method: 'tasks/get' }, 200, -32601],
    [{ ...ping, method: '__proto__' }, 200, -32601],
    [{ ...ping, method: 'initialize' }, 200, -32602],
    [{ ...ping, method: 'tools/call' }, 200, -32602],
    [{ ...ping, method: 'tools/call', params: { name: 'constructor' } }, 200, -32602],
    [{ ...ping, method: 'tools/call', params: { name: 'read_me', arguments: [] } }, 200, -32602],
    [{ ...ping, method: 'tools/list', params: { cursor: 'x' } }, 200, -32602],
    [{ ...ping, method: 'resources/list', params: { cursor: 'x' } }, 200, -32602],
    [{ ...ping, method: 'resources/list', params: { cursor: 7 } }, 200, -32602],
    [{ ...ping, method: 'resources/read' }, 200, -32602],
  ])('refuses %j', async (message, status, code) => {
    const answer = await post(message)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain('application/json')
    const body: unknown = await answer.json()
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } })
    expect(Object(body).id).toBe(status === 200 ? 1 : undefined)
  })

  it('refuses pages of other servers, other content and what is too large', async () => {
    const refusals = await Promise.all([
      post(ping, { origin: 'https://evil.example' }),
      post(ping, { origin: 'null' }),
      fetch(`${server.url}/mcp`, { headers: { origin: 'https://evil.example' } }),
      post(ping, { 'content-type': 'text/plain' }),
      post(' '.repeat(LIMITS.jsonBodyBytes) + JSON.stringify(ping)),
    ])
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 400, 400])
    for (const answer of refusals)
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } })
    expect((await post(ping, { origin: server.url })).status).toBe(200)
  })

  it('refuses who is not authenticated, as the bot API does', async () => {
    const messages = [ping, { ...ping, method: 'tools/list' }, { jsonrpc: '2.0', method: 'x' }]
    for (const authorization of ['', 'Bearer nonsense', 'Bearer e30.e30.e30', 'Basic eDp5']) {
      for (const message of messages) {
        const answer = await post(message, { authorization })
        expect(answer.status).toBe(401)
        expect(answer.headers.get('www-authenticate')).toMatch(
          /^Bearer realm="service", error="invalid_token", error_description="/,
        )
        expect(await answer.json()).toEqual({
          jsonrpc: '2.0',
          error: { code: -32000, message: 'unauthorized' },
        })
      }
    }
    await expect(connectAssistant({ ...bot, credentials: { token: 'e30.e30.e30' } })).rejects.toThrow(
      'unauthorized',
    )
    const wrong = { ...deploy.credentials, apiSecret: 'wrong' }
    await expect(connectAssistant({ ...deploy, credentials: wrong })).rejects.toThrow('unauthorized')
  })
})

describe('tools', () => {
  it('are made from the contract', async () => {
    const client = await connectAssistant(bot, 'all')
    const { tools } = await client.listTools()
    await client.close()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ definition }) => definition.name))
    const without = OPERATIONS.filter(({ id }) => !TOOLS.some(({ operation }) => operation.id === id))
    expect(without.map(({ id }) => id)).toEqual([
      'createOrganization',
      'appendToMessage',
      'setProgress',
      'finishMessage',
      'tellWorking',
      'markDelivered',
      'listPrompts',
      'setPrompts',
    ])
    const send = tools.find(({ name }) => name === 'send_message')
    const taken = Object.keys(Object(send?.inputSchema.properties))
    expect(taken).toEqual(expect.arrayContaining(['topicId', 'text', 'parentId']))
    expect(taken).not.toContain('streaming')
    expect(JSON.stringify(tools)).not.toContain('x-errors')
    for (const { name, title, description, inputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect([title, description].every((text) => text && text.length > 3)).toBe(true)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(annotations?.openWorldHint).toBe(false)
    }
  })

  it('say what they do to what is there', async () => {
    const client = await connectAssistant(bot, 'all')
    const { tools } = await client.listTools()
    await client.close()
    const hints = Object.fromEntries(
      tools.map(({ name, annotations }) => [
        name,
        [annotations?.readOnlyHint, annotations?.destructiveHint, annotations?.idempotentHint].map(Number),
      ]),
    )
    expect(hints).toMatchObject({
      list_topics: [1, 0, 1],
      read_updates: [1, 0, 1],
      send_message: [0, 0, 0],
      mark_read: [0, 0, 1],
      edit_message: [0, 1, 1],
      delete_message: [0, 1, 1],
      update_task: [0, 1, 0],
      write_storage: [0, 1, 1],
    })
  })

  it('are few unless an address asks for more, and take little of a conversation', async () => {
    expect(await names(assistant)).toEqual([
      'read_updates',
      'list_topics',
      'send_message',
      'list_messages',
      'add_reaction',
      'create_task',
      'list_members',
      'search',
      'ask',
      'request_approval',
      'wait_for_answer',
    ])
    const ask = async (query: string) =>
      post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, server.url, query)
    const [few, all] = await Promise.all(['', '?tools=all'].map(ask))
    expect((await few?.text())?.length).toBeLessThan(24_576)
    expect((await all?.text())?.length).toBeLessThan(65_536)
    const listed = await connectAssistant(bot, 'tasks, polls')
    expect(await names(listed)).toEqual([
      'list_tasks',
      'read_task',
      'create_task',
      'update_task',
      'delete_task',
      'create_poll',
      'cast_vote',
      'retract_vote',
    ])
    expect(await codeOf(listed.callTool({ name: 'read_me' }))).toBe(ErrorCode.InvalidParams)
    await listed.close()
    const none = await ask('?tools=messages,secrets')
    expect([none.status, await none.json()]).toMatchObject([
      400,
      {
        id: 1,
        error: { code: -32602, message: expect.stringContaining('no toolset "secrets"; there are: default') },
      },
    ])
  })

  it('have schemas without patterns and examples, whose fields are named', async () => {
    for (const { definition } of TOOLS) {
      const { outputSchema, inputSchema, name } = definition
      expect(JSON.stringify(inputSchema), name).not.toMatch(/"(pattern|examples?|x-\w+)":/)
      expect(JSON.stringify(outputSchema ?? {}), name).not.toMatch(/"(pattern|examples?|description)":["[]/)
      expect(outputSchema ? Object.keys(outputSchema.properties).length : 1, name).toBeGreaterThan(0)
    }
  })

  it('of each kind do what the API does: read, write, change, delete, page', async () => {
    const me = await toolValue(assistant, 'read_me')
    expect(me.value).toMatchObject({ id: bot.id, name: 'Assistant', type: 'bot' })
    expect(JSON.parse(me.text)).toEqual(me.value)
    const sent = await toolValue(assistant, 'send_message', { topicId, text: `Hello <@${ada}>` })
    const messageId = String(sent.value.id)
    expect((await deploy.get(`/v2/messages/${messageId}`)).body).toMatchObject({
      senderId: bot.id,
      text: `Hello <@${ada}>`,
      mentions: [ada],
    })
    await toolValue(assistant, 'edit_message', { messageId, text: 'Hello' })
    await toolValue(assistant, 'add_reaction', { messageId, reaction: '🎉' })
    expect((await toolValue(assistant, 'read_message', { messageId })).value).toMatchObject({
      text: 'Hello',
      isEdited: true,
      reactions: [{ emoji: '🎉', count: 1 }],
    })
    expect((await callTool(assistant, 'delete_message', { messageId })).content).toEqual([
      { type: 'text', text: 'Done.' },
    ])
    expect((await deploy.get(`/v2/messages/${messageId}`)).status).toBe(404)

    const task = await toolValue(assistant, 'create_task', { topicId, title: 'Ship it', assignee: ada })
    const taskId = String(task.value.id)
    await toolValue(assistant, 'update_task', { taskId, topicId, status: 'Done' })
    expect((await deploy.get(`/v2/tasks/${taskId}`)).body).toMatchObject({ status: 'Done', assignee: ada })
    await toolValue(assistant, 'write_storage', { key: 'state', value: { seen: [1, null] }, version: 0 })
    expect((await toolValue(assistant, 'read_storage', { key: 'state' })).value.value).toEqual({
      seen: [1, null],
    })

    for (const text of ['one', 'two', 'three']) await toolValue(assistant, 'send_message', { topicId, text })
    const texts: string[] = []
    let cursor: unknown
    do {
      const given = { topicId, limit: 2, includeSystem: false, ...(cursor !== undefined && { cursor }) }
      const { value } = await toolValue(assistant, 'list_messages', given)
      expect(Object(value.messages).length).toBeLessThanOrEqual(2)
      texts.push(...Object(value.messages).map(({ text }: { text: string }) => text))
      cursor = value.nextCursor
    } while (cursor !== undefined)
    expect(texts).toEqual(['three', 'two', 'one'])
  })

  it.each([
    ['send_message', { text: 'x' }, 'topicId is required'],
    ['send_message', { topicId: NOBODY, text: 'x' }, 'Topic not found'],
    ['send_message', { topicId: 'general', text: 'x' }, 'Invalid topicId'],
    ['send_message', { topicId: NOBODY }, 'text is required'],
    ['send_message', { topicId: NOBODY, text: 'x'.repeat(10_001) }, 'text too long'],
    ['send_message', { topicId: NOBODY, text: 'a\0b' }, 'text must not contain NUL or lone surrogates'],
    ['send_message', { topicId: NOBODY, text: '\ud800' }, 'text must not contain NUL or lone surrogates'],
    ['send_message', { topicId: NOBODY, text: 'x', streaming: true }, 'there is no argument "streaming"'],
    [
      'list_messages',
      { topicId: NOBODY, since: 1 },
      'there is no argument "since"; there are: topicId, limit',
    ],
    ['list_messages', { topicId: NOBODY, limit: 1000 }, 'limit must be between 1 and 100'],
    ['list_messages', { topicId: NOBODY, limit: [1] }, 'limit must be between 1 and 100'],
    ['list_messages', { topicId: NOBODY, before: 1, after: 2 }, 'before and after cannot be used together'],
    ['list_topics', { cursor: 'x' }, 'invalid cursor'],
    ['read_topic', {}, 'topicId is required'],
    ['read_topic', { topicId: 7 }, 'topicId'],
    ['read_topic_by_external_id', { externalId: 'a\0b' }, 'Invalid externalId'],
    ['read_me', { verbose: true }, 'there is no argument "verbose"; there are: none'],
    ['write_storage', { key: 'state', value: 1, version: 99 }, 'version does not match'],
    ['edit_message', { messageId: NOBODY, text: 'x' }, 'Message not found'],
  ])('%s tells the assistant why it refused %j', async (name, given, text) => {
    expect(await toolRefusal(assistant, name, given)).toContain(text)
  })

  it('that do not exist are an error of the protocol', async () => {
    expect(await codeOf(assistant.callTool({ name: 'drop_tables' }))).toBe(ErrorCode.InvalidParams)
    expect(await codeOf(assistant.callTool({ name: 'create_organization' }))).toBe(ErrorCode.InvalidParams)
  })

  it('are only those that the scopes allow', async () => {
    const reader = await oauthBot(server, orgId, 'Reader', ['channel:list', 'message:read'])
    const client = await connectAssistant(reader, 'all')
    expect(await names(client)).toEqual([
      'list_topics',
      'list_messages',
      'read_message',
      'read_context',
      'list_scheduled_messages',
      'list_emoji',
    ])
    expect(await toolRefusal(client, 'send_message', { topicId, text: 'x' })).toBe(
      'forbidden: the token lacks the scope message:send',
    )
    await client.close()
  })

  it('are what a read key may call, with a signature on each request', async () => {
    const auditor = await staticBot(server, orgId, 'Auditor', { permission: 'read' })
    const [reading, writing] = await Promise.all(
      [auditor, deploy].map((each) => connectAssistant(each, 'all')),
    )
    if (!reading || !writing) throw new Error('two clients')
    expect(await names(writing)).toHaveLength(TOOLS.length)
    const readable = TOOLS.filter(({ operation: { method, id } }) => method === 'GET' || id === 'markRead')
    expect(await names(reading)).toEqual(readable.map(({ definition }) => definition.name))
    expect(await toolRefusal(reading, 'create_topic', { name: 'x', members: [] })).toBe('forbidden')
    expect((await toolValue(writing, 'read_topic', { topicId })).value.name).toBe('Releases')
    expect(await toolRefusal(reading, 'read_topic', { topicId })).toBe('Topic not found')
    await Promise.all([reading.close(), writing.close()])
  })

  it('do a repeated request with the same key once', async () => {
    const call = (text: string) => ({
      ...ping,
      method: 'tools/call',
      params: { name: 'send_message', arguments: { topicId, text } },
    })
    const key = { 'idempotency-key': 'once' }
    const [first, second] = await Promise.all(
      [1, 2].map(async () => (await post(call('Only once'), key)).json()),
    )
    expect(first).toMatchObject({ result: { structuredContent: { topicId } } })
    expect(second).toEqual(first)
    expect(await (await post(call('Another'), key)).json()).toMatchObject({
      result: {
        isError: true,
        content: [{ text: 'Idempotency-Key was already used with another request' }],
      },
    })
    const [{ count } = { count: -1 }] = await server.parley.db.query<{ count: number }>(
      sql`select count(*)::int as count from messages where org_id = ${orgId} and text = 'Only once'`,
    )
    expect(count).toBe(1)
  })
})

describe('messages that mean harm', () => {
  const hostileValue = fc.oneof(
    fc.jsonValue(),
    anyText(),
    fc.constantFrom(NOBODY, '', '\0', '__proto__', -1, 1e308, 2 ** 53, [], {}, [[]], { $ref: '#' }),
  )
  /** Calls with known names and unexpected values. */
  const hostileCall = fc
    .constantFrom(...TOOLS.filter(({ definition }) => definition.name !== 'read_updates'))
    .chain(({ definition: { name, inputSchema } }) =>
      fc
        .record(
          Object.fromEntries(Object.keys(inputSchema.properties).map((argument) => [argument, hostileValue])),
          { requiredKeys: [] },
        )
        .map((given) => ({ ...ping, method: 'tools/call', params: { name, arguments: given } })),
    )
  const hostileMessage = fc.oneof(
    hostileCall,
    fc.jsonValue(),
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.integer(),
      method: fc.constantFrom('initialize', 'tools/call', 'tools/list', 'resources/list', 'resources/read'),
      params: fc.dictionary(
        fc.constantFrom('name', 'arguments', 'uri', 'cursor', '_meta', 'protocolVersion'),
        hostileValue,
      ),
    }),
  )

  it('are answered or refused, and nothing fails', async () => {
    const before = server.logLines.length
    await fc.assert(
      fc.asyncProperty(hostileMessage, async (message) => {
        const answer = await post(message)
        expect([200, 202, 400, 404]).toContain(answer.status)
        const text = await answer.text()
        if (answer.status === 202) return
        const { jsonrpc, error } = JSON.parse(text)
        expect(jsonrpc).toBe('2.0')
        expect(error?.code).not.toBe(-32603)
      }),
      { numRuns: countOf(100, 300), seed: 1 },
    )
    expect(server.logLines.slice(before).filter((line) => line.includes('request failed'))).toEqual([])
  })
})

describe('a tool that waits', () => {
  it('reports progress until there is something', async () => {
    const listener = await oauthBot(server, orgId, 'Listener')
    await deploy.post(`/v2/topics/${topicId}/members`, { memberIds: [listener.id] })
    const client = await connectAssistant(listener)
    const { value } = await toolValue(client, 'read_updates', { offset: 'newest' })
    const told: { progress: number; total?: number | undefined }[] = []
    const waiting = client.callTool(
      { name: 'read_updates', arguments: { offset: value.nextOffset, timeout: 30 } },
      undefined,
      {
        onprogress: (progress) => {
          told.push(progress)
          if (told.length === 2) void deploy.post('/v2/messages', { topicId, text: 'Wake up' })
        },
      },
    )
    const { structuredContent } = await waiting
    expect(told.slice(0, 2)).toEqual([
      { progress: 1, total: 30 },
      { progress: 2, total: 30 },
    ])
    expect(Object(structuredContent).updates).toMatchObject([
      { eventType: 'message.created', data: { message: { text: 'Wake up' } } },
    ])
    await client.close()
  })
})

describe('resources', () => {
  it('are the topics of the bot and their messages, in pages', async () => {
    const librarian = await oauthBot(server, orgId, 'Librarian')
    const client = await connectAssistant(librarian)
    const made: string[] = []
    for (let number = 0; number < LIMITS.pageDefault + 1; number += 1) {
      const { value } = await toolValue(client, 'create_topic', { name: `Shelf ${number}`, members: [] })
      made.push(String(value.id))
    }
    const uris: string[] = []
    let pages = 0
    let cursor: string | undefined
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor })
      uris.push(...page.resources.map(({ uri }) => uri))
      pages += 1
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(pages).toBe(2)
    expect(uris).toEqual(
      made.reverse().flatMap((id) => [`parley://topics/${id}`, `parley://topics/${id}/messages`]),
    )
    await client.close()
  })

  it('are read by their address, and the next page by its cursor', async () => {
    const { resourceTemplates } = await assistant.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'parley://topics/{topicId}',
      'parley://topics/{topicId}/messages{?limit,cursor}',
      'parley://messages/{messageId}',
    ])
    const readJson = async (uri: string) => {
      const { contents } = await assistant.readResource({ uri })
      expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }])
      return JSON.parse(String(Object(contents[0]).text))
    }
    expect(await readJson(`parley://topics/${topicId}`)).toMatchObject({ id: topicId, name: 'Releases' })
    const sent = await toolValue(assistant, 'send_message', { topicId, text: 'The newest' })
    expect(await readJson(`parley://messages/${sent.value.id}`)).toMatchObject({ text: 'The newest' })
    const first = await readJson(`parley://topics/${topicId}/messages?limit=1`)
    expect(first.messages).toMatchObject([{ text: 'The newest' }])
    const second = await readJson(
      `parley://topics/${topicId}/messages?limit=1&cursor=${encodeURIComponent(first.nextCursor)}`,
    )
    expect(second.messages).toHaveLength(1)
    expect(second.messages[0].id).not.toBe(first.messages[0].id)
  })

  it('that are out of reach are refused as the API does it', async () => {
    const foreign = await oauthBot(server, await organization(server, 'Elsewhere'), 'Stranger')
    const client = await connectAssistant(foreign)
    for (const uri of [
      `parley://topics/${topicId}`,
      `parley://topics/${topicId}/messages`,
      `parley://messages/${NOBODY}`,
      'parley://topics',
      'parley://secrets/1',
      'file:///etc/passwd',
    ])
      expect(await codeOf(client.readResource({ uri })), uri).toBe(-32002)
    for (const uri of [
      'parley://topics/general',
      `parley://topics/${topicId}/messages?limit=0`,
      `parley://topics/${topicId}/messages?cursor=x`,
    ])
      expect(await codeOf(client.readResource({ uri })), uri).toBe(ErrorCode.InvalidParams)
    await client.close()
  })

  it('are only those that the scopes allow', async () => {
    const sender = await oauthBot(server, orgId, 'Sender', ['message:send'])
    const lister = await oauthBot(server, orgId, 'Lister', ['channel:list', 'message:read'])
    const [sending, listing] = await Promise.all([sender, lister].map((each) => connectAssistant(each)))
    if (!sending || !listing) throw new Error('two clients')
    expect(await sending.listResources()).toEqual({ resources: [] })
    expect(await sending.listResourceTemplates()).toEqual({ resourceTemplates: [] })
    await expect(sending.readResource({ uri: `parley://topics/${topicId}` })).rejects.toThrow(
      'forbidden: the token lacks the scope channel:read',
    )
    await deploy.post(`/v2/topics/${topicId}/members`, { memberIds: [lister.id] })
    const { resources } = await listing.listResources()
    expect(resources.map(({ uri, name, title }) => [uri, name, title])).toEqual([
      [`parley://topics/${topicId}/messages`, 'Releases', 'Releases: messages'],
    ])
    await Promise.all([sending.close(), listing.close()])
  })
})

describe('the revision without a handshake', () => {
  const VERSION = 'io.modelcontextprotocol/protocolVersion'
  const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
  const meta = { [VERSION]: STATELESS_VERSION, [CAPABILITIES]: {} }
  const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } }
  const headers = { 'mcp-protocol-version': STATELESS_VERSION, 'mcp-method': 'tools/list' }

  it('has the same tools and resources, with what it asks of answers', async () => {
    const client = await connectStateless(bot)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(await names(assistant))
    const sent = await client.callTool({ name: 'send_message', arguments: { topicId, text: 'Stateless' } })
    expect(Object(sent.structuredContent).topicId).toBe(topicId)
    const uri = `parley://topics/${topicId}/messages?limit=1`
    const { contents } = await client.readResource({ uri })
    expect(JSON.parse(String(Object(contents[0]).text))).toMatchObject({ messages: [{ text: 'Stateless' }] })
    expect((await client.listResources()).resources.length).toBeGreaterThan(0)
    expect(await client.callTool({ name: 'send_message', arguments: { topicId } })).toMatchObject({
      isError: true,
      content: [{ text: 'text is required' }],
    })
    await expect(client.callTool({ name: 'drop_tables' })).rejects.toThrow('Unknown tool')
    await expect(client.readResource({ uri: 'parley://nowhere/ü' })).rejects.toMatchObject({
      code: ErrorCode.InvalidParams,
    })
    await client.close()

    const answer: unknown = await (await post(listTools, headers)).json()
    expect(answer).toMatchObject({
      result: {
        resultType: 'complete',
        cacheScope: 'private',
        ttlMs: expect.any(Number),
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'parley' } },
      },
    })
  })

  it('is found by who asks for it', async () => {
    const client = await connectStateless(bot, 'auto')
    expect(client.getNegotiatedProtocolVersion()).toBe(STATELESS_VERSION)
    await client.close()
  })

  it.each([
    [listTools, {}, 400, -32020],
    [listTools, { ...headers, 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    [listTools, { ...headers, 'mcp-method': 'tools/call' }, 400, -32020],
    [{ ...listTools, params: { _meta: { ...meta, [VERSION]: '2025-11-25' } } }, headers, 400, -32020],
    [{ ...listTools, params: { _meta: { ...meta, [VERSION]: '2031-01-01' } } }, headers, 400, -32020],
    [{ ...listTools, params: { _meta: { ...meta, [VERSION]: '2025-11-25' } } }, {}, 400, -32020],
    [{ ...listTools, params: {} }, headers, 400, -32602],
    [{ ...listTools, params: { _meta: { ...meta, [CAPABILITIES]: 7 } } }, headers, 400, -32602],
    [
      { ...listTools, params: { _meta: { ...meta, [VERSION]: '2031-01-01' } } },
      { ...headers, 'mcp-protocol-version': '2031-01-01' },
      400,
      -32022,
    ],
    [{ ...listTools, method: 'ping' }, { ...headers, 'mcp-method': 'ping' }, 404, -32601],
    [{ ...listTools, method: 'initialize' }, { ...headers, 'mcp-method': 'initialize' }, 404, -32601],
    [
      { ...listTools, method: 'tools/call', params: { _meta: meta, name: 'read_me' } },
      { ...headers, 'mcp-method': 'tools/call', 'mcp-name': 'list_topics' },
      400,
      -32020,
    ],
  ])('refuses %j with %j', async (message, given, status, code) => {
    const answer = await post(message, given)
    expect([answer.status, await answer.json()]).toMatchObject([status, { id: 1, error: { code } }])
  })
})

describe('the rate limit', () => {
  it('counts what assistants read with the polls of the organization, and tells the assistant', async () => {
    const limited = await organization(server, 'Limited')
    await setRateLimit(server, limited, 4)
    const frugal = await oauthBot(server, limited, 'Frugal')
    const client = await connectAssistant(frugal) // initialize, initialized
    await toolValue(client, 'read_me')
    expect((await frugal.get('/v2/members/me')).headers.get('ratelimit-remaining')).toBe('3')
    expect((await frugal.get('/v2/updates')).headers.get('ratelimit-remaining')).toBe('0')
    expect(await toolRefusal(client, 'read_me')).toMatch(/^rate limit exceeded; try again in \d+ s$/)
    const { token } = frugal.credentials
    const answer = await post(ping, { authorization: `Bearer ${token}` })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toMatchObject({ error: { message: 'rate limit exceeded' } })
    await client.close()
  })
})
