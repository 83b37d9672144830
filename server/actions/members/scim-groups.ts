import { caseKey } from '../../../contract/case-key.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { ServiceCaller } from '../../auth/service-tokens.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { newUuid } from '../../ids.ts'
import { isTagFree, readPeopleOfGroups, type SizedGroup } from '../../queries/members/scim-groups.ts'
import { countPeopleAmong } from '../../queries/members/scim-people.ts'
import type { GroupDraft } from '../../scim/groups.ts'
import { badRequest } from '../../scim/refusal.ts'
import { firstCodePoints } from '../../text.ts'
import { changeOrgUnit, createOrgUnit, insertMembers, removeOrgUnit, tellUnitMembers } from './org-units.ts'
import { actorOfScim } from './scim-people.ts'

/** Members named in one entry of the audit log. */
const TOLD_TOGETHER = 500
/** Tags that are tried before one ends in chance: `sales`, `sales-2` and so on. */
const TAGS_TRIED = 20

/** Groups of an identity provider are org units of the type Team. */
export async function createScimGroup(
  tx: Transaction,
  caller: ServiceCaller,
  draft: GroupDraft,
): Promise<string> {
  const { displayName, externalId, members = [] } = draft
  if (displayName === undefined) throw badRequest('invalidValue', 'displayName is required')
  const unit = { name: displayName, tag: await freeTag(tx, displayName), type: 'Team' as const }
  const { id } = await createOrgUnit(tx, unit, actorOfScim(caller))
  if (externalId) await setExternalId(tx, id, externalId)
  await addPeople(tx, caller, { id, name: displayName }, members)
  return id
}

export async function changeScimGroup(
  tx: Transaction,
  caller: ServiceCaller,
  before: SizedGroup,
  { displayName = before.name, externalId, members, added, removed }: GroupDraft,
): Promise<void> {
  await changeOrgUnit(tx, actorOfScim(caller), before, { name: displayName })
  if (externalId !== undefined && externalId !== (before.externalId ?? ''))
    await setExternalId(tx, before.id, externalId)
  const unit = { id: before.id, name: displayName }
  if (members) {
    const present = (await readPeopleOfGroups(tx, tx, [unit.id])).get(unit.id) ?? []
    const wanted = new Set(members)
    await removePeople(
      tx,
      caller,
      unit,
      present.map(({ id }) => id).filter((id) => !wanted.has(id)),
    )
    await addPeople(tx, caller, unit, members)
    return
  }
  await removePeople(tx, caller, unit, removed)
  await addPeople(tx, caller, unit, added)
}

export const deleteScimGroup = (tx: Transaction, caller: ServiceCaller, group: SizedGroup): Promise<void> =>
  removeOrgUnit(tx, actorOfScim(caller), group)

type Unit = { id: string; name: string }

/** Adds all or none: one id that is no person's refuses the request. Archived people may be in a unit. */
async function addPeople(
  tx: Transaction,
  caller: ServiceCaller,
  unit: Unit,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  if ((await countPeopleAmong(tx, tx, ids)) !== ids.length)
    throw badRequest('invalidValue', 'each member must have the id of a person of this organization')
  const added = await insertMembers(tx, unit.id, ids, tx.ownMillisecond())
  for (const some of portions(added)) await tellUnitMembers(tx, actorOfScim(caller), unit, { added: some })
}

async function removePeople(
  tx: Transaction,
  caller: ServiceCaller,
  unit: Unit,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const gone = await tx.query<{ id: string }>(sql`
    delete from org_unit_members
    where org_id = ${tx.orgId} and org_unit_id = ${unit.id} and profile_id = any(${ids}) and profile_id not like 'b@%'
    returning profile_id as id`)
  const removed = gone.map(({ id }) => id)
  for (const some of portions(removed))
    await tellUnitMembers(tx, actorOfScim(caller), unit, { removed: some })
}

const portions = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / TOLD_TOGETHER) }, (_, place) =>
    ids.slice(place * TOLD_TOGETHER, (place + 1) * TOLD_TOGETHER),
  )

const setExternalId = (tx: Transaction, id: string, externalId: string) =>
  tx.query(sql`
    update org_units set external_id = ${externalId || null}, updated_at = greatest(updated_at + 1, ${tx.now()})
    where org_id = ${tx.orgId} and id = ${id}`)

/** A tag made of the letters and digits of the name, which people mention the unit by. */
async function freeTag(tx: Transaction, name: string): Promise<string> {
  const words = caseKey(name).match(/[\p{L}\p{N}]+/gu) ?? ['group']
  const tag = firstCodePoints(words.join('-'), LIMITS.orgUnitTag - 5)
  for (let number = 1; number <= TAGS_TRIED; number++) {
    const candidate = number === 1 ? tag : `${tag}-${number}`
    if (await isTagFree(tx, tx, caseKey(candidate))) return candidate
  }
  return `${tag}-${newUuid().slice(0, 4)}`
}
