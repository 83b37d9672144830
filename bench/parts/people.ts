import type { Role } from '../../contract/operation.ts'
import { acceptHolder } from '../../server/actions/accounts/accounts.ts'
import { addPerson } from '../../server/actions/members/members.ts'
import { sql } from '../../server/db/sql.ts'
import { newUuid, randomToken, sha256 } from '../../server/ids.ts'
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
