import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import {
  type OAuthTestBot,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
} from './support/cast.ts'
import { eventsIn } from './support/events.ts'
import { type FormFile, form, upload } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import {
  colourAt,
  HTML,
  JPEG,
  media,
  moving,
  PDF,
  PNG,
  photo,
  plain,
  SVG,
  stripes,
  ZIP,
} from './support/samples.ts'
import { because, MISSING_FOR_CONVERSION } from './support/speech.ts'
import { appeared, download, sendFiles } from './support/uploads.ts'
import { silence } from './support/wav.ts'

const ATTACHMENT_ID = /^att_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const BALLOON = '🎈'
const MAX_BYTES = 2 * 1024 * 1024

let server: TestParley
let jobs: { stop(): Promise<void> }
let orgId: string
let deploy: StaticTestBot
let calendar: OAuthTestBot
let ada: string
let topicId: string

beforeAll(async () => {
  server = await startTestParley({ maxFileBytes: MAX_BYTES })
  jobs = startJobs(server)
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  ada = await person(server, orgId, 'Ada Okafor')
  topicId = Object(
    (await deploy.post('/v2/topics', { name: 'Releases', members: [calendar.id, ada] })).body,
  ).id
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
})

/** Sends one file, and returns the attachment. */
async function received(file: FormFile | Buffer | string, meta: Record<string, unknown> = {}) {
  const message = await appeared(deploy, await sendFiles(deploy, { topicId, ...meta }, file))
  const [attachment] = message.attachmentDetails
  return { message, attachment, content: await download(attachment.url) }
}

async function toldAbout(id: string) {
  const events = await eventsIn(server, orgId)
  return events.flatMap(({ type, to, data }) =>
    'message' in data && data.message.id === id ? [{ type, to, data }] : [],
  )
}

