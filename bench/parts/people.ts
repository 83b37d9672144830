import type { Role } from '../../contract/operation.ts'
import { acceptHolder } from '../../server/actions/accounts/accounts.ts'
import { addPerson } from '../../server/actions/members/members.ts'
import { sql } from '../../server/db/sql.ts'
import { newUuid, randomToken, sha256 } from '../../server/ids.ts'
import { emailKey } from '../../server/text.ts'
import type { Backstage } from './cast.ts'

const DAY_MS = 86_400_000

/** A person with an open session, identified by its token. */
export type SignedIn = { profileId: string; token: string }

export function makeSignedIn(
  { db, orgId }: Backstage,
  count: number,
  role: Role = 'member',
): Promise<SignedIn[]> {
  return db.write(orgId, async (tx) => {
    const people: SignedIn[] = []
    for (let number = 0; number < count; number++) {
      const email = `signed-in-${number}-${orgId}@example.com`
      const profileId = await addPerson(tx, { name: `Ada ${number}`, email, role, status: 'Active' })
      const token = randomToken(256)
      const now = Date.now()
      const [profile] = await tx.query<{ accountId: string }>(sql`
        select account_id as "accountId" from profiles where org_id = ${orgId} and id = ${profileId}`)
      if (profile) await acceptHolder(tx, profile.accountId)
      await tx.query(sql`
        insert into sessions (token_hash, id, account_id, user_agent, created_at, last_seen_at, expires_at)
        select ${sha256(token)}, ${newUuid()}, account_id, '', ${now}, ${now}, ${now + DAY_MS}
        from profiles where org_id = ${orgId} and id = ${profileId}`)
      people.push({ profileId, token })
    }
    return people
  })
}

/** Makes thousands of signed-in members with three statements, and without events. */
export async function makeManySignedIn({ db, orgId }: Backstage, count: number): Promise<SignedIn[]> {
  const now = Date.now()
  const made = Array.from({ length: count }, (_, number) => ({
    accountId: newUuid(),
    profileId: newUuid(),
    sessionId: newUuid(),
    token: randomToken(256),
    name: `Ada ${number}`,
    email: `one-of-many-${number}-${orgId}@example.com`,
  }))
  const all = <Field extends keyof (typeof made)[number]>(field: Field) => made.map((one) => one[field])
  const keys = made.map(({ email }) => emailKey(email))
  await db.query(sql`
    insert into accounts (id, email, email_key, email_proven, created_at)
    select x.*, true, ${now} from unnest(${all('accountId')}::uuid[], ${all('email')}::text[], ${keys}::text[]) as x`)
  await db.query(sql`
    insert into profiles (org_id, id, kind, name, email, email_key, status, account_id, created_at, updated_at)
    select ${orgId}, x.id, 'user', x.name, x.email, x.email_key, 'Active', x.account_id, ${now}, ${now}
    from unnest(${all('profileId')}::text[], ${all('name')}::text[], ${all('email')}::text[], ${keys}::text[],
      ${all('accountId')}::uuid[]) as x (id, name, email, email_key, account_id)`)
  await db.query(sql`
    insert into sessions (token_hash, id, account_id, user_agent, created_at, last_seen_at, expires_at)
    select x.*, '', ${now}, ${now}, ${now + DAY_MS}
    from unnest(${made.map(({ token }) => sha256(token))}::bytea[], ${all('sessionId')}::uuid[], ${all('accountId')}::uuid[]) as x`)
  return made.map(({ profileId, token }) => ({ profileId, token }))
}
