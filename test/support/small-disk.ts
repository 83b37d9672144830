import { spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A disk of its own in this folder, which only root can make; undefined: it cannot be made here. */
export type SmallDisk = { fill(): Promise<void>; empty(): Promise<void>; unmount(): void }

export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | undefined {
  const options = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]
  if (spawnSync('mount', options).status !== 0) return undefined
  const filler = join(folder, 'filler')
  return {
    fill: () => fill(filler),
    empty: () => rm(filler, { force: true }),
    unmount: () => void spawnSync('umount', [folder]),
  }
}

/** Fills the disk to the last byte. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  const chunk = Buffer.alloc(64 * 1024, 1)
  try {
    for (let size = chunk.length; size > 0; ) {
      const { bytesWritten } = await file.write(chunk, 0, size).catch(() => ({ bytesWritten: 0 }))
      if (bytesWritten === 0) size = Math.floor(size / 2)
    }
  } finally {
    await file.close()
  }
}
