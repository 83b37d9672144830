import type { PauseReason } from '../../../contract/people/webhooks.ts'
import type { Database } from '../../db/database.ts'
import { literal, type Sql, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { append } from '../../events/log.ts'
import { firstUuidAt } from '../../ids.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import { type Bot, isOfBot, queueId } from '../../queries/bots/deliveries.ts'
import { addresses, tableOf } from '../../queries/bots/webhook-addresses.ts'
import { eventsFor } from '../../queries/events/audience.ts'
import { readEventRetentionMs } from '../../queries/organization/organizations.ts'
import { audit, changesBetween, NO_TOPIC, SERVER } from '../organization/audit.ts'

/** Deliveries that are queued again by one transaction: the organization's writer waits while it runs. */
const REPLAY_STEP = 1000

export type Pause = Bot & { url: string; reason: Exclude<PauseReason, 'imported'> }

const PAUSE_REASONS: Record<Pause['reason'], string> = {
  gone: 'answered 410, which says that it is gone for good',
  failing: 'has failed at every attempt for a day',
}

/**
 * The id of a delivery: the time and order of its event (the first half of the event's id) and the chance in the id of its
 * address (the second half). A UUID of version 7 like the event's, so it goes to the right edge of the index, and
 * the same whenever the delivery of this event to this address is made again.
 */
const deliveryId = (eventId: Sql, addressId: Sql): Sql =>
  sql`(left(${eventId}::text, 18) || right(${addressId}, 18))::uuid`

/** Stops the deliveries of an address and tells the admins. Its events are kept; those it misses wait for `resumeWebhook`. */
export async function pauseWebhook(
  tx: Transaction,
  { secrets, config }: Pick<Parley, 'secrets' | 'config'>,
  { botId, addressId, url, reason }: Pause,
): Promise<void> {
  const id = queueId({ botId, addressId })
  // The address may have changed since the delivery; the new one is not paused.
  const [paused] = await tx.query<{ id: string; name: string }>(sql`
    update ${tableOf(id)} b set webhook_paused_at = ${tx.now()}, webhook_pause_reason = ${reason}
    from profiles p
    where b.org_id = ${tx.orgId} and b.id = ${id} and b.webhook_url = ${url} and b.webhook_paused_at is null
      and exists (select from bots o where o.org_id = ${tx.orgId} and o.id = ${botId} and o.delivery = 'webhook')
      and p.org_id = b.org_id and p.id = ${botId}
    returning p.id, p.name`)
  if (!paused) return
  await audit(tx, SERVER, {
    action: 'bot.webhook_paused',
    target: { type: 'bot', ...paused },
    changes: [
      ...(id === botId ? [] : changesBetween({}, { webhookUrl: url })),
      { field: 'pauseReason', to: reason },
    ],
  })
  const admins = await tx.query<{ email: string; bot: string; organization: string }>(sql`
    select p.email, b.name as bot, o.name as organization
    from profiles p
    join profiles b on b.org_id = p.org_id and b.id = ${botId}
    join organizations o on o.org_id = p.org_id
    where p.org_id = ${tx.orgId} and p.role in ('owner', 'admin') and p.status in ('Active', 'Pending')
    order by p.id`)
  const retentionMs = await readEventRetentionMs(tx, tx, config)
  const days = Math.round((retentionMs / 86_400_000) * 10) / 10
  for (const { email, bot, organization } of admins) {
    await queueMail(tx, secrets, {
      to: email,
      subject: mailWords`The webhook of ${bot} is paused`,
      text: mailWords`The bot ${bot} of ${organization} receives no events for now: its address at ${new URL(url).host}
${asIs(PAUSE_REASONS[reason])}.

Its events are kept for ${asIs(String(days))} days. When the address works again, resume the webhook or give it a new
address: it then receives what it has missed.

${asIs(`${config.baseUrl}/console/${tx.orgId}/bots/${encodeURIComponent(botId)}/deliveries`)}
`,
    })
  }
}

/**
 * Resumes deliveries to an address in the order of their events, including those that failed or had to wait. Returns
 * whether there were any. A bot's first address has the bot's id.
 */
export async function resumeWebhook(tx: Transaction, addressId: string): Promise<boolean> {
  const [changed] = await tx.query(sql`
    with address as (
      update ${tableOf(addressId)} set webhook_paused_at = null, webhook_pause_reason = null, failing_since = null, failing_attempts = 0
      where org_id = ${tx.orgId} and id = ${addressId}
        and (webhook_paused_at is not null or failing_since is not null or failing_attempts > 0)
      returning 1
    ), delivery as (
      update deliveries d set failures = 0, due_at = e.created_at from events e
      where d.org_id = ${tx.orgId} and d.bot_id = ${addressId} and d.state = 'pending' and d.failures > 0
        and e.org_id = d.org_id and e.seq = d.seq
      returning 1
    )
    select 1 where exists (select from address) or exists (select from delivery)`)
  return changed !== undefined
}

/** Sends it again, whatever became of it, under the same id. A test stays one: it is sent once. */
export async function replayDelivery(tx: Transaction, botId: string, id: string): Promise<void> {
  const [delivery] = await tx.query(sql`
    update deliveries d set state = case when topic_id = ${NO_TOPIC} then 'testing' else 'pending' end, failures = 0,
      due_at = ${tx.now()}
    where d.org_id = ${tx.orgId} and d.id = ${id} and ${isOfBot({ orgId: tx.orgId, botId })}
    returning seq`)
  if (!delivery) throw refusal('delivery_not_found')
}

/**
 * Sends every event of a bot since then to one of its addresses again, including polled ones, in order and at its pace.
 * Returns how many. It works in steps, each a transaction: a week of events in one would block all other writers of the
 * organization. `permit` refuses a step whose caller has lost the right to it. `onFirst` runs with the count after the
 * first step that finds events for the address, or after the last step if none does; its refusal undoes that step.
 */
export async function replayFrom(
  db: Database,
  { orgId, ...bot }: Bot,
  time: number,
  onFirst: (tx: Transaction, count: number) => Promise<void> = async () => {},
  permit: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<number> {
  let replayed = 0
  let after: number | undefined
  for (;;) {
    const step = await db.write(orgId, async (tx) => {
      await permit(tx)
      const done = await replayStep(tx, bot, { time, after, replayed })
      const isLast = done.seen < REPLAY_STEP
      if (replayed === 0 && (done.count > 0 || isLast)) await onFirst(tx, done.count)
      return { ...done, isLast }
    })
    replayed += step.count
    if (step.isLast) return replayed
    after = step.last
  }
}

/**
 * Queues everything again that was given up, or failed and waits for its next attempt: in the order of the events and
 * at the pace of the bot, in steps like `replayFrom`. Tests are sent once, and are left out. A queued delivery has no
 * failures any more, so the next step does not find it again.
 */
export async function replayFailed(
  db: Database,
  { orgId, ...bot }: Bot,
  onFirst: (tx: Transaction, count: number) => Promise<void>,
  permit: (tx: Transaction) => Promise<unknown>,
): Promise<number> {
  let replayed = 0
  for (let isFirst = true; ; isFirst = false) {
    const count = await db.write(orgId, async (tx) => {
      await permit(tx)
      const done = await replayFailedStep(tx, bot, replayed)
      if (isFirst) await onFirst(tx, done)
      return done
    })
    replayed += count
    if (count < REPLAY_STEP) return replayed
  }
}

/** Each of the two kinds is a range of an index that holds it alone. */
async function replayFailedStep(tx: Transaction, bot: Omit<Bot, 'orgId'>, replayed: number): Promise<number> {
  const addressId = queueId(bot)
  const [step] = await tx.query<{ count: number }>(sql`
    with failed as materialized (
      select seq from (
        (select d.seq from deliveries d where d.org_id = ${tx.orgId} and d.bot_id = ${addressId} and d.state = 'exhausted'
          and d.topic_id <> ${NO_TOPIC} order by d.seq limit ${REPLAY_STEP})
        union all
        (select d.seq from deliveries d where d.org_id = ${tx.orgId} and d.bot_id = ${addressId} and d.state = 'pending'
          and d.failures > 0 order by d.due_at, d.seq limit ${REPLAY_STEP})
      ) x order by seq limit ${REPLAY_STEP}
    ), delivery as (
      update deliveries d set state = 'pending', failures = 0, due_at = ${tx.now()} + s.number * 1000 / b.webhook_rate
      from (select seq, ${replayed} + row_number() over (order by seq) as number from failed) s
      join bots b on b.org_id = ${tx.orgId} and b.id = ${bot.botId}
      where d.org_id = ${tx.orgId} and d.bot_id = ${addressId} and d.seq = s.seq
    )
    select count(*) from failed`)
  return step?.count ?? 0
}

type ReplayProgress = { time: number; after: number | undefined; replayed: number }

async function replayStep(
  tx: Transaction,
  bot: Omit<Bot, 'orgId'>,
  { time, after, replayed }: ReplayProgress,
) {
  const address = sql`(
    select * from ${addresses} b where b.org_id = ${tx.orgId} and b.id = ${queueId(bot)} offset 0) b`
  const since = sql`coalesce(${after}, (
    select seq - 1 from events where org_id = ${tx.orgId} and id >= ${firstUuidAt(time)} order by id limit 1))`
  const heard = eventsFor({
    orgId: tx.orgId,
    botId: bot.botId,
    after: sql`x.seq`,
    limit: literal(REPLAY_STEP),
  })
  const [step] = await tx.query<{ last: number; seen: number; count: number }>(sql`
    with seen as materialized (
      select a.seq, e.id, e.topic_id, e.type from (select ${since} as seq) x cross join lateral ${heard} a
      join events e on e.org_id = ${tx.orgId} and e.seq = a.seq
    ), step as materialized (
      select s.seq, s.id, s.topic_id, ${replayed} + row_number() over (order by s.seq) as number
      from seen s join ${address} on b.webhook_events is null or s.type = any(b.webhook_events)
    ), delivery as (
      insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
      select b.org_id, b.id, s.seq, ${deliveryId(sql`s.id`, sql`b.id`)}, s.topic_id,
        ${tx.now()} + s.number * 1000 / b.webhook_rate
      from step s cross join ${address}
      on conflict (org_id, bot_id, seq) do update set state = 'pending', failures = 0, due_at = excluded.due_at
    )
    select max(seq) as last, count(*) as seen, (select count(*) from step) as count from seen`)
  return step ?? { last: 0, seen: 0, count: 0 }
}

/**
 * The bot changes from polling to its webhook: polled events are done, and the others are to be delivered to each of its
 * addresses, unless they were delivered before it changed to polling.
 */
export async function queueUnpolled(tx: Transaction, botId: string): Promise<void> {
  await tx.query(sql`
    with address as (
      select b.* from ${addresses} b where b.org_id = ${tx.orgId} and b.bot_id = ${botId}
    ), polled as (
      update deliveries d set state = 'delivered' from address b
      where d.org_id = ${tx.orgId} and d.bot_id = b.id and d.state = 'pending' and d.seq <= b.polled_seq
    )
    insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
    select b.org_id, b.id, e.seq, ${deliveryId(sql`e.id`, sql`b.id`)}, e.topic_id, e.created_at
    from address b
    cross join lateral ${eventsFor({ orgId: tx.orgId, botId: sql`b.bot_id`, after: sql`b.polled_seq`, limit: sql`all` })} a
    join events e on e.org_id = ${tx.orgId} and e.seq = a.seq
      and (b.webhook_events is null or e.type = any(b.webhook_events))
    on conflict (org_id, bot_id, seq) do nothing`)
}

/**
 * Sends a `webhook.test` to one address of a bot. The event has a number in the log but no audience, so that polls,
 * replays and other bots do not get it. `TestSender` sends it once, even while the webhook is paused, to show whether
 * the address works again.
 */
export async function sendTestEvent(
  tx: Transaction,
  botId: string,
  addressId = botId,
): Promise<{ deliveryId: string }> {
  const [bot] = await tx.query<{ delivery: string; active: boolean }>(sql`
    select delivery, active from bots where org_id = ${tx.orgId} and id = ${botId}`)
  if (bot?.delivery !== 'webhook') throw refusal('webhook_not_enabled')
  if (!bot.active) throw refusal('bot_not_active')
  const { id, at } = tx.moment()
  const data = { message: 'Hello from Parley' }
  const seq = await append(tx, { id, at, type: 'webhook.test', topicId: NO_TOPIC, data }, { ofTopic: false })
  const [delivery] = await tx.query<{ id: string }>(sql`
    insert into deliveries (org_id, bot_id, seq, id, topic_id, state, due_at)
    values (${tx.orgId}, ${addressId}, ${seq}, ${deliveryId(sql`${id}`, sql`${addressId}::text`)}, ${NO_TOPIC}, 'testing', ${at})
    returning id`)
  if (!delivery) throw new Error('a test event must have a delivery')
  return { deliveryId: delivery.id }
}
