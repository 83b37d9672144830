import type { AuditEvent } from '../presenters/audit-events.ts'

/** The facility of RFC 5424 for log audit. */
const FACILITY = 13
/** Severities of RFC 5424 for those of OCSF. */
const INFORMATIONAL = 6
const WARNING = 4
const MEDIUM = 3
/** Characters of a MSGID at most. */
const MSGID = 32

/** Messages of RFC 5424, each behind its length (RFC 5425). The text of a message is the event as JSON. */
export function syslogFrames(events: readonly AuditEvent[], hostname: string): Buffer {
  return Buffer.concat(
    events.map((event) => {
      const priority = FACILITY * 8 + (event.severity_id === MEDIUM ? WARNING : INFORMATIONAL)
      const at = new Date(event.time).toISOString()
      const id = event.metadata.event_code.slice(0, MSGID)
      const message = Buffer.from(
        `<${priority}>1 ${at} ${hostname} parley - ${id} - ${JSON.stringify(event)}`,
      )
      return Buffer.concat([Buffer.from(`${message.length} `), message])
    }),
  )
}
