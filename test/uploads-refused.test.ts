import { once } from 'node:events'
import { mkdir, readdir, readlink, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ALL_SCOPES } from '../contract/scopes.ts'
import { receiveForm } from '../server/files/incoming-form.ts'
import {
  type OAuthTestBot,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
} from './support/cast.ts'
import { type Answer, sign } from './support/client.ts'
import { eventually } from './support/eventually.ts'
import { type FormFile, form, upload } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { claimingGif, claimingPng, JPEG, moving, PNG } from './support/samples.ts'
import { traces } from './support/uploads.ts'

const UNKNOWN = '5e7c0a52-93a4-4c7e-8f43-0d7a9b1c2d3e'
const MAX_BYTES = 3_000_000
const MEBIBYTE = 1024 * 1024
const BALLOON = '🎈'

let server: TestParley
let orgId: string
let deploy: StaticTestBot
let calendar: OAuthTestBot
let stranger: StaticTestBot
let ada: string
let topicId: string
let strangeTopicId: string

beforeAll(async () => {
  server = await startTestParley({ maxFileBytes: MAX_BYTES })
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  stranger = await staticBot(server, await organization(server, 'Harbor Works'), 'Harbor bot')
  ada = await person(server, orgId, 'Ada Okafor')
  const topicOf = async (bot: StaticTestBot, members: string[]) =>
    Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
  topicId = await topicOf(deploy, [calendar.id])
  strangeTopicId = await topicOf(stranger, [])
})
afterAll(() => server.close())

const text = (content: string | Buffer = 'notes'): FormFile => ({ content, name: 'notes.txt' })
const sends = (meta: unknown, files: readonly FormFile[], bot: StaticTestBot | OAuthTestBot = deploy) =>
  upload(bot, '/v2/messages', meta, files)

/** Expects this refusal, and no trace of the request. */
async function expectRefused(
  status: number,
  words: unknown,
  work: () => Promise<Pick<Answer, 'status' | 'body'>>,
) {
  const before = await traces(server)
  const answer = await work()
  expect([answer.status, answer.body]).toEqual([status, words])
  expect(await traces(server)).toEqual(before)
}

/** Begins a request whose rest may follow or not. */
function begin(headers: Record<string, string>) {
  const outgoing = request(`${server.url}/v2/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${calendar.credentials.token}`, ...headers },
  })
  const answer = new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', async (incoming) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
      outgoing.destroy()
    })
  })
  return { outgoing, answer }
}

