import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { form } from '../support/forms.ts'
import { kill, startServerProcess as start, stopAll } from '../support/server-process.ts'
import { silence } from '../support/wav.ts'

type Credentials = { apiKey: string; apiSecret: string }

let dataDir: string
let credentials: Credentials
let topicId: string

const environment = () => ({ DATA_DIR: dataDir, TRANSCRIPTION_COMMAND: join(dataDir, 'listen') })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-uploads-'))
  const { url } = await start({ DATA_DIR: dataDir })
  const signup = await call(url, undefined, 'POST', '/v2/agentic/organization/create', {
    body: {
      companyName: 'Lighthouse Labs',
      humanEmail: 'ada@example.com',
      companySize: 3,
      industry: 'Software',
      botName: 'Survivor',
    },
  })
  ;({ credentials, channelId: topicId } = Object(signup.body))
  await stopAll()
})
afterEach(stopAll)
afterAll(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))

const post = async (url: string, content: Buffer, name: string) => {
  const { body, contentType } = form({ topicId, caption: name }, [{ content, name }])
  const answer = await call(url, credentials, 'POST', '/v2/messages', {
    body,
    headers: { 'content-type': contentType },
  })
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body).id as string
}

type Seen = { id: string; text: string; attachmentDetails: { url: string; size: number }[] }

const read = async (url: string): Promise<Seen[]> =>
  Object((await call(url, credentials, 'GET', `/v2/topics/${topicId}/messages?limit=100`)).body).messages

const named = async (url: string, name: string) => (await read(url)).filter(({ text }) => text === name)

const eventsAbout = async (url: string, messageId: string): Promise<string[]> => {
  const { updates } = Object((await call(url, credentials, 'GET', '/v2/updates?limit=100')).body)
  return updates
    .filter(({ data }: { data: { message?: { id: string } } }) => data.message?.id === messageId)
    .map(({ eventType }: { eventType: string }) => eventType)
}

const hash = (content: Buffer) => createHash('sha256').update(content).digest('hex')
const fetched = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
const incoming = () => readdir(join(dataDir, 'files', 'incoming'))

/** Sends the first bytes of a form and no more. */
async function beginUpload(url: string, body: Buffer, contentType: string, bytes: number) {
  const timestamp = String(Date.now())
  const signature = createHmac('sha256', credentials.apiSecret)
    .update(`${timestamp}.`)
    .update(body)
    .digest('hex')
  const sending = request(`${url}/v2/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credentials.apiKey}`,
      'x-timestamp': timestamp,
      'x-signature': signature,
      'content-type': contentType,
      'content-length': body.length,
    },
  })
  sending.on('error', () => {})
  await new Promise<void>((resolve) => sending.write(body.subarray(0, bytes), () => resolve()))
  return sending
}

describe('a server that is killed', () => {
  it('during an upload leaves nothing of it, and takes it the next time', async () => {
    const server = await start(environment())
    const content = randomBytes(5_000_000)
    const { body, contentType } = form({ topicId, caption: 'half.bin' }, [{ content, name: 'half.bin' }])
    await beginUpload(server.url, body, contentType, 3_000_000)
    await kill(server.process)
    expect(await incoming()).toEqual([])

    const next = await start(environment())
    expect(await named(next.url, 'half.bin')).toEqual([])
    await post(next.url, content, 'half.bin')
    await eventually(async () => (await named(next.url, 'half.bin')).length).toBe(1)
    const [message] = await named(next.url, 'half.bin')
    expect(hash(await fetched(message?.attachmentDetails[0]?.url ?? ''))).toBe(hash(content))
  })

  it('while it looks at the files of a request leaves nothing of them behind once it is back', async () => {
    const server = await start(environment())
    // Images of noise: checking ten of these takes a second.
    const pixels = { width: 2000, height: 2000, channels: 3 as const }
    const content = await sharp(randomBytes(2000 * 2000 * 3), { raw: pixels })
      .png()
      .toBuffer()
    const files = Array.from({ length: 7 }, () => ({ content, name: 'noise.png' }))
    const { body, contentType } = form({ topicId, caption: 'broken-off' }, files)
    const sending = await beginUpload(server.url, body, contentType, body.length)
    await eventually(async () => (await incoming()).length).toBeGreaterThan(0)
    await kill(server.process)
    sending.destroy()
    expect((await incoming()).length).toBeGreaterThan(0)

    const next = await start(environment())
    expect(await incoming()).toEqual([])
    expect(await named(next.url, 'broken-off')).toEqual([])
  })

  it('while it processes shows the message once, with its file, after the next start', async () => {
    const server = await start(environment())
    // An image of noise takes a second or two to be encoded again.
    const pixels = { width: 3000, height: 3000, channels: 3 as const }
    const image = await sharp(randomBytes(3000 * 3000 * 3), { raw: pixels })
      .png()
      .toBuffer()
    const id = await post(server.url, image, 'noise.png')
    await kill(server.process)

    const next = await start(environment())
    await expect.poll(() => named(next.url, 'noise.png')).toHaveLength(1)
    const [message] = await named(next.url, 'noise.png')
    expect(message?.id).toBe(id)
    const { width, height } = await sharp(await fetched(message?.attachmentDetails[0]?.url ?? '')).metadata()
    expect([width, height]).toEqual([3000, 3000])
    expect(await eventsAbout(next.url, id)).toEqual(['message.created'])
  })

  it('while it transcribes tells the text once after the next start', async () => {
    const marker = join(dataDir, 'listening')
    // The first run listens forever.
    const script = `#!/bin/sh\nif [ -e '${marker}' ]; then echo 'at last'; else touch '${marker}'; sleep 600; fi\n`
    await writeFile(join(dataDir, 'listen'), script, { mode: 0o755 })
    const server = await start(environment())
    const id = await post(server.url, silence(1), 'voice.wav')
    await eventually(async () => existsSync(marker)).toBe(true)
    await kill(server.process)

    const next = await start(environment())
    expect(await eventsAbout(next.url, id)).toEqual(['message.created'])
    await expect.poll(() => eventsAbout(next.url, id)).toEqual(['message.created', 'message.updated'])
    const answer = await call(next.url, credentials, 'GET', `/v2/messages/${id}`)
    expect(Object(answer.body).attachmentDetails[0].transcription).toEqual({
      status: 'Done',
      text: 'at last',
    })
  })
})
