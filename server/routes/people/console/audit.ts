import { LIMITS } from '../../../../contract/limits.ts'
import { listAuditEntries as contract } from '../../../../contract/people/organization.ts'
import { ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentAuditEntry } from '../../../presenters/audit.ts'
import { type AuditFilters, listAuditEntries } from '../../../queries/audit.ts'

export function auditRoutes(people: PeopleApi): void {
  people.reads(contract, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, ...filters } = query
    const list = cursors<AuditFilters, string>(parley.secrets, caller, 'audit')
    const place = cursor === undefined ? { filters } : list.read(cursor)
    const { items, last } = cutPage(await listAuditEntries(caller, db, { ...place, limit }), limit)
    return ok({
      entries: items.map(presentAuditEntry),
      ...(last && { nextCursor: list.write({ filters: place.filters, after: last.id }) }),
      hasMore: last !== undefined,
    })
  })
}
