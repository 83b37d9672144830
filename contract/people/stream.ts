import type { AuditAction, AuditTarget } from './organization.ts'

/**
 * The live stream of an organization, `text/event-stream` at `/people/organizations/{organizationId}/stream`. It reads the
 * event log from a position and sends, with the number in the log as `id`:
 *
 * - every event of a topic that the person is in as it is read, by its type, with the data that a bot would get, and
 *   `member.removed` of topics that they were removed from;
 * - for admins, `admin.change` for every change that the audit log tells of; for others, for changes to themselves.
 *
 * A browser that was cut off sends the last `id` and misses nothing; where the log no longer reaches back so far, or at
 * the very beginning, it gets `reset` and reads everything anew. Without an `id` come hints that something may be worth
 * reading again, for admins: `activity` at most every two seconds, and once more when it has become quiet, and `deliveries`
 * for the bot that `watch` names. A stream ends at once with the session, and with the membership.
 */
export const STREAM_PATH = '/people/organizations/{organizationId}/stream'

export const TOO_MANY_STREAMS = 'too many open pages, close some of them'

export type AdminChange = {
  action: AuditAction
  target: { type: AuditTarget; id: string }
}
export const ADMIN_CHANGE = 'admin.change'
