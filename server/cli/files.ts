import { copyFile, rm, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pino } from 'pino'
import { acceptUpload } from '../actions/uploads.ts'
import type { Caller } from '../auth/bots.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { OperatorError } from '../errors.ts'
import { Files } from '../files/files.ts'
import { inspectFiles, storeFiles } from '../files/receive.ts'
import { openStorage } from '../files/storage/storage.ts'

/** Files for the moment of a command: takes one from the operator's disk into the store. */
export async function openFiles(db: Database, config: Config) {
  const files = new Files(db, await openStorage(config), config.filesDir, pino({ level: 'silent' }))
  await files.open()

  return {
    async send(
      sender: Caller,
      { topicId, caption }: { topicId: string; caption: string | undefined },
      file: string,
    ) {
      const size = await sizeOf(file)
      if (size > config.maxFileBytes) {
        throw new OperatorError(
          `${file} is larger than MAX_FILE_MB (${config.maxFileBytes / 1024 / 1024}) allows.`,
        )
      }
      const path = files.draftPath()
      try {
        await copyFile(file, path)
        const draft = { path, size, name: basename(resolve(file)), declaredType: undefined }
        const attachments = await storeFiles(files, [draft], await inspectFiles([draft]))
        try {
          return await db.write(sender.orgId, (tx) =>
            acceptUpload(tx, sender, { topicId, caption, attachments }),
          )
        } finally {
          await files.discard(attachments)
        }
      } finally {
        await rm(path, { force: true })
        files.storage.close()
      }
    },
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new OperatorError(`There is no file at ${resolve(file)}.`)
  if (found.size === 0) throw new OperatorError(`${file} is empty.`)
  return found.size
}
