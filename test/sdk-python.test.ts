import { createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generatePython } from '../sdk/generate-python.ts'
import { connect } from '../sdk/index.ts'
import { CALLS } from '../sdk/schemas.ts'
import { revokeTokens, setBot } from '../server/actions/bots/bots.ts'
import { sql } from '../server/db/sql.ts'
import { oauthBot, organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { eventually } from './support/eventually.ts'
import { startJobs } from './support/jobs.ts'
import { readPage } from './support/pages.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'
import { isInstalled } from './support/programs.ts'
import { type PythonProgram, startPython } from './support/python.ts'
import { ON_LOOPBACK, type Received, startDispatcher, startReceiver } from './support/receiver.ts'
import { atNight, countOf } from './support/thorough.ts'
import { troubledLine } from './support/troubled-line.ts'

const MEGABYTE = 1024 * 1024
const FILE_BYTES = countOf(6, 20) * MEGABYTE
const FLAVOURS = ['sync', 'async'] as const
type Flavour = (typeof FLAVOURS)[number]

it('has the types and methods of the contract: `npm run sdk` writes them', async () => {
  expect(await readFile('sdk/python/parley/api.py', 'utf8')).toBe(generatePython())
})

describe.skipIf(!isInstalled('python3'))('with python3, the Python library', () => {
  let server: TestParley
  let orgId: string
  let ada: string
  let folder: string
  let calls: PythonProgram
  const programs: PythonProgram[] = []

  beforeAll(async () => {
    server = await startTestParley(ON_LOOPBACK)
    orgId = await organization(server)
    ada = await person(server, orgId, 'Ada Okafor')
    folder = await mkdtemp(join(tmpdir(), 'parley-python-'))
    calls = start('calls', {})
  })
  afterAll(async () => {
    await Promise.all(programs.map((program) => program.kill()))
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  const keyOf = ({ credentials: { apiKey, apiSecret } }: StaticTestBot) => ({
    api_key: apiKey,
    api_secret: apiSecret,
  })
  /** One of the programs in `test/support/python`. */
  function start(name: string, credentials: object, environment: Record<string, string> = {}): PythonProgram {
    const program = startPython([`test/support/python/${name}.py`], {
      PARLEY_URL: server.url,
      CREDENTIALS: JSON.stringify(credentials),
      ...environment,
    })
    programs.push(program)
    return program
  }
  /** A client whose methods the test calls. One program has all of them. */
  function client(
    credentials: object,
    { flavour = 'sync', url = server.url }: { flavour?: Flavour; url?: string } = {},
  ) {
    const wanted = { url, credentials, isAsync: flavour === 'async' }
    return async (method: string, args: unknown[] = [], kwargs: object = {}) => {
      calls.tell({ client: wanted, method, args, kwargs })
      return Object(await calls.hear())
    }
  }
  const topicWith = async (bot: StaticTestBot, members = [ada]): Promise<string> =>
    Object((await bot.post('/v2/topics', { name: 'Echoes', members })).body).id
  const adaSays = (topicId: string, text: string) =>
    server.parley.messages.sendNow({ orgId, profileId: ada }, { topicId, text })
  async function messagesIn(bot: StaticTestBot, topicId: string) {
    const { url, credentials } = bot
    const query = { order: 'asc' as const, limit: 100 }
    return (await connect({ url, ...credentials }).listMessages({ params: { topicId }, query })).messages
  }
  const textsIn = async (bot: StaticTestBot, topicId: string) =>
    (await messagesIn(bot, topicId)).map(({ text }) => text)

  it('has a method for each operation, and reads as Python 3.9', async () => {
    const program = startPython(
      [
        '-c',
        `
import ast, glob, json, sys
from parley import AsyncClient, Client
names = json.loads(sys.stdin.readline())
methods = [[n for n in vars(c.__mro__[1]) if not n.startswith("_")] for c in (Client, AsyncClient)]
for path in glob.glob("sdk/python/parley/*.py"):
    ast.parse(open(path, encoding="utf-8").read(), path, feature_version=(3, 9))
print(json.dumps({"methods": methods, "outside": [m for m in sys.modules if m == "typing_extensions"]}))
`,
      ],
      {},
    )
    const names = CALLS.map(({ id }) => id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    program.tell(names)
    expect(await program.hear()).toEqual({ methods: [names, names], outside: [] })
    await program.end()
  })

  describe('credentials', () => {
    it.each([1, 2] as const)('sign with version %i', async (signatureVersion) => {
      const bot = await staticBot(server, orgId, 'Signer')
      const call = client({ ...keyOf(bot), signature_version: signatureVersion })
      const topicId = await topicWith(bot)
      await call('send_message', [], { topic_id: topicId, text: 'Grüße 🎈' })
      expect(await textsIn(bot, topicId)).toEqual(['Grüße 🎈'])
      await call('write_storage', ['a:b@c'], { value: null })
      expect(await call('read_storage', ['a:b@c'])).toMatchObject({ answer: { value: null, version: 1 } })
      expect(await call('list_storage', [], { prefix: 'a:b@', limit: 1 })).toMatchObject({
        answer: { hasMore: false, entries: [{ key: 'a:b@c' }] },
      })
      await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { signatureVersion: 2 }))
      // The server learns of it a moment later.
      await eventually(async () => call('read_me')).toMatchObject(
        signatureVersion === 2 ? { answer: { id: bot.id } } : { status: 401 },
      )
    })

    it.each(FLAVOURS)('get a token, and another one when that was revoked (%s)', async (flavour) => {
      const bot = await oauthBot(server, orgId, 'Token bot')
      const secret = { client_id: bot.clientId, client_secret: bot.clientSecret }
      const call = client(secret, { flavour })
      expect(await call('read_me')).toMatchObject({ answer: { id: bot.id } })
      await server.parley.db.write(orgId, (tx) => revokeTokens(tx, bot.id))
      await eventually(async () => (await bot.get('/v2/members/me')).status).toBe(401)
      expect(await call('read_me')).toMatchObject({ answer: { id: bot.id } })
      const stranger = client({ ...secret, client_secret: 'wrong' }, { flavour })
      expect(await stranger('read_me')).toMatchObject({
        status: 401,
        refusal: 'invalid_client',
        code: 'invalid_client',
      })
    })
  })

  describe('a request that fails', () => {
    it.each(FLAVOURS)('is done once, also where only its answer was lost (%s)', async (flavour) => {
      const { url, troubles, seen, close } = await troubledLine(server.url)
      const bot = await staticBot(server, orgId, 'Unlucky')
      const call = client(keyOf(bot), { url, flavour })
      const topicId = await topicWith(bot)
      troubles.push('lost answer', { status: 503, retryAfter: '1' }, { status: 429 })
      const sent = await call('send_message', [], { topic_id: topicId, text: 'once' })
      expect(seen).toHaveLength(4)
      expect(new Set(seen.map(({ key }) => key)).size).toBe(1)
      expect(new Set(seen.map(({ nonce }) => nonce)).size).toBe(4)
      expect((seen[2]?.at ?? 0) - (seen[1]?.at ?? 0), 'Retry-After is waited for').toBeGreaterThanOrEqual(990)
      expect(await textsIn(bot, topicId)).toEqual(['once'])

      troubles.push('lost answer')
      expect(await call('delete_message', [sent.answer.id])).toEqual({ answer: null })
      expect(await textsIn(bot, topicId)).toEqual([])
      close()
    })

    it('is not tried again where it was refused, or is a mistake', async () => {
      const { url, seen, close } = await troubledLine(server.url)
      const call = client(keyOf(await staticBot(server, orgId, 'Refused')), { url })
      expect(await call('delete_message', [ada])).toMatchObject({
        status: 404,
        refusal: 'Message not found',
        code: 'message_not_found',
        field: null,
      })
      expect(seen).toHaveLength(1)
      expect(await call('send_message', [], { topic_id: ada, text: 'no', caption: 'no' })).toEqual({
        mistake: 'caption can only be given with files',
      })
      const file = ['notes.txt', 'not bytes']
      const mixed = await call('send_message', [], { topic_id: ada, text: 'no', files: [file] })
      expect(mixed).toEqual({ mistake: 'text can only be given without files' })
      expect(seen).toHaveLength(1)
      close()
    })
  })

  /** The blocks of Python under a heading of the page. */
  const shown = (heading: string): string => {
    const section = readPage('docs/sdk-python.md').sections.find((candidate) => candidate.heading === heading)
    return section?.fences.map(({ text }) => text).join('\n') ?? ''
  }

  describe('a bot that asks', () => {
    it.each(['An echo bot', 'With asyncio'])('is the one of the page, in ten lines (%s)', async (heading) => {
      const own = join(folder, heading)
      await mkdir(own)
      await writeFile(join(own, 'echo.py'), shown(heading))
      expect(shown(heading).split('\n').filter(Boolean).length).toBeLessThanOrEqual(10)
      const bot = await staticBot(server, orgId, 'Echo')
      const topicId = await topicWith(bot)
      const { apiKey, apiSecret } = bot.credentials
      const environment = { PARLEY_URL: server.url, PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret }
      const run = () => startPython(['echo.py'], environment, own)
      const first = run()
      await adaSays(topicId, 'one')
      await eventually(async () => textsIn(bot, topicId)).toContain('You said: one')
      await first.kill()
      await adaSays(topicId, 'two')
      const second = run()
      await eventually(async () => textsIn(bot, topicId)).toContain('You said: two')
      await second.kill()
      expect((await textsIn(bot, topicId)).sort()).toEqual(['You said: one', 'You said: two', 'one', 'two'])
    })

    it.each(FLAVOURS)(
      'gets an event again that its handler failed at, keeps its place in its storage, and stops (%s)',
      async (flavour) => {
        const bot = await staticBot(server, orgId, 'Stumbling')
        const topicId = await topicWith(bot)
        const first = start('stumbling', keyOf(bot), { FLAVOUR: flavour })
        await adaSays(topicId, 'one')
        await adaSays(topicId, 'two')
        for (const text of ['one', 'one', 'two']) expect(await first.hear()).toEqual({ seen: text })
        await eventually(async () => (await textsIn(bot, topicId)).length).toBe(4)
        first.tell('stop')
        expect(await first.hear(), 'while it waits for the next poll').toEqual({
          stopped: ['one', 'one', 'two'],
        })
        await first.end()
        const second = start('stumbling', keyOf(bot), { FLAVOUR: flavour })
        await adaSays(topicId, 'three')
        expect(await second.hear()).toEqual({ seen: 'three' })
        second.tell('stop')
        expect(await second.hear()).toEqual({ stopped: ['three'] })
        await second.end()
      },
    )

    it('is the one of the page that has commands and buttons', async () => {
      const bot = await staticBot(server, orgId, 'Asking')
      const ben = await signInAs(server, { orgId, name: 'Ben' })
      const topicId = await topicWith(bot, [ben.profileId])
      await writeFile(
        join(folder, 'buttons.py'),
        `${shown('Buttons and commands')}\nprint("1", flush=True)\nbot.start()\n`,
      )
      const { apiKey: PARLEY_API_KEY, apiSecret: PARLEY_API_SECRET } = bot.credentials
      const environment = { PARLEY_URL: server.url, PARLEY_API_KEY, PARLEY_API_SECRET }
      const program = startPython(['buttons.py'], environment, folder)
      programs.push(program)
      await program.hear()
      const newest = async () => (await messagesIn(bot, topicId)).at(-1)
      expect((await chatOf(ben).post('messages', { topicId, text: '/deploy 1.4' })).status).toBe(201)
      await eventually(async () => (await newest())?.text).toBe('Deploy 1.4?')
      const asked = await newest()
      const press = { actionsId: asked?.actions?.id, elementId: 'no' }
      expect((await chatOf(ben).post(`actions/${asked?.id}/press`, press)).status).toBe(201)
      await eventually(async () => (await newest())?.text).toBe('Ben says no.')
      expect(await newest()).not.toHaveProperty('actions')
      const { notes } = Object(
        (await chatOf(ben).get(`topics/${topicId}/history?threadId=${asked?.parentId}`)).body,
      )
      expect(notes).toMatchObject([{ messageId: asked?.id, text: 'Thank you.' }])
    })
  })

  it.each([
    ['sync', 'a key'],
    ['async', 'tokens'],
    ...atNight(['async', 'a key'] as const, ['sync', 'tokens'] as const),
  ] as const)(
    'streams everything once, whatever gets lost on the way, and hears that it was stopped (%s, with %s)',
    async (flavour, kind) => {
      const bot = await staticBot(server, orgId, 'Streaming')
      const line = await troubledLine(server.url)
      const ben = await signInAs(server, { orgId, name: `Watching ${flavour} ${kind}` })
      const other = await oauthBot(server, orgId, 'Streaming too')
      const topicId = await topicWith(bot, [ada, ben.profileId, other.id])
      const credentials =
        kind === 'a key' ? keyOf(bot) : { client_id: other.clientId, client_secret: other.clientSecret }
      const shownNow = async () => {
        const { streaming } = Object((await chatOf(ben).get('streaming')).body)
        return streaming[0]?.message.text
      }
      const program = start('streaming', credentials, { PARLEY_URL: line.url, FLAVOUR: flavour })
      await adaSays(topicId, 'go')
      expect(await program.hear()).toBe('trouble')
      const words = Array.from({ length: 30 }, (_, index) => `${index}🎈 `)
      await eventually(shownNow).toBe(words.slice(0, 6).join(''))
      line.troubles.push('lost answer', { status: 500 })
      program.tell('go on')
      expect(await program.hear()).toEqual({ finished: true })
      expect(await textsIn(bot, topicId)).toEqual(['go', words.join('')])
      expect((await messagesIn(bot, topicId)).at(-1)).toMatchObject({
        actions: { use: 'always', elements: [{ id: 'helpful', text: 'Helpful' }] },
      })
      expect(line.troubles).toEqual([])
      expect(line.seen.some(({ isText }) => isText)).toBe(kind === 'tokens')

      await adaSays(topicId, 'stop')
      let id = ''
      for (const text of ['On 🎈', 'On 🎈 and on', 'On 🎈 and on and on']) {
        if (id !== '') program.tell('go on')
        id = Object(await program.hear()).id
        await eventually(shownNow).toBe(text)
      }
      await server.parley.streaming.stop({ orgId, profileId: ada }, id)
      program.tell('stopped')
      expect(await program.hear()).toEqual({ finished: false, stopped: true })
      await program.end()
      expect((await messagesIn(bot, topicId)).at(-1)).toMatchObject({
        text: 'On 🎈 and on and on',
        stream: { status: 'stopped', stoppedBy: ada },
      })
      line.close()
    },
  )

  it('runs the page about operations as it stands', async () => {
    const bot = await oauthBot(server, orgId, 'Page')
    const program = startPython(['-c', shown('Every operation')], {
      PARLEY_URL: server.url,
      PARLEY_CLIENT_ID: bot.clientId,
      PARLEY_CLIENT_SECRET: bot.clientSecret,
    })
    let output = ''
    program.process.stdout?.on('data', (chunk) => {
      output += chunk
    })
    await program.end()
    expect(output).toBe("{'city': 'Lisbon'}\n")
  })

  describe('files', () => {
    it.each([['sync', 'static'], ...atNight(['async', 'oauth'] as const)] as const)(
      `of ${FILE_BYTES / MEGABYTE} MB are never in memory, there and back (%s, %s)`,
      async (flavour, kind) => {
        const jobs = startJobs(server)
        const reader = await staticBot(server, orgId, 'Reader')
        const sender = kind === 'oauth' ? await oauthBot(server, orgId, 'Sender') : reader
        const credentials =
          'clientId' in sender
            ? { client_id: sender.clientId, client_secret: sender.clientSecret }
            : keyOf(sender)
        const topicId = await topicWith(reader, [ada, sender.id])
        const content = randomBytes(FILE_BYTES)
        const sha256 = createHash('sha256').update(content).digest('hex')
        const path = join(folder, 'large "one".bin')
        await writeFile(path, content)
        const line = await troubledLine(server.url)
        const program = start('files', credentials, { PARLEY_URL: line.url, FLAVOUR: flavour })
        const ask = async (told: object) => {
          program.tell(told)
          const { answer, peak } = Object(await program.hear())
          expect(peak).toBeLessThan(2 * MEGABYTE)
          return answer
        }

        for (const way of ['path', 'file', 'pipe']) {
          if (way === 'file') line.troubles.push('lost answer')
          const { id } = await ask({ as: way, path, topicId })
          await eventually(async () =>
            (await messagesIn(reader, topicId)).map((message) => message.id),
          ).toContain(id)
        }
        const messages = await messagesIn(reader, topicId)
        expect(messages.map(({ text }) => text)).toEqual(['path', 'file', 'pipe'])
        const files = messages.map(({ attachmentDetails = [] }) => attachmentDetails)
        expect(files.map((each) => each.map(({ name, size }) => ({ name, size })))).toEqual([
          [{ name: 'large "one".bin', size: content.length }],
          [
            { name: 'large "one".bin', size: content.length },
            { name: 'notes.txt', size: 7 },
          ],
          [{ name: 'piped.bin', size: content.length }],
        ])

        // The connection breaks in the middle of the file: the rest is requested.
        const asked: (string | undefined)[] = []
        const cutting = createServer((incoming, response) => {
          asked.push(incoming.headers.range)
          const onward = request(server.url + incoming.url, { headers: incoming.headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 500, answer.headers)
            if (asked.length > 1) return answer.pipe(response)
            answer.once('data', (chunk) => response.write(chunk, () => incoming.socket.destroy()))
          })
          onward.end()
        })
        await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve))
        const { port } = cutting.address() as AddressInfo
        const url = (files[2]?.[0]?.url ?? '').replace(server.url, `http://127.0.0.1:${port}`)
        const to = join(folder, 'downloaded.bin')
        expect(await ask({ url, to })).toEqual({ length: content.length, sha256, part: false })
        expect(asked).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)])
        cutting.closeAllConnections()
        cutting.close()
        line.close()
        await program.end()
        await jobs.stop()
      },
    )

    it('are refused with the reason, and a link that ends is not told', async () => {
      const call = client(keyOf(await staticBot(server, orgId, 'Reader')))
      const refused = await call('download', [
        `${server.url}/attachments/att_1/a.bin?signature=secret`,
        'never.bin',
      ])
      expect(refused.status).toBeGreaterThanOrEqual(400)
      expect(JSON.stringify(refused)).not.toContain('secret')
      await expect(readFile('never.bin.part')).rejects.toThrow('ENOENT')
    })
  })

  describe('a bot with a webhook', () => {
    const long = 'ö'.repeat(10_000)
    /** Headers and bodies that are not to be believed, made from a delivery that is. */
    function wrong({ body }: Received, secret: string): [headers: Record<string, string>, body?: Buffer][] {
      const old = String(Date.now() - 6 * 60_000)
      const signed = createHmac('sha256', secret).update(`${old}.`).update(body).digest('hex')
      return [
        [{ 'x-service-signature': '0'.repeat(64) }],
        [{ 'x-service-signature': '' }],
        [{ 'x-service-timestamp': old, 'x-service-signature': signed }],
        [{ 'x-service-timestamp': 'now' }],
        [{}, Buffer.from([1, 2, 3])],
      ]
    }

    it('over WSGI handles what is signed, once, compressed or not, and gets again what failed', async () => {
      const bot = await staticBot(server, orgId, 'Told by WSGI')
      const program = start('told_by_wsgi', keyOf(bot))
      const { port } = Object(await program.hear())
      const topicId = await topicWith(bot)
      // Keeps deliveries, and passes them on.
      const receiver = await startReceiver()
      const tell = async (headers: Record<string, unknown>, body: Buffer) => {
        const plain = Object.entries(headers).filter(([name]) => /^(x-service|content-[et])/.test(name))
        const told = Object.fromEntries(plain.map(([name, value]) => [name, String(value)]))
        const url = `http://127.0.0.1:${port}/`
        return (await fetch(url, { method: 'POST', headers: told, body: new Uint8Array(body) })).status
      }
      receiver.otherwise = ({ headers, raw }) => tell(headers, raw)
      await server.parley.db.write(orgId, (tx) =>
        setBot(tx, bot.id, { delivery: 'webhook', webhookUrl: receiver.url }),
      )
      const dispatcher = startDispatcher(server)
      await adaSays(topicId, long)
      expect(await program.hear()).toEqual({ heard: long })
      await eventually(async () =>
        server.parley.db.query(
          sql`select failures from deliveries where bot_id = ${bot.id} and failures = 1`,
        ),
      ).toHaveLength(1)
      server.clock.ahead += 10_000 // it is tried again after 5 s
      expect(await program.hear()).toEqual({ heard: long })
      await eventually(async () => textsIn(bot, topicId)).toContain('heard')

      const last = receiver.received.findLast(({ headers }) => headers['content-encoding'] === 'gzip')
      if (!last) throw new Error('a long text is compressed')
      const fresh = { ...last.headers }
      expect(await tell(fresh, last.raw), 'a repeat').toBe(204)
      for (const [headers, body = last.raw] of wrong(last, bot.credentials.apiSecret)) {
        expect(await tell({ ...fresh, ...headers }, body)).toBe(401)
      }
      await dispatcher.stop()
      await receiver.close()
      await program.kill()
    })

    it('over ASGI does the same', async () => {
      const bot = await staticBot(server, orgId, 'Told by ASGI')
      const program = start('told_by_asgi', keyOf(bot))
      const topicId = await topicWith(bot)
      const receiver = await startReceiver()
      await server.parley.db.write(orgId, (tx) =>
        setBot(tx, bot.id, { delivery: 'webhook', webhookUrl: receiver.url }),
      )
      const dispatcher = startDispatcher(server)
      await adaSays(topicId, long)
      await eventually(async () => receiver.received.map(({ event }) => event.type)).toContain(
        'message.created',
      )
      await dispatcher.stop()
      const delivery = receiver.received.find(({ event }) => event.type === 'message.created')
      if (!delivery) throw new Error('it was delivered')
      expect(delivery.headers['content-encoding']).toBe('gzip')
      const tell = async (headers: Record<string, string> = {}, body = delivery.raw) => {
        program.tell({ headers: { ...delivery.headers, ...headers }, body: body.toString('base64') })
        return program.hear()
      }
      const type = 'message.created'
      expect(await tell(), 'its handler fails').toEqual({ status: 500, heard: 1, type })
      expect(await tell(), 'once more').toEqual({ status: 204, heard: 2, type })
      expect(await tell(), 'a repeat').toEqual({ status: 204, heard: 2, type })
      for (const [headers, body] of wrong(delivery, bot.credentials.apiSecret)) {
        expect(await tell(headers, body)).toEqual({ status: 401, heard: 2, type: null })
      }
      expect(await textsIn(bot, topicId)).toEqual([long, 'heard'])
      await receiver.close()
      await program.end()
    })
  })
})
