import type { EventType } from '../../contract/events.ts'
import type { ConsoleBot } from '../../contract/people/bots.ts'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { nothing, sql } from '../db/sql.ts'

export type BotRow = {
  id: string
  name: string
  description: string
  ownerId: string | null
  credential: ConsoleBot['credential']
  keyHint: string
  permission: 'read' | 'write'
  scopes: NonNullable<ConsoleBot['scopes']>
  signatureVersion: 1 | 2
  active: boolean
  delivery: ConsoleBot['delivery']
  pollVoteEvents: boolean
  webhookUrl: string | null
  webhookGzip: boolean
  webhookRate: number
  webhookEvents: EventType[] | null
  webhookHeaders: string[]
  pausedAt: number | null
  pauseReason: 'gone' | 'failing' | null
  failingSince: number | null
  formerSecretUntil: number | null
  createdAt: number
  updatedAt: number
}

const columns = sql`b.id, p.name, b.description, b.owner_id as "ownerId", b.credential, b.key_hint as "keyHint", b.permission, b.scopes, b.active, b.delivery,
  b.signature_version as "signatureVersion",  b.poll_vote_events as "pollVoteEvents", b.webhook_url as "webhookUrl", b.webhook_gzip as "webhookGzip",
  b.webhook_rate as "webhookRate", b.webhook_events as "webhookEvents", b.webhook_header_names as "webhookHeaders",
  b.previous_secret_until as "formerSecretUntil", b.webhook_paused_at as "pausedAt", b.webhook_pause_reason as "pauseReason",
  b.failing_since as "failingSince", b.created_at as "createdAt", greatest(b.updated_at, p.updated_at) as "updatedAt"`

export async function readBot(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  botId: string,
): Promise<BotRow | undefined> {
  const [row] = await db.query<BotRow>(sql`
    select ${columns} from bots b join profiles p on p.org_id = b.org_id and p.id = b.id
    where b.org_id = ${orgId} and b.id = ${botId}`)
  return row
}

export type BotPosition = [createdAt: number, id: string]

/** The oldest first; one row more than `limit`. */
export function listBots(
  caller: Caller,
  db: Queryable,
  { after, limit }: { after?: BotPosition; limit: number },
): Promise<BotRow[]> {
  return db.query<BotRow>(sql`
    select ${columns} from bots b join profiles p on p.org_id = b.org_id and p.id = b.id
    where b.org_id = ${caller.orgId} ${after ? sql`and (b.created_at, b.id) > (${after[0]}, ${after[1]})` : nothing}
    order by b.created_at, b.id limit ${limit + 1}`)
}

/** The secrets of a bot that count now, still encrypted, the newest first. */
export async function readSealedSecrets(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  botId: string,
  now: number,
): Promise<Buffer[]> {
  const [row] = await db.query<{ secret: Buffer; former: Buffer | null }>(sql`
    select secret, case when previous_secret_until > ${now} then previous_secret end as former
    from bots where org_id = ${orgId} and id = ${botId}`)
  if (!row) throw new Error(`bot ${botId} does not exist`)
  return [row.secret, ...(row.former ? [row.former] : [])]
}
