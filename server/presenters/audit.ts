import type { AuditEntry } from '../../contract/people/organization.ts'
import type { AuditRow } from '../queries/organization/audit.ts'

export const presentAuditEntry = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  actor: {
    kind: row.actorKind,
    ...(row.actorId !== null && { id: row.actorId }),
    ...(row.actorName !== null && { name: row.actorName }),
    ...(row.assistant !== null && { assistant: row.assistant }),
  },
  action: row.action,
  target: { type: row.targetType, id: row.targetId, name: row.targetName },
  changes: row.changes,
  ...(row.address !== null && { client: { address: row.address, userAgent: row.userAgent ?? '' } }),
})

const CSV_HEAD =
  'at,actor kind,actor id,actor,action,target kind,target id,target,changes,address,browser,assistant\r\n'

/** Entries as JSON, piece by piece. */
export async function* auditAsJson(pages: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield before + rows.map((row) => JSON.stringify(presentAuditEntry(row))).join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

/** Entries as CSV. The mark in front tells spreadsheets that it is UTF-8. */
export async function* auditAsCsv(pages: AsyncIterable<AuditRow[]>): AsyncGenerator<string> {
  yield `\uFEFF${CSV_HEAD}`
  for await (const rows of pages) if (rows.length > 0) yield rows.map(csvLine).join('')
}

const csvLine = (row: AuditRow): string =>
  `${[
    new Date(row.at).toISOString(),
    row.actorKind,
    row.actorId,
    row.actorName,
    row.action,
    row.targetType,
    row.targetId,
    row.targetName,
    row.changes.map(({ field, from = '', to = '' }) => `${field}: ${from} → ${to}`).join('; '),
    row.address,
    row.userAgent,
    row.assistant,
  ]
    .map((value) => csvCell(value ?? ''))
    .join(',')}\r\n`

/** Spreadsheets take a text that begins like this for a formula, and members choose their names freely. */
const FORMULA = /^[=+\-@\t\r]/

function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
