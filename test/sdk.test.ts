import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildLibrary } from '../sdk/build.mjs'
import { generateApi } from '../sdk/generate.ts'
import { type Client, connect, createBot, openStream, ParleyError, storedPositions } from '../sdk/index.ts'
import { revokeTokens, setBot } from '../server/actions/bots/bots.ts'
import { sql } from '../server/db/sql.ts'
import { oauthBot, organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'
import { ON_LOOPBACK, startDispatcher, until } from './support/receiver.ts'
import { countOf } from './support/thorough.ts'
import { troubledLine } from './support/troubled-line.ts'

let server: TestParley
let orgId: string
let ada: string
let folder: string

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  orgId = await organization(server)
  ada = await person(server, orgId, 'Ada Okafor')
  folder = await mkdtemp(join(tmpdir(), 'parley-sdk-'))
  await buildLibrary(join(folder, 'parley.mjs'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const optionsOf = ({ credentials: { apiKey, apiSecret } }: StaticTestBot, url = server.url) => ({
  url,
  apiKey,
  apiSecret,
})
const topicOf = async (parley: Client): Promise<string> =>
  (await parley.createTopic({ body: { name: 'Echoes', members: [ada] } })).id
const adaSays = (topicId: string, text: string) =>
  server.parley.messages.sendNow({ orgId, profileId: ada }, { topicId, text })
const textsIn = async (parley: Client, topicId: string): Promise<string[]> => {
  const { messages } = await parley.listMessages({ params: { topicId }, query: { order: 'asc', limit: 100 } })
  return messages.map(({ text }) => text ?? '')
}

it('has the types of the contract: `npm run sdk` writes them', async () => {
  expect(await readFile('sdk/api.ts', 'utf8')).toBe(generateApi())
})

describe('credentials', () => {
  it.each([1, 2] as const)('sign with version %i', async (signatureVersion) => {
    const bot = await staticBot(server, orgId, 'Signer')
    const parley = connect({ ...optionsOf(bot), signatureVersion })
    const topicId = await topicOf(parley)
    await parley.sendMessage({ body: { topicId, text: 'Grüße 🎈' } })
    expect(await textsIn(parley, topicId)).toEqual(['Grüße 🎈'])
    await parley.writeStorage({ params: { key: 'a:b@c' }, body: { value: [1] } })
    expect(await parley.readStorage({ params: { key: 'a:b@c' } })).toMatchObject({ value: [1] })
    expect(await parley.listStorage({ query: { prefix: 'a:b@' } })).toMatchObject({ hasMore: false })

    await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { signatureVersion: 2 }))
    const after = () =>
      parley.readMe().then(
        ({ id }) => id,
        (error: ParleyError) => error.status,
      )
    // The server learns of it a moment later.
    await until(async () => (await after()) === (signatureVersion === 2 ? bot.id : 401))
  })

  it('get a token, and another one when that was revoked', async () => {
    const bot = await oauthBot(server, orgId, 'Token bot')
    const { clientId, clientSecret } = bot
    const parley = connect({ url: server.url, clientId, clientSecret })
    expect((await parley.readMe()).id).toBe(bot.id)
    await server.parley.db.write(orgId, (tx) => revokeTokens(tx, bot.id))
    await until(async () => (await bot.get('/v2/members/me')).status === 401)
    expect((await parley.readMe()).id).toBe(bot.id)
    const stranger = connect({ url: server.url, clientId, clientSecret: 'wrong' })
    await expect(stranger.readMe()).rejects.toThrow(/invalid_client/)
  })
})

describe('a request that fails', () => {
  it('is done once, also where only its answer was lost', async () => {
    const { url, troubles, seen, close } = await troubledLine(server.url)
    const bot = await staticBot(server, orgId, 'Unlucky')
    const parley = connect(optionsOf(bot, url))
    const topicId = await topicOf(parley)
    seen.length = 0
    troubles.push('lost answer', { status: 503, retryAfter: '1' }, { status: 429 }, 'lost answer')
    const { id } = await parley.sendMessage({ body: { topicId, text: 'once' } })
    expect(seen).toHaveLength(5)
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
    expect(new Set(seen.map(({ nonce }) => nonce)).size).toBe(5)
    expect((seen[2]?.at ?? 0) - (seen[1]?.at ?? 0), 'Retry-After is waited for').toBeGreaterThanOrEqual(990)
    expect(await textsIn(parley, topicId)).toEqual(['once'])

    troubles.push('lost answer')
    await parley.deleteMessage({ params: { messageId: id } })
    expect(await textsIn(parley, topicId)).toEqual([])
    close()
  })

  it('is not tried again where it was refused', async () => {
    const { url, seen, close } = await troubledLine(server.url)
    const parley = connect(optionsOf(await staticBot(server, orgId, 'Refused'), url))
    const refused = await parley
      .deleteMessage({ params: { messageId: ada } })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ParleyError)
    expect(refused).toMatchObject({ status: 404, refusal: 'Message not found', code: 'message_not_found' })
    expect(seen).toHaveLength(1)
    close()
  })
})

