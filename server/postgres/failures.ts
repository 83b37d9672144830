import { stat } from 'node:fs/promises'
import { hasCode, OperatorError } from '../errors.ts'
import type { SystemUser } from './user.ts'

// Errors of the operating system, in words that name the fix.

/** Returns a better explanation of the error, or the error itself. */
export async function explainFolderFailure(error: unknown, dataDir: string): Promise<unknown> {
  const folder = await stat(dataDir).catch(() => undefined)
  if (folder !== undefined && !folder.isDirectory()) {
    return new OperatorError(`DATA_DIR ${dataDir} is not a folder. Set DATA_DIR to a folder.`, {
      cause: error,
    })
  }
  if (hasCode(error, 'EROFS') || hasCode(error, 'ENOSPC')) {
    return new OperatorError(
      `DATA_DIR ${dataDir} cannot be written to: ${messageOf(error)}. Make room, or set DATA_DIR to another folder.`,
      { cause: error },
    )
  }
  if (!hasCode(error, 'EACCES') && !hasCode(error, 'EPERM')) return error
  const own = process.getuid?.()
  if (folder !== undefined && folder.uid !== own) return foreignDataFolder(dataDir, folder.uid)
  return new OperatorError(
    `Parley may not use DATA_DIR ${dataDir}: ${messageOf(error)}. Hand its files over with "sudo chown -R ${own} ${dataDir}", or set DATA_DIR to a folder of yours on a local disk.`,
    { cause: error },
  )
}

export function foreignDataFolder(dataDir: string, owner: number): OperatorError {
  const own = process.getuid?.()
  return new OperatorError(
    `DATA_DIR ${dataDir} was filled by another user: its files belong to user ${owner}, and Parley now runs as user ${own}. Run it as the user who started it first (as root, if that was root), hand the files over with "sudo chown -R ${own} ${dataDir}", or set DATA_DIR to another folder.`,
  )
}

/** Explains why a program could not be started as this user. */
export function explainSpawnFailure(error: unknown, program: string, user: SystemUser | undefined): unknown {
  if (hasCode(error, 'ENOENT')) {
    return new OperatorError(
      `${program} cannot run on this system: it needs the GNU C library, which Alpine Linux does not have. Use a Debian-based image, or set DATABASE_URL to a PostgreSQL server of yours.`,
      { cause: error },
    )
  }
  if (hasCode(error, 'EACCES')) {
    return new OperatorError(
      `${program} may not be executed${user === undefined ? '' : ` by user ${user.uid}`}. Move Parley to a file system that is not mounted "noexec", or set DATABASE_URL to a PostgreSQL server of yours.`,
      { cause: error },
    )
  }
  if (user !== undefined && (hasCode(error, 'EPERM') || hasCode(error, 'EINVAL')))
    return cannotSwitch(user, error)
  return error
}

export function cannotSwitch(user: SystemUser, cause: unknown): OperatorError {
  return new OperatorError(
    `PostgreSQL does not run as root, and this root may not hand it to user ${user.uid} (a container without the right to change users?). Run Parley as an ordinary user, or set DATABASE_URL to a PostgreSQL server of yours.`,
    { cause },
  )
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
