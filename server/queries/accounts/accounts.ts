import type { Role } from '../../../contract/operation.ts'
import type { Account, Need, Passkey } from '../../../contract/people/session.ts'
import { isActiveSomewhere, needsOf, type SignedIn } from '../../auth/sessions.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, type Sql, sql } from '../../db/sql.ts'
import { emailKey } from '../../text.ts'
import { hasOrganization, readHome } from '../organization/installation.ts'

export type AccountRow = {
  id: string
  email: string
  password: string | null
  /** Whether the account is an active member of any organization. Without that, signing in is refused. */
  isActive: boolean
  /** Whether its ways to sign in are those of the reader of the address: a mailed link, a provider or an operator has proven it. */
  isProven: boolean
  /** Whether the account has any way to sign in. */
  canSignIn: boolean
  /** Whether a code is required after the password. */
  hasSecondFactor: boolean
}

const isActive = (accountId: Sql): Sql =>
  sql`exists (select 1 from profiles p where p.account_id = ${accountId} and p.kind = 'user' and p.status = 'Active')`

const account = (active: Sql): Sql => sql`${crossing('a person is looked for in all their organizations')}
  select a.id, a.email, a.password, ${active} as "isActive", a.email_proven as "isProven",
    (a.password is not null or exists (select 1 from passkeys k where k.account_id = a.id)
      or exists (select 1 from external_accounts e where e.account_id = a.id)) as "canSignIn",
    exists (select 1 from second_factors f where f.account_id = a.id and f.enabled_at is not null) as "hasSecondFactor"
  from accounts a`

async function oneAccount(db: Queryable, where: Sql): Promise<AccountRow | undefined> {
  const active = db.isSpread ? sql`false` : isActive(sql`a.id`)
  const [row] = await db.query<AccountRow>(sql`${account(active)} where ${where}`)
  return row && db.isSpread ? { ...row, isActive: await isActiveSomewhere(db, row.id) } : row
}

export const findAccount = (db: Queryable, id: string) => oneAccount(db, sql`a.id = ${id}`)
export const findAccountByEmail = (db: Queryable, email: string) =>
  oneAccount(db, sql`a.email_key = ${emailKey(email)}`)

/** Locks the account until the transaction ends, so that its sign-in methods stay unchanged. */
export const lockAccount = (db: Queryable, id: string) => oneAccount(db, sql`a.id = ${id} for update of a`)

export type MembershipRow = {
  organizationId: string
  organizationName: string
  logoFileId: string | null
  profileId: string
  name: string
  role: Role
  needs: Need | null
}

type Session = Pick<SignedIn, 'accountId' | 'since' | 'signedInWith'>

/** Active memberships of a signed-in person, the oldest first. */
export function listMemberships(db: Queryable, session: Session, now: number): Promise<MembershipRow[]> {
  return db.query<MembershipRow>(sql`${crossing('a person is looked for in all their organizations')}
    select o.org_id as "organizationId", o.name as "organizationName", o.logo_file_id as "logoFileId",
      p.id as "profileId", p.name, p.role, ${needsOf(session, now)} as needs
    from profiles p join organizations o using (org_id)
    where p.account_id = ${session.accountId} and p.kind = 'user' and p.status = 'Active'
    order by p.created_at, p.org_id`)
}

export type SessionFacts = { isSetUp: boolean; hasOrganization: boolean; memberships: MembershipRow[] }

/** Whether the server is set up and has an organization, and the memberships of the account. */
export async function readSessionFacts(
  db: Queryable,
  session: Session | undefined,
  now: number,
): Promise<SessionFacts> {
  const memberships = session ? await listMemberships(db, session, now) : []
  const isSetUp = (await readHome(db)) !== undefined
  return {
    isSetUp,
    hasOrganization: isSetUp || memberships.length > 0 || (await hasOrganization(db)),
    memberships,
  }
}

/** Names of the organizations of which an account is an active member. */
export async function listOrganizationNames(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db.query<{
    name: string
  }>(sql`${crossing('a person is looked for in all their organizations')}
    select o.name from profiles p join organizations o using (org_id)
    where p.account_id = ${accountId} and p.kind = 'user' and p.status = 'Active'`)
  return rows.map(({ name }) => name)
}

/** Whether the account is an active member of any other organization. */
export async function isActiveElsewhere(
  { orgId }: { orgId: string },
  db: Queryable,
  accountId: string,
): Promise<boolean> {
  const [row] = await db.query(sql`${crossing('a person is looked for in all their organizations')}
    select 1 from profiles
    where account_id = ${accountId} and org_id <> ${orgId} and kind = 'user' and status = 'Active' limit 1`)
  return row !== undefined
}

/** How the account can be signed in to, and where it is; `sessionId` is the session that asks. */
export async function readAccount(
  db: Queryable,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  now: number,
): Promise<Account> {
  const found = await findAccount(db, accountId)
  if (!found) throw new Error(`account ${accountId} does not exist`)
  const sessions = await db.query<Account['sessions'][number]>(sql`
    select id, id = ${sessionId} as "isThis", user_agent as "userAgent", created_at as "createdAt",
      last_seen_at as "lastSeenAt"
    from sessions where account_id = ${accountId} and expires_at > ${now}
    order by last_seen_at desc, created_at desc, id`)
  const passkeys = await db.query<Required<Passkey> & { lastUsedAt: number | null }>(sql`
    select id, name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where account_id = ${accountId} order by created_at, id`)
  const [secondFactor] = await db.query<NonNullable<Account['secondFactor']>>(sql`
    select enabled_at as "enabledAt", (
      select count(*)::integer from recovery_codes c where c.account_id = f.account_id
    ) as "recoveryCodesLeft"
    from second_factors f where account_id = ${accountId} and enabled_at is not null`)
  return {
    email: found.email,
    hasPassword: found.password !== null,
    secondFactor: secondFactor ?? null,
    passkeys: passkeys.map(({ lastUsedAt, ...passkey }) => ({
      ...passkey,
      ...(lastUsedAt !== null && { lastUsedAt }),
    })),
    sessions,
  }
}
