import { caseKey } from '../../../contract/case-key.ts'
import { EVERYONE, HERE } from '../../../contract/group-mentions.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { isAdminRole } from '../../../contract/operation.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import { isViolation } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { distinctIds, newUuid } from '../../ids.ts'
import { type GroupRow, readGroup } from '../../queries/members/groups.ts'
import { actorOf, audit, changesBetween, memberChange } from '../organization/audit.ts'

export type NewGroup = { name: string; tag: string; description?: string; memberIds?: readonly string[] }

/** Creates a group whose creator owns it and is in it. */
export async function createGroup(
  tx: Transaction,
  caller: PersonCaller,
  { name, tag, description = '', memberIds = [] }: NewGroup,
): Promise<string> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from member_groups where org_id = ${tx.orgId}`,
  )
  if ((row?.count ?? 0) >= LIMITS.groups) throw refusal('groups_full')
  const members = distinctIds([caller.profileId, ...memberIds])
  await checkPeople(tx, members)
  await checkTag(tx, tag)
  const id = newUuid()
  const at = tx.ownMillisecond()
  await writeTag(
    tx,
    sql`insert into member_groups (org_id, id, name, tag, tag_key, description, owner_id, created_at, updated_at)
      values (${tx.orgId}, ${id}, ${name}, ${tag}, ${caseKey(tag)}, ${description}, ${caller.profileId}, ${at}, ${at})`,
  )
  await insertMembers(tx, id, members, at)
  await audit(tx, actorOf(caller), {
    action: 'group.created',
    target: { type: 'group', id, name },
    changes: [
      ...changesBetween({}, { tag, ...(description && { description }) }),
      ...(await namesOf(tx, members)).map((to) => memberChange('member', { to })),
    ],
  })
  return id
}

export type GroupChanges = { name?: string; tag?: string; description?: string; ownerId?: string }

/** Omitted fields stay. */
export async function updateGroup(
  tx: Transaction,
  caller: PersonCaller,
  groupId: string,
  { ownerId, ...wanted }: GroupChanges,
): Promise<void> {
  const before = await requireOwnGroup(tx, caller, groupId)
  const newOwner = ownerId?.toLowerCase() ?? before.owner_id
  const isOtherOwner = newOwner !== before.owner_id
  if (isOtherOwner && !(await isMember(tx, before.id, newOwner))) throw refusal('group_owner_not_member')
  const { name, tag, description } = { ...before, ...wanted }
  if (caseKey(tag) !== before.tag_key) await checkTag(tx, tag)
  const changes = [
    ...changesBetween({ name: before.name, tag: before.tag, description: before.description }, wanted),
    ...(isOtherOwner ? await ownerChange(tx, before.owner_id, newOwner) : []),
  ]
  if (changes.length === 0) return
  await writeTag(
    tx,
    sql`update member_groups set name = ${name}, tag = ${tag}, tag_key = ${caseKey(tag)}, description = ${description},
      owner_id = ${newOwner}, updated_at = greatest(updated_at + 1, ${tx.now()})
      where org_id = ${tx.orgId} and id = ${before.id}`,
  )
  const target = { type: 'group' as const, id: before.id, name }
  await audit(tx, actorOf(caller), { action: 'group.changed', target, changes })
}

/** Deletes the group. Messages that mentioned it stay as they are. */
export async function deleteGroup(tx: Transaction, caller: PersonCaller, groupId: string): Promise<void> {
  const { id, name } = await requireOwnGroup(tx, caller, groupId)
  await tx.query(sql`delete from member_group_members where org_id = ${tx.orgId} and group_id = ${id}`)
  await tx.query(sql`delete from member_groups where org_id = ${tx.orgId} and id = ${id}`)
  await audit(tx, actorOf(caller), { action: 'group.deleted', target: { type: 'group', id, name } })
}

/** Adds all or none: one invalid member refuses the request. */
export async function addGroupMembers(
  tx: Transaction,
  caller: PersonCaller,
  groupId: string,
  memberIds: readonly string[],
): Promise<void> {
  const group = await requireOwnGroup(tx, caller, groupId)
  const wanted = distinctIds(memberIds)
  await checkPeople(tx, wanted)
  const added = await insertMembers(tx, group.id, wanted, tx.ownMillisecond())
  if (group.member_count + added.length > LIMITS.groupMembers) throw refusal('group_full')
  if (added.length > 0) await tellMembers(tx, caller, group, { added })
}

/** Removes members; everybody may remove themselves. */
export async function removeGroupMembers(
  tx: Transaction,
  caller: PersonCaller,
  groupId: string,
  memberIds: readonly string[],
): Promise<void> {
  const wanted = distinctIds(memberIds)
  const isLeaving = wanted.every((id) => id === caller.profileId)
  const group = await (isLeaving ? requireGroup : requireOwnGroup)(tx, caller, groupId)
  if (group.owner_id !== null && wanted.includes(group.owner_id)) throw refusal('group_owner_not_member')
  const removed = await tx.query<{ profile_id: string }>(sql`
    delete from member_group_members
    where org_id = ${tx.orgId} and group_id = ${group.id} and profile_id = any(${wanted})
    returning profile_id`)
  if (removed.length > 0) await tellMembers(tx, caller, group, { removed: removed.map(idOf) })
}

/** A group that members made; org units are not changed here. */
async function requireGroup(tx: Transaction, caller: PersonCaller, groupId: string): Promise<GroupRow> {
  const group = await readGroup(caller, tx, groupId)
  if (group?.kind !== 'group') throw refusal('group_not_found')
  return group
}

async function requireOwnGroup(tx: Transaction, caller: PersonCaller, groupId: string): Promise<GroupRow> {
  const group = await requireGroup(tx, caller, groupId)
  if (group.owner_id !== caller.profileId && !isAdminRole(caller.role)) throw refusal('forbidden')
  return group
}

/** Groups are of people who are here, or were invited. */
async function checkPeople(tx: Transaction, profileIds: readonly string[]): Promise<void> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::integer as count from profiles
    where org_id = ${tx.orgId} and id = any(${profileIds}::text[]) and kind = 'user' and status in ('Active', 'Pending')`)
  if (row?.count !== profileIds.length) throw refusal('member_invalid')
}

