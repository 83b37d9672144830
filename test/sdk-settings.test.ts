import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connect, createBot, ParleyError, readWebhook } from '../sdk/index.ts'
import { isInstalled } from './support/programs.ts'
import { startPython } from './support/python.ts'

const GIVEN = { url: 'http://127.0.0.1:1', apiKey: 'key', apiSecret: 'secret' }

afterEach(() => vi.unstubAllEnvs())

describe('a bot is refused at once, with the name of what is wrong,', () => {
  it.each([
    [{}, 'apiKey is missing: give it, or set PARLEY_API_KEY'],
    [{ ...GIVEN, url: undefined }, 'url is missing: give it, or set PARLEY_URL'],
    [{ ...GIVEN, apiSecret: undefined }, 'apiSecret is missing: give it, or set PARLEY_API_SECRET'],
    [{ ...GIVEN, apiSecret: '' }, 'apiSecret is missing: give it, or set PARLEY_API_SECRET'],
    [{ url: GIVEN.url, clientId: 'b@1' }, 'clientSecret is missing: give it, or set PARLEY_CLIENT_SECRET'],
    [{ ...GIVEN, apiSecret: 'hush-hush\n' }, 'apiSecret (PARLEY_API_SECRET) contains a line break'],
    [{ ...GIVEN, apiSecret: 'hush hush' }, 'apiSecret (PARLEY_API_SECRET) contains a space'],
    [{ ...GIVEN, apiKey: 'schlüssel' }, 'apiKey (PARLEY_API_KEY) contains a character'],
    [{ ...GIVEN, url: 'chat.example.com' }, 'url (PARLEY_URL) must look like https://chat.example.com'],
    [{ ...GIVEN, url: 'https://me:hush@chat.example.com' }, 'url (PARLEY_URL) must look like'],
    [{ ...GIVEN, clientId: 'b@1' }, 'give apiKey and apiSecret, or clientId and clientSecret, not both'],
    [{ ...GIVEN, concurrency: 0 }, 'concurrency is a whole number from 1 to 1000'],
  ])('%j', (options, text) => {
    expect(() => createBot(options)).toThrow(text)
    expect(() => createBot(options)).not.toThrow(/hush/)
  })

  it('but takes from the environment what is not given', async () => {
    vi.stubEnv('PARLEY_URL', 'https://chat.exämple.com/parley/')
    vi.stubEnv('PARLEY_CLIENT_ID', 'b@1')
    vi.stubEnv('PARLEY_CLIENT_SECRET', 'secret')
    expect(() => createBot()).not.toThrow()
    vi.stubEnv('PARLEY_CLIENT_SECRET', 'secret\r\n')
    expect(() => createBot()).toThrow('clientSecret (PARLEY_CLIENT_SECRET) contains a line break')
  })

  it('and so are a handler for an event that does not exist, and one that is no function', () => {
    const bot = createBot(GIVEN)
    expect(() => Reflect.apply(bot.on, bot, ['mesage', () => {}])).toThrow(
      'There is no event "mesage". There are message, action, command, message.created,',
    )
    expect(() => Reflect.apply(bot.on, bot, ['message', undefined])).toThrow(
      'The handler of "message" is not a function.',
    )
  })
})

it('requests that are tried again are told with their reason, and a 401 with what the server says of it', async () => {
  const answers = [503, 503, 503, 401]
  const server = createServer((_request, response) => {
    const status = answers.shift() ?? 500
    if (status === 401) response.setHeader('X-Auth-Error', 'timestamp is too old')
    response.writeHead(status, { 'content-type': 'application/json' }).end('"unauthorized"')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const told: string[] = []
  const url = `http://127.0.0.1:${port}`
  const parley = connect({ ...GIVEN, url, onRetry: (line) => told.push(line) })
  const refused = await parley.readUpdates({ query: { offset: 'hush' } }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ParleyError)
  expect(refused).toMatchObject({
    status: 401,
    reason: 'timestamp is too old',
    message: expect.stringContaining('401 unauthorized (timestamp is too old)'),
  })
  expect(told).toEqual([
    expect.stringMatching(
      /^GET http:\/\/127\.0\.0\.1:\d+\/v2\/updates: 503 unauthorized; trying again in \d s$/,
    ),
  ])
  server.close()
})

it('`readWebhook` takes `Headers` or a plain object in any case, bytes or a text, and only what is signed', async () => {
  const secret = 'secret'
  const body = '{"id":"evt_1","type":"message.deleted","data":{"topicId":"t"}}'
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  const plain = { 'X-Service-TIMESTAMP': timestamp, 'x-service-signature': [signature] }
  const headers = new Headers({ 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature })
  for (const each of [plain, headers])
    for (const raw of [body, Buffer.from(body)])
      expect(await readWebhook({ secret }, each, raw)).toMatchObject({ id: 'evt_1', type: 'message.deleted' })
  expect(await readWebhook({ secret }, headers, `${body} `)).toBeUndefined()
  expect(await readWebhook({ secret: 'other' }, headers, body)).toBeUndefined()
  expect(await readWebhook({ secret }, {}, body)).toBeUndefined()
  await expect(readWebhook({ secret: '' }, headers, body)).rejects.toThrow('secret is missing')
  await expect(readWebhook({ secret: 'secret\n' }, headers, body)).rejects.toThrow('line break')
})

it('a webhook whose sender hangs up in the middle is refused, and nothing else happens', async () => {
  const bot = createBot(GIVEN)
  async function* broken() {
    yield new Uint8Array(1)
    throw new Error('aborted')
  }
  const statuses: number[] = []
  const response = {
    writeHead(status: number) {
      statuses.push(status)
      return { end: () => undefined }
    },
  }
  await bot.nodeHandler(Object.assign(broken(), { headers: {} }), response)
  expect(statuses).toEqual([401])
})

it.skipIf(!isInstalled('python3'))('the Python library refuses the same', async () => {
  const program = startPython(
    [
      '-c',
      `
import json
from parley import AsyncBot, Bot, read_webhook
given = {"url": "http://127.0.0.1:1", "api_key": "key", "api_secret": "secret"}
said = []
for change in [{"url": None}, {"api_secret": ""}, {"api_secret": "hush\\n"}, {"api_secret": "hu sh"}, {"url": "chat.example.com"},
               {"client_id": "b@1"}, {"concurrency": 0}, {"api_kee": "x"}]:
    for kind in (Bot, AsyncBot):
        try:
            kind(**{**given, **change})
        except (TypeError, ValueError) as error:
            said.append(str(error))
for wrong in (lambda: Bot(**given).on("mesage")(print), lambda: read_webhook(b"", {}, secret="")):
    try:
        wrong()
    except ValueError as error:
        said.append(str(error))
print(json.dumps(said))
`,
    ],
    {},
  )
  const both = (text: string) => [text, text]
  expect(await program.hear()).toEqual([
    ...both('url is missing: give it, or set PARLEY_URL'),
    ...both('api_secret is missing: give it, or set PARLEY_API_SECRET'),
    ...both('api_secret (PARLEY_API_SECRET) contains a line break: it was pasted with one'),
    ...both('api_secret (PARLEY_API_SECRET) contains a space'),
    ...both('url (PARLEY_URL) must look like https://chat.example.com'),
    ...both('give api_key and api_secret, or client_id and client_secret, not both'),
    ...both('concurrency is a whole number from 1 to 1000'),
    ...both('there is no api_kee'),
    expect.stringContaining('there is no event "mesage". There are message, action, command,'),
    'secret is missing',
  ])
  await program.end()
})
