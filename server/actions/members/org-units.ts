import { caseKey } from '../../../contract/case-key.ts'
import type { OrgUnitType } from '../../../contract/org-units.ts'
import type { PersonCaller } from '../../auth/sessions.ts'
import type { Caller } from '../../caller.ts'
import { isViolation } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { distinctIds, newUuid } from '../../ids.ts'
import { type OrgUnitRow, readOrgUnit, readOrgUnitMemberIds } from '../../queries/members/org-units.ts'
import { type Actor, actorOf, audit, changesBetween, memberChange } from '../organization/audit.ts'
import { checkMembers } from '../topics/topics.ts'

export type NewOrgUnit = { name: string; tag: string; type: OrgUnitType; members?: readonly string[] }

export type OrgUnitMembers = { id: string; memberIds: string[] }

/** Tags are unique without regard to case; the database sees to it. */
export async function createOrgUnit(tx: Transaction, unit: NewOrgUnit, by: Actor): Promise<OrgUnitMembers> {
  const members = distinctIds(unit.members ?? [])
  await checkMembers(tx, members)
  const id = newUuid()
  const at = tx.ownMillisecond()
  await writeTag(
    tx,
    sql`insert into org_units (org_id, id, name, tag, tag_key, type, created_at, updated_at)
      values (${tx.orgId}, ${id}, ${unit.name}, ${unit.tag}, ${caseKey(unit.tag)}, ${unit.type}, ${at}, ${at})`,
  )
  await insertMembers(tx, id, members, at)
  const { name, tag, type } = unit
  await audit(tx, by, {
    action: 'org_unit.created',
    target: { type: 'org_unit', id, name },
    changes: [
      ...changesBetween({}, { tag, type }),
      ...(await namesOf(tx, members)).map((to) => memberChange('member', { to })),
    ],
  })
  return { id, memberIds: await readOrgUnitMemberIds(tx, tx, id) }
}

export type OrgUnitChanges = { name?: string; tag?: string; type?: OrgUnitType }

/** Omitted fields stay. */
export async function updateOrgUnit(
  tx: Transaction,
  caller: PersonCaller,
  orgUnitId: string,
  wanted: OrgUnitChanges,
): Promise<void> {
  await changeOrgUnit(tx, actorOf(caller), await requireOrgUnit(tx, caller, orgUnitId), wanted)
}

/** Changes a unit that the actor may change. */
export async function changeOrgUnit(
  tx: Transaction,
  by: Actor,
  before: Pick<OrgUnitRow, 'id' | 'name' | 'tag' | 'type'>,
  wanted: OrgUnitChanges,
): Promise<void> {
  const changes = changesBetween(pick(before), wanted)
  if (changes.length === 0) return
  const { id, name, tag, type } = { ...before, ...wanted }
  await writeTag(
    tx,
    sql`update org_units set name = ${name}, tag = ${tag}, tag_key = ${caseKey(tag)}, type = ${type},
      updated_at = greatest(updated_at + 1, ${tx.now()})
      where org_id = ${tx.orgId} and id = ${id}`,
  )
  await audit(tx, by, {
    action: 'org_unit.changed',
    target: { type: 'org_unit', id, name },
    changes,
  })
}

const pick = ({ name, tag, type }: Pick<OrgUnitRow, 'name' | 'tag' | 'type'>) => ({ name, tag, type })

/** Deletes the unit. Its members stay in the organization. */
export async function deleteOrgUnit(tx: Transaction, caller: PersonCaller, orgUnitId: string): Promise<void> {
  await removeOrgUnit(tx, actorOf(caller), await requireOrgUnit(tx, caller, orgUnitId))
}

/** Deletes a unit that the actor may delete. */
export async function removeOrgUnit(
  tx: Transaction,
  by: Actor,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await tx.query(sql`delete from org_unit_members where org_id = ${tx.orgId} and org_unit_id = ${id}`)
  await tx.query(sql`delete from org_units where org_id = ${tx.orgId} and id = ${id}`)
  await audit(tx, by, {
    action: 'org_unit.deleted',
    target: { type: 'org_unit', id, name },
  })
}

/** Adds all or none: one invalid member refuses the request. Present members are ignored. */
export async function addOrgUnitMembers(
  tx: Transaction,
  caller: Caller,
  orgUnitId: string,
  memberIds: readonly string[],
): Promise<OrgUnitMembers> {
  const unit = await requireOrgUnit(tx, caller, orgUnitId)
  const { id } = unit
  const wanted = distinctIds(memberIds)
  await checkMembers(tx, wanted)
  const added = await insertMembers(tx, id, wanted, tx.ownMillisecond())
  if (added.length > 0) await tellUnitMembers(tx, actorOf(caller), unit, { added })
  return { id, memberIds: await readOrgUnitMemberIds(tx, tx, id) }
}

/** Absent members are ignored. */
export async function removeOrgUnitMembers(
  tx: Transaction,
  caller: Caller,
  orgUnitId: string,
  memberIds: readonly string[],
): Promise<OrgUnitMembers> {
  const unit = await requireOrgUnit(tx, caller, orgUnitId)
  const { id } = unit
  const removed = await tx.query<{ profile_id: string }>(sql`
    delete from org_unit_members
    where org_id = ${tx.orgId} and org_unit_id = ${id} and profile_id = any(${distinctIds(memberIds)})
    returning profile_id`)
  if (removed.length > 0) await tellUnitMembers(tx, actorOf(caller), unit, { removed: removed.map(idOf) })
  return { id, memberIds: await readOrgUnitMemberIds(tx, tx, id) }
}

async function requireOrgUnit(tx: Transaction, caller: Caller, orgUnitId: string): Promise<OrgUnitRow> {
  const unit = await readOrgUnit(caller, tx, orgUnitId)
  if (!unit) throw refusal('org_unit_not_found')
  return unit
}

const idOf = ({ profile_id }: { profile_id: string }): string => profile_id

async function writeTag(tx: Transaction, statement: Sql): Promise<void> {
  await tx.query(statement).catch((error: unknown) => {
    throw isViolation(error, 'org_units_tag') ? refusal('org_unit_tag_taken') : error
  })
}

/** Returns the newly added members. */
export async function insertMembers(
  tx: Transaction,
  orgUnitId: string,
  memberIds: readonly string[],
  at: number,
): Promise<string[]> {
  const rows = await tx.query<{ profile_id: string }>(sql`
    insert into org_unit_members (org_id, org_unit_id, profile_id, joined_at)
    select ${tx.orgId}, ${orgUnitId}, member, ${at} from unnest(${memberIds}::text[]) as member
    on conflict do nothing
    returning profile_id`)
  return rows.map(idOf)
}

export async function tellUnitMembers(
  tx: Transaction,
  by: Actor,
  { id, name }: { id: string; name: string },
  { added = [], removed = [] }: { added?: readonly string[]; removed?: readonly string[] },
): Promise<void> {
  await tx.query(sql`
    update org_units set updated_at = greatest(updated_at + 1, ${tx.now()}) where org_id = ${tx.orgId} and id = ${id}`)
  const profiles = await namesOf(tx, [...added, ...removed])
  await audit(tx, by, {
    action: 'org_unit.members_changed',
    target: { type: 'org_unit', id, name },
    changes: profiles.map((profile) =>
      added.includes(profile.id)
        ? memberChange('member', { to: profile })
        : memberChange('member', { from: profile }),
    ),
  })
}

const namesOf = (tx: Transaction, profileIds: readonly string[]) =>
  tx.query<{ id: string; name: string }>(sql`
    select id, name from profiles where org_id = ${tx.orgId} and id = any(${profileIds}) order by id`)
