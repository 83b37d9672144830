import type { StoredPasskey } from '../../auth/passkeys.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

const passkey = sql`
  select credential_id as "credentialId", account_id as "accountId", public_key as "publicKey", counter, transports
  from passkeys`

export async function findPasskey(db: Queryable, credentialId: string): Promise<StoredPasskey | undefined> {
  const [row] = await db.query<StoredPasskey>(sql`${passkey} where credential_id = ${credentialId}`)
  return row
}

export function listPasskeys(db: Queryable, accountId: string): Promise<StoredPasskey[]> {
  return db.query<StoredPasskey>(sql`${passkey} where account_id = ${accountId}`)
}
