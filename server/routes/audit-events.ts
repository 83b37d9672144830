import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AUDIT_EVENTS_PATH, AuditEventsQuery } from '../../contract/audit-events.ts'
import { LIMITS } from '../../contract/limits.ts'
import { bearerOf, findServiceCaller, type ServiceCaller } from '../auth/service-tokens.ts'
import { refusal, tooMany, unauthorized } from '../errors.ts'
import { checker } from '../http/validate.ts'
import { visitorOf } from '../http/visitor.ts'
import { FIRST_ID, firstUuidAt } from '../ids.ts'
import type { Parley } from '../parley.ts'
import { presentAuditEvent } from '../presenters/audit-events.ts'
import { readVersion } from '../project.ts'
import { listAuditEntriesAfter } from '../queries/organization/audit.ts'

type Parts = Pick<Parley, 'clock' | 'config' | 'db' | 'rateLimiter'>
type Query = { cursor?: string; from?: number; limit?: number }

const readQuery = checker(AuditEventsQuery, 'query')
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The audit log for programs of the organization, the oldest event first. */
export function auditEventRoutes(app: FastifyInstance, parley: Parts): void {
  const knownVersion = readVersion()
  app.get(AUDIT_EVENTS_PATH, async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    const caller = await admit(request, parley)
    const query: Query = Object(readQuery(request.query))
    const { limit = LIMITS.pageDefault } = query
    const after = placeOf(query)
    const { rows, hasMore } = await listAuditEntriesAfter(caller, parley.db, { after, limit })
    const about = { orgId: caller.orgId, version: await knownVersion }
    return {
      events: rows.map((row) => presentAuditEvent(row, about)),
      nextCursor: rows.at(-1)?.id ?? after,
      hasMore,
    }
  })
}

/** The id behind which events are read. */
function placeOf({ cursor, from }: Query): string {
  if (cursor === undefined) return from === undefined ? FIRST_ID : firstUuidAt(from)
  if (!UUID.test(cursor)) throw refusal('cursor_invalid')
  return cursor
}

async function admit(request: FastifyRequest, parley: Parts): Promise<ServiceCaller> {
  const token = bearerOf(request.headers.authorization)
  const { client } = visitorOf(request, parley.config)
  const caller = token === undefined ? undefined : await findServiceCaller(parley, 'audit', { token, client })
  if (!caller) throw unauthorized('The token is missing, wrong or no longer valid')
  const { allowed, resetMs } = await parley.rateLimiter.take(
    `audit:${caller.orgId}`,
    LIMITS.auditRequestsPerMinute,
  )
  if (!allowed) throw tooMany(resetMs)
  return caller
}