describe('an upload', () => {
  it('is answered at once, and is a message when its file has been processed', async () => {
    const sent = await upload(deploy, '/v2/messages', { topicId, caption: 'The logo' }, [
      { content: PNG, name: 'logo.png', type: 'image/png' },
    ])
    expect(sent.status).toBe(200)
    const { id, createdAt } = Object(sent.body)
    const message = await appeared(calendar, id)
    expect(sent.body).toEqual({ id, topicId, createdAt })
    const attachment = {
      id: expect.stringMatching(ATTACHMENT_ID),
      type: 'image',
      name: 'logo.png',
      url: expect.stringContaining(`${server.url}/attachments/att_`),
      thumbnailUrl: expect.stringContaining(`${server.url}/attachments/thb_`),
      contentType: 'image/png',
      size: expect.any(Number),
      width: 12,
      height: 8,
    }
    expect(message).toEqual({
      id,
      messageId: id,
      topicId,
      channelId: topicId,
      senderId: deploy.id,
      senderName: 'Deploy bot',
      senderType: 'bot',
      type: 'image',
      text: 'The logo',
      createdAt,
      updatedAt: createdAt,
      isEdited: false,
      isSystem: false,
      truncated: false,
      attachments: [message.attachmentDetails[0].id],
      attachmentDetails: [attachment],
      mentions: [],
      mentionDetails: [],
      reactions: [],
      replyCount: 0,
    })
    const { attachmentDetails, mentionDetails, replyCount, messageId, channelId, ...shared } = message
    expect(await toldAbout(id)).toEqual([
      {
        type: 'message.created',
        to: [deploy.id, calendar.id].sort(),
        data: {
          message: {
            ...shared,
            attachments: [{ ...attachment, url: expect.any(String), thumbnailUrl: expect.any(String) }],
            mentionedProfiles: [],
          },
          truncated: false,
        },
      },
    ])
    const list = await calendar.get(`/v2/topics/${topicId}/messages?limit=1`)
    expect(Object(list.body).messages[0]).toMatchObject({ id, attachmentDetails: [attachment] })
  })

  it('may name its topic as channelID, or as both, and needs no caption', async () => {
    for (const meta of [{ channelID: topicId }, { channelID: topicId.toUpperCase(), topicId }]) {
      expect(await appeared(deploy, await sendFiles(deploy, meta, 'notes'))).toMatchObject({
        topicId,
        text: '',
      })
    }
  })

  it('comes from a bot with a token too, built by an ordinary client', async () => {
    const body = new FormData()
    body.set('metaPart', new Blob([JSON.stringify({ topicId })], { type: 'application/json' }))
    body.append('filePart', new File(['first'], 'Pläne „neu“.txt', { type: 'text/plain' }))
    body.append('filePart', new Blob(['second']))
    const headers = { authorization: `Bearer ${calendar.credentials.token}` }
    const response = await fetch(`${server.url}/v2/messages`, { method: 'POST', headers, body })
    expect(response.status).toBe(200)
    const { attachmentDetails } = await appeared(deploy, Object(await response.json()).id)
    expect(attachmentDetails[0].name).toBe('Pläne „neu“.txt')
    const contents = await Promise.all([0, 1].map((index) => download(attachmentDetails[index].url)))
    expect(contents.map(String)).toEqual(['first', 'second'])
  })

  it('may wait for the word to go on, as curl does with large bodies', async () => {
    const { body, contentType } = form({ topicId }, [{ content: Buffer.alloc(1_500_000, 'x') }])
    const outgoing = request(`${server.url}/v2/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${calendar.credentials.token}`,
        'content-type': contentType,
        'content-length': body.length,
        expect: '100-continue',
      },
    })
    outgoing.flushHeaders()
    await once(outgoing, 'continue')
    outgoing.end(body)
    const [incoming] = await once(outgoing, 'response')
    expect(incoming.statusCode).toBe(200)
    const { id } = Object(await json(incoming))
    expect((await appeared(deploy, id)).attachmentDetails[0].size).toBe(1_500_000)
  })

  it('mentions people, replies, and has an external id, as a text does', async () => {
    const parent = await deploy.post('/v2/messages', { topicId, text: 'Any news?' })
    const parentId = Object(parent.body).id
    const meta = { topicId, caption: `For <@${ada}>`, parentId, externalId: BALLOON.repeat(61) }
    const message = await appeared(deploy, await sendFiles(deploy, meta, 'news'))
    expect(message).toMatchObject({
      text: meta.caption,
      mentions: [ada],
      mentionDetails: [{ name: 'Ada Okafor' }],
      parentId,
      externalId: meta.externalId,
    })
    expect(await toldAbout(message.id)).toMatchObject([
      { data: { message: { mentionedProfiles: [ada], parentId, externalId: meta.externalId } } },
    ])
    expect((await deploy.get(`/v2/messages/${parentId}`)).body).toMatchObject({ replyCount: 1 })
  })

  it('takes a caption of 10000 code points', async () => {
    const caption = BALLOON.repeat(10_000)
    expect((await received('notes', { caption })).message.text).toBe(caption)
  })

  it('takes ten files, the largest of exactly the limit, and keeps their order', async () => {
    const contents = [Buffer.alloc(MAX_BYTES, 'x'), ...[...'bcdefghij'].map((letter) => Buffer.from(letter))]
    const files = contents.map((content, index) => ({ content, name: `${index}.txt` }))
    const { type, attachments, attachmentDetails } = await appeared(
      deploy,
      await sendFiles(deploy, { topicId }, ...files),
    )
    expect(type).toBe('file')
    expect(attachments).toEqual(attachmentDetails.map(({ id }: { id: string }) => id))
    for (const [index, content] of contents.entries()) {
      expect(attachmentDetails[index]).toMatchObject({ name: `${index}.txt`, size: content.length })
      expect(content.equals(await download(attachmentDetails[index].url))).toBe(true)
    }
  })

  it('of one kind has that type, and of several is a message with files', async () => {
    const type = async (...files: Buffer[]) =>
      (await appeared(deploy, await sendFiles(deploy, { topicId }, ...files))).type
    expect(await type(PNG, JPEG)).toBe('image')
    expect(await type(PNG, silence(1))).toBe('file')
    expect(await type(silence(1), silence(1))).toBe('audio')
  })

  it('may have its parts in any order, and others beside them', async () => {
    const files = [
      { content: 'a file', name: 'a.txt' },
      { content: 'whatever', part: 'comment' },
      { content: JSON.stringify({ topicId }), part: 'metaPart' },
    ]
    const sent = await upload(deploy, '/v2/messages', undefined, files)
    expect(sent.status, sent.text).toBe(200)
    expect((await appeared(deploy, Object(sent.body).id)).attachments).toHaveLength(1)
  })

  it('leaves texts as JSON as they were', async () => {
    const { status, body } = await deploy.post('/v2/messages', { topicId, text: 'Hello' })
    expect(status).toBe(201)
    expect((await deploy.get(`/v2/messages/${Object(body).id}`)).body).not.toHaveProperty('attachmentDetails')
  })
})

