import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { LIMITS } from '../../contract/limits.ts'
import { keepCustomEmoji } from '../actions/custom-emoji.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { badRequest } from '../errors.ts'
import { Files } from '../files/files.ts'
import { Images } from '../files/images/images.ts'
import { storePicture } from '../files/receive.ts'
import { openStorage } from '../files/storage/storage.ts'
import { createLog } from '../log.ts'
import type { ImportedEmoji } from './source.ts'

/** A place for pictures that an import brings: each is decoded and made small like one that somebody adds, or refused. */
export async function openPictures({ config, db }: { config: Config; db: Database }, orgId: string) {
  const log = createLog(config)
  const storage = await openStorage(config)
  const files = new Files(db, storage, config, log)
  const images = new Images(config, log)
  await files.open()
  return {
    async keepEmoji({ name, open }: ImportedEmoji, createdBy: string): Promise<void> {
      const path = files.draftPath()
      try {
        const size = await write(await open(), path)
        const [stored] = await storePicture({ files, images, log }, orgId, 'emoji', { path, size, name })
        if (!stored) throw badRequest('its picture could not be stored')
        await db.write(orgId, (tx) => keepCustomEmoji(tx, createdBy, { name, fileId: stored.id }))
      } finally {
        await rm(path, { force: true })
      }
    },
    close(): void {
      images.close()
      storage.close()
    },
  }
}

/** Writes as much as an emoji may have, and refuses more. */
async function write(picture: AsyncIterable<Buffer>, path: string): Promise<number> {
  let size = 0
  const bounded = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      size += chunk.length
      if (size > LIMITS.customEmojiBytes) throw badRequest('file too large')
      yield chunk
    }
  }
  await pipeline(picture, bounded, createWriteStream(path, { mode: 0o600 }))
  return size
}
