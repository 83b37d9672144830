import { createReadStream, promises as files } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import yauzl from 'yauzl'
import { hasCode, OperatorError } from '../errors.ts'

/** The largest file that is read whole. A day of one topic, or a list of people, is far smaller. */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024

/** An export as it came: a ZIP file, or a folder into which one was unpacked. */
export type Archive = {
  /** Every file, with `/` between folders. */
  names: readonly string[]
  open(name: string): Promise<Readable>
  /** Refuses one that is too large to be a part of an export. */
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
  return {
    names,
    open: async (name) => createReadStream(join(root, name)),
    async read(name) {
      refuseLarge(name, (await files.stat(join(root, name))).size)
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
  const open = (name: string): Promise<Readable> => {
    const entry = entries.get(name)
    if (!entry) throw new Error(`${name} is not in ${path}`)
    return zip.openReadStreamPromise(entry)
  }
  return {
    names: [...entries.keys()],
    open,
    async read(name) {
      refuseLarge(name, entries.get(name)?.uncompressedSize ?? 0)
      return (await buffer(await open(name))).toString('utf8')
    },
    close: async () => zip.close(),
  }
}

function refuseLarge(name: string, bytes: number): void {
  if (bytes > MAX_WHOLE_BYTES)
    throw new OperatorError(`${name} in the export has ${bytes} bytes, too many to be read.`)
}
