import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OAuthTestBot, oauthBot, organization, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { eventuallyHolds } from './support/eventually.ts'
import {
  callTool,
  connectAssistant,
  mcpAddress,
  STATELESS_VERSION,
  toolRefusal,
  toolValue,
} from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let bot: OAuthTestBot
let assistant: Client
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  bot = await oauthBot(server, orgId, 'Assistant')
  const members = [ada.profileId, ben.profileId]
  topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
  assistant = await connectAssistant(bot)
})
afterAll(async () => {
  await assistant?.close()
  await server.close()
})

type Shown = {
  id: string
  text: string
  actions: { id: string; hash: string; elements: { id: string; text: string }[] }
}

/** The question with this text, once it is there. */
const asked = async (text: string): Promise<Shown> => {
  let found: Shown | undefined
  await eventuallyHolds(async () => {
    const { body } = await bot.get(`/v2/topics/${topicId}/messages?limit=20`)
    found = Object(body).messages.find((message: Shown) => message.text === text)
    expect(found).toBeDefined()
  })
  if (!found) throw new Error('not asked')
  return found
}
const press = async (who: TestPerson, { id, actions }: Shown, label: string, values?: object) => {
  const elementId = actions.elements.find(({ text }) => text === label)?.id
  const given = { actionsId: actions.id, hash: actions.hash, elementId, ...(values && { values }) }
  expect((await chatOf(who).post(`actions/${id}/press`, given)).status).toBe(201)
}

describe('the tool ask', () => {
  it('returns what somebody chose, in the words of the button, and tells that it waits', async () => {
    const progress: number[] = []
    const text = 'When do we ship?'
    const answer = assistant.callTool(
      { name: 'ask', arguments: { topicId, text, choices: ['Today', 'Tomorrow'], timeout: 30 } },
      undefined,
      { onprogress: (told) => progress.push(told.progress) },
    )
    const question = await asked(text)
    await eventuallyHolds(async () => expect(progress.length).toBeGreaterThan(0))
    await press(ben, question, 'Tomorrow')
    expect((await answer).structuredContent).toMatchObject({
      status: 'answered',
      answer: 'Tomorrow',
      answeredBy: ['Ben'],
    })
  })

  it('returns what somebody wrote where there are no choices', async () => {
    const answer = toolValue(assistant, 'ask', { topicId, text: 'What is it called?', timeout: 30 })
    await press(ben, await asked('What is it called?'), 'Answer', { answer: 'Heron' })
    expect((await answer).value).toMatchObject({ status: 'answered', answer: 'Heron', answeredBy: ['Ben'] })
  })

  it('gives up waiting, and goes on by the id of the question', async () => {
    const text = 'Still there?'
    const { value } = await toolValue(assistant, 'ask', { topicId, text, choices: ['Yes'], timeout: 0 })
    expect(value).toEqual({ questionId: expect.any(String), status: 'open', answeredBy: [] })
    const waiting = toolValue(assistant, 'wait_for_answer', { questionId: value.questionId, timeout: 30 })
    await press(ben, await asked(text), 'Yes')
    expect((await waiting).value).toMatchObject({ status: 'answered', answer: 'Yes' })
  })

  it('is refused like the question that it asks', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000'
    expect(await toolRefusal(assistant, 'ask', { topicId: nobody, text: 'x' })).toBe('Topic not found')
    expect(await toolRefusal(assistant, 'ask', { topicId, text: '' })).toBe('text is required')
    expect(await toolRefusal(assistant, 'ask', { topicId, text: 'x', choices: ['A'], otherwise: 'B' })).toBe(
      'Invalid otherwise',
    )
    expect(await toolRefusal(assistant, 'wait_for_answer', { questionId: nobody })).toBe('Question not found')
    const reader = await oauthBot(server, orgId, 'Reader', ['message:read'])
    const client = await connectAssistant(reader)
    expect(await toolRefusal(client, 'ask', { topicId, text: 'x' })).toContain('lacks the scope message:send')
    await client.close()
  })
})

describe('the tool request_approval', () => {
  it('is approved by as many as it needs, refused by one, and stands in the audit log', async () => {
    const text = 'Drop the table?'
    const approval = toolValue(assistant, 'request_approval', { topicId, text, quorum: 2, timeout: 30 })
    const question = await asked(text)
    await press(ben, question, 'Approve')
    await press(ada, question, 'Approve')
    expect((await approval).value).toMatchObject({ approved: true, answeredBy: ['Ben', 'Ada Okafor'] })
    const { body } = await ada.get(`/people/organizations/${orgId}/audit?target=bot&limit=10`)
    expect(JSON.stringify(body)).toContain(text)

    const again = toolValue(assistant, 'request_approval', {
      topicId,
      text: 'And this one?',
      quorum: 2,
      timeout: 30,
    })
    await press(ben, await asked('And this one?'), 'Refuse')
    expect((await again).value).toMatchObject({ status: 'answered', approved: false })
  })
})