describe('a bot that asks', () => {
  it('is the one of the page, in ten lines', async () => {
    const [, program = ''] = /```js\n([\s\S]*?)```/.exec(await readFile('docs/sdk.md', 'utf8')) ?? []
    expect(program.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(10)
    await writeFile(join(folder, 'echo.mjs'), program)
    const bot = await staticBot(server, orgId, 'Echo')
    const parley = connect(optionsOf(bot))
    const topicId = await topicOf(parley)
    const { apiKey, apiSecret } = bot.credentials
    const run = (): ChildProcess =>
      spawn(process.execPath, ['echo.mjs'], {
        cwd: folder,
        env: { PARLEY_URL: server.url, PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret },
        stdio: ['ignore', 'inherit', 'inherit'],
      })
    const first = run()
    await adaSays(topicId, 'one')
    await until(async () => (await textsIn(parley, topicId)).includes('You said: one'))
    first.kill('SIGKILL')
    await adaSays(topicId, 'two')
    const second = run()
    await until(async () => (await textsIn(parley, topicId)).includes('You said: two'))
    second.kill('SIGKILL')
    expect((await textsIn(parley, topicId)).sort()).toEqual(['You said: one', 'You said: two', 'one', 'two'])
  })

  it('gets an event again that its handler failed at, in order, and keeps its place in its storage', async () => {
    const options = optionsOf(await staticBot(server, orgId, 'Stumbling'))
    const parley = connect(options)
    const topicId = await topicOf(parley)
    const seen: string[] = []
    const start = () => {
      const bot = createBot({ ...options, positions: storedPositions(parley) })
      bot.on('message', async ({ message: { text = '' }, reply }) => {
        seen.push(text)
        if (text === 'one' && seen.length === 1) throw new Error('stumbled')
        await reply(`heard ${text}, ${seen.length}`)
      })
      return { bot, running: bot.start() }
    }
    const first = start()
    await adaSays(topicId, 'one')
    await adaSays(topicId, 'two')
    await until(async () => (await textsIn(parley, topicId)).length === 4)
    first.bot.stop()
    await first.running
    expect(seen).toEqual(['one', 'one', 'two'])
    const second = start()
    await adaSays(topicId, 'three')
    await until(() => seen.includes('three'))
    second.bot.stop()
    await second.running
    expect(seen).toEqual(['one', 'one', 'two', 'three'])
  })
})

it('a bot does not hear of its own doing, unless it asks', async () => {
  for (const ownEvents of [false, true]) {
    const options = optionsOf(await staticBot(server, orgId, `Own events: ${ownEvents}`))
    const bot = createBot({ ...options, ownEvents })
    const heard: string[] = []
    bot.on('message', ({ message }) => void heard.push(`message ${message.text}`))
    bot.on('message.created', ({ data }) => void heard.push(`message.created ${data.message.text}`))
    bot.on('reaction.added', ({ data }) => void heard.push(`reaction ${data.emoji}`))
    bot.on('topic.updated', ({ data }) => void heard.push(`topic ${data.name}`))
    const topicId = await topicOf(bot.parley)
    const { id: messageId } = await bot.parley.sendMessage({ body: { topicId, text: 'mine' } })
    await bot.parley.addReaction({ params: { messageId }, body: { reaction: '🎉' } })
    await bot.parley.updateTopic({ params: { topicId }, body: { name: 'Renamed' } })
    await adaSays(topicId, 'yours')
    const running = bot.start()
    await until(() => heard.includes('message yours'))
    bot.stop()
    await running
    const own = ['message.created mine', 'message mine', 'reaction 🎉', 'topic Renamed']
    expect(heard).toEqual([...(ownEvents ? own : []), 'message.created yours', 'message yours'])
  }
})

describe('a bot that streams', () => {
  const credentialsOf = {
    'a key': async () => {
      const { apiKey, apiSecret } = (await staticBot(server, orgId, 'Streaming')).credentials
      return { apiKey, apiSecret }
    },
    tokens: async () => {
      const { clientId, clientSecret } = await oauthBot(server, orgId, 'Streaming')
      return { clientId, clientSecret }
    },
  }

  it('sends bodies with tokens, unless something on the way collects them', async () => {
    const credentials = await credentialsOf.tokens()
    for (const collects of [false, true]) {
      const line = await troubledLine(server.url, { collects })
      const { parley } = createBot({ ...credentials, url: line.url })
      const topicId = await topicOf(parley)
      const stream = await openStream(parley, { topicId })
      const words = Array.from({ length: 30 }, (_, index) => `${index} `)
      async function* speak() {
        for (const word of words) {
          yield word
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
      const before = line.seen.length
      const actions = { use: 'always' as const, elements: [{ id: 'helpful', text: 'Helpful' }] }
      expect(await stream.write(speak(), { actions })).toBe(true)
      expect(await textsIn(parley, topicId)).toEqual([words.join('')])
      const sent = line.seen.slice(before)
      const [texts, others] = [sent.filter(({ isText }) => isText), sent.filter(({ isText }) => !isText)]
      if (collects) expect([texts.length, others.length > 4]).toEqual([1, true])
      else expect([texts.length > 0, others.length]).toEqual([true, 2]) // it is finished, and read
      const { actions: shown } = await parley.readMessage({ params: { messageId: stream.id } })
      expect(shown).toMatchObject(actions)
      line.close()
    }
  })

  it.each(['a key', 'tokens'] as const)(
    'says everything once, whatever gets lost on the way, and hears that it was stopped, with %s',
    async (kind) => {
      const line = await troubledLine(server.url)
      const bot = createBot({ ...(await credentialsOf[kind]()), url: line.url })
      const topicId = await topicOf(bot.parley)
      const words = Array.from({ length: 30 }, (_, index) => `${index}🎈 `)
      async function* speak() {
        for (const word of words) {
          yield word.slice(0, -2) // in the middle of a character
          yield word.slice(-2)
          await new Promise((resolve) => setTimeout(resolve, 10))
          if (word.startsWith('0')) line.troubles.push('lost answer')
          if (word.startsWith('5')) line.troubles.push('lost answer', { status: 500 })
        }
      }
      let isDone = false
      bot.on('message', async ({ message, reply }) => {
        const stream = await reply.stream()
        if (message.text === 'stop') {
          stream.append('On')
          await server.parley.streaming.stop({ orgId, profileId: ada }, stream.id)
          stream.append(' and on')
          expect(await stream.finish()).toBe(false)
          expect(stream.signal.aborted).toBe(true)
        } else expect(await stream.write(speak())).toBe(true)
        isDone = true
      })
      const running = bot.start()
      await adaSays(topicId, 'go')
      await until(() => isDone)
      expect(await textsIn(bot.parley, topicId)).toEqual(['go', words.join('')])
      isDone = false
      await adaSays(topicId, 'stop')
      await until(() => isDone)
      const { messages } = await bot.parley.listMessages({ params: { topicId }, query: { limit: 1 } })
      expect(messages).toMatchObject([{ stream: { status: 'stopped', stoppedBy: ada } }])
      bot.stop()
      await running
      line.close()
    },
  )
})

describe('a bot that asks with buttons', () => {
  it('hears the answer, tells the person alone, and edits its message', async () => {
    const bot = createBot(optionsOf(await staticBot(server, orgId, 'Asking')))
    const elements = [{ id: 'no', text: 'Not now' }]
    bot.on('message', ({ reply }) => reply({ text: 'Deploy 1.4?', actions: { elements } }))
    bot.on('action', async ({ action, edit, note }) => {
      await note('Thank you.')
      await edit({ text: `${action.userName} says ${action.elementId}.`, actions: null })
    })
    const ben = await signInAs(server, { orgId, name: 'Ben' })
    const { id: topicId } = await bot.parley.createTopic({ body: { name: 'Ask', members: [ben.profileId] } })
    const running = bot.start()
    await chatOf(ben).post('messages', { topicId, text: 'Well?' })
    const newest = async () =>
      (await bot.parley.listMessages({ params: { topicId }, query: { limit: 1 } })).messages[0]
    await until(async () => (await newest())?.actions !== undefined)
    const asked = await newest()
    const press = { actionsId: asked?.actions?.id, elementId: 'no' }
    expect((await chatOf(ben).post(`actions/${asked?.id}/press`, press)).status).toBe(201)
    await until(async () => (await newest())?.text === 'Ben says no.')
    expect(await newest()).not.toHaveProperty('actions')
    const { notes } = Object(
      (await chatOf(ben).get(`topics/${topicId}/history?threadId=${asked?.parentId}`)).body,
    )
    expect(notes).toMatchObject([{ messageId: asked?.id, text: 'Thank you.' }])
    bot.stop()
    await running
  })
})

describe('a bot with a webhook', () => {
  it('handles what is signed, once, compressed or not, and gets again what failed', async () => {
    const testBot = await staticBot(server, orgId, 'Told')
    const bot = createBot({ ...optionsOf(testBot), onError: () => {} })
    const heard: string[] = []
    bot.on('message', async ({ message: { text = '' }, reply }) => {
      heard.push(text)
      if (heard.length === 1) throw new Error('not yet')
      await reply('heard')
    })
    const deliveries: { headers: Headers; body: Uint8Array<ArrayBuffer> }[] = []
    const receiver = createServer((incoming, response) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk) => chunks.push(chunk))
      incoming.on('end', () => {
        const headers = new Headers(
          Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
        )
        deliveries.push({ headers, body: new Uint8Array(Buffer.concat(chunks)) })
      })
      void bot.nodeHandler(incoming, response)
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const { port } = receiver.address() as AddressInfo
    const topicId = await topicOf(bot.parley)
    await server.parley.db.write(orgId, (tx) =>
      setBot(tx, testBot.id, { delivery: 'webhook', webhookUrl: `http://127.0.0.1:${port}/` }),
    )
    const dispatcher = startDispatcher(server)
    const long = 'ö'.repeat(10_000)
    await adaSays(topicId, long)
    await until(async () => {
      const [failed] = await server.parley.db.query(sql`
        select 1 from deliveries where bot_id = ${testBot.id} and failures = 1`)
      return failed !== undefined
    })
    server.clock.ahead = 10_000 // it is tried again after 5 s
    await until(() => heard.length === 2)
    await until(async () => (await textsIn(bot.parley, topicId)).includes('heard'))

    const last = deliveries.find(({ headers }) => headers.get('content-encoding') === 'gzip')
    if (!last) throw new Error('a long text is compressed')
    const tell = (change: Record<string, string> = {}, body = last.body) => {
      const headers = new Headers(last.headers)
      for (const [name, value] of Object.entries(change)) headers.set(name, value)
      return bot.fetchHandler(new Request('http://bot.example', { method: 'POST', headers, body }))
    }
    expect((await tell()).status, 'a repeat').toBe(204)
    const old = String(Date.now() - 6 * 60_000)
    const signed = (timestamp: string, bytes: Buffer) => ({
      'x-service-timestamp': timestamp,
      'x-service-signature': createHmac('sha256', testBot.credentials.apiSecret)
        .update(`${timestamp}.`)
        .update(bytes)
        .digest('hex'),
    })
    const plain = gunzipSync(last.body)
    expect((await tell(signed(String(Date.now()), plain))).status, 'signed here').toBe(204)
    const large = Buffer.alloc(9 * 1024 * 1024, ' ')
    const wrong = [
      await tell(signed(old, plain)),
      await tell(signed(String(Date.now()), large), new Uint8Array(gzipSync(large))),
      await tell(
        { ...signed(String(Date.now()), large), 'content-encoding': 'identity' },
        new Uint8Array(large),
      ),
      await tell({ 'x-service-signature': '0'.repeat(64) }),
      await tell({ 'x-service-signature': '' }),
      await tell({ 'x-service-timestamp': old }),
      await tell({ 'x-service-timestamp': 'now' }),
      await tell({}, new Uint8Array([1, 2, 3])),
    ]
    expect(wrong.map(({ status }) => status)).toEqual(wrong.map(() => 401))
    expect(heard).toEqual([long, long])
    await dispatcher.stop()
    receiver.closeAllConnections()
    receiver.close()
  })
})

describe('files', () => {
  it.each(['version 1', 'version 2', 'a token'])(
    'are sent, signed with %s, and once although an answer is lost',
    async (kind) => {
      const { url, troubles, seen, close } = await troubledLine(server.url)
      const bot = await staticBot(server, orgId, 'Sender of files')
      const { clientId, clientSecret } = await oauthBot(server, orgId, 'Sender with a token')
      const signatureVersion = kind === 'version 1' ? 1 : 2
      const parley = connect(
        kind === 'a token' ? { url, clientId, clientSecret } : { ...optionsOf(bot, url), signatureVersion },
      )
      const topicId = await topicOf(parley)
      const path = join(folder, 'film.bin')
      const content = randomBytes(300_000)
      await writeFile(path, content)
      seen.length = 0
      troubles.push('lost answer')
      const files = [
        { name: 'a "film".bin', content: await openAsBlob(path) },
        { name: 'notes.txt', content: 'Grüße' },
      ]
      const { id } = await parley.sendMessage({ form: { topicId, caption: 'Both' }, files })
      expect(seen).toHaveLength(2)
      const jobs = startJobs(server)
      await until(async () => (await textsIn(parley, topicId)).length > 0)
      await jobs.stop()
      const message = await parley.readMessage({ params: { messageId: id } })
      expect(message.text).toBe('Both')
      const sent = await Promise.all(
        (message.attachmentDetails ?? []).map(async ({ name, url: link }) => {
          const bytes = Buffer.from(await (await fetch(link ?? '')).arrayBuffer())
          return [name, createHash('sha256').update(bytes).digest('hex')]
        }),
      )
      const hashOf = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
      expect(sent).toEqual([
        ['a "film".bin', hashOf(content)],
        ['notes.txt', hashOf('Grüße')],
      ])
      expect(await textsIn(parley, topicId)).toHaveLength(1)
      close()
    },
  )

  const MEGABYTES = countOf(100, 500)
  it(`of ${MEGABYTES} MB are never in memory`, async () => {
    const path = join(folder, 'large.bin')
    const size = MEGABYTES * 1024 * 1024
    // The file is sparse: a reader gets zeros.
    await writeFile(path, '')
    await truncate(path, size)
    let received = 0
    let isRight = false
    const receiver = createServer((request, response) => {
      const bodyHash = createHash('sha256')
      let bytes = 0
      request.on('data', (chunk: Buffer) => {
        bodyHash.update(chunk)
        bytes += chunk.length
      })
      request.on('end', () => {
        const { headers, method = '', url: target = '' } = request
        const signed = [
          'v2',
          method,
          target,
          headers['x-timestamp'],
          headers['x-nonce'],
          bodyHash.digest('hex'),
        ]
        const signature = createHmac('sha256', 'secret').update(signed.join('\n')).digest('hex')
        isRight = headers['x-signature'] === signature && Number(headers['content-length'] ?? 0) === bytes
        received = bytes
        response.setHeader('content-type', 'application/json').end('{}')
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const { port } = receiver.address() as AddressInfo
    const env = {
      ...process.env,
      LIBRARY: join(folder, 'parley.mjs'),
      URL: `http://127.0.0.1:${port}`,
      API_KEY: 'key',
      API_SECRET: 'secret',
      FILE: path,
    }
    const { stdout } = await promisify(execFile)(process.execPath, ['test/support/sdk-upload.mjs'], { env })
    receiver.close()
    const said: { size: number; grown: number } = JSON.parse(stdout)
    expect(said.size).toBe(size)
    expect(received).toBeGreaterThan(size)
    expect(isRight).toBe(true)
    expect(said.grown, 'what Node takes for any upload').toBeLessThan(64 * 1024 * 1024)
  }, 300_000)
})
