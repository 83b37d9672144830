import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Secrets } from '../secrets.ts'

export const PUSH_KEY_CONTEXT = 'push key'

/** The key pair by which push services know this server; browsers subscribe with its public half. */
export type PushKey = { publicKey: string; privateKey: KeyObject }

/** Reads the key pair of this installation, and makes it where there is none yet: of two nodes at once, one does. */
export async function loadPushKey(db: Queryable, secrets: Secrets, now: number): Promise<PushKey> {
  const stored = (await readPushKey(db, secrets)) ?? (await makePushKey(db, secrets, now))
  if (!stored) throw new Error('the push key was removed while it was made')
  return stored
}

export async function readPushKey(db: Queryable, secrets: Secrets): Promise<PushKey | undefined> {
  const [row] = await db.query<{ public_key: string; private_key: Buffer }>(
    sql`select public_key, private_key from push_keys`,
  )
  if (!row) return undefined
  const point = Buffer.from(row.public_key, 'base64url')
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33, 65).toString('base64url'),
      d: secrets.decrypt(row.private_key, PUSH_KEY_CONTEXT).toString('base64url'),
    },
  })
  return { publicKey: row.public_key, privateKey }
}

async function makePushKey(db: Queryable, secrets: Secrets, now: number): Promise<PushKey | undefined> {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // Numbers may have fewer bytes than the curve.
  const number = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
  await db.query(sql`
    insert into push_keys (public_key, private_key, created_at)
    values (${publicKey}, ${secrets.encrypt(number, PUSH_KEY_CONTEXT)}, ${now})
    on conflict (id) do nothing`)
  return readPushKey(db, secrets)
}
