import { caseKey } from '../../../contract/case-key.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { ServiceCaller } from '../../auth/service-tokens.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { waitForMailTo } from '../../limits/address-mails.ts'
import { DAY_MS, takeFromBudget } from '../../limits/budget.ts'
import type { Parley } from '../../parley.ts'
import { isUserNameTaken } from '../../queries/members/scim-people.ts'
import { badRequest, ScimRefusal } from '../../scim/refusal.ts'
import { checkedAddress, fullName, isAddress, type PersonDraft, type UserRow } from '../../scim/users.ts'
import { domainKey, emailKey, firstCodePoints, nameFrom } from '../../text.ts'
import { deleteUnusedAccount } from '../accounts/accounts.ts'
import { type Actor, audit, type Change, changesBetween } from '../organization/audit.ts'
import { inviteMember } from './invitations.ts'
import { tellMember } from './member-events.ts'
import { addPerson, endInvitations, endSessionsHere, findOrMakeAccount } from './members.ts'
import { movePerson, refuseLossOfOwner, renamePerson } from './people.ts'
import { checkTimeZone } from './profiles.ts'

export const actorOfScim = ({ client }: ServiceCaller): Actor => ({ kind: 'scim', client })

type Parts = Pick<Parley, 'secrets' | 'config'>

/**
 * Adds a person as an admin's invitation would: they are mailed a link, and the person who uses it or comes by single sign-on has proven the
 * address. `active: false` adds them archived, without a mail.
 */
export async function createScimPerson(
  tx: Transaction,
  parley: Parts,
  caller: ServiceCaller,
  draft: PersonDraft,
): Promise<string> {
  const { userName, externalId } = draft
  if (!userName) throw badRequest('invalidValue', 'userName is required')
  const email = draft.email ?? checkedAddress(userName, 'emails, or userName,')
  await refuseTaken(tx, userName)
  const name = firstCodePoints(fullName(draft), LIMITS.profileName) || nameFrom(email)
  const isActive = draft.active !== false
  const id = await addPerson(tx, {
    email,
    name,
    status: 'Pending',
    ...(draft.phone && { phone: draft.phone }),
    ...(externalId && { externalId }),
  })
  await keepProviderNames(tx, { id, userName, givenName: '', familyName: '' }, draft)
  await changeDetails(tx, { id, title: '', timeZone: '' }, draft)
  const isInvited = isActive && (await inviteInTime(tx, parley, { id, email }))
  const said = changesBetween({}, { email, externalId: externalId || undefined })
  await tell(tx, caller, { id, name }, isInvited ? 'member.invited' : 'member.added', said)
  if (!isActive) await movePerson(tx, actorOfScim(caller), { id, name, status: 'Pending' }, 'Archived')
  return id
}

/**
 * Mails an invitation, unless too many went to this address or out of this organization: a stolen token must not make the server mail
 * strangers. Who got none comes by single sign-on, or is invited by an admin. Where single sign-on is the only way, a link
 * has no use.
 */
async function inviteInTime(
  tx: Transaction,
  parley: Parts,
  { id, email }: { id: string; email: string },
): Promise<boolean> {
  const [organization] = await tx.query<{ requiresSignOn: boolean }>(
    sql`select require_sign_on as "requiresSignOn" from organizations where org_id = ${tx.orgId}`,
  )
  if (organization?.requiresSignOn !== false) return false
  if ((await waitForMailTo(tx, parley.secrets, email, 'invitation')) > 0) return false
  const budget = `scim-invitations:${tx.orgId}`
  const { granted } = await takeFromBudget(
    tx,
    () => tx.now(),
    budget,
    LIMITS.scimInvitationsPerDay,
    1,
    DAY_MS,
  )
  if (granted === 0) return false
  await inviteMember(tx, parley, id)
  return true
}

