import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Containers often have only 64 MB there. */
const MIN_FREE_BYTES = 2 * 1024 ** 3

/**
 * A new folder, in memory if there is room: a database is a thousand small files, and a disk takes longer to create and
 * delete them for each test file than the tests take to use them.
 */
export async function fastFolder(prefix: string): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined)
  const isRoomy = memory !== undefined && memory.bavail * memory.bsize > MIN_FREE_BYTES
  return mkdtemp(join(isRoomy ? MEMORY : tmpdir(), prefix))
}
