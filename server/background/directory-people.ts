import { findOrganization, keepExternalName } from '../actions/accounts/sign-on.ts'
import { archiveLeaver, nameAsInDirectory } from '../actions/members/people.ts'
import { Directory } from '../auth/directory.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { sha256 } from '../ids.ts'
import type { Parley } from '../parley.ts'
import type { LdapSettings } from '../settings-reader.ts'
import type { NoteFailure } from '../worker.ts'

/** More than this share of the members missing means that the answer is wrong, and not that they left. */
const MAX_GONE = 1 / 2

type LinkedMember = { profileId: string; subject: string; nameHash: Buffer | null }

/**
 * Archives members of the organization of newcomers who are in the directory no more, or whom its filter does not let in, and renames
 * those who got another name there. An answer that lacks too many of them changes nothing. Every node may do this: twice changes nothing.
 */
export async function followDirectory(
  { db }: Pick<Parley, 'db'>,
  settings: LdapSettings,
  noteFailure: NoteFailure = () => {},
): Promise<void> {
  const directory = new Directory(settings)
  const { issuer } = directory
  const orgId = await findOrganization(db, settings)
  // Members first: a person who is added there and signs in here in the meantime is not missed.
  const members = orgId === undefined ? [] : await listLinked(db, { orgId, issuer })
  if (orgId === undefined || members.length === 0) return
  const names = await directory.listPeople()
  const missing = members.filter(({ subject }) => !names.has(subject))
  const isTooMuch = missing.length > 1 && missing.length > members.length * MAX_GONE
  if (names.size === 0 || isTooMuch)
    throw new Error(
      `the directory lacks ${missing.length} of ${members.length} members, so none was archived: correct LDAP_BASE_DN, LDAP_FILTER or what LDAP_BIND_DN may read, or archive those who left in the console`,
    )
  const gone = new Set(await directory.listGone(missing.map(({ subject }) => subject)))
  for (const { profileId, subject, nameHash } of members) {
    const name = names.get(subject) ?? ''
    const hash = sha256(name)
    const isRenamed = name !== '' && !nameHash?.equals(hash)
    try {
      if (gone.has(subject)) await db.write(orgId, (tx) => archiveLeaver(tx, profileId))
      // The name of the first comparison is only kept: the person may have chosen another one here.
      if (isRenamed && nameHash) await db.write(orgId, (tx) => nameAsInDirectory(tx, profileId, name))
      if (isRenamed) await keepExternalName(db, { issuer, subject }, hash)
    } catch (error) {
      noteFailure(error, { orgId, memberId: profileId })
    }
  }
}

/** Active members, but for owners, who are linked to entries. Accounts and members may be on different machines. */
async function listLinked(
  db: Database,
  { orgId, issuer }: { orgId: string; issuer: string },
): Promise<LinkedMember[]> {
  const links = await db.query<{ accountId: string; subject: string; nameHash: Buffer | null }>(sql`
    select account_id as "accountId", subject, name_hash as "nameHash" from external_accounts where issuer = ${issuer}`)
  const profiles = await db.query<{ accountId: string; profileId: string }>(sql`
    select account_id as "accountId", id as "profileId" from profiles
    where org_id = ${orgId} and kind = 'user' and status = 'Active' and role <> 'owner'
      and account_id = any(${links.map(({ accountId }) => accountId)})`)
  const profileOf = new Map(profiles.map(({ accountId, profileId }) => [accountId, profileId]))
  return links.flatMap(({ accountId, ...link }) => {
    const profileId = profileOf.get(accountId)
    return profileId === undefined ? [] : [{ profileId, ...link }]
  })
}
