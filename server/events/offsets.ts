import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { type Refusal, refusal } from '../errors.ts'
import type { Secrets } from '../secrets.ts'

/** 96 bits of signature are plenty for something that only tells this bot its own place. */
const SIGNATURE_LENGTH = 16
const EVENT_ID = /^evt_([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/

const purposeOf = (caller: Caller) => `offset:${caller.orgId}:${caller.profileId}`

/** A bot's place in the log: it has got everything up to `seq`. */
export function writeOffset(secrets: Secrets, caller: Caller, seq: number): string {
  const text = seq.toString(36)
  return `${text}.${secrets.sign(purposeOf(caller), text).slice(0, SIGNATURE_LENGTH)}`
}

type Parts = { secrets: Secrets; db: Queryable }

/** The number behind an offset: one of ours, or the id of an update. Changed or foreign: 400. Too old: 409. */
export async function readOffset(caller: Caller, offset: string, parts: Parts): Promise<number> {
  const [, eventId] = EVENT_ID.exec(offset) ?? []
  if (eventId !== undefined) return seqOfEvent(caller, eventId, parts.db)
  const [, text = '', signature = ''] = /^([0-9a-z]{1,11})\.([\w-]+)$/.exec(offset) ?? []
  const length = SIGNATURE_LENGTH
  if (text === '' || !parts.secrets.isSigned(purposeOf(caller), text, signature, { length }))
    throw refusal('offset_invalid')
  return Number.parseInt(text, 36)
}

async function seqOfEvent(caller: Caller, eventId: string, db: Queryable): Promise<number> {
  const [row] = await db.query<{ seq: number }>(sql`
    select e.seq from events e
    where e.org_id = ${caller.orgId} and e.id = ${eventId} and coalesce(${caller.profileId} = any(e.bot_ids), exists (
      select from audience_rows a where a.org_id = ${caller.orgId} and a.bot_id = ${caller.profileId} and a.seq = e.seq))`)
  if (row) return row.seq
  throw (await isBeforeTheLog(caller, eventId, db)) ? offsetGone() : refusal('offset_invalid')
}

/** The start of the log tells more than the retention setting, which may have been changed since. */
async function isBeforeTheLog({ orgId }: Caller, eventId: string, db: Queryable): Promise<boolean> {
  const [row] = await db.query(sql`
    select 1 from organization_logs
    where org_id = ${orgId} and floor_seq > 0
      and not exists (select from events where org_id = ${orgId} and id < ${eventId})`)
  return row !== undefined
}

export const offsetGone = (): Refusal => refusal('offset_gone')