/** A group takes no tag of an org unit. Admins may give a unit the tag of a group: the group is mentioned then. */
async function checkTag(tx: Transaction, tag: string): Promise<void> {
  const key = caseKey(tag)
  if (key === EVERYONE || key === HERE) throw refusal('group_tag_reserved')
  const taken = await tx.query(sql`select 1 from org_units where org_id = ${tx.orgId} and tag_key = ${key}`)
  if (taken.length > 0) throw refusal('group_tag_taken')
}

async function writeTag(tx: Transaction, statement: Sql): Promise<void> {
  await tx.query(statement).catch((error: unknown) => {
    throw isViolation(error, 'member_groups_tag') ? refusal('group_tag_taken') : error
  })
}

async function insertMembers(
  tx: Transaction,
  groupId: string,
  memberIds: readonly string[],
  at: number,
): Promise<string[]> {
  const rows = await tx.query<{ profile_id: string }>(sql`
    insert into member_group_members (org_id, group_id, profile_id, joined_at)
    select ${tx.orgId}, ${groupId}, member, ${at} from unnest(${memberIds}::text[]) as member
    on conflict do nothing
    returning profile_id`)
  return rows.map(idOf)
}

async function tellMembers(
  tx: Transaction,
  caller: PersonCaller,
  { id, name }: GroupRow,
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] },
): Promise<void> {
  await tx.query(sql`
    update member_groups set updated_at = greatest(updated_at + 1, ${tx.now()}) where org_id = ${tx.orgId} and id = ${id}`)
  const profiles = await namesOf(tx, [...added, ...removed])
  await audit(tx, actorOf(caller), {
    action: 'group.members_changed',
    target: { type: 'group', id, name },
    changes: profiles.map((profile) =>
      memberChange('member', added.includes(profile.id) ? { to: profile } : { from: profile }),
    ),
  })
}

async function isMember(tx: Transaction, groupId: string, profileId: string | null): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from member_group_members where org_id = ${tx.orgId} and group_id = ${groupId} and profile_id = ${profileId}`)
  return rows.length > 0
}

async function ownerChange(tx: Transaction, from: string | null, to: string | null) {
  const names = await namesOf(
    tx,
    [from, to].filter((id) => id !== null),
  )
  const profileOf = (id: string | null) => names.find((one) => one.id === id)
  const [before, after] = [profileOf(from), profileOf(to)]
  return before && after ? [memberChange('owner', { from: before, to: after })] : []
}

const namesOf = (tx: Transaction, profileIds: readonly string[]) =>
  tx.query<{ id: string; name: string }>(sql`
    select id, name from profiles where org_id = ${tx.orgId} and id = any(${profileIds}) order by id`)

const idOf = ({ profile_id }: { profile_id: string }): string => profile_id