/** Changes what differs. Everything or nothing: one refusal undoes the request. */
export async function changeScimPerson(
  tx: Transaction,
  parley: Parts,
  caller: ServiceCaller,
  before: UserRow,
  draft: PersonDraft,
): Promise<void> {
  const userName = before.userName ?? before.email
  if (draft.userName === '') throw badRequest('invalidValue', 'userName is required')
  const isRenamed = draft.userName !== undefined && draft.userName !== userName
  if (isRenamed) await refuseTaken(tx, draft.userName ?? '', before.id)
  const email = newAddress(before, draft)
  if (email !== undefined) await changeAddress(tx, parley, caller, before, email)
  await keepProviderNames(tx, { ...before, userName }, draft)
  const changes = await changeDetails(tx, before, draft)
  if (isRenamed) changes.unshift({ field: 'userName', from: userName, to: draft.userName ?? '' })
  if (changes.length > 0) await tell(tx, caller, before, 'member.changed', changes)
  const name = newName(before, draft)
  await renamePerson(tx, actorOfScim(caller), before, name)
  if (draft.active !== undefined) await setActive(tx, caller, { ...before, name }, draft.active)
}

/** Archives at once, with sessions, assistants, streams and pushes, or brings back. The last owner stays. */
async function setActive(
  tx: Transaction,
  caller: ServiceCaller,
  person: Pick<UserRow, 'id' | 'name' | 'role' | 'status'>,
  isActive: boolean,
): Promise<void> {
  if (isActive === (person.status !== 'Archived')) return
  if (person.role === 'owner') await refuseLossOfOwner(tx, person)
  await movePerson(tx, actorOfScim(caller), person, isActive ? 'Active' : 'Archived')
}

/** Deletes the member: what they wrote stays, and the same address brings the same member back. */
export async function deleteScimPerson(
  tx: Transaction,
  caller: ServiceCaller,
  person: UserRow,
): Promise<void> {
  if (person.role === 'owner') await refuseLossOfOwner(tx, person)
  await tx.query(sql`delete from scim_people where org_id = ${tx.orgId} and profile_id = ${person.id}`)
  await movePerson(tx, actorOfScim(caller), person, 'Deleted')
}

async function refuseTaken(tx: Transaction, userName: string, exceptId?: string): Promise<void> {
  if (await isUserNameTaken(tx, tx, userName, exceptId))
    throw new ScimRefusal(409, 'another person has this userName', { scimType: 'uniqueness' })
}

/** The name that everybody sees follows `displayName`, else `name.formatted`, else the parts that it was put together from. */
function newName(before: UserRow, draft: PersonDraft): string {
  const { displayName, formatted, givenName = before.givenName, familyName = before.familyName } = draft
  if (displayName && displayName !== before.name) return displayName
  if (formatted && formatted !== before.name) return formatted
  const wasOfParts = before.name === fullName({ givenName: before.givenName, familyName: before.familyName })
  const parts = firstCodePoints(fullName({ givenName, familyName }), LIMITS.profileName)
  return wasOfParts && parts !== '' ? parts : before.name
}

/** The address follows a changed user name where both were the same, unless the request has an address of its own. */
function newAddress(before: UserRow, { email, userName }: PersonDraft): string | undefined {
  if (email !== undefined && emailKey(email) !== emailKey(before.email)) return email
  const wasUserName = emailKey(before.userName ?? before.email) === emailKey(before.email)
  const follows = wasUserName && userName !== undefined && isAddress(userName)
  return follows && emailKey(userName) !== emailKey(before.email) ? userName : undefined
}

/**
 * Gives the membership to the account of another address, which must prove it, and signs the former one out. A token must not be worth more
 * than provisioning: a thief could otherwise give any membership, and a role with it, to an address of their own. A domain alone does not
 * prevent that: it may be one where everybody gets an address.
 */
