import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { hasCode, OperatorError } from '../errors.ts'
import { randomText } from '../ids.ts'

const KEY_FILE = 'secret.key'
const KEY_LENGTH = 32

export type KeyConfig = Pick<Config, 'dataDir' | 'secretKey' | 'secretKeyPrevious'>

export const newSecretKey = (): string => randomBytes(KEY_LENGTH).toString('hex')

export const keyFile = (dataDir: string): string => join(dataDir, KEY_FILE)

/**
 * The secret keys that this node knows, the newest first: of the environment, or of the file in the data folder, which has
 * one a line and is made at the first start.
 */
export async function loadSecretKeys(config: KeyConfig): Promise<[string, ...string[]]> {
  const { secretKey, secretKeyPrevious, dataDir } = config
  if (secretKey !== undefined)
    return secretKeyPrevious === undefined ? [secretKey] : [secretKey, secretKeyPrevious]
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = keyFile(dataDir)
  const text = (await readIfThere(path)) ?? (await makeKeyOnce(path))
  const [newest = '', ...others] = text.trim().split(/\s*\n\s*/)
  if ([newest, ...others].some((key) => key.length < KEY_LENGTH)) {
    throw new OperatorError(
      `${path} is damaged. Bring it back from a backup, or set SECRET_KEY to its former content.`,
    )
  }
  return [newest, ...others]
}

/** Written whole under another name and then linked: two first starts agree on one key, a crash leaves none or all of it. */
async function makeKeyOnce(path: string): Promise<string> {
  await withDraft(path, [newSecretKey()], async (draft) => {
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
  })
  return readFile(path, 'utf8')
}

function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
}

/** Replaces the file at once: a reader sees the former keys or these. */
export const writeSecretKeys = (dataDir: string, keys: readonly string[]): Promise<void> =>
  withDraft(keyFile(dataDir), keys, (draft) => rename(draft, keyFile(dataDir)))

/** Each draft has a name of its own: two in one process would otherwise write into each other. */
async function withDraft(
  path: string,
  keys: readonly string[],
  put: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${process.pid}.${randomText()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(keys.map((key) => `${key}\n`).join(''))
    await file.sync()
    await put(draft)
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}

/** Takes over the keys of another installation, as the environment has them or as the file of a folder that has none yet. */
export async function keepSecretKeys(config: KeyConfig, keys: [string, ...string[]]): Promise<void> {
  if (config.secretKey === undefined) {
    const there = await readIfThere(keyFile(config.dataDir))
    if (there === undefined) {
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
      return writeSecretKeys(config.dataDir, keys)
    }
  }
  const known = await loadSecretKeys(config)
  if (keys.every((key) => known.includes(key))) return
  throw new OperatorError(
    config.secretKey === undefined
      ? `${keyFile(config.dataDir)} is another key than that of the backup. Restore into a new folder, or move the file away.`
      : 'SECRET_KEY is another key than that of the backup. Set it to the key that the server had when the backup was made, or unset it: the key of the backup is then kept in DATA_DIR.',
  )
}
