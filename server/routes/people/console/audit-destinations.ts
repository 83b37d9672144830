import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/audit-destinations.ts'
import {
  addAuditDestination,
  removeAuditDestination,
} from '../../../actions/organization/audit-destinations.ts'
import { tryDestination } from '../../../audit-delivery/try.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal, tooMany } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentAuditDestination } from '../../../presenters/audit-destinations.ts'
import { listAuditDestinations } from '../../../queries/organization/audit-destinations.ts'

export function auditDestinationRoutes(people: PeopleApi): void {
  people.reads(contract.listAuditDestinations, async ({ caller, db }) => {
    const rows = await listAuditDestinations(caller, db)
    return ok({ destinations: rows.map(presentAuditDestination) })
  })

  people.writes(contract.addAuditDestination, async ({ caller, tx, body, parley }) => {
    const { id, secret } = await addAuditDestination(tx, parley, caller, body)
    const destination = await destinationOf(tx, tx, id)
    return created({ destination, ...(secret !== undefined && { secret }) })
  })

  people.writes(contract.removeAuditDestination, async ({ caller, tx, params }) => {
    await removeAuditDestination(tx, caller, params.destinationId)
    return noContent()
  })

  people.acts(contract.testAuditDestination, async ({ caller, params, parley }) => {
    const name = `audit-test:${caller.orgId}`
    const { allowed, resetMs } = await parley.rateLimiter.take(name, LIMITS.auditTestsPerMinute)
    if (!allowed) throw tooMany(resetMs)
    const { fault } = await tryDestination(parley, caller, params.destinationId)
    return ok({ arrived: fault === undefined, ...(fault && { fault }) })
  })
}

async function destinationOf(of: { orgId: string }, db: Queryable, id: string) {
  const [row] = await listAuditDestinations(of, db, id)
  if (!row) throw refusal('audit_destination_not_found')
  return presentAuditDestination(row)
}
