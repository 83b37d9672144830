import { rm, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { NoRoom, Turns } from '../server/files/images/turns.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { eventually } from './support/eventually.ts'
import { upload } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { claiming, PNG } from './support/samples.ts'
import { appeared, sendFiles, traces } from './support/uploads.ts'

type Tenant = { bot: StaticTestBot; topicId: string }

async function tenant(server: TestParley, name: string): Promise<Tenant> {
  const bot = await staticBot(server, await organization(server, name), name)
  const topic = await bot.post('/v2/topics', { name: 'Pictures', members: [] })
  return { bot, topicId: Object(topic.body).id }
}

const sends = ({ bot, topicId }: Tenant, content: Buffer | string = PNG) =>
  upload(bot, '/v2/messages', { topicId }, [{ content, name: 'logo.png' }])

/** One image process, which can be made to stand still as if it had a costly image in hand. */
async function withStandstill(server: TestParley, work: (pid: number) => Promise<void>): Promise<void> {
  const [pid] = server.parley.images.work.pids
  if (pid === undefined) throw new Error('there is no image process yet')
  process.kill(pid, 'SIGSTOP')
  try {
    await work(pid)
  } finally {
    try {
      process.kill(pid, 'SIGCONT')
    } catch {
      // The process was killed by the test.
    }
  }
}

const waiting = (server: TestParley) => eventually(async () => server.parley.images.work.turns.waiting)

describe('the pixels of an image', () => {
  let server: TestParley
  let ada: Tenant
  beforeAll(async () => {
    server = await startTestParley()
    ada = await tenant(server, 'Ada Labs')
  })
  afterAll(() => server.close())

  it.each([
    ['jpeg', 10_000, 10_000],
    ['png', 10_000, 5000],
    ['webp', 5000, 5000],
    ['avif', 4000, 4000],
  ] as const)('are limited by its format, as its header tells them: %s', async (format, width, height) => {
    expect(width * height).toBe(LIMITS.imagePixels[format])
    const before = await traces(server)
    const above = await sends(ada, await claiming(format, width + 1, height))
    expect([above.status, above.body]).toEqual([400, 'image has too many pixels'])
    expect(await traces(server)).toEqual(before)
    // There is nothing behind the header, so this one is damaged, but not too large.
    const within = await sends(ada, await claiming(format, width, height))
    expect(within.body).not.toBe('image has too many pixels')
  })
})

describe('an image process', () => {
  let server: TestParley
  let ada: Tenant
  let ben: Tenant
  beforeAll(async () => {
    server = await startTestParley({ imageProcesses: 1, imageSeconds: 60 })
    ada = await tenant(server, 'Ada Labs')
    ben = await tenant(server, 'Ben Works')
  })
  afterAll(() => server.close())

  it('starts with the first image and serves the next ones', async () => {
    await sends(ada, 'a text')
    expect(server.parley.images.work.pids).toEqual([])
    expect((await sends(ada)).status).toBe(200)
    const { pids } = server.parley.images.work
    expect(pids).toHaveLength(1)
    expect((await sends(ben)).status).toBe(200)
    expect(server.parley.images.work.pids).toEqual(pids)
    expect(pids).not.toContain(process.pid)
  })

  it('that ends is replaced, also in the middle of an image', async () => {
    await sends(ada)
    await withStandstill(server, async (pid) => {
      const answer = sends(ada)
      await eventually(async () => server.parley.images.work.turns.running).toBe(1)
      process.kill(pid, 'SIGKILL')
      expect((await answer).status).toBe(200)
    })
    const [idle] = server.parley.images.work.pids
    process.kill(idle ?? 0, 'SIGKILL')
    expect((await sends(ben)).status).toBe(200)
    expect(server.parley.images.work.pids).not.toContain(idle)
  })

  it('serves organizations in turns, not first come, first served', async () => {
    await sends(ada)
    const { images, files } = server.parley
    const path = files.draftPath()
    await writeFile(path, PNG)
    const served: string[] = []
    const check = (name: string) => images.check(name, path).then(() => served.push(name))
    let all: Promise<unknown> | undefined
    await withStandstill(server, async () => {
      const brought = ['Ada', 'Ada', 'Ada', 'Ada', 'Ben', 'Cleo']
      all = Promise.all(brought.map(check))
    })
    await all?.finally(() => rm(path))
    expect(served).toEqual(['Ada', 'Ada', 'Ben', 'Cleo', 'Ada', 'Ada'])
  })

  it('has room for 32 images of an organization; further ones are refused for now', async () => {
    await sends(ada)
    const all: Promise<{ status: number }>[] = []
    await withStandstill(server, async () => {
      for (let sent = 0; sent < 33; sent++) all.push(sends(ada))
      await waiting(server).toBe(32)
      const before = await traces(server)
      const refused = await sends(ada)
      expect([refused.status, refused.body]).toEqual([429, 'too many images at once'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await traces(server)).toEqual(before)
      expect((await sends(ada, 'a text does not wait for images')).status).toBe(200)
      all.push(sends(ben))
      await waiting(server).toBe(33)
    })
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
  })
})

describe('an image', () => {
  let server: TestParley
  let ada: Tenant
  beforeAll(async () => {
    server = await startTestParley({ imageProcesses: 1, imageSeconds: 2 })
    ada = await tenant(server, 'Ada Labs')
  })
  afterAll(() => server.close())

  it('that takes too long in the background is sent as a plain file', async () => {
    const messageId = await sendFiles(ada.bot, { topicId: ada.topicId }, { content: PNG, name: 'logo.png' })
    await withStandstill(server, async () => {
      const jobs = startJobs(server)
      try {
        const message = await appeared(ada.bot, messageId)
        expect([message.type, message.attachmentDetails[0]]).toMatchObject([
          'file',
          { type: 'file', name: 'logo.png', size: PNG.length },
        ])
      } finally {
        await jobs.stop()
      }
    })
  })

  it('that takes too long is refused; its process is killed, and the next one goes on', async () => {
    const { tooSlow } = server.parley.images
    await sends(ada)
    const before = await traces(server)
    await withStandstill(server, async (pid) => {
      const answer = await sends(ada)
      expect([answer.status, answer.body]).toEqual([400, 'image takes too long to read'])
      expect(await traces(server)).toEqual(before)
      expect(server.parley.images.work.pids).not.toContain(pid)
    })
    expect(server.parley.images.tooSlow).toBe(tooSlow + 1)
    expect((await sends(ada)).status).toBe(200)
  })
})

describe('work in the background', () => {
  it('of one organization does not keep the messages of another waiting', async () => {
    const server = await startTestParley({ imageProcesses: 1, imageSeconds: 60 })
    const [ada, ben] = [await tenant(server, 'Ada Labs'), await tenant(server, 'Ben Works')]
    const pictures = await Promise.all(
      Array.from({ length: 12 }, () => sendFiles(ada.bot, { topicId: ada.topicId }, PNG)),
    )
    let jobs: { stop(): Promise<void> } | undefined
    try {
      await withStandstill(server, async () => {
        jobs = startJobs(server)
        await eventually(async () => server.parley.images.work.turns.running).toBe(1)
        const notes = await sendFiles(ben.bot, { topicId: ben.topicId }, 'just words')
        await appeared(ben.bot, notes)
        expect((await ada.bot.get(`/v2/messages/${pictures[0]}`)).status).toBe(404)
      })
      for (const id of pictures) expect((await appeared(ada.bot, id)).type).toBe('image')
    } finally {
      await jobs?.stop()
      await server.close()
    }
  })

  it('ends with the server, and is taken up by the next one', async () => {
    const server = await startTestParley({ imageProcesses: 1, imageSeconds: 60 })
    try {
      const ada = await tenant(server, 'Ada Labs')
      const id = await sendFiles(ada.bot, { topicId: ada.topicId }, PNG)
      await withStandstill(server, async () => {
        const jobs = startJobs(server)
        await eventually(async () => server.parley.images.work.turns.running).toBe(1)
        await jobs.stop() // though the image would take for ever
      })
      const next = startJobs(server)
      expect((await appeared(ada.bot, id)).type).toBe('image')
      await next.stop()
    } finally {
      await server.close()
    }
  })
})

describe('turns', () => {
  const never = () => new Promise<never>(() => {})
  const bounds = { running: 2, runningOfOne: 1, waiting: 6, waitingOfOne: 4 }

  it('leave a place to the others, however much one brings', async () => {
    const turns = new Turns(bounds)
    const begun: string[] = []
    const hold = (name: string) => {
      turns.run(name, () => {
        begun.push(name)
        return never()
      })
    }
    for (let count = 0; count < 4; count++) hold('Ada')
    hold('Ben')
    hold('Ben')
    await new Promise(setImmediate)
    expect([begun, turns.running, turns.waiting]).toEqual([['Ada', 'Ben'], 2, 4])
  })

  it('go around', async () => {
    const turns = new Turns({ ...bounds, running: 1 })
    const begun: string[] = []
    const brought = ['Ada', 'Ada', 'Ada', 'Ben', 'Ben', 'Cleo'].map((name) =>
      turns.run(name, async () => {
        begun.push(name)
      }),
    )
    await Promise.all(brought)
    // The first one began at once, with no other owner waiting.
    expect(begun).toEqual(['Ada', 'Ada', 'Ben', 'Cleo', 'Ada', 'Ben'])
    expect([turns.running, turns.waiting]).toEqual([0, 0])
  })

  it('have room for so many of one and so many in all; accepted work waits all the same', async () => {
    const turns = new Turns(bounds)
    const hold = (name: string, patient = false) => turns.run(name, never, { patient })
    for (let count = 0; count < 5; count++) hold('Ada')
    await expect(hold('Ada')).rejects.toThrow(NoRoom)
    for (let count = 0; count < 3; count++) hold('Ben')
    expect(turns.waiting).toBe(6)
    await expect(hold('Cleo')).rejects.toThrow(NoRoom)
    hold('Cleo', true)
    expect(turns.waiting).toBe(7)
  })

  it('are given up when their caller stops waiting', async () => {
    const turns = new Turns(bounds)
    const stop = new AbortController()
    turns.run('Ada', never)
    const left = turns.run('Ada', never, { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(left).rejects.toThrow('enough')
    expect([turns.running, turns.waiting]).toEqual([1, 0])
  })
})
