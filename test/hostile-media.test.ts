import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileFile } from '../fuzz/media.ts'
import { Random } from '../fuzz/random.ts'
import { organization, staticBot } from './support/cast.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PNG } from './support/samples.ts'
import { appeared, sendFiles } from './support/uploads.ts'
import { silence } from './support/wav.ts'

const ROOT = join(import.meta.dirname, '..')
/** Packages that read bytes of strangers. */
const READERS = ['file-type', 'htmlparser2', 'music-metadata', 'sharp']

/** An MP3 whose header is nothing but small tags: 700,000 of them, 10 MB, took 280 MB and stopped the server for 3.8 seconds. */
function manyTags(count: number): Buffer {
  const tags = Buffer.from('TXXX\0\0\0\x04\0\0\0a\0b'.repeat(count), 'latin1')
  const length = [21, 14, 7, 0].map((bits) => (tags.length >> bits) & 127)
  return Buffer.concat([
    Buffer.from('ID3\x03\0\0'),
    Buffer.from(length),
    tags,
    Buffer.from('fffb9000', 'hex'),
  ])
}

/** An M4A of empty boxes: 500,000 of them, 4 MB, take 47 seconds to read. */
const manyBoxes = (count: number): Buffer =>
  Buffer.concat([
    Buffer.from('\0\0\0\x14ftypM4A \0\0\0\0isom', 'latin1'),
    box('moov', Buffer.concat([box('mvhd', Buffer.alloc(100)), Buffer.from('\0\0\0\x08free'.repeat(count))])),
  ])

function box(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(name, 4)
  return Buffer.concat([head, content])
}

type Stage = { server: TestParley; receive(content: Buffer | string, name: string): Promise<Received> }
type Received = { type: string; contentType: string; duration?: number }

/** A server that works on what is sent, with this many seconds for a file. */
async function openStage(imageSeconds: number): Promise<Stage & { close(): Promise<void> }> {
  const server = await startTestParley({ imageProcesses: 1, imageSeconds, maxFileBytes: 16 * 1024 * 1024 })
  const jobs = startJobs(server)
  const bot = await staticBot(server, await organization(server), 'Recorder')
  const topicId = Object((await bot.post('/v2/topics', { name: 'Sounds', members: [] })).body).id
  return {
    server,
    async receive(content, name) {
      const message = await appeared(bot, await sendFiles(bot, { topicId }, { content, name }))
      return message.attachmentDetails[0]
    },
    async close() {
      await jobs.stop()
      await server.close()
    },
  }
}

describe('a file', () => {
  let stage: Awaited<ReturnType<typeof openStage>>
  beforeAll(async () => {
    stage = await openStage(120)
  })
  afterAll(() => stage.close())

  it('that takes more memory than its reader has is sent as a plain file, and the next one is read', async () => {
    expect(await stage.receive(manyTags(400_000), 'song.mp3')).toMatchObject({
      type: 'file',
      contentType: 'audio/mpeg',
    })
    expect(stage.server.logLines.join('')).toMatch(/image process ended.*taken as a plain file/s)
    expect(await stage.receive(silence(2), 'voice.wav')).toMatchObject({ type: 'audio', duration: 2000 })
  })

  it('whose reader is killed by chance is read by the next one', async () => {
    const { looks } = stage.server.parley.images
    await stage.receive('a text', 'note.txt')
    const [pid = 0] = looks.pids
    process.kill(pid, 'SIGSTOP')
    const image = stage.receive(PNG, 'logo.png')
    await expect.poll(() => looks.turns.running).toBe(1)
    process.kill(pid, 'SIGKILL')
    expect(await image).toMatchObject({ type: 'image' })
  })

  it('of any bytes has a kind', async () => {
    const { images, files } = stage.server.parley
    const path = files.draftPath()
    const { signal } = new AbortController()
    try {
      for (let seed = 0; seed < 100; seed++) {
        await writeFile(path, hostileFile(new Random(seed)).content)
        const sniffed = await images.sniff('Ada', path)
        const { kind, duration = 1 } = await images.measure('Ada', path, sniffed, signal)
        expect(['image', 'audio', 'video', 'file']).toContain(kind)
        expect(Number.isSafeInteger(duration) && duration > 0).toBe(true)
      }
    } finally {
      await rm(path, { force: true })
    }
  })
})

describe('a file that takes too long', () => {
  let stage: Awaited<ReturnType<typeof openStage>>
  beforeAll(async () => {
    stage = await openStage(2)
  })
  afterAll(() => stage.close())

  it('is sent as a plain file where it is a sound', async () => {
    const slow = await stage.receive(manyBoxes(500_000), 'voice.m4a')
    expect(slow).toMatchObject({ type: 'file', contentType: 'audio/x-m4a' })
    expect(stage.server.logLines.join('')).toContain('a file took longer than 2000 ms')
  })

  it('is a plain file where nobody can tell what it is, and its process is replaced', async () => {
    const { looks } = stage.server.parley.images
    const [pid = 0] = looks.pids
    process.kill(pid, 'SIGSTOP')
    expect(await stage.receive(PNG, 'logo.png')).toMatchObject({
      type: 'file',
      contentType: 'application/octet-stream',
    })
    expect(looks.pids).not.toContain(pid)
    expect(await stage.receive(PNG, 'logo.png')).toMatchObject({ type: 'image' })
  })
})

describe('the server', () => {
  it('loads no reader of strangers’ bytes into its own process', async () => {
    const found: string[] = []
    const seen = new Set<string>()
    const visit = async (file: string): Promise<void> => {
      if (seen.has(file)) return
      seen.add(file)
      const text = await readFile(file, 'utf8')
      for (const [, named, lazy = named] of text.matchAll(
        /^(?:import|export)(?! type)[^;']*?from '([^']+)'|\bimport\('([^']+)'\)/gm,
      )) {
        const path = lazy ?? ''
        if (READERS.includes(path)) found.push(`${relative(ROOT, file)} imports ${path}`)
        if (path.startsWith('.')) await visit(join(dirname(file), path))
      }
    }
    await visit(join(ROOT, 'server/cli/main.ts'))
    expect(seen.size).toBeGreaterThan(300)
    expect(found).toEqual([])
  })
})
