import type { Queryable } from '../db/database.ts'
import { crossing, type Sql, sql, verbatim } from '../db/sql.ts'
import type { Secrets } from '../secrets.ts'
import { MARK_KEY_CONTEXT } from './mark-key.ts'
import { PUSH_KEY_CONTEXT } from './push-keys.ts'

const BATCH = 200

/** Everything that is encrypted at rest: where it is, and the context that each value is bound to. */
export const ENCRYPTED: readonly { table: string; column: string; context: Sql }[] = [
  { table: 'bots', column: 'secret', context: sql`id` },
  { table: 'bots', column: 'previous_secret', context: sql`id` },
  { table: 'bots', column: 'webhook_headers', context: sql`'headers:' || id` },
  { table: 'webhook_addresses', column: 'secret', context: sql`id` },
  { table: 'webhook_addresses', column: 'previous_secret', context: sql`id` },
  { table: 'webhook_addresses', column: 'webhook_headers', context: sql`'headers:' || id` },
  {
    table: 'idempotent_answers',
    column: 'body',
    context: sql`'answer:' || org_id || ':' || owner`,
  },
  { table: 'mails', column: 'content', context: sql`'mail:' || id` },
  { table: 'incoming_webhooks', column: 'secret', context: sql`'incoming:' || id` },
  { table: 'audit_destinations', column: 'secret', context: sql`'audit destination:' || id` },
  { table: 'message_checks', column: 'secret', context: sql`'message check:' || org_id` },
  { table: 'join_links', column: 'token', context: sql`'join link:' || id` },
  { table: 'push_keys', column: 'private_key', context: sql`${PUSH_KEY_CONTEXT}::text` },
  { table: 'mark_keys', column: 'key', context: sql`${MARK_KEY_CONTEXT}::text` },
  { table: 'push_subscriptions', column: 'subscription', context: sql`'push:' || session_id` },
  { table: 'second_factors', column: 'secret', context: sql`'second factor:' || account_id` },
]

type Value = { place: string; value: Buffer; context: string }

/** Values made with another key than the current one. */
const outdated = (column: string, mark: Buffer): Sql =>
  sql`${verbatim(column)} is not null and substring(${verbatim(column)} for ${mark.length}) <> ${mark}`

export async function countOutdated(db: Queryable, secrets: Secrets): Promise<number> {
  let count = 0
  for (const { table, column } of ENCRYPTED) {
    const [row] = await db.query<{ count: number }>(
      sql`${crossing('a new secret key is put on everything')} select count(*) as count from ${verbatim(table)} where ${outdated(column, secrets.mark)}`,
    )
    count += row?.count ?? 0
  }
  return count
}

/**
 * Encrypts values of a former key again, some at a time. A value that changed during it is left alone: the change used
 * the current key. So it may be interrupted, repeated, and run by several processes at once.
 */
export async function reEncrypt(db: Queryable, secrets: Secrets): Promise<void> {
  for (const { table, column, context } of ENCRYPTED) {
    let place = '(0,0)'
    for (;;) {
      const values = await db.query<Value>(sql`${crossing('a new secret key is put on everything')}
        select ctid::text as place, ${verbatim(column)} as value, ${context} as context from ${verbatim(table)}
        where ctid > ${place}::tid and ${outdated(column, secrets.mark)}
        order by ctid limit ${BATCH}`)
      const last = values.at(-1)
      if (!last) break
      await replace(db, { table, column }, values, secrets)
      place = last.place
    }
  }
}

async function replace(
  db: Queryable,
  { table, column }: { table: string; column: string },
  values: readonly Value[],
  secrets: Secrets,
): Promise<void> {
  const renewed = values.map(({ value, context }) =>
    secrets.encrypt(secrets.decrypt(value, context), context),
  )
  await db.query(sql`${crossing('a new secret key is put on everything')}
    update ${verbatim(table)} t set ${verbatim(column)} = n.renewed
    from unnest(${values.map(({ place }) => place)}::tid[], ${values.map(({ value }) => value)}::bytea[],
      ${renewed}::bytea[]) as n (place, former, renewed)
    where t.ctid = n.place and t.${verbatim(column)} = n.former`)
}