async function changeAddress(
  tx: Transaction,
  parley: Parts,
  caller: ServiceCaller,
  person: UserRow,
  email: string,
): Promise<void> {
  if (person.role !== 'member')
    throw new ScimRefusal(403, `SCIM cannot change the address of people with the role ${person.role}`)
  if (domainOf(email) !== domainOf(person.email))
    throw new ScimRefusal(403, 'SCIM can change an address only within its domain')
  const [taken] = await tx.query(sql`
    select 1 from profiles where org_id = ${tx.orgId} and email_key = ${emailKey(email)} and id <> ${person.id}`)
  if (taken) throw refusal('email_known')
  const { accountId: former } = await endSessionsHere(tx, person.id)
  await endInvitations(tx, person.id)
  const account = await findOrMakeAccount(tx, email)
  await tx.query(sql`
    update profiles set email = ${email}, email_key = ${emailKey(email)}, account_id = ${account.id}, needs_proof = true,
      updated_at = ${tx.now()}
    where org_id = ${tx.orgId} and id = ${person.id}`)
  if (former !== null && former !== account.id) await deleteUnusedAccount(tx, former)
  await tellMember(tx, person.id)
  if (person.status === 'Pending') await inviteInTime(tx, parley, { id: person.id, email })
  await tell(tx, caller, person, 'member.address_changed', changesBetween({ email: person.email }, { email }))
}

const domainOf = (email: string): string => domainKey(email.slice(email.lastIndexOf('@') + 1))

/** Keeps what profiles have no place for. A deleted member's name is free for another. */
async function keepProviderNames(
  tx: Transaction,
  { id, ...before }: { id: string; userName: string; givenName: string; familyName: string },
  draft: PersonDraft,
): Promise<void> {
  const { userName, givenName, familyName } = { ...before, ...draft }
  const key = caseKey(userName)
  await tx.query(sql`
    delete from scim_people s using profiles p
    where s.org_id = ${tx.orgId} and s.user_name_key = ${key} and p.org_id = ${tx.orgId} and p.id = s.profile_id
      and p.status = 'Deleted' and p.id <> ${id}`)
  await tx.query(sql`
    insert into scim_people (org_id, profile_id, user_name, user_name_key, given_name, family_name)
    values (${tx.orgId}, ${id}, ${userName}, ${key}, ${givenName}, ${familyName})
    on conflict (org_id, profile_id) do update set user_name = excluded.user_name, user_name_key = excluded.user_name_key,
      given_name = excluded.given_name, family_name = excluded.family_name`)
}

type Details = { id: string; title: string; timeZone: string; phone?: string; externalId?: string | null }

/** Title, time zone, telephone number and the provider's id. Returns what changed. */
async function changeDetails(tx: Transaction, before: Details, draft: PersonDraft): Promise<Change[]> {
  const { phone = before.phone, title = before.title, timeZone = before.timeZone } = draft
  const externalId = (draft.externalId ?? before.externalId) || undefined
  const changes = changesBetween(
    {
      title: before.title,
      timeZone: before.timeZone,
      phone: before.phone,
      externalId: before.externalId ?? '',
    },
    { title, timeZone, phone, externalId: externalId ?? '' },
  )
  if (timeZone !== '' && timeZone !== before.timeZone) checkTimeZone(timeZone)
  if (changes.length === 0) return []
  await tx.query(sql`
    update profiles set title = ${title}, time_zone = ${timeZone}, phone = coalesce(${phone}, phone),
      external_id = coalesce(${externalId}, case when ${draft.externalId === ''} then null else external_id end),
      updated_at = greatest(updated_at + 1, ${tx.now()})
    where org_id = ${tx.orgId} and id = ${before.id}`)
  await tellMember(tx, before.id)
  return changes
}

const tell = (
  tx: Transaction,
  caller: ServiceCaller,
  { id, name }: { id: string; name: string },
  action: 'member.added' | 'member.address_changed' | 'member.changed' | 'member.invited',
  changes: readonly Change[],
): Promise<void> => audit(tx, actorOfScim(caller), { action, target: { type: 'member', id, name }, changes })
