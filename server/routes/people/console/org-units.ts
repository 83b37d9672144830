import * as contract from '../../../../contract/people/org-units.ts'
import {
  addOrgUnitMembers,
  createOrgUnit,
  deleteOrgUnit,
  removeOrgUnitMembers,
  updateOrgUnit,
} from '../../../actions/members/org-units.ts'
import { actorOf } from '../../../actions/organization/audit.ts'
import type { PersonCaller } from '../../../auth/sessions.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentNamedOrgUnit } from '../../../presenters/org-units.ts'
import { listNamedOrgUnits } from '../../../queries/members/org-units.ts'

export function orgUnitRoutes(people: PeopleApi): void {
  people.reads(contract.listConsoleOrgUnits, async ({ caller, db }) =>
    ok({ orgUnits: (await listNamedOrgUnits(caller, db)).map(presentNamedOrgUnit) }),
  )

  people.writes(contract.createConsoleOrgUnit, async ({ caller, tx, body }) => {
    const { id } = await createOrgUnit(tx, body, actorOf(caller))
    return created(await unitOf(caller, tx, id))
  })

  people.writes(contract.updateOrgUnit, async ({ caller, tx, params, body }) => {
    await updateOrgUnit(tx, caller, params.orgUnitId, body)
    return ok(await unitOf(caller, tx, params.orgUnitId))
  })

  people.writes(contract.deleteOrgUnit, async ({ caller, tx, params }) => {
    await deleteOrgUnit(tx, caller, params.orgUnitId)
    return noContent()
  })

  people.writes(contract.addConsoleOrgUnitMembers, async ({ caller, tx, params, body }) => {
    const { id } = await addOrgUnitMembers(tx, caller, params.orgUnitId, body.memberIds)
    return ok(await unitOf(caller, tx, id))
  })

  people.writes(contract.removeConsoleOrgUnitMembers, async ({ caller, tx, params, body }) => {
    const { id } = await removeOrgUnitMembers(tx, caller, params.orgUnitId, body.memberIds)
    return ok(await unitOf(caller, tx, id))
  })
}

async function unitOf(caller: PersonCaller, db: Queryable, orgUnitId: string) {
  const [unit] = await listNamedOrgUnits(caller, db, orgUnitId)
  if (!unit) throw refusal('org_unit_not_found')
  return presentNamedOrgUnit(unit)
}
