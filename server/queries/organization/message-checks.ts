import type { MessageCheck } from '../../../contract/people/message-check.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { nothing, sql } from '../../db/sql.ts'

type Fault = NonNullable<MessageCheck['fault']>
type Organization = Pick<Caller, 'orgId'>

export type MessageCheckRow = {
  address: string
  secret: Buffer
  whenAway: MessageCheck['whenAway']
  setByName: string
  setAt: number
  failingSince: number | null
  faultKind: Fault['kind'] | null
  faultDetail: string | null
}

export async function readMessageCheck(
  { orgId }: Organization,
  db: Queryable,
): Promise<MessageCheckRow | undefined> {
  const [row] = await db.query<MessageCheckRow>(sql`
    select c.address, c.secret, c.when_away as "whenAway", coalesce(p.name, '') as "setByName", c.set_at as "setAt",
      c.failing_since as "failingSince", c.fault_kind as "faultKind", c.fault_detail as "faultDetail"
    from message_checks c left join profiles p on p.org_id = c.org_id and p.id = c.set_by
    where c.org_id = ${orgId}`)
  return row
}

export type HeldRow = {
  id: string
  senderId: string
  senderName: string
  topicId: string
  topicName: string
  text: string
  reason: string
  heldAt: number
}

const held = sql`
  select m.id, m.profile_id as "senderId", p.name as "senderName", m.topic_id as "topicId", coalesce(t.name, '') as "topicName", m.text,
    coalesce(m.held_reason, '') as reason, m.updated_at as "heldAt"
  from scheduled_messages m
  join profiles p on p.org_id = m.org_id and p.id = m.profile_id
  left join topics t on t.org_id = m.org_id and t.id = m.topic_id and t.type = 'topic'`

/** Held messages, the oldest first; one more than `limit`. */
export const listHeldMessages = (
  { orgId }: Organization,
  db: Queryable,
  { after, limit }: { after?: string; limit: number },
): Promise<HeldRow[]> =>
  db.query<HeldRow>(sql`${held}
    where m.org_id = ${orgId} and m.state = 'held' ${after === undefined ? nothing : sql`and m.id > ${after}`}
    order by m.id limit ${limit + 1}`)

export async function readHeldMessage(
  { orgId }: Organization,
  db: Queryable,
  id: string,
): Promise<HeldRow | undefined> {
  const [row] = await db.query<HeldRow>(
    sql`${held} where m.org_id = ${orgId} and m.id = ${id} and m.state = 'held'`,
  )
  return row
}
