import { createReadStream, promises as files } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'
import { hasCode, OperatorError } from '../errors.ts'

/** The largest file that is read whole. A day of one topic, or a list of people, is far smaller. */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024

/** An export: a ZIP file, or a folder into which one was unpacked. */
export type Archive = {
  /** All files, with `/` between folders. */
  names: readonly string[]
  has(name: string): boolean
  /** The file's size according to the archive. */
  sizeOf(name: string): Promise<number>
  open(name: string): Promise<Readable>
  /** Reads a file, unless it is too large for a part of an export. */
  read(name: string): Promise<string>
  close(): Promise<void>
}

export async function openArchive(path: string): Promise<Archive> {
  const isFolder = await files.stat(path).then(
    (stat) => stat.isDirectory(),
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) throw new OperatorError(`There is no file ${path}.`)
      throw error
    },
  )
  return isFolder ? openFolder(path) : openZip(path)
}

async function openFolder(root: string): Promise<Archive> {
  const entries = await files.readdir(root, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const known = new Set(names)
  const sizeOf = async (name: string): Promise<number> => (await files.stat(join(root, name))).size
  return {
    names,
    has: (name) => known.has(name),
    sizeOf,
    open: async (name) => createReadStream(join(root, name)),
    async read(name) {
      refuseLarge(name, await sizeOf(name))
      return files.readFile(join(root, name), 'utf8')
    },
    close: async () => {},
  }
}

async function openZip(path: string): Promise<Archive> {
  const zip = await yauzl.openPromise(path, { autoClose: false }).catch((error: unknown) => {
    throw new OperatorError(`${path} is no ZIP file: ${error instanceof Error ? error.message : error}`)
  })
  const entries = new Map<string, yauzl.Entry>()
  for await (const entry of zip.eachEntry())
    if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
  const entryOf = (name: string): yauzl.Entry => {
    const entry = entries.get(name)
    if (!entry) throw new Error(`${name} is not in ${path}`)
    return entry
  }
  const open = async (name: string): Promise<Readable> => zip.openReadStreamPromise(entryOf(name))
  return {
    names: [...entries.keys()],
    has: (name) => entries.has(name),
    sizeOf: async (name) => entryOf(name).uncompressedSize,
    open,
    async read(name) {
      refuseLarge(name, entryOf(name).uncompressedSize)
      return (await buffer(await open(name))).toString('utf8')
    },
    close: async () => zip.close(),
  }
}

function refuseLarge(name: string, bytes: number): void {
  if (bytes > MAX_WHOLE_BYTES)
    throw new OperatorError(`${name} in the export has ${bytes} bytes, too many to be read.`)
}
