import { beginAuditTest } from '../actions/organization/audit-destinations.ts'
import type { PersonCaller } from '../auth/sessions.ts'
import { sql } from '../db/sql.ts'
import type { Parley } from '../parley.ts'
import { listAuditEntries } from '../queries/organization/audit.ts'
import { listAuditDestinations } from '../queries/organization/audit-destinations.ts'
import { WaysOut } from '../webhooks/ways-out.ts'
import { type SendParts, type Sent, sendEntries } from './send.ts'

/** Sends the entry about this test at once. One that arrives lets a failing destination go on without its wait. */
export async function tryDestination(
  parley: SendParts & Pick<Parley, 'db'>,
  admitted: PersonCaller,
  id: string,
): Promise<Sent> {
  const { db, clock } = parley
  const { target, entries } = await db.writeAs(admitted, async (tx, caller) => {
    await beginAuditTest(tx, caller, id)
    const [target] = await listAuditDestinations(tx, tx, id)
    // The organization's only writer: the newest entry is that of this test.
    const entries = await listAuditEntries(caller, tx, { filters: {}, limit: 0 })
    return { target, entries }
  })
  if (!target) throw new Error('a destination that was tested is there')
  const { orgId } = admitted
  const waysOut = new WaysOut(parley.config, {})
  try {
    const sent = await sendEntries(parley, waysOut, { ...target, orgId }, entries, new AbortController())
    if (sent && !sent.fault)
      await db.query(sql`
        update audit_destinations set due_at = ${clock()} where org_id = ${orgId} and id = ${id} and due_at > ${clock()}`)
    return sent ?? {}
  } finally {
    await waysOut.destroy()
  }
}
