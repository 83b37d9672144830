import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import { hasCode, OperatorError } from '../errors.ts'
import { silenceStoreClient } from '../files/storage/open.ts'

/** The place of a present or future backup. */
export type Place = {
  /** The name shown to people. */
  name: string
  /** Writes a draft, which `publish` gives its name. */
  write(bytes: AsyncIterable<Buffer>): Promise<void>
  /** Reads the draft if there is one, else the published backup. */
  read(): AsyncIterable<Buffer>
  /** Bytes that `read` gives. */
  size(): Promise<number>
  publish(): Promise<void>
  discard(): Promise<void>
}

/** The folder of scheduled backups. */
export type BackupFolder = {
  /** The place of a backup of this name, as `openPlace` takes it. */
  placeOf(name: string): string
  /** Removes drafts of interrupted backups. */
  removeDrafts(isBackup: (name: string) => boolean): Promise<void>
  list(): Promise<string[]>
  remove(name: string): Promise<void>
}

const isBucket = (place: string): boolean => place.startsWith('s3://')

/** Opens a file, or `s3://bucket/key`, whose client is loaded on demand. */
export async function openPlace(place: string, { s3 }: Pick<Config, 's3'>): Promise<Place> {
  if (!isBucket(place)) return filePlace(place)
  silenceStoreClient()
  return (await import('./bucket-place.ts')).bucketPlace(place, s3)
}

export async function openBackupFolder(folder: string, { s3 }: Pick<Config, 's3'>): Promise<BackupFolder> {
  if (!isBucket(folder)) return fileFolder(folder)
  silenceStoreClient()
  return (await import('./bucket-place.ts')).bucketFolder(folder, s3)
}

function fileFolder(folder: string): BackupFolder {
  return {
    placeOf: (name) => join(folder, name),
    async removeDrafts(isBackup) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const name of await readdir(folder)) {
        if (name.endsWith(DRAFT) && isBackup(name.slice(0, -DRAFT.length)))
          await rm(join(folder, name), { force: true })
      }
    },
    list: () => readdir(folder),
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}

/** The ending of an unfinished file's name. */
const DRAFT = '.partial'

/** A file of this machine. It has its name only when it is whole, and never replaces another. */
function filePlace(path: string): Place {
  const target = resolve(path)
  const draft = target + DRAFT
  let hasDraft = false
  const source = (): string => {
    const path = hasDraft ? draft : target
    if (!existsSync(path)) throw new OperatorError(`There is no file ${path}.`)
    return path
  }
  return {
    name: target,
    async write(bytes) {
      if (existsSync(target))
        throw new OperatorError(`${target} is there already. Give another name, or remove it first.`)
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      hasDraft = true
      await pipeline(bytes, createWriteStream(draft, { mode: 0o600, flush: true })).catch(
        (error: unknown) => {
          if (!hasCode(error, 'ENOSPC')) throw error
          throw new OperatorError(`The disk is full: there is no room for the backup at ${target}.`, {
            cause: error,
          })
        },
      )
    },
    read() {
      return Readable.from(createReadStream(source()))
    },
    size: async () => (await stat(source())).size,
    async publish() {
      await rename(draft, target)
      hasDraft = false
      const folder = await open(dirname(target), 'r')
      await folder.sync().finally(() => folder.close())
    },
    async discard() {
      if (hasDraft) await rm(draft, { force: true })
    },
  }
}
