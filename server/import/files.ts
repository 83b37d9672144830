import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { LIMITS } from '../../contract/limits.ts'
import { keepCustomEmoji } from '../actions/organization/custom-emoji.ts'
import { connect } from '../backup/backup.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { IMPORT_LOCK } from '../db/file-locks.ts'
import { Refusal, refusal } from '../errors.ts'
import { Files } from '../files/files.ts'
import { cleanName } from '../files/form.ts'
import { Images } from '../files/images/images.ts'
import { inspectFiles, storeFiles, storePicture } from '../files/receive.ts'
import { openStorage } from '../files/storage/open.ts'
import { createLog } from '../log.ts'
import type { StoredAttachment } from '../queries/messages/messages.ts'
import { plainFile, processFile } from '../uploads/process.ts'
import type { ImportedEmoji } from './source.ts'

export type ImportFiles = Awaited<ReturnType<typeof openFiles>>

/** Takes an import's files. Each is checked like an uploaded one, and stored or refused. */
export async function openFiles({ config, db }: { config: Config; db: Database }, orgId: string) {
  const log = createLog(config)
  const lock = await holdFiles(db)
  const storage = await openStorage(config)
  const files = new Files(db, storage, config, log)
  const images = new Images(config, log)
  const { signal } = new AbortController()
  await files.open()
  const prepare = (stored: StoredAttachment): Promise<StoredAttachment> =>
    processFile(stored, {
      files,
      remake: (paths) => images.remake(orgId, paths, { compress: false, signal }),
      measure: (path, sniffed) => images.measure(orgId, path, sniffed, signal),
    }).catch((error: unknown) => {
      if (error instanceof Refusal) return plainFile(stored)
      throw error
    })
  return {
    async keepEmoji({ name, open }: ImportedEmoji, createdBy: string): Promise<void> {
      const path = files.draftPath()
      try {
        const size = await write(open, path, LIMITS.customEmojiBytes)
        const [stored] = await storePicture({ files, images, log }, orgId, 'emoji', { path, size, name })
        if (!stored) throw refusal('picture_not_stored')
        await db.write(orgId, (tx) => keepCustomEmoji(tx, createdBy, { name, fileId: stored.id }))
      } finally {
        await rm(path, { force: true })
      }
    },

    /** Stores a file that nothing refers to yet, ready to be shown. A refusal says why it is not taken. */
    async storeFile({ name, open }: { name: string; open(): Promise<Readable> }): Promise<StoredAttachment> {
      const path = files.draftPath()
      try {
        const size = await write(open, path, config.maxFileBytes)
        if (size === 0) throw refusal('file_empty')
        const inspected = await inspectFiles(images, orgId, [{ path, size, name: cleanName(name) }])
        const [stored] = await storeFiles(files, orgId, inspected)
        if (!stored) throw new Error('a file was stored without an id')
        return await prepare(stored).catch(async (error: unknown) => {
          await files.discard([stored])
          throw error
        })
      } finally {
        await rm(path, { force: true })
      }
    },

    /** Removes stored files without references. */
    discardFiles: (stored: readonly StoredAttachment[]): Promise<void> => files.discard(stored),

    async close(): Promise<void> {
      images.close()
      storage.close()
      await lock.end()
    },
  }
}

/** Keeps files without references for as long as this connection lives. */
async function holdFiles(db: Database): Promise<pg.Client> {
  const client = await connect(db.config)
  // A hold that is lost leaves files as long as those of any upload. The import itself hears of a lost database by its writes.
  client.on('error', () => {})
  await client.query('select pg_advisory_lock_shared($1)', [IMPORT_LOCK])
  return client
}

/** Writes as much as a file may have, and refuses more, and what the archive cannot give. */
async function write(open: () => Promise<Readable>, path: string, maxBytes: number): Promise<number> {
  let size = 0
  const bounded = async function* () {
    const source = await readable(open())
    const chunks = source[Symbol.asyncIterator]()
    try {
      for (let next = await readable(chunks.next()); !next.done; next = await readable(chunks.next())) {
        size += next.value.length
        if (size > maxBytes) throw refusal('file_too_large')
        yield next.value
      }
    } finally {
      source.destroy()
    }
  }
  await pipeline(bounded, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  return size
}

/** A damaged archive costs the file, not the import. */
async function readable<Result>(step: Promise<Result>): Promise<Result> {
  return step.catch(() => {
    throw refusal('file_unreadable')
  })
}
