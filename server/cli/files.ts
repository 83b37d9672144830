import { copyFile, rm, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pino } from 'pino'
import { acceptUpload } from '../actions/messages/uploads.ts'
import type { Caller } from '../caller.ts'
import { OperatorError } from '../errors.ts'
import { Files } from '../files/files.ts'
import { Images } from '../files/images/images.ts'
import { inspectFiles, storeFiles } from '../files/receive.ts'
import { openStorage } from '../files/storage/open.ts'
import type { Installation } from './installation.ts'

export async function sendFile(
  { db, config }: Pick<Installation, 'db' | 'config'>,
  sender: Caller,
  { topicId, caption, file }: { topicId: string; caption: string | undefined; file: string },
) {
  const size = await sizeOf(file)
  if (size > config.maxFileBytes) {
    throw new OperatorError(
      `${file} is larger than MAX_FILE_MB (${config.maxFileBytes / 1024 / 1024}) allows.`,
    )
  }
  const log = pino({ level: 'silent' })
  const files = new Files(db, await openStorage(config), config, log)
  const images = new Images(config, log)
  await files.open()
  const path = files.draftPath()
  try {
    await copyFile(file, path)
    const draft = { path, size, name: basename(resolve(file)) }
    const attachments = await storeFiles(
      files,
      sender.orgId,
      await inspectFiles(images, sender.orgId, [draft]),
    )
    try {
      return await db.write(sender.orgId, (tx) => acceptUpload(tx, sender, { topicId, caption, attachments }))
    } finally {
      await files.discard(attachments)
    }
  } finally {
    await rm(path, { force: true })
    images.close()
    files.storage.close()
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined)
  if (!found?.isFile()) throw new OperatorError(`There is no file at ${resolve(file)}.`)
  if (found.size === 0) throw new OperatorError(`${file} is empty.`)
  return found.size
}
