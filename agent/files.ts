import { constants } from 'node:fs'
import { mkdir, open, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { RequestError } from '@agentclientprotocol/sdk'

const MAX_FILE_BYTES = 10 * 1024 * 1024

/** The folder of the program's own records, in the folder that agents work in: no agent gets at it. */
export const STATE_FOLDER = '.parley-agent'

/** Reads a text file of the folder. `line` is the first line, counted from 1, and `limit` the number of lines. */
export async function readTextFile(
  folder: string,
  { path, line, limit }: { path: string; line?: number | null; limit?: number | null },
): Promise<string> {
  const wanted = pathIn(folder, path)
  const real = await realpath(wanted).catch(() => {
    throw RequestError.resourceNotFound(path)
  })
  const file = await openChecked(folder, real, constants.O_RDONLY)
  try {
    const { size } = await file.stat()
    if (size > MAX_FILE_BYTES) throw refused(`${path} is larger than ${MAX_FILE_BYTES} bytes`)
    const text = await file.readFile('utf8')
    if (line == null && limit == null) return text
    const begin = Math.max((line ?? 1) - 1, 0)
    return text
      .split('\n')
      .slice(begin, limit == null ? undefined : begin + limit)
      .join('\n')
  } finally {
    await file.close()
  }
}

/** Writes a text file of the folder, and makes the folders above it. */
export async function writeTextFile(
  folder: string,
  { path, content }: { path: string; content: string },
): Promise<void> {
  if (Buffer.byteLength(content) > MAX_FILE_BYTES)
    throw refused(`the text is larger than ${MAX_FILE_BYTES} bytes`)
  const wanted = pathIn(folder, path)
  const above = await makeFolders(folder, dirname(wanted))
  const target = join(above, basename(wanted))
  const real = await realpath(target).catch(() => target)
  const file = await openChecked(folder, real, constants.O_WRONLY | constants.O_CREAT)
  try {
    await file.truncate(0)
    await file.writeFile(content)
  } finally {
    await file.close()
  }
}

const refused = (reason: string) => RequestError.invalidParams(undefined, reason)

function pathIn(folder: string, path: string): string {
  if (!isAbsolute(path)) throw refused(`${path} is not an absolute path`)
  const wanted = resolve(path)
  checkInside(folder, wanted)
  return wanted
}

function checkInside(folder: string, path: string): void {
  const way = relative(folder, path)
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) || way.split(sep)[0] === STATE_FOLDER)
    throw refused('files outside of the working folder are out of reach')
}

/** Makes what is missing of a path, below the part that exists, and gives its real place. */
async function makeFolders(folder: string, path: string): Promise<string> {
  const real = await realpath(path).catch((error: unknown) => {
    if (Object(error).code === 'ENOENT' && path !== folder) return undefined
    throw refused(`${path} cannot be used`)
  })
  if (real !== undefined) {
    if (real !== folder) checkInside(folder, real)
    return real
  }
  const made = join(await makeFolders(folder, dirname(path)), basename(path))
  await mkdir(made).catch(() => {
    throw refused(`${path} cannot be made`)
  })
  return made
}

/** Opens a plain file at a path whose links were followed: a link that is there by now is refused. */
async function openChecked(folder: string, real: string, flags: number) {
  checkInside(folder, real)
  const file = await open(real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644).catch(() => {
    throw refused(`${basename(real)} cannot be opened`)
  })
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw refused(`${basename(real)} is not a file`)
}
