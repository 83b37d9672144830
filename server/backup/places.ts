import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { hasCode, OperatorError } from '../errors.ts'

/** Where a backup lies, or will lie. */
export type Place = {
  /** For people. */
  name: string
  /** Writes a draft, which `publish` gives its name. */
  write(bytes: AsyncIterable<Buffer>): Promise<void>
  /** The draft, where there is one; else what has the name. */
  read(): AsyncIterable<Buffer>
  publish(): Promise<void>
  discard(): Promise<void>
}

/** How the name of a file ends that is not whole yet. */
export const DRAFT = '.partial'

/** A file of this machine. It has its name only when it is whole, and never replaces another. */
export function filePlace(path: string): Place {
  const target = resolve(path)
  const draft = target + DRAFT
  let hasDraft = false
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
      const source = hasDraft ? draft : target
      if (!existsSync(source)) throw new OperatorError(`There is no file ${source}.`)
      return Readable.from(createReadStream(source))
    },
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