describe('an idempotency key', () => {
  const countFiles = async () => {
    const [row] = await server.parley.db.query<{ count: number }>(sql`select count(*) from stored_files`)
    return row?.count ?? 0
  }

  it('gives the first answer to the same form again, and nothing is stored twice', async () => {
    const { body, contentType } = form({ topicId }, [{ content: PDF, name: 'plan.pdf' }])
    const headers = { 'content-type': contentType, 'Idempotency-Key': 'plan-1' }
    const before = await countFiles()
    const first = await deploy.post('/v2/messages', body, { headers })
    const again = await deploy.post('/v2/messages', body, { headers })
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
      200,
      first.text,
      'true',
    ])
    expect(await countFiles()).toBe(before + 1)

    const other = await upload(deploy, '/v2/messages', { topicId }, [{ content: ZIP }], {
      headers: { 'Idempotency-Key': 'plan-1' },
    })
    expect([other.status, other.body]).toEqual([400, 'Idempotency-Key was already used with another request'])
    expect(await countFiles()).toBe(before + 1)
  })

  it('makes one message of two requests at once', async () => {
    const { body, contentType } = form({ topicId }, [{ content: PDF }])
    const headers = { 'content-type': contentType, 'Idempotency-Key': 'plan-2' }
    const before = await countFiles()
    const answers = await Promise.all([1, 2].map(() => deploy.post('/v2/messages', body, { headers })))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await countFiles()).toBe(before + 1)
  })
})

describe('an image', () => {
  it('is turned as the camera says, and does not tell where it was taken', async () => {
    const original = await photo(await stripes(60, 20))
    expect(original.includes('Lighthouse Optics')).toBe(true)
    const { attachment, content } = await received({ content: original, name: 'beach.jpg' })
    expect(attachment).toMatchObject({
      width: 20,
      height: 60,
      contentType: 'image/jpeg',
      size: content.length,
    })
    const { exif, orientation, width, height } = await sharp(content).metadata()
    expect([exif, orientation, width, height]).toEqual([undefined, undefined, 20, 60])
    expect(content.includes('Lighthouse Optics')).toBe(false)
    const thumbnail = await download(attachment.thumbnailUrl)
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'webp', width: 20, height: 60 })
    for (const picture of [content, thumbnail]) {
      const colours = await Promise.all([5, 30, 55].map((top) => colourAt(picture, 10, top)))
      expect(colours).toEqual(['red', 'green', 'blue'])
    }
  })

  it('has a thumbnail of at most 320 by 320, never larger than itself', async () => {
    const large = await received(await plain(1000, 100).png().toBuffer())
    expect(await sharp(await download(large.attachment.thumbnailUrl)).metadata()).toMatchObject({
      width: 320,
      height: 32,
    })
    const small = await received(PNG)
    expect(await sharp(await download(small.attachment.thumbnailUrl)).metadata()).toMatchObject({ width: 12 })
  })

  it('is made to fit into 2048 by 2048 when that is wanted, and only then', async () => {
    const wide = await plain(2100, 30).png().toBuffer()
    expect((await received(wide, { compressImage: true })).attachment).toMatchObject({
      width: 2048,
      height: 29,
    })
    expect((await received(wide, { compressImage: false })).attachment).toMatchObject({
      width: 2100,
      height: 30,
    })
    expect((await received(PNG, { compressImage: true })).attachment).toMatchObject({ width: 12, height: 8 })
  })

  it.each(['gif', 'webp'] as const)('that moves keeps moving: %s', async (format) => {
    const original = await moving(format)
    for (const compressImage of [false, true]) {
      const { attachment, content } = await received(
        { content: original, name: `wave.${format}` },
        { compressImage },
      )
      expect(attachment).toMatchObject({
        type: 'image',
        contentType: `image/${format}`,
        width: 12,
        height: 8,
      })
      const { pages, delay, pageHeight } = await sharp(content, { animated: true }).metadata()
      expect([pages, delay, pageHeight]).toEqual([2, [100, 200], 8])
    }
  })

  it.each([false, true])('that can be seen through stays so (compressed: %s)', async (compressImage) => {
    const glass = await sharp({
      create: { width: 4, height: 4, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.5 } },
    })
      .png()
      .toBuffer()
    const { content } = await received(glass, { compressImage })
    const { data, info } = await sharp(content).raw().toBuffer({ resolveWithObject: true })
    expect([info.channels, Math.abs((data[3] ?? 0) - 128) <= 2]).toEqual([4, true])
  })

  it.each([
    ['a PNG named .txt', PNG, 'notes.txt', 'image/png'],
    ['a JPEG named .png', JPEG, 'logo.png', 'image/jpeg'],
    ['a PNG without a name', PNG, undefined, 'image/png'],
  ])('is one by its content: %s', async (_, content, name, contentType) => {
    const { message, attachment } = await received({ content, ...(name && { name }) })
    expect(message.type).toBe('image')
    expect(attachment).toMatchObject({ type: 'image', contentType })
    expect(attachment.name).toBe(name)
  })

  it('may be an AVIF', async () => {
    const content = await plain(16, 16).avif({ effort: 0 }).toBuffer()
    expect((await received({ content, name: 'logo.avif' })).attachment).toMatchObject({
      type: 'image',
      contentType: 'image/avif',
      width: 16,
    })
  })
})

