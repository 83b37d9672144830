import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/organization.ts'
import { ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { auditAsCsv, auditAsJson, presentAuditEntry } from '../../../presenters/audit.ts'
import { type AuditFilters, allAuditEntries, listAuditEntries } from '../../../queries/organization/audit.ts'

export function auditRoutes(people: PeopleApi): void {
  people.reads(contract.listAuditEntries, async ({ caller, db, query, parley }) => {
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
  people.downloads(contract.exportAuditEntries, ({ caller, db, query, parley }) => {
    const { format = 'json', ...filters } = query
    const pages = allAuditEntries(caller, db, filters)
    const day = new Date(parley.clock()).toISOString().slice(0, 10)
    return {
      name: `audit-${day}.${format}`,
      type: format === 'csv' ? 'text/csv' : 'application/json',
      content: format === 'csv' ? auditAsCsv(pages) : auditAsJson(pages),
    }
  })
}
