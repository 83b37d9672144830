import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { form } from '../support/forms.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { kill, type ServerProcess, startServerProcess as start, stopAll } from '../support/server-process.ts'
import { silence } from '../support/wav.ts'

type Credentials = { apiKey: string; apiSecret: string }

let dataDir: string
let credentials: Credentials
let topicId: string

let last: ServerProcess | undefined

/** The server that the test before has left running, or a new one. */
const running = async (): Promise<ServerProcess> => {
  if (!last || last.process.signalCode !== null)
    last = await start({ DATA_DIR: dataDir, TRANSCRIPTION_COMMAND: join(dataDir, 'listen') })
  return last
}

/** Exists once the transcription command listens. */
const marker = () => join(dataDir, 'listening')

beforeAll(async () => {
  dataDir = await migratedFolder('parley-uploads-')
  // The first run listens forever.
  const script = `#!/bin/sh\nif [ -e '${marker()}' ]; then echo 'at last'; else touch '${marker()}'; sleep 600; fi\n`
  await writeFile(join(dataDir, 'listen'), script, { mode: 0o755 })
  const { url } = await running()
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
})
afterAll(async () => {
  await stopAll()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

/** A picture of noise, which takes long to be decoded, and longer to be encoded again. */
const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()

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
    const server = await running()
    const content = randomBytes(5_000_000)
    const { body, contentType } = form({ topicId, caption: 'half.bin' }, [{ content, name: 'half.bin' }])
    await beginUpload(server.url, body, contentType, 3_000_000)
    await kill(server.process)
    expect(await incoming()).toEqual([])

    const next = await running()
    expect(await named(next.url, 'half.bin')).toEqual([])
    await post(next.url, content, 'half.bin')
    await eventually(async () => (await named(next.url, 'half.bin')).length).toBe(1)
    const [message] = await named(next.url, 'half.bin')
    expect(hash(await fetched(message?.attachmentDetails[0]?.url ?? ''))).toBe(hash(content))
  })

  it('while it looks at the files of a request leaves nothing of them behind once it is back', async () => {
    const server = await running()
    const content = await noise(2000)
    const files = Array.from({ length: 7 }, () => ({ content, name: 'noise.png' }))
    const { body, contentType } = form({ topicId, caption: 'broken-off' }, files)
    const sending = await beginUpload(server.url, body, contentType, body.length)
    await eventually(async () => (await incoming()).length).toBeGreaterThan(0)
    await kill(server.process)
    sending.destroy()
    expect((await incoming()).length).toBeGreaterThan(0)

    const next = await running()
    expect(await incoming()).toEqual([])
    expect(await named(next.url, 'broken-off')).toEqual([])
  })

  it('while it processes shows the message once, with its file, after the next start', async () => {
    const server = await running()
    const id = await post(server.url, await noise(2000), 'noise.png')
    await kill(server.process)

    const next = await running()
    await expect.poll(() => named(next.url, 'noise.png')).toHaveLength(1)
    const [message] = await named(next.url, 'noise.png')
    expect(message?.id).toBe(id)
    const { width, height } = await sharp(await fetched(message?.attachmentDetails[0]?.url ?? '')).metadata()
    expect([width, height]).toEqual([2000, 2000])
    expect(await eventsAbout(next.url, id)).toEqual(['message.created'])
  })

  it('while it transcribes tells the text once after the next start', async () => {
    const server = await running()
    const id = await post(server.url, silence(1), 'voice.wav')
    await eventually(async () => existsSync(marker())).toBe(true)
    expect(await eventsAbout(server.url, id)).toEqual(['message.created'])
    await kill(server.process)

    const next = await running()
    await expect.poll(() => eventsAbout(next.url, id)).toEqual(['message.created', 'message.updated'])
    const answer = await call(next.url, credentials, 'GET', `/v2/messages/${id}`)
    expect(Object(answer.body).attachmentDetails[0].transcription).toEqual({
      status: 'Done',
      text: 'at last',
    })
  })
})
