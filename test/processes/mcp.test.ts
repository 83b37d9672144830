import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { StdioClientTransport as StatelessTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../server/db/sql.ts'
import { type OAuthTestBot, oauthBot, organization, type StaticTestBot, staticBot } from '../support/cast.ts'
import { eventually } from '../support/eventually.ts'
import { newStatelessClient, STATELESS_VERSION, toolRefusal, toolValue } from '../support/mcp.ts'
import { ROOT } from '../support/pages.ts'
import { startTestParley, type TestParley } from '../support/parley.ts'
import { send } from '../support/wire.ts'

const PROGRAM = join(ROOT, 'bin', 'parley.mjs')

let server: TestParley
let orgId: string
let bot: OAuthTestBot
let deploy: StaticTestBot
let topicId: string
const clients: Client[] = []

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  bot = await oauthBot(server, orgId, 'Assistant')
  deploy = await staticBot(server, orgId)
  const { body } = await deploy.post('/v2/topics', { name: 'Releases', members: [bot.id] })
  topicId = Object(body).id
})
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())))
afterAll(() => server.close())

const environmentOf = (settings: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  PARLEY_URL: server.url,
  ...settings,
})
const oauth = () => ({ PARLEY_CLIENT_ID: bot.clientId, PARLEY_CLIENT_SECRET: bot.clientSecret })

/** The official client, which starts the program as an assistant does. */
async function startAssistant(settings: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  clients.push(client)
  const env = environmentOf(settings)
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env, stderr: 'ignore' }),
  )
  return client
}

/** Runs the program on these lines to its end. */
async function run(lines: readonly string[], settings: Record<string, string>, args = ['mcp']) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: environmentOf(settings) })
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (child.exitCode === null) await once(child, 'exit')
  return { code: child.exitCode, output, errors }
}

