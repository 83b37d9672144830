import type { OrgUnitType } from '../../contract/org-units.ts'
import type { Caller } from '../auth/bots.ts'
import { isViolation } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { badRequest, notFound } from '../errors.ts'
import { distinctIds, newUuid } from '../ids.ts'
import { type OrgUnitRow, readOrgUnit, readOrgUnitMemberIds } from '../queries/org-units.ts'
import { caseKey } from '../text.ts'
import { checkMembers } from './topics.ts'

export type NewOrgUnit = { name: string; tag: string; type: OrgUnitType; members?: readonly string[] }

export type OrgUnitMembers = { id: string; memberIds: string[] }

/** Tags are unique without regard to case; the database sees to it. */
export async function createOrgUnit(tx: Transaction, unit: NewOrgUnit): Promise<OrgUnitMembers> {
  const members = distinctIds(unit.members ?? [])
  await checkMembers(tx, members)
  const id = newUuid()
  const at = tx.ownMillisecond()
  await tx
    .query(sql`
      insert into org_units (org_id, id, name, tag, tag_key, type, created_at, updated_at)
      values (${tx.orgId}, ${id}, ${unit.name}, ${unit.tag}, ${caseKey(unit.tag)}, ${unit.type}, ${at}, ${at})`)
    .catch((error: unknown) => {
      throw isViolation(error, 'org_units_tag') ? badRequest('tag already exists') : error
    })
  await insertMembers(tx, id, members, at)
  return { id, memberIds: await readOrgUnitMemberIds(tx, tx, id) }
}

/** All or none: one who cannot be in it refuses the request. Who is there already is ignored. */
export async function addOrgUnitMembers(
  tx: Transaction,
  caller: Caller,
  orgUnitId: string,
  memberIds: readonly string[],
): Promise<OrgUnitMembers> {
  const { id } = await requireOrgUnit(tx, caller, orgUnitId)
  const wanted = distinctIds(memberIds)
  await checkMembers(tx, wanted)
  const now = tx.now()
  const added = await insertMembers(tx, id, wanted, now)
  if (added > 0) await touch(tx, id, now)
  return { id, memberIds: await readOrgUnitMemberIds(tx, tx, id) }
}

/** Who is not in it is ignored. */
export async function removeOrgUnitMembers(
  tx: Transaction,
  caller: Caller,
  orgUnitId: string,
  memberIds: readonly string[],
): Promise<OrgUnitMembers> {
  const { id } = await requireOrgUnit(tx, caller, orgUnitId)
  const removed = await tx.query(sql`
    delete from org_unit_members
    where org_id = ${tx.orgId} and org_unit_id = ${id} and profile_id = any(${distinctIds(memberIds)})
    returning profile_id`)
  if (removed.length > 0) await touch(tx, id, tx.now())
  return { id, memberIds: await readOrgUnitMemberIds(tx, tx, id) }
}

async function requireOrgUnit(tx: Transaction, caller: Caller, orgUnitId: string): Promise<OrgUnitRow> {
  const unit = await readOrgUnit(caller, tx, orgUnitId)
  if (!unit) throw notFound('Org unit not found')
  return unit
}

/** How many were not there before. */
async function insertMembers(
  tx: Transaction,
  orgUnitId: string,
  memberIds: readonly string[],
  at: number,
): Promise<number> {
  const rows = await tx.query(sql`
    insert into org_unit_members (org_id, org_unit_id, profile_id, joined_at)
    select ${tx.orgId}, ${orgUnitId}, member, ${at} from unnest(${memberIds}::text[]) as member
    on conflict do nothing
    returning profile_id`)
  return rows.length
}

async function touch(tx: Transaction, orgUnitId: string, now: number): Promise<void> {
  await tx.query(
    sql`update org_units set updated_at = ${now} where org_id = ${tx.orgId} and id = ${orgUnitId}`,
  )
}
