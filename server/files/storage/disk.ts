import { constants } from 'node:fs'
import { copyFile, type FileHandle, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import { checkKey } from './key.ts'
import { NoSuchFile, type Storage } from './storage.ts'

/** Error codes of file systems that cannot sync a folder, such as those of Windows and some on a network. */
const CANNOT_SYNC_FOLDERS = ['EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP']

/** Files in a local folder, spread over some 256 subfolders. */
export class DiskStorage implements Storage {
  readonly #folder: string
  /** Folders whose names are known to survive a crash. */
  readonly #settled = new Set<string>()

  constructor(folder: string) {
    this.#folder = resolve(folder)
  }

  async put(key: string, path: string): Promise<void> {
    const place = this.#place(key)
    await writeOut(path)
    await this.#settle(dirname(place))
    await move(path, place)
    await syncFolder(dirname(place))
  }

  async lend<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result> {
    return work(await this.#find(key))
  }

  async locate(key: string): Promise<{ path: string }> {
    return { path: await this.#find(key) }
  }

  async pageSource(): Promise<undefined> {}

  async remove(key: string): Promise<void> {
    await rm(this.#place(key), { force: true })
  }

  async check(): Promise<void> {
    const probe = join(this.#folder, `.check-${newUuid()}`)
    try {
      await makeFolder(this.#folder)
      await writeFile(probe, '', { mode: 0o600 })
      await rm(probe)
    } catch (error) {
      throw new OperatorError(
        `Files cannot be kept in ${this.#folder} (${messageOf(error)}). ` +
          'Make it a folder that the user who runs Parley may write to, or set DATA_DIR to another place.',
        { cause: error },
      )
    }
  }

  close(): void {}

  /** Spreads files by the end of their id, which is random. The beginning may be a time, the same for years. */
  #place(key: string): string {
    checkKey(key)
    const [id = key] = key.split('.')
    return join(this.#folder, id.slice(-2), key)
  }

  async #find(key: string): Promise<string> {
    const place = this.#place(key)
    if (await exists(place)) return place
    throw new NoSuchFile(`there is no file ${place}`)
  }

  /** A folder that is there may be one that another put has just made, and that a crash would still take along. */
  async #settle(folder: string): Promise<void> {
    await makeFolder(folder)
    if (this.#settled.has(folder)) return
    await syncFolder(this.#folder)
    this.#settled.add(folder)
  }
}

async function writeOut(path: string): Promise<void> {
  // Opened for writing as well, because Windows does not flush a file opened for reading only.
  const file = await open(path, 'r+')
  try {
    await file.chmod(0o600)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Replaces `to` as a whole, even from another disk. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await moveBetweenDisks(from, to)
  }
}

async function moveBetweenDisks(from: string, to: string): Promise<void> {
  const copy = join(dirname(to), `.copy-${newUuid()}`)
  try {
    await copyFile(from, copy, constants.COPYFILE_EXCL)
    await writeOut(copy)
    await rename(copy, to)
  } catch (error) {
    await rm(copy, { force: true })
    throw error
  }
  await rm(from)
}

/** Makes the folder with those above it, and syncs each new one so that it survives a crash. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined
  try {
    handle = await open(folder, 'r')
    await handle.sync()
  } catch (error) {
    if (!CANNOT_SYNC_FOLDERS.includes(codeOf(error))) throw error
  } finally {
    await handle?.close()
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
