import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Queryable } from './db/database.ts'
import { sql } from './db/sql.ts'
import { OperatorError } from './errors.ts'
import { sha256 } from './ids.ts'

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16

/** Keys for each purpose, all derived from the one secret that is not in the database. */
export class Secrets {
  readonly tokenKey: Buffer
  readonly fingerprint: string
  #boxKey: Buffer
  #signKey: Buffer

  constructor(secretKey: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'parley', purpose, 32))
    this.tokenKey = derive('access tokens')
    this.#boxKey = derive('secrets at rest')
    this.#signKey = derive('cursors and links')
    this.fingerprint = sha256(derive('fingerprint')).toString('hex').slice(0, 16)
  }

  /** Encrypts; `context` (such as the bot's id) must be the same to decrypt, so a value cannot be moved elsewhere. */
  encrypt(plain: string | Buffer, context: string): Buffer {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#boxKey, iv).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), sealed])
  }

  decrypt(box: Buffer, context: string): Buffer {
    if (box[0] !== VERSION) throw new Error('unknown version of an encrypted value')
    const iv = box.subarray(1, 1 + IV_BYTES)
    const tag = box.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', this.#boxKey, iv)
      .setAAD(Buffer.from(context))
      .setAuthTag(tag)
    return Buffer.concat([decipher.update(box.subarray(1 + IV_BYTES + TAG_BYTES)), decipher.final()])
  }

  /** Signs a text that a caller carries for us; the signature is bound to what it is for. */
  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.#signKey).update(`${purpose}\n${text}`).digest('base64url')
  }

  isSigned(purpose: string, text: string, signature: string): boolean {
    return equalInConstantTime(signature, this.sign(purpose, text))
  }
}

/** Compares hashes of both, so that neither the place of a difference nor a length shows in the time taken. */
export function equalInConstantTime(one: string | Buffer, other: string | Buffer): boolean {
  return timingSafeEqual(sha256(one), sha256(other))
}

const KEY_FILE = 'secret.key'

/** `SECRET_KEY`, or the one that was made at the first start and is kept in the data folder. */
export async function loadSecretKey(dataDir: string, given: string | undefined): Promise<string> {
  if (given !== undefined) return given
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, KEY_FILE)
  await makeKeyOnce(path)
  const key = (await readFile(path, 'utf8')).trim()
  if (key.length < 32) {
    throw new OperatorError(
      `${path} is damaged. Bring it back from a backup, or set SECRET_KEY to its former content.`,
    )
  }
  return key
}

/** Written whole under another name and then linked: two first starts agree on one key, a crash leaves none or all of it. */
async function makeKeyOnce(path: string): Promise<void> {
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}

/** Refuses to run with another key than the one the database was filled with: nothing could be decrypted. */
export async function checkSecretKey(db: Queryable, secrets: Secrets): Promise<void> {
  await db.query(sql`
    insert into settings (name, value) values ('secret_key_fingerprint', ${secrets.fingerprint})
    on conflict (name) do nothing`)
  const [row] = await db.query<{ value: string }>(
    sql`select value from settings where name = 'secret_key_fingerprint'`,
  )
  if (row?.value !== secrets.fingerprint) {
    throw new OperatorError(
      `The secret key is not the one this database was set up with. Set SECRET_KEY to the former key, or bring back ${KEY_FILE} in DATA_DIR.`,
    )
  }
}
