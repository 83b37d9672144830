import { sql } from '../../server/db/sql.ts'
import type { Backstage, Topic } from './cast.ts'

const YEAR_MS = 365 * 24 * 3600 * 1000
const HOUR_MS = 3_600_000
const BATCH = 100_000

/** Fills topics with so many messages each, spread over the last year, and leaves the table as a quiet server has it. */
export async function writeHistory(
  backstage: Backstage,
  topics: readonly Topic[],
  messagesEach: number,
): Promise<void> {
  const all = messagesEach * topics.length
  for (let first = 0; first < all; first += BATCH) {
    await insertMessages(backstage, topics, { first, end: Math.min(first + BATCH, all), all })
  }
  await backstage.db.query(sql`vacuum analyze messages`)
  await backstage.db.query(sql`checkpoint`)
}

/** Topics take turns. Ids as `uuidFromTick` makes them: sixty bits of time and order around the version, the rest by chance. */
async function insertMessages(
  { db, orgId }: Backstage,
  topics: readonly Topic[],
  { first, end, all }: { first: number; end: number; all: number },
): Promise<void> {
  const begin = Date.now() - YEAR_MS
  const step = Math.floor((YEAR_MS - HOUR_MS) / all)
  const senders = topics.map(({ bots: [bot] }) => bot?.id)
  await db.query(sql`
    insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
    select ${orgId}, concat(substr(head, 1, 8), '-', substr(head, 9, 4), '-7', substr(head, 13, 3), '-8',
        substr(tail, 1, 3), '-', substr(tail, 4, 12))::uuid,
      (${topics.map(({ id }) => id)}::uuid[])[1 + number % ${topics.length}::bigint],
      (${senders}::text[])[1 + number % ${topics.length}::bigint],
      'text', 'Message ' || number || ': the build of the main branch went through.', at, at
    from (
      select number, ${begin}::bigint + number * ${step}::bigint as at from generate_series(${first}::bigint, ${end - 1}::bigint) as number
    ) as numbered
    cross join lateral (
      select lpad(to_hex(at * 4096), 15, '0') as head, md5(random()::text || number) as tail
    ) as made`)
}
