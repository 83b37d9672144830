import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attachment } from '../contract/message.ts'
import { organization } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { eventually } from './support/eventually.ts'
import { type FormFile, form } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { recording } from './support/recording.ts'
import { media, PDF } from './support/samples.ts'
import { because, MISSING_FOR_CONVERSION } from './support/speech.ts'
import { silence } from './support/wav.ts'

const MEBIBYTE = 1024 * 1024

let server: TestParley
let jobs: { stop(): Promise<void> }
let ada: TestPerson
let ben: TestPerson
let topicId: string

beforeAll(async () => {
  server = await startTestParley({ maxFileBytes: 2 * MEBIBYTE })
  jobs = startJobs(server)
  const orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  topicId = Object((await chatOf(ada).post('topics', { name: 'Recordings' })).body).id
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
})

function send(files: FormFile[], meta: Record<string, unknown> = {}, key?: string) {
  const { body, contentType } = form({ topicId, ...meta }, files)
  const headers = { 'content-type': contentType, ...(key !== undefined && { 'Idempotency-Key': key }) }
  return chatOf(ada).post('messages', body, { headers })
}

/** Sends a file, and returns the attachment. */
async function sent(file: FormFile, meta?: Record<string, unknown>): Promise<Attachment> {
  const answer = await send([file], meta)
  expect(answer.status, answer.text).toBe(200)
  const read = () => chatOf(ada).get(`messages/${Object(answer.body).id}`)
  await eventually(async () => (await read()).status).toBe(200)
  return Object((await read()).body).attachmentDetails[0]
}

const cameOf = (who: TestPerson, key: string) => chatOf(who).get(`sent?key=${encodeURIComponent(key)}`)

describe('a recording of a browser', () => {
  it('is a sound with a length, although it says neither', async () => {
    const attachment = await sent({ content: recording(9), name: 'voice.webm' })
    expect(attachment).toMatchObject({ type: 'audio', contentType: 'audio/webm', duration: 9000 })
    expect(attachment.transcription?.status).toBeDefined()
    const again = await fetch(attachment.url)
    expect(again.headers.get('content-type')).toBe('audio/webm')
  })

  it('with a picture is a film of that size', async () => {
    const film = await sent({ content: recording(2, { width: 640, height: 360 }) })
    expect(film).toMatchObject({ type: 'video', duration: 2040 - 60, width: 640, height: 360 })
    expect(film.transcription).toBeUndefined()
  })

  it('that breaks off, or is none at all, is taken as it is', async () => {
    const broken = recording(2).subarray(0, 500)
    expect(await sent({ content: broken })).toMatchObject({ type: 'audio' })
    const hostile = Buffer.concat([recording(0), Buffer.alloc(3000, 0xff)])
    expect(await sent({ content: hostile })).toMatchObject({ type: 'audio' })
    const empty = Buffer.concat([recording(0), Buffer.from('1f43b6750fffffff', 'hex')])
    expect((await sent({ content: empty })).duration).toBeUndefined()
  })

  it('has the waveform that its sender gives', async () => {
    const waveform = [0, 40, 100, 7]
    expect((await sent({ content: recording(1) }, { waveform })).waveform).toEqual(waveform)
    expect((await sent({ content: recording(1) })).waveform).toBeUndefined()
  })

  it('has no waveform where it is not about one sound', async () => {
    const waveform = [1, 2, 3]
    const picture = { width: 64, height: 48 }
    expect((await sent({ content: recording(1, picture) }, { waveform })).waveform).toBeUndefined()
    expect((await sent({ content: PDF }, { waveform })).waveform).toBeUndefined()
    const two = await send([{ content: recording(1) }, { content: silence(1) }], { waveform })
    const read = () => chatOf(ada).get(`messages/${Object(two.body).id}`)
    await eventually(async () => (await read()).status).toBe(200)
    expect((await read()).text).not.toContain('waveform')
  })

  it('is refused with a waveform that is none', async () => {
    for (const waveform of [[101], [-1], [1.5], 'loud', Array(101).fill(1)]) {
      const { status } = await send([{ content: recording(1) }], { waveform })
      expect(status, JSON.stringify(waveform)).toBe(400)
    }
  })
})

describe.skipIf(MISSING_FOR_CONVERSION.length > 0)(
  `a film of a phone${because(MISSING_FOR_CONVERSION)}`,
  () => {
    it('has the size of its picture', async () => {
      const film = { content: await media('film', 'mp4'), name: 'film.mp4' }
      expect(await sent(film)).toMatchObject({ type: 'video', width: 64, height: 48 })
    })

    it('is played from any place: links answer ranges', async () => {
      const content = await media('film', 'mp4')
      const { url } = await sent({ content, name: 'film.mp4' })
      const part = await fetch(url, { headers: { Range: 'bytes=100-199' } })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-range')).toBe(`bytes 100-199/${content.length}`)
      expect(part.headers.get('content-type')).toBe('video/mp4')
      expect(part.headers.get('content-disposition')).toMatch(/^inline/)
      expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(100, 200))).toBe(true)
      const beyond = await fetch(url, { headers: { Range: `bytes=${content.length}-` } })
      expect(beyond.status).toBe(416)
    })
  },
)

describe('what a page needs to know of files', () => {
  it('is how large one may be', async () => {
    const start = Object((await chatOf(ada).get('start')).body)
    expect(start.organization.maxFileBytes).toBe(2 * MEBIBYTE)
    expect((await send([{ content: Buffer.alloc(2 * MEBIBYTE, 'a') }])).status).toBe(200)
    expect(refusal(await send([{ content: Buffer.alloc(2 * MEBIBYTE + 1, 'a') }]))).toMatchObject({
      status: 400,
      body: 'file too large',
    })
  })

  it('tells only the sender whether files with a lost answer arrived', async () => {
    const key = 'a key of a page'
    expect((await cameOf(ada, key)).body).toEqual({ sent: null })
    const first = await send([{ content: 'notes' }], {}, key)
    expect((await cameOf(ada, key)).body).toEqual({ sent: first.body })
    expect((await cameOf(ben, key)).body).toEqual({ sent: null })
    expect(refusal(await chatOf(ada).get('sent'))).toMatchObject({ status: 400, body: 'key is required' })
  })

  it('is never what was refused, nor what a key was used for otherwise', async () => {
    const refused = await send([{ content: 'notes' }], { parentId: crypto.randomUUID() }, 'refused')
    expect(refused.status).toBe(400)
    expect((await cameOf(ada, 'refused')).body).toEqual({ sent: null })
    const headers = { 'Idempotency-Key': 'pinned' }
    const message = Object((await chatOf(ada).post('messages', { topicId, text: 'Pin me' })).body).id
    expect((await chatOf(ada).post(`messages/${message}/pin`, undefined, { headers })).status).toBeLessThan(
      300,
    )
    expect((await cameOf(ada, 'pinned')).body).toEqual({ sent: null })
  })

  it('can be read by a page of another address, and runs nowhere', async () => {
    const { url } = await sent({ content: '<script>alert(1)</script>', name: 'page.html' })
    const { headers } = await fetch(url)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
  })
})
