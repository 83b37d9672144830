import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { BACKUP_LOCK } from '../server/db/file-locks.ts'
import { sql } from '../server/db/sql.ts'
import { jobsChannel } from '../server/jobs/queue.ts'
import { organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { during } from './support/events.ts'
import { eventually } from './support/eventually.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { ON_LOOPBACK, startDispatcher, startReceiver, webhookBot } from './support/receiver.ts'
import { PDF, PNG, photo } from './support/samples.ts'
import { appeared, download, sendFiles, traces } from './support/uploads.ts'

const HOUR = 3_600_000

let server: TestParley
let orgId: string
let deploy: StaticTestBot
let calendar: StaticTestBot
let outsider: StaticTestBot
let ada: string
let topicId: string

beforeAll(async () => {
  server = await startTestParley(ON_LOOPBACK)
  orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await staticBot(server, orgId, 'Calendar bot')
  outsider = await staticBot(server, orgId, 'Outsider')
  ada = await person(server, orgId, 'Ada Okafor')
  topicId = Object(
    (await deploy.post('/v2/topics', { name: 'Releases', members: [calendar.id, ada] })).body,
  ).id
})
afterAll(() => server.close())
afterEach(() => {
  server.clock.ahead = 0
})

/** Bots sign with the server's time, even if that was moved. */
const now = () => ({ timestamp: String(Date.now() + server.clock.ahead) })

/** Processes all waiting files. */
async function process(): Promise<void> {
  const jobs = startJobs(server)
  try {
    await eventually(() => countJobs()).toBe(0)
  } finally {
    await jobs.stop()
  }
}
async function countJobs(): Promise<number> {
  const [row] = await server.parley.db.query<{ count: number }>(sql`select count(*) from jobs`)
  return row?.count ?? 0
}
const statusOf = async (link: string) => (await fetch(link)).status
const placeOf = (attachmentId: string) => {
  const id = attachmentId.replace('att_', '')
  return join(server.parley.config.filesDir, id.slice(-2), id)
}

describe('an upload that is still being processed', () => {
  let id: string
  beforeEach(async () => {
    id = await sendFiles(deploy, { topicId, caption: 'Wait for it' }, { content: PNG, name: 'logo.png' })
  })
  afterEach(process)

  it('cannot be seen, edited or replied to yet', async () => {
    expect((await deploy.get(`/v2/messages/${id}`)).status).toBe(404)
    expect((await deploy.patch(`/v2/messages/${id}`, { text: 'Now' })).status).toBe(404)
    const reply = await calendar.post('/v2/messages', { topicId, text: 'Nice', parentId: id })
    expect([reply.status, reply.body]).toEqual([400, 'Invalid parentId'])
    const list = Object((await deploy.get(`/v2/topics/${topicId}/messages?limit=1`)).body)
    expect(list.messages[0]?.id).not.toBe(id)
  })

  it('keeps marks, the first time of each, until it appears', async () => {
    const delivered = await calendar.post(`/v2/messages/${id}/delivered`)
    expect(delivered.status).toBe(200)
    const { deliveredAt } = Object(delivered.body)
    server.clock.ahead += 20
    const read = await calendar.post(`/v2/messages/${id}/read`)
    const { readAt } = Object(read.body)
    expect(readAt).toBeGreaterThanOrEqual(deliveredAt + 20)
    server.clock.ahead += 20
    expect((await calendar.post(`/v2/messages/${id}/delivered`)).body).toEqual({ messageId: id, deliveredAt })
    expect((await deploy.post(`/v2/messages/${id}/read`)).status).toBe(200)
    await process()
    expect((await calendar.post(`/v2/messages/${id}/read`)).body).toEqual({ messageId: id, readAt })
    expect((await calendar.post(`/v2/messages/${id}/delivered`)).body).toEqual({ messageId: id, deliveredAt })
    const marks = await server.parley.db.query(sql`select 1 from message_marks where message_id = ${id}`)
    expect(marks).toHaveLength(2)
  })

  it('is not there for a bot outside of its topic', async () => {
    for (const mark of ['delivered', 'read']) {
      expect((await outsider.post(`/v2/messages/${id}/${mark}`)).status).toBe(404)
    }
    expect((await outsider.delete(`/v2/messages/${id}`)).status).toBe(404)
  })

  it('can be deleted by its sender: it never appears, and its file goes', async () => {
    expect((await calendar.delete(`/v2/messages/${id}`)).status).toBe(403)
    const { events } = await during(server, orgId, async () => {
      expect((await deploy.delete(`/v2/messages/${id}`)).status).toBe(204)
      expect((await deploy.delete(`/v2/messages/${id}`)).status).toBe(404)
      await process()
    })
    expect(events).toEqual([])
    expect((await deploy.get(`/v2/messages/${id}`)).status).toBe(404)
    expect((await calendar.post(`/v2/messages/${id}/read`)).status).toBe(404)
    const released = async () => {
      await server.parley.files.sweep()
      const [row] = await server.parley.db.query<{ count: number }>(
        sql`select count(*) from stored_files where sweep_at is not null`,
      )
      return row?.count
    }
    // A running backup still needs it.
    await server.parley.db.transaction(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${BACKUP_LOCK})`)
      expect(await released()).toBe(1)
    })
    expect(await released()).toBe(0)
  })

  it('appears although what it replies to is gone', async () => {
    const parent = await calendar.post('/v2/messages', { topicId, text: 'Any news?' })
    const parentId = Object(parent.body).id
    const reply = await sendFiles(deploy, { topicId, parentId }, 'news')
    await calendar.delete(`/v2/messages/${parentId}`)
    await process()
    expect(await appeared(deploy, reply)).toMatchObject({ parentId })
  })

  it('appears at the time at which it was sent', async () => {
    const later = await calendar.post('/v2/messages', { topicId, text: 'Meanwhile' })
    await process()
    const { messages } = Object((await deploy.get(`/v2/topics/${topicId}/messages?limit=2`)).body)
    expect(messages.map((message: { id: string }) => message.id)).toEqual([Object(later.body).id, id])
  })
})

describe('an upload that is deleted while it is processed', () => {
  it('leaves nothing behind', async () => {
    const before = await traces(server)
    const big = sharp({ create: { width: 3000, height: 3000, channels: 3, background: 'red' } })
    const id = await sendFiles(deploy, { topicId }, await big.png({ compressionLevel: 1 }).toBuffer())
    const jobs = startJobs(server)
    onTestFinished(() => jobs.stop())
    // Processing has begun once the new image is being written.
    await eventually(async () => (await traces(server)).incoming).not.toBe(0)
    expect((await deploy.delete(`/v2/messages/${id}`)).status).toBe(204)
    await server.parley.files.sweep()
    await eventually(() => countJobs()).toBe(0)
    expect(await traces(server)).toEqual(before)
  })
})

describe('a message with files', () => {
  it('can have its caption edited, and its event has the files', async () => {
    const id = await sendFiles(deploy, { topicId, caption: 'The lgoo' }, { content: PNG, name: 'logo.png' })
    await process()
    const { result, events } = await during(server, orgId, () =>
      deploy.patch(`/v2/messages/${id}`, { text: `The logo, <@${ada}>` }),
    )
    expect(result.status).toBe(200)
    expect(await appeared(deploy, id)).toMatchObject({
      type: 'image',
      text: `The logo, <@${ada}>`,
      isEdited: true,
      mentions: [ada],
      attachmentDetails: [{ name: 'logo.png' }],
    })
    expect(events).toMatchObject([
      {
        type: 'message.updated',
        data: {
          updatedFields: ['text'],
          message: { previousText: 'The lgoo', attachments: [{ type: 'image', name: 'logo.png' }] },
        },
      },
    ])
  })

  it('takes its files along when it is deleted: links at once, the files with the sweep', async () => {
    const before = await traces(server)
    const kept = await sendFiles(deploy, { topicId }, 'kept')
    const id = await sendFiles(deploy, { topicId }, PNG, PDF)
    await process()
    const [image, plan] = (await appeared(deploy, id)).attachmentDetails
    const links = [image.url, image.thumbnailUrl, plan.url]
    expect(await Promise.all(links.map(statusOf))).toEqual([200, 200, 200])
    expect((await deploy.delete(`/v2/messages/${id}`)).status).toBe(204)
    expect(await Promise.all(links.map(statusOf))).toEqual([404, 404, 404])
    await server.parley.files.sweep()
    const { files, ...rows } = await traces(server)
    expect(files).toHaveLength(before.files.length + 1)
    expect(rows).toMatchObject({ stored: before.stored + 1 })
    expect(String(await download((await appeared(deploy, kept)).attachmentDetails[0].url))).toBe('kept')
  })
})

describe('an event with files', () => {
  type Told = {
    eventType: string
    data: { message: { id: string; attachments: { url: string; thumbnailUrl: string }[] } }
  }

  it('has links that are fresh when it is polled, however late', async () => {
    const { nextOffset } = Object((await calendar.get('/v2/updates')).body)
    const id = await sendFiles(
      deploy,
      { topicId, caption: '"url":"parley:att_1/x" $& $1' },
      { content: PNG, name: 'a "b" $&.png' },
    )
    await process()
    for (const ahead of [0, 2 * HOUR]) {
      server.clock.ahead = ahead
      const { body } = await calendar.get(`/v2/updates?offset=${nextOffset}`, now())
      const [told, ...more] = Object(body).updates as Told[]
      expect([told?.eventType, told?.data.message.id, more]).toEqual(['message.created', id, []])
      expect(told?.data.message).toMatchObject({
        text: '"url":"parley:att_1/x" $& $1',
        attachments: [{ type: 'image', name: 'a "b" $&.png', width: 12, contentType: 'image/png' }],
      })
      const [attachment] = told?.data.message.attachments ?? []
      await download(attachment?.url ?? '')
      await download(attachment?.thumbnailUrl ?? '')
    }
  })

  it('has links that are fresh when a webhook gets it, at each attempt', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const bot = await webhookBot(server, orgId, receiver.url)
    const topic = await deploy.post('/v2/topics', { name: 'News', members: [bot.id] })
    const dispatcher = startDispatcher(server)
    onTestFinished(() => dispatcher.stop())
    await receiver.has(1) // its own member.added
    receiver.script(500)
    await sendFiles(deploy, { topicId: Object(topic.body).id }, { content: PNG, name: 'logo.png' })
    await process()
    await eventually(() => countFailures(bot.id)).toBe(1)
    server.clock.ahead = 2 * HOUR
    const [, first, second] = await receiver.has(3)
    expect([first?.event.type, second?.event.type]).toEqual(['message.created', 'message.created'])
    const [early, late] = [first, second].map(
      (received) => Object(received?.event.data).message.attachments[0],
    )
    expect(late).toMatchObject({ type: 'image', name: 'logo.png', width: 12, height: 8 })
    expect(await statusOf(early.url)).toBe(403)
    await download(late.url)
    await download(late.thumbnailUrl)
  })
})

async function countFailures(botId: string): Promise<number> {
  const [row] = await server.parley.db.query<{ count: number }>(
    sql`select count(*) from delivery_attempts where bot_id = ${botId} and status = 500`,
  )
  return row?.count ?? 0
}

describe('a job that fails', () => {
  /** Starts the next attempt without waiting for its time. */
  async function tryAgain(id: string): Promise<void> {
    await server.parley.db.query(sql`update jobs set due_at = 0 where message_id = ${id}`)
    await server.parley.db.query(sql`select pg_notify(${jobsChannel('process')}, '')`)
  }

  it('is tried three times, and its message appears all the same, with a plain file', async () => {
    const id = await sendFiles(deploy, { topicId, caption: 'The logo' }, { content: PNG, name: 'logo.png' })
    const [row] = await server.parley.db.query<{ id: string }>(sql`
      select attachments->0->>'id' as id from pending_messages where id = ${id}`)
    await writeFile(placeOf(row?.id ?? ''), 'garbage')
    const jobs = startJobs(server)
    onTestFinished(() => jobs.stop())
    await eventually(async () => (await failures(id)).map(({ retryInMs }) => retryInMs)).toEqual([
      1000, 10_000,
    ])
    const [first, second] = await failures(id)
    // The first wait was waited for; put back with the lease of a try, it would have come up after ten seconds.
    const waited = Number(second?.time) - Number(first?.time)
    expect(waited).toBeGreaterThanOrEqual(1000)
    expect(waited).toBeLessThan(9000)
    expect((await deploy.get(`/v2/messages/${id}`)).status).toBe(404)
    await tryAgain(id)
    const message = await appeared(deploy, id)
    expect(message).toMatchObject({
      type: 'file',
      text: 'The logo',
      attachmentDetails: [{ type: 'file', name: 'logo.png' }],
    })
    expect(message.attachmentDetails[0]).not.toHaveProperty('thumbnailUrl')
    expect(String(await download(message.attachmentDetails[0].url))).toBe('garbage')
    expect(await countJobs()).toBe(0)
  })
  const failures = async (id: string): Promise<{ time: number; retryInMs: number }[]> =>
    server.logLines
      .filter((line) => line.includes(id) && line.includes('it will be tried again'))
      .map((line) => JSON.parse(line))

  it('of one file among several leaves the others as they are', async () => {
    const id = await sendFiles(
      deploy,
      { topicId },
      { content: PNG, name: 'a.png' },
      { content: PNG, name: 'b.png' },
    )
    const [row] = await server.parley.db.query<{ id: string }>(sql`
      select attachments->1->>'id' as id from pending_messages where id = ${id}`)
    await writeFile(placeOf(row?.id ?? ''), 'garbage')
    await server.parley.db.query(sql`update jobs set attempts = 2 where message_id = ${id}`)
    await process()
    const [whole, broken] = (await appeared(deploy, id)).attachmentDetails
    expect(broken).toMatchObject({ type: 'file', name: 'b.png' })
    expect((await sharp(await download(whole.url)).metadata()).format).toBe('png')
    expect(whole).toMatchObject({ type: 'image', width: 12 })
  })

  it('does not show where a picture was taken because another file is broken', async () => {
    const picture = await photo(PNG)
    const id = await sendFiles(
      deploy,
      { topicId },
      { content: PNG, name: 'a.png' },
      { content: picture, name: 'b.jpg' },
    )
    const [row] = await server.parley.db.query<{ id: string }>(sql`
      select attachments->0->>'id' as id from pending_messages where id = ${id}`)
    await writeFile(placeOf(row?.id ?? ''), 'garbage')
    await server.parley.db.query(sql`update jobs set attempts = 2 where message_id = ${id}`)
    await process()
    const [, shown] = (await appeared(deploy, id)).attachmentDetails
    expect((await sharp(await download(shown.url)).metadata()).exif).toBeUndefined()
  })
})

describe('files of one request', () => {
  it('are stored all or none: a slow one does not outlive the failure of another', async () => {
    const before = await traces(server)
    const path = server.parley.files.draftPath()
    await writeFile(path, Buffer.alloc(20_000_000, 'x'))
    const missing = { path: `${path}-missing`, contentType: 'text/plain', size: 1 }
    const slow = { path, contentType: 'text/plain', size: 20_000_000 }
    await expect(server.parley.files.store(orgId, [missing, slow])).rejects.toThrow(/ENOENT/)
    expect(await traces(server)).toEqual(before)
  })
})

describe('the sweep', () => {
  it('leaves alone what is stored for a request that is still under way, and removes it an hour later', async () => {
    const before = await traces(server)
    const path = server.parley.files.draftPath()
    await writeFile(path, 'loose')
    await server.parley.files.store(orgId, [{ path, contentType: 'text/plain', size: 5 }])
    await server.parley.files.sweep()
    expect(await traces(server)).toMatchObject({ stored: before.stored + 1 })
    server.clock.ahead = HOUR + 1000
    await server.parley.files.sweep()
    expect(await traces(server)).toEqual(before)
  })
})