describe('parley mcp', () => {
  it('does what /mcp does, by standard input and output', async () => {
    const client = await startAssistant({ ...oauth(), PARLEY_TOOLS: 'all' })
    expect(client.getServerVersion()?.name).toBe('parley')
    expect((await client.listTools()).tools.length).toBeGreaterThan(30)
    const { value } = await toolValue(client, 'send_message', { topicId, text: 'Hallo,\n„Zürich“ 🎉' })
    expect((await deploy.get(`/v2/messages/${value.id}`)).body).toMatchObject({
      text: 'Hallo,\n„Zürich“ 🎉',
      senderId: bot.id,
    })
    expect(await toolRefusal(client, 'send_message', { topicId })).toBe('text is required')
    await expect(client.callTool({ name: 'drop_tables' })).rejects.toThrow('Unknown tool')
    const { contents } = await client.readResource({ uri: `parley://topics/${topicId}/messages?limit=1` })
    expect(JSON.parse(String(Object(contents[0]).text))).toMatchObject({ messages: [{ id: value.id }] })
  })

  it('signs each request of a static key, and passes progress on while a tool waits', async () => {
    const { apiKey, apiSecret } = deploy.credentials
    const client = await startAssistant({ PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret })
    const { value } = await toolValue(client, 'read_updates', { offset: 'newest' })
    let told = 0
    const { structuredContent } = await client.callTool(
      { name: 'read_updates', arguments: { offset: value.nextOffset, timeout: 30 } },
      undefined,
      {
        onprogress: () => {
          told += 1
          if (told === 1) void bot.post('/v2/messages', { topicId, text: 'Wake up' })
        },
      },
    )
    expect(told).toBeGreaterThan(0)
    expect(Object(structuredContent).updates).toMatchObject([{ data: { message: { text: 'Wake up' } } }])
  })

  it('speaks the revision without a handshake, too', async () => {
    const client = newStatelessClient()
    const env = environmentOf(oauth())
    await client.connect(
      new StatelessTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env, stderr: 'ignore' }),
    )
    expect(client.getNegotiatedProtocolVersion()).toBe(STATELESS_VERSION)
    const me = await client.callTool({ name: 'read_me' })
    expect(Object(me.structuredContent).id).toBe(bot.id)
    await expect(client.readResource({ uri: 'parley://nowhere/ü' })).rejects.toThrow('Resource not found')
    await client.close()
  })

  it('ends without a word when the assistant is gone, with what it was waiting for', async () => {
    const { apiKey, apiSecret } = deploy.credentials
    const env = environmentOf({ PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret })
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env })
    const call = (id: number, name: string, given: object) =>
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } })}\n`,
      )
    call(1, 'read_updates', { offset: 'newest', timeout: 30 })
    child.stdout.destroy()
    call(2, 'read_me', {})
    const errors = text(child.stderr)
    const [code] = await once(child, 'exit')
    expect([code, await errors]).toEqual([0, ''])
  })

  it('ends a call that the assistant gives up', async () => {
    const client = await startAssistant(oauth())
    const { value } = await toolValue(client, 'read_updates', { offset: 'newest' })
    const givingUp = new AbortController()
    const waiting = client.callTool(
      { name: 'read_updates', arguments: { offset: value.nextOffset, timeout: 30 } },
      undefined,
      { signal: givingUp.signal, onprogress: () => givingUp.abort() },
    )
    await expect(waiting).rejects.toThrow()
    await eventually(async () => server.parley.longPolls.count).toBe(0)
  })

  it('asks again where an answer was lost, and what it asked for is done once', async () => {
    let lost = 0
    const proxy = createServer(async (request, response) => {
      const { method = '', url: target = '', headers } = request
      const body = await buffer(request)
      const answer = await send(server.url, { method, target, headers, body })
      if (body.includes('Only once') && lost < 2) {
        lost += 1
        response.destroy()
      } else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = Object(proxy.address())
    const client = await startAssistant({ ...oauth(), PARLEY_URL: `http://127.0.0.1:${port}/` })
    await toolValue(client, 'send_message', { topicId, text: 'Only once' })
    expect(lost).toBe(2)
    const [{ count } = { count: -1 }] = await server.parley.db.query<{ count: number }>(
      sql`select count(*)::int as count from messages where org_id = ${orgId} and text = 'Only once'`,
    )
    expect(count).toBe(1)
    proxy.closeAllConnections()
    proxy.close()
  })

  it('gets a new token where the one that it has was revoked', async () => {
    const client = await startAssistant(oauth())
    await server.parley.db.query(
      sql`update bots set token_generation = token_generation + 1 where org_id = ${orgId} and id = ${bot.id}`,
    )
    server.parley.identities.drop(bot.id)
    expect((await toolValue(client, 'read_me')).value.id).toBe(bot.id)
  })

  it('answers errors with the id of the request, and never with a secret', async () => {
    const ping = '{"jsonrpc":"2.0","id":"p","method":"ping"}'
    const secret = 'a-secret-that-is-wrong'
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const nobody = `http://127.0.0.1:${Object(closed.address()).port}`
    closed.close()
    const runs = await Promise.all([
      run([ping], { PARLEY_API_KEY: 'nobody', PARLEY_API_SECRET: secret }),
      run([ping], { PARLEY_CLIENT_ID: bot.clientId, PARLEY_CLIENT_SECRET: secret }),
      run([ping], { PARLEY_TOKEN: 'e30.e30.e30' }),
      run(['nonsense', '', '{"jsonrpc":"2.0","method":"notifications/initialized"}', ping], oauth()),
      run([ping], { ...oauth(), PARLEY_URL: nobody }),
    ])
    const [wrongKey, wrongSecret, wrongToken, mixed, nowhere] = runs.map(({ output }) =>
      output
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    )
    expect(wrongKey).toMatchObject([{ id: 'p', error: { message: 'unauthorized' } }])
    expect(wrongSecret).toMatchObject([{ id: 'p', error: { message: expect.stringContaining('no token') } }])
    expect(wrongToken).toMatchObject([{ id: 'p', error: { message: 'unauthorized' } }])
    expect(mixed).toMatchObject([{ error: { code: -32700 } }, { id: 'p', result: {} }])
    expect(nowhere).toMatchObject([{ id: 'p', error: { message: `${nobody}: ECONNREFUSED` } }])
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(JSON.stringify(runs)).not.toContain(secret)
  })

  it('explains itself, and says which setting is missing', async () => {
    const help = await run([], {}, ['mcp', '--help'])
    expect(help.output).toContain('PARLEY_CLIENT_SECRET')
    const none = await run([], {})
    expect([none.code, none.output]).toEqual([2, ''])
    expect(none.errors).toContain('set PARLEY_CLIENT_ID and PARLEY_CLIENT_SECRET')
    const nowhere = await run([], { ...oauth(), PARLEY_URL: 'chat.example.com' })
    expect(nowhere.errors).toContain('PARLEY_URL must be the address of the server')
    const inArguments = await run([], {}, ['mcp', '--secret', 'x'])
    expect(inArguments.errors).toContain('There is no option --secret')
  })
})