describe('any other file', () => {
  it.each([
    ['plan.pdf', PDF, 'application/pdf'],
    ['everything.zip', ZIP, 'application/zip'],
    ['notes.txt', 'just words\r\n', 'application/octet-stream'],
    ['routes.ts', 'export const answer = 42\n', 'application/octet-stream'],
    ['page.html', HTML, 'application/octet-stream'],
    ['logo.svg', SVG, undefined],
    ['photo.heic', Buffer.from('not one of those either'), 'application/octet-stream'],
    ['noise', Buffer.from([0, 255, 13, 10, 45, 45, 0]), 'application/octet-stream'],
  ])('comes back byte for byte: %s', async (name, content, contentType) => {
    const { message, attachment, content: back } = await received({ content, name })
    expect(back.equals(Buffer.from(content))).toBe(true)
    expect([message.type, attachment.type, attachment.name, attachment.size]).toEqual([
      'file',
      'file',
      name,
      back.length,
    ])
    if (contentType) expect(attachment.contentType).toBe(contentType)
    expect(attachment).not.toHaveProperty('thumbnailUrl')
  })

  it.each<[string, string | undefined, string | Buffer, string, string]>([
    ['text named .png', undefined, 'just words', 'logo.png', 'file'],
    ['HTML named .JPG', undefined, HTML, 'LOGO.JPG', 'file'],
    ['HTML declared an image', 'image/png', HTML, 'logo', 'file'],
    ['text named .mp3', undefined, 'la la la', 'song.mp3', 'file'],
    ['text declared audio', 'audio/mpeg', 'la la la', 'song', 'file'],
    ['text named .mp4', undefined, 'la la la', 'film.mp4', 'file'],
    ['a PDF named .gif', undefined, PDF, 'plan.gif', 'file'],
    ['an image named .wav', undefined, PNG, 'voice.wav', 'image'],
  ])('is what its content says, not its name: %s', async (_, type, content, name, kind) => {
    const { message, attachment } = await received({ content, name, ...(type && { type }) })
    expect([message.type, attachment.type, attachment.name]).toEqual([kind, kind, name])
    const link = await fetch(attachment.url)
    expect(link.headers.get('content-disposition')).toMatch(kind === 'file' ? /^attachment;/ : /^inline;/)
    expect(link.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\plan.pdf', 'plan.pdf'],
    ['a "quoted" name.txt', 'a "quoted" name.txt'],
    ['Отчёт 2026 🎈.txt', 'Отчёт 2026 🎈.txt'],
    ["it's (1) 100%; a&b=c #?.txt", "it's (1) 100%; a&b=c #?.txt"],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    [`${'ä'.repeat(300)}.txt`, `${'ä'.repeat(251)}.txt`],
    [`${BALLOON.repeat(300)}.txt`, `${BALLOON.repeat(251)}.txt`],
    ['..', undefined],
    ['', undefined],
  ])('has a name that is fit to be shown, and a link with it (%#)', async (name, shown) => {
    const { attachment, content } = await received({ content: 'x', name })
    expect(attachment.name).toBe(shown)
    expect(String(content)).toBe('x')
  })
})

describe('a sound', () => {
  it('is audio with its length, and its text is on the way when it appears', async () => {
    const { message, attachment, content } = await received({ content: silence(2), name: 'voice.wav' })
    expect(message.type).toBe('audio')
    expect(attachment).toMatchObject({ type: 'audio', duration: 2000, size: silence(2).length })
    expect(silence(2).equals(content)).toBe(true)
    const [created] = await toldAbout(message.id)
    expect(created).toMatchObject({
      type: 'message.created',
      data: {
        truncated: false,
        message: { truncated: false, attachments: [{ type: 'audio', duration: 2000 }] },
      },
    })
    expect(Object(created?.data).message.attachments[0].transcription).toEqual({ status: 'Pending' })
  })
})

describe.skipIf(MISSING_FOR_CONVERSION.length > 0)(
  `sounds and films${because(MISSING_FOR_CONVERSION)}`,
  () => {
    it.each([
      ['mp3', 'audio/mpeg', []],
      ['ogg', 'audio/ogg', ['-c:a', 'libopus']],
      ['m4a', 'audio/x-m4a', []],
      ['flac', 'audio/flac', []],
      ['aac', 'audio/aac', []],
      ['webm', 'audio/webm', ['-c:a', 'libopus']],
    ])('a second of %s is audio', async (ending, contentType, options) => {
      const { message, attachment } = await received({
        content: await media('sound', ending, ...options),
        name: `voice.${ending}`,
      })
      expect([message.type, attachment.type, attachment.contentType]).toEqual(['audio', 'audio', contentType])
      expect(Math.abs(attachment.duration - 1000)).toBeLessThan(150)
      expect(attachment.transcription.status).toBeOneOf(['Pending', 'Failed'])
    })

    it.each([
      ['mp4', 'video/mp4', []],
      ['webm', 'video/webm', ['-deadline', 'realtime']],
      ['mov', 'video/quicktime', []],
      ['mkv', 'video/matroska', []],
    ])('a second of %s is video', async (ending, contentType, options) => {
      const { message, attachment } = await received({
        content: await media('film', ending, ...options),
        name: `film.${ending}`,
      })
      expect([message.type, attachment.type, attachment.contentType]).toEqual(['video', 'video', contentType])
      expect(Math.abs(attachment.duration - 1000)).toBeLessThan(150)
      expect(attachment).not.toHaveProperty('transcription')
    })

    it.each([
      ['mp4', []],
      ['webm', ['-deadline', 'realtime']],
    ])('a film without sound has its length too: %s', async (ending, options) => {
      const content = await media('silent film', ending, ...options)
      const { attachment } = await received({ content, name: `screen.${ending}` })
      expect(attachment.type).toBe('video')
      expect(Math.abs(attachment.duration - 1000)).toBeLessThan(150)
    })

    it('a film that cannot be read is still a film, and delays no one', async () => {
      const content = await media('film', 'avi')
      const id = await sendFiles(deploy, { topicId }, { content, name: 'film.avi' })
      const { attachmentDetails } = await appeared(deploy, id, 3000)
      expect(attachmentDetails).toMatchObject([{ type: 'video', contentType: 'video/vnd.avi' }])
    })
  },
)