describe('a client that takes tasks', () => {
  const VERSION = 'io.modelcontextprotocol/protocolVersion'
  const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
  const meta = {
    [VERSION]: STATELESS_VERSION,
    [CAPABILITIES]: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  }
  async function call(method: string, params: Record<string, unknown>, name: string, as = bot) {
    const answer = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${as.credentials.token}`,
        'mcp-protocol-version': STATELESS_VERSION,
        'mcp-method': method,
        'mcp-name': name,
      },
    })
    return Object(await answer.json())
  }
  const approve = (text: string) =>
    call('tools/call', { name: 'request_approval', arguments: { topicId, text } }, 'request_approval')

  it('gets one at once, asks for it later, and finds the result of the tool', async () => {
    const { result: task } = await approve('Ship it?')
    expect(task).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: expect.any(Number) })
    const { taskId } = task
    expect((await call('tasks/get', { taskId }, taskId)).result).toMatchObject({
      resultType: 'complete',
      status: 'working',
    })
    await press(ben, await asked('Ship it?'), 'Approve')
    expect((await call('tasks/get', { taskId }, taskId)).result).toMatchObject({
      status: 'completed',
      result: { structuredContent: { approved: true, answeredBy: ['Ben'] } },
    })
    expect((await call('tasks/get', { taskId }, 'other')).error).toMatchObject({ code: -32020 })
    const other = await oauthBot(server, orgId, 'Other')
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      expect((await call(method, { taskId }, taskId, other)).error).toMatchObject({ code: -32602 })
  })

  it('cancels it, and the question takes no answer any more', async () => {
    const { result } = await approve('Forget it?')
    const { taskId } = result
    expect((await call('tasks/cancel', { taskId }, taskId)).result).toMatchObject({ resultType: 'complete' })
    expect((await call('tasks/get', { taskId }, taskId)).result).toMatchObject({ status: 'cancelled' })
  })
})

describe('prompts', () => {
  it('are filled with what was said, and complete topics and members by name', async () => {
    await bot.post('/v2/messages', { topicId, text: 'The heron flies on Friday.' })
    expect(assistant.getServerCapabilities()).toMatchObject({ prompts: {}, completions: {} })
    expect((await assistant.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      'catch_up',
      'draft_reply',
      'write_to',
    ])
    const { messages } = await assistant.getPrompt({ name: 'catch_up', arguments: { topic: 'releases' } })
    expect(JSON.stringify(messages)).toContain('The heron flies on Friday.')
    const complete = async (name: string, argument: string, value: string) =>
      (
        await assistant.complete({
          ref: { type: 'ref/prompt', name },
          argument: { name: argument, value },
        })
      ).completion.values
    expect(await complete('catch_up', 'topic', 'rel')).toEqual(['Releases'])
    expect(await complete('write_to', 'member', 'ada')).toEqual(['Ada Okafor'])
    const ofTemplate = await assistant.complete({
      ref: { type: 'ref/resource', uri: 'parley://topics/{topicId}' },
      argument: { name: 'topicId', value: 'Rele' },
    })
    expect(ofTemplate.completion.values).toEqual([topicId])
  })

  it('are refused where nothing fits, and to who may not read', async () => {
    for (const [name, given] of [
      ['catch_up', { topic: 'nowhere' }],
      ['catch_up', {}],
      ['invent', {}],
    ] as const)
      await expect(assistant.getPrompt({ name, arguments: { ...given } })).rejects.toMatchObject({
        code: -32602,
      })
    const foreign = await staticBot(server, await organization(server, 'Elsewhere'), 'Stranger')
    const client = await connectAssistant(foreign)
    await expect(client.getPrompt({ name: 'catch_up', arguments: { topic: topicId } })).rejects.toThrow()
    await client.close()
    const sender = await connectAssistant(await oauthBot(server, orgId, 'Sender', ['message:send']))
    expect((await sender.listPrompts()).prompts).toEqual([])
    await sender.close()
  })
})

describe('the official provider of client credentials', () => {
  it('finds the token endpoint by itself, and gets the scopes that the bot has', async () => {
    const few = await oauthBot(server, orgId, 'Few', ['message:send', 'channel:list'])
    const authProvider = new ClientCredentialsProvider({
      clientId: few.clientId,
      clientSecret: few.clientSecret,
      expectedIssuer: server.url,
    })
    const client = new Client({ name: 'desk', version: '1.0.0' })
    await client.connect(
      new StreamableHTTPClientTransport(mcpAddress(server.url, undefined), { authProvider }),
    )
    expect((await callTool(client, 'list_topics')).isError).toBeUndefined()
    await client.close()
    const wrong = new ClientCredentialsProvider({ ...{ clientId: few.clientId, clientSecret: 'wrong' } })
    const refused = new Client({ name: 'desk', version: '1.0.0' })
    await expect(
      refused.connect(
        new StreamableHTTPClientTransport(mcpAddress(server.url, undefined), { authProvider: wrong }),
      ),
    ).rejects.toThrow()
  })

  it('is given no token for another resource, or for none of its scopes', async () => {
    const few = await oauthBot(server, orgId, 'Fewer', ['message:send'])
    const grant = async (form: Record<string, string>) => {
      const answer = await fetch(`${server.url}/oauth/assistants/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: few.clientId,
          client_secret: few.clientSecret,
          ...form,
        }),
      })
      return [answer.status, Object(await answer.json())]
    }
    expect(await grant({ resource: 'https://elsewhere.example/mcp' })).toMatchObject([
      400,
      { error: 'invalid_target' },
    ])
    expect(await grant({ scope: 'task:write' })).toMatchObject([400, { error: 'invalid_scope' }])
    expect(await grant({ client_secret: 'wrong' })).toMatchObject([401, { error: 'invalid_client' }])
    expect(await grant({ scope: 'message:send task:write' })).toMatchObject([200, { scope: 'message:send' }])
  })
})
