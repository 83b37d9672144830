import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventData } from '../contract/events.ts'
import { readConfig } from '../server/config.ts'
import { openTranscriber, type Transcriber } from '../server/files/voice/transcriber.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { eventsFor } from './support/events.ts'
import { eventually } from './support/eventually.ts'
import { upload } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { because, MISSING_FOR_SPEECH, SPOKEN_WORDS, speak } from './support/speech.ts'
import { silence } from './support/wav.ts'

let server: TestParley
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  bot = await staticBot(server, await organization(server))
  topicId = Object((await bot.post('/v2/topics', { name: 'Voices', members: [] })).body).id
})
afterAll(() => server.close())

const eventsAbout = async (id: string) =>
  (await eventsFor(server, bot.id)).filter(({ data }) => 'message' in data && data.message.id === id)
const typesAbout = async (id: string) => (await eventsAbout(id)).map(({ type }) => type)

/** Says something with this engine, and waits until its text, or that there is none, is known. */
async function say(engine: Transcriber | undefined, voice: Buffer, name = 'voice.wav') {
  const jobs = startJobs(server, engine)
  try {
    const sent = await upload(bot, '/v2/messages', { topicId }, [{ content: voice, name }])
    expect(sent.status, sent.text).toBe(200)
    const { id } = Object(sent.body)
    await eventually(() => typesAbout(id)).toEqual(['message.created', 'message.updated'])
    const [created, updated] = (await eventsAbout(id)).map(({ data }) => data as EventData['message.updated'])
    if (!created || !updated) throw new Error('there are two')
    return { id: String(id), created, updated, read: Object((await bot.get(`/v2/messages/${id}`)).body) }
  } finally {
    await jobs.stop()
  }
}

const engineSaying = (text: string): Transcriber => ({ name: 'a test', transcribe: async () => text })

describe('a voice message', () => {
  it('is pending when it appears, and has its text when that is known', async () => {
    const { created, updated, read } = await say(engineSaying('good morning'), silence(2))
    expect(created.message.type).toBe('audio')
    expect(created.message.attachments[0]).toMatchObject({
      type: 'audio',
      duration: 2000,
      transcription: { status: 'Pending' },
    })
    expect(updated.message.attachments[0]?.transcription).toEqual({ status: 'Done', text: 'good morning' })
    expect(updated.updatedFields).toEqual(['attachments', 'transcription'])
    expect(updated.message).toMatchObject({ isEdited: false, truncated: false })
    expect(updated.message.updatedAt).toBeGreaterThanOrEqual(updated.message.createdAt)
    expect(read.attachmentDetails[0].transcription).toEqual({ status: 'Done', text: 'good morning' })
  })

  it('is cut in events and whole in reads when it is long', async () => {
    const text = '😀'.repeat(10_001)
    const { created, updated, read } = await say(engineSaying(text), silence(1))
    expect(created.truncated).toBe(false)
    expect(updated.truncated).toBe(true)
    expect(updated.message.truncated).toBe(true)
    expect([...(updated.message.attachments[0]?.transcription?.text ?? '')]).toHaveLength(10_000)
    expect(read.attachmentDetails[0].transcription.text).toBe(text)
    expect(read.truncated).toBe(false)
  })

  it('may have an empty text', async () => {
    const { updated } = await say(engineSaying(''), silence(1))
    expect(updated.message.attachments[0]?.transcription).toEqual({ status: 'Done', text: '' })
  })

  it('says that it failed where there is no engine, and the log says what to do', async () => {
    const { updated, read } = await say(undefined, silence(1))
    expect(updated.message.attachments[0]?.transcription).toEqual({ status: 'Failed', reason: 'no_engine' })
    expect(read.attachmentDetails[0].transcription).toEqual({ status: 'Failed', reason: 'no_engine' })
    expect(server.logLines.some((line) => line.includes('TRANSCRIPTION_URL'))).toBe(true)
  })

  it('says that it failed when the engine keeps failing', async () => {
    let tries = 0
    const engine: Transcriber = {
      name: 'a test',
      async transcribe() {
        tries += 1
        // Moves past the wait before the next attempt.
        setTimeout(() => {
          server.clock.ahead += 61_000
        }, 50)
        throw new Error('no ears')
      },
    }
    const { updated } = await say(engine, silence(1))
    expect(updated.message.attachments[0]?.transcription).toEqual({ status: 'Failed' })
    expect(tries).toBe(3)
  })

  it('that is deleted while it is transcribed leaves nothing to tell', async () => {
    let finish = (): void => {}
    const listening = new Promise<void>((resolve) => {
      finish = resolve
    })
    let heard = false
    const jobs = startJobs(server, {
      name: 'a test',
      async transcribe() {
        heard = true
        await listening
        return 'too late'
      },
    })
    const sent = await upload(bot, '/v2/messages', { topicId }, [{ content: silence(1), name: 'v.wav' }])
    const { id } = Object(sent.body)
    await eventually(async () => heard).toBe(true)
    expect((await bot.delete(`/v2/messages/${id}`)).status).toBe(204)
    finish()
    await jobs.stop()
    expect(await typesAbout(id)).toEqual(['message.created', 'message.deleted'])
  })
})

describe('an engine behind an address', () => {
  let service: Server
  const received: string[] = []

  beforeAll(async () => {
    service = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      received.push(`${request.headers.authorization} ${Buffer.concat(chunks).toString('latin1')}`)
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ text: ' from afar ' }))
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => service.close())

  it('gets the sound, the model, the language and the key, and its text is an event', async () => {
    const { port } = service.address() as AddressInfo
    const { transcription } = readConfig({
      TRANSCRIPTION_URL: `http://127.0.0.1:${port}/v1/audio/transcriptions`,
      TRANSCRIPTION_API_KEY: 'sk-test',
      TRANSCRIPTION_MODEL: 'large',
      TRANSCRIPTION_LANGUAGE: 'en',
    })
    const { updated } = await say(await openTranscriber(transcription), silence(1))
    expect(updated.message.attachments[0]?.transcription).toEqual({ status: 'Done', text: 'from afar' })
    expect(received).toHaveLength(1)
    for (const part of ['Bearer sk-test', 'RIFF', 'large', 'name="language"', 'filename="voice.wav"'])
      expect(received[0]).toContain(part)
    expect(server.logLines.join('')).not.toContain('sk-test')
  })
})

describe.skipIf(MISSING_FOR_SPEECH.length > 0)(`real speech${because(MISSING_FOR_SPEECH)}`, () => {
  it('is spoken, sent as opus, recognized and told', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-speech-'))
    try {
      const file = join(folder, 'voice.ogg')
      await speak(file)
      const sphinx = await openTranscriber(readConfig({}).transcription)
      const { updated, read } = await say(sphinx, await readFile(file), 'voice.ogg')
      const { status, text = '' } = updated.message.attachments[0]?.transcription ?? {}
      expect(status).toBe('Done')
      expect(text.split(' ')).toEqual(expect.arrayContaining(SPOKEN_WORDS))
      expect(read.attachmentDetails[0].transcription.text).toBe(text)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