describe('the form', () => {
  it.each([
    ['metaPart is required', undefined],
    ['malformed JSON', '{"topicId":'],
    ['body must be a JSON object', '[]'],
    ['topicId is required', '{}'],
    ['topicId is required', ''],
    ['body must be valid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('is refused with "%s" (%#)', async (words, meta) => {
    const parts = meta === undefined ? [] : [{ content: meta, part: 'metaPart' }]
    await expectRefused(400, words, () => sends(undefined, [...parts, text()]))
  })

  it.each([
    ['Invalid topicId', { topicId: 'releases' }],
    ['Invalid channelID', { topicId: undefined, channelID: 'releases' }],
    ['topicId and channelID differ', { channelID: UNKNOWN }],
    ['caption too long', { caption: BALLOON.repeat(10_001) }],
    ['caption must be a string', { caption: 5 }],
    ['text must not contain NUL or lone surrogates', { caption: 'NUL \u0000' }],
    ['externalId too long', { externalId: BALLOON.repeat(62) }],
    ['Invalid externalId', { externalId: '' }],
    ['compressImage must be true or false', { compressImage: 'yes' }],
    ['Invalid parentId', { parentId: 'above' }],
    ['Invalid parentId', { parentId: UNKNOWN }],
  ])('is refused with "%s" for its fields (%#)', async (words, fields) => {
    await expectRefused(400, words, () => sends({ topicId, ...fields }, [text()]))
  })

  it('is refused if a mentioned member is not in the topic', async () => {
    await expectRefused(400, 'Invalid mention', () => sends({ topicId, caption: `<@${ada}>` }, [text()]))
  })

  it('is refused with two parts of meta data', async () => {
    const second = { content: JSON.stringify({ topicId }), part: 'metaPart' }
    await expectRefused(400, 'metaPart must be given once', () => sends({ topicId }, [second, text()]))
  })

  it.each([
    ['is taken', 'x', '--x\r\nContent-Disposition: form-data; name="metaPart"\r\n\r\n{}\r\n--x--'],
    [
      'is refused',
      '""',
      '------x\r\nContent-Disposition: form-data; name="metaPart"\r\n\r\n{}\r\n------x--\r\n',
    ],
  ])('%s where its last boundary comes before its end (boundary %s)', async (outcome, boundary, text) => {
    async function* pieces() {
      yield Buffer.from(text)
      await new Promise((resolve) => setTimeout(resolve, 50))
      yield Buffer.from('\r\n')
    }
    const form = await receiveForm(Readable.from(pieces()), {
      contentType: `multipart/form-data; boundary=${boundary}`,
      rules: {
        folder: server.parley.files.incoming,
        metaParts: ['metaPart'],
        files: { minimum: 0, maximum: 1, maxBytes: MAX_BYTES },
      },
      limit: MEBIBYTE,
      digests: {},
      isKept: true,
    })
    if (outcome === 'is taken') expect((await form.parts()).meta.toString()).toBe('{}')
    else await expect(form.parts()).rejects.toThrow('metaPart is required')
    await form.discard()
  })

  it('is refused at its second part of meta data, without holding what comes behind it', async () => {
    const meta = Buffer.alloc(MEBIBYTE - 100, ' ')
    const head = Buffer.from('--x\r\nContent-Disposition: form-data; name="metaPart"\r\n\r\n')
    const parts = Array.from({ length: 99 }, () => [head, meta, Buffer.from('\r\n')]).flat()
    const bytesHeld = () => process.memoryUsage().arrayBuffers
    const before = bytesHeld()
    let most = 0
    const watching = setInterval(() => {
      most = Math.max(most, bytesHeld() - before)
    }, 1)
    const form = await receiveForm(Readable.from([...parts, Buffer.from('--x--\r\n')]), {
      contentType: 'multipart/form-data; boundary=x',
      rules: {
        folder: server.parley.files.incoming,
        metaParts: ['metaPart'],
        files: { minimum: 1, maximum: 10, maxBytes: MAX_BYTES },
      },
      limit: 100 * MEBIBYTE,
      digests: {},
      isKept: true,
    })
    clearInterval(watching)
    await expect(form.parts()).rejects.toThrow('metaPart must be given once')
    await form.discard()
    expect(most).toBeLessThan(10 * MEBIBYTE)
  })

  it.each([
    ['before', (meta: FormFile) => [meta, text()]],
    ['behind', (meta: FormFile) => [text(), meta]],
  ])('is refused with meta data beyond 1 MB, %s the file', async (_, parts) => {
    const content = JSON.stringify({ topicId, caption: 'a'.repeat(1_200_000) })
    await expectRefused(400, 'body too large', () => sends(undefined, parts({ content, part: 'metaPart' })))
  })

  it('is refused with too many parts', async () => {
    const parts = Array.from({ length: 200 }, () => ({ content: 'x', part: 'comment' }))
    await expectRefused(400, 'too many parts', () => sends({ topicId }, [...parts, text()]))
  })

  it.each([
    ['none', []],
    ['one under another name', [{ content: 'notes', part: 'file' }]],
  ])('is refused without a file: %s', async (_, files) => {
    await expectRefused(400, 'filePart is required', () => sends({ topicId }, files))
  })

  it('is refused with eleven files', async () => {
    const files = Array.from({ length: 11 }, (_, index) => text(`file ${index}`))
    await expectRefused(400, 'too many files', () => sends({ topicId }, files))
  })

  it('is refused with an empty file, also among others', async () => {
    await expectRefused(400, 'file is empty', () => sends({ topicId }, [text('')]))
    await expectRefused(400, 'file is empty', () => sends({ topicId }, [text(), text(''), text()]))
  })

  it('is refused as a whole for one bad file among good ones', async () => {
    const files = [text(), { content: PNG }, { content: PNG.subarray(0, 40) }]
    await expectRefused(400, 'Invalid image', () => sends({ topicId }, files))
  })

  it.each([
    ['another boundary', 'multipart/form-data; boundary=----another'],
    ['no boundary', 'multipart/form-data'],
  ])('is refused with %s', async (_, contentType) => {
    const { body } = form({ topicId }, [text()])
    const headers = { 'content-type': contentType }
    await expectRefused(400, 'malformed multipart body', () => deploy.post('/v2/messages', body, { headers }))
  })

  it.each(['', 'nothing like a form', '\r\n\r\n'])('is refused where there is none: %j', async (body) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    await expectRefused(400, 'malformed multipart body', () => deploy.post('/v2/messages', body, { headers }))
  })

  it('is refused wherever it is cut off', async () => {
    const { body, contentType } = form({ topicId }, [text('some notes')])
    const before = await traces(server)
    // The last line break may be missing.
    for (let length = body.length - 3; length > 0; length -= length > body.length - 60 ? 1 : 23) {
      const headers = { 'content-type': contentType }
      const answer = await deploy.post('/v2/messages', body.subarray(0, length), { headers })
      expect([answer.status, answer.body], `${length} of ${body.length} bytes`).toEqual([
        400,
        'malformed multipart body',
      ])
    }
    expect(await traces(server)).toEqual(before)
  })

  it('is refused by endpoints that take no files', async () => {
    await expectRefused(400, 'content type must be application/json', () =>
      upload(deploy, '/v2/tasks', { topicId, title: 'Release' }, [text()]),
    )
  })
})

describe('a disk that fails', () => {
  it.skipIf(process.platform !== 'linux')(
    'is not the fault of the form, and the server goes on',
    async () => {
      const before = await traces(server)
      const broken: unknown[] = []
      const note = (reason: unknown) => broken.push(reason)
      process.on('unhandledRejection', note)
      onTestFinished(() => void process.off('unhandledRejection', note))
      const { body, contentType } = form({ topicId }, [text(Buffer.alloc(1_000_000, 'x')), text()])
      const { incoming } = server.parley.files
      const { outgoing, answer } = begin({ 'content-type': contentType })
      outgoing.write(body.subarray(0, 1000))
      // The body is being written, to a file without a name; there is no place for the files in it.
      await eventually(() => isReceiving()).toBe(true)
      await rm(incoming, { recursive: true })
      outgoing.end(body.subarray(1000))
      const refusal = await answer.finally(() => mkdir(incoming))
      expect(refusal).toEqual({ status: 500, body: 'internal server error' })
      expect(await traces(server)).toEqual(before)
      expect((await sends({ topicId }, [text()])).status).toBe(200)
      expect(broken).toEqual([])
    },
  )

  /** Whether this process has a file open that was removed from the folder of uploads. */
  async function isReceiving(): Promise<boolean> {
    const open = await readdir('/proc/self/fd')
    const places = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
    return places.some((place) => place.startsWith(server.parley.files.incoming))
  }
})

describe('a file that is too large', () => {
  const tooLarge = () => text(Buffer.alloc(MAX_BYTES + 1))

  it('is refused one byte above the limit', async () => {
    await expectRefused(400, 'file too large', () => sends({ topicId }, [text(), tooLarge()]))
  })

  it('is refused before it is sent, where its length is announced', async () => {
    const { contentType } = form({ topicId }, [])
    await expectRefused(400, 'file too large', () => {
      const { outgoing, answer } = begin({
        'content-type': contentType,
        'content-length': String(10 * MAX_BYTES + 2 * 1024 * 1024),
      })
      outgoing.flushHeaders()
      return answer
    })
  })

  it('is refused without an announced length, one file or all together', async () => {
    for (const files of [[tooLarge()], Array.from({ length: 11 }, () => text(Buffer.alloc(MAX_BYTES)))]) {
      const { body, contentType } = form({ topicId }, files)
      await expectRefused(400, 'file too large', async () => {
        const { outgoing, answer } = begin({ 'content-type': contentType })
        outgoing.end(body)
        return answer
      })
    }
  })
})

describe('a connection that breaks', () => {
  it.each([
    ['with an announced length', (length: number) => `Content-Length: ${length}`, (piece: Buffer) => piece],
    [
      'in chunks',
      () => 'Transfer-Encoding: chunked',
      (piece: Buffer) =>
        Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
    ],
  ])('half-way leaves nothing, and the server goes on: %s', async (_, header, framed) => {
    const before = await traces(server)
    const loggedBefore = errorsLogged()
    const { body, contentType } = form({ topicId }, [text(Buffer.alloc(1_000_000, 'x'))])
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const head = [
      'POST /v2/messages HTTP/1.1',
      'Host: parley.test',
      `Authorization: Bearer ${calendar.credentials.token}`,
      `Content-Type: ${contentType}`,
      header(body.length),
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    await new Promise((resolve) => socket.write(framed(body.subarray(0, 600_000)), resolve))
    socket.destroy()
    await eventually(() => openConnections()).toBe(0)
    await eventually(() => traces(server)).toEqual(before)
    expect((await deploy.get('/v2/members/me')).status).toBe(200)
    expect(errorsLogged()).toBe(loggedBefore)
  })

  const errorsLogged = () => server.logLines.filter((line) => JSON.parse(line).level >= 50).length

  /** Connections of uploads; the ones that are kept alive for the next request do not count. */
  const openConnections = async () => {
    server.app.server.closeIdleConnections()
    return new Promise<number>((resolve, reject) =>
      server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )
  }
})

describe('a caller', () => {
  it('with a wrong signature is refused', async () => {
    const { body, contentType } = form({ topicId }, [text()])
    const timestamp = String(Date.now())
    const post = (signature: string) =>
      deploy.post('/v2/messages', body, { headers: { 'content-type': contentType }, timestamp, signature })
    const { apiSecret } = deploy.credentials
    for (const signature of [
      sign('another secret', timestamp, body),
      sign(apiSecret, timestamp, ''),
      sign(apiSecret, timestamp, body.subarray(0, -2)),
      sign(apiSecret, String(Number(timestamp) - 1), body),
      'nonsense',
    ]) {
      await expectRefused(401, 'unauthorized', () => post(signature))
    }
    expect((await post(sign(apiSecret, timestamp, body))).status).toBe(200)
  })

  it('that is unknown is refused', async () => {
    const { body, contentType } = form({ topicId }, [text()])
    await expectRefused(401, 'unauthorized', async () => {
      const headers = { 'content-type': contentType, authorization: 'Bearer unknown' }
      const response = await fetch(`${server.url}/v2/messages`, { method: 'POST', body, headers })
      return { status: response.status, body: await response.json() }
    })
  })

  it('with a key that only reads is refused', async () => {
    const reader = await staticBot(server, orgId, 'Reader', { permission: 'read' })
    await expectRefused(403, 'forbidden', () => sends({ topicId }, [text()], reader))
  })

  it('without the scope is refused', async () => {
    const scopes = ALL_SCOPES.filter((scope) => scope !== 'message:send')
    const bot = await oauthBot(server, orgId, 'Silent bot', scopes)
    await expectRefused(403, 'forbidden', () => sends({ topicId }, [text()], bot))
  })

  it('finds no topic that is not there, or is not its own', async () => {
    for (const elsewhere of [UNKNOWN, strangeTopicId]) {
      await expectRefused(404, 'Topic not found', () => sends({ topicId: elsewhere }, [text()]))
    }
    await expectRefused(404, 'Topic not found', () => sends({ topicId }, [text()], stranger))
  })
})

describe('an image that cannot be shown', () => {
  it.each([
    ['PNG', () => noise().png().toBuffer()],
    ['JPEG', () => noise().jpeg().toBuffer()],
    ['GIF', () => noise().gif().toBuffer()],
    ['WebP', () => noise().webp().toBuffer()],
    ['AVIF', () => noise().avif({ effort: 0 }).toBuffer()],
    ['moving GIF', () => moving('gif')],
    ['moving WebP', () => moving('webp')],
  ])('is refused: an image that breaks off: %s', async (_, make) => {
    const whole = await make()
    for (const share of [0.5, 0.9]) {
      const content = whole.subarray(0, Math.floor(whole.length * share))
      await expectRefused(400, 'Invalid image', () => sends({ topicId }, [{ content }]))
    }
  })

  it('is refused: an image that is only a beginning', async () => {
    for (const content of [PNG.subarray(0, 40), JPEG.subarray(0, 20)]) {
      await expectRefused(400, 'Invalid image', () => sends({ topicId }, [{ content, name: 'logo.png' }]))
    }
  })

  it('is refused: an image that claims to be larger than anything that can be shown', async () => {
    await expectRefused(400, 'image has too many pixels', () =>
      sends({ topicId }, [{ content: claimingPng(30_000, 30_000) }]),
    )
  })

  it('is refused: a small file that is a huge image', async () => {
    const pixels = { raw: { width: 20_001, height: 5000, channels: 1 as const }, limitInputPixels: false }
    const content = await sharp(Buffer.alloc(20_001 * 5000), pixels)
      .png({ compressionLevel: 1 })
      .toBuffer()
    expect(content.length).toBeLessThan(MAX_BYTES)
    await expectRefused(400, 'image has too many pixels', () => sends({ topicId }, [{ content }]))
  })

  it('is refused: a moving image whose frames are too many pixels together', async () => {
    expect((await sends({ topicId }, [{ content: claimingGif(2000, 2000, 2) }])).status).toBe(200)
    await expectRefused(400, 'image has too many pixels', () =>
      sends({ topicId }, [{ content: claimingGif(2000, 2000, 13) }]),
    )
  })
})

/** Random bytes, which cannot be compressed. */
function noise() {
  const data = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, index) => (index * 7919) % 251))
  return sharp(data, { raw: { width: 64, height: 64, channels: 3 } })
}
