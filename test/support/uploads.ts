import { readdir } from 'node:fs/promises'
import { expect, vi } from 'vitest'
import { sql } from '../../server/db/sql.ts'
import type { TestBot } from './cast.ts'
import { type FormFile, upload } from './forms.ts'
import type { TestParley } from './parley.ts'
import { PATIENCE_MS } from './patience.ts'

type Traces = {
  stored: number
  pending: number
  jobs: number
  messages: number
  /** The number of files being stored or removed. */
  incoming: number
  files: string[]
}

/** All that uploads leave: how many rows of each kind, and every file below the folder of files. */
export async function traces({ parley }: TestParley): Promise<Traces> {
  const [rows] = await parley.db.query<Omit<Traces, 'files' | 'incoming'>>(sql`
    select (select count(*) from stored_files) as stored, (select count(*) from pending_messages) as pending,
      (select count(*) from jobs) as jobs, (select count(*) from messages) as messages`)
  if (!rows) throw new Error('a count is always there')
  const incoming = (await filesIn(parley.files.incoming)).length
  return { ...rows, incoming, files: await filesIn(parley.config.filesDir) }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
}

/** Sends files, and returns the id of the future message. */
export async function sendFiles(
  bot: TestBot,
  meta: Record<string, unknown>,
  ...files: (FormFile | Buffer | string)[]
): Promise<string> {
  const parts = files.map((file) =>
    Buffer.isBuffer(file) || typeof file === 'string' ? { content: file } : file,
  )
  const answer = await upload(bot, '/v2/messages', meta, parts)
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body).id
}

/** Waits until a message has appeared, and reads it. */
export async function appeared(bot: TestBot, id: string, timeout = PATIENCE_MS) {
  return vi.waitFor(
    async () => {
      const answer = await bot.get(`/v2/messages/${id}`)
      expect(answer.status).toBe(200)
      return Object(answer.body)
    },
    { timeout, interval: 25 },
  )
}

/** The file behind a link. */
export async function download(link: string): Promise<Buffer> {
  const response = await fetch(link)
  const content = Buffer.from(await response.arrayBuffer())
  expect(response.status, content.toString()).toBe(200)
  return content
}
