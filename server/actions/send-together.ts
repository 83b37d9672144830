import type { Caller } from '../auth/bots.ts'
import { type Database, outcomeOf } from '../db/database.ts'
import type { Outcome, Perform } from '../db/groups.ts'
import { nothing, type Sql, sql } from '../db/sql.ts'
import type { Head } from '../db/transaction.ts'
import { badRequest, notFound, type Refusal } from '../errors.ts'
import { nextTick, tickTime, uuidFromTick } from '../ids.ts'
import { presentEventMessage } from '../presenters/messages.ts'
import type { MessageRow } from '../queries/messages.ts'
import { type KnownTopic, TopicDirectory } from '../queries/topic-directory.ts'
import { mentionsIn } from '../text.ts'
import { deliveryId } from '../webhooks/delivery-id.ts'
import { sendMessage, type TextMessage } from './messages.ts'

type Item = { caller: Caller; message: TextMessage }
type Sent = { id: string; topicId: string; createdAt: number }

/** After so many tries that found the organization changed by somebody else, each message takes the long way. */
const MAX_TRIES = 3

/**
 * Sends texts of bots: those that come together are written together, by one statement that is a transaction of its own.
 * Whether a message may be sent is decided in memory, from what was true at a certain state of the organization's log;
 * the statement writes only if that state still holds, and takes its place. So nothing is decided on what has changed, and
 * an organization still has one writer at a time.
 */
export class MessagesTogether {
  #db: Database
  #directory = new TopicDirectory()

  constructor(db: Database) {
    this.#db = db
  }

  send(caller: Caller, message: TextMessage): Promise<Sent> {
    // Where people may write also depends on who they are (`requireTopicToWriteIn`), which is not known here.
    if (!caller.profileId.startsWith('b@')) throw new Error('only bots send in this way')
    return this.#db.writeBy(caller.orgId, this.#send, { caller, message })
  }

  #send: Perform<Item, Sent> = async (orgId, items) => {
    for (let attempt = 1; attempt <= MAX_TRIES; attempt++) {
      const head = await this.#db.headOf(orgId)
      const plan = await this.#plan(orgId, head, items)
      if (await this.#write(orgId, head, plan)) return plan.outcomes
      this.#db.forgetHead(orgId)
    }
    return this.#sendSingly(orgId, items)
  }

  async #plan(orgId: string, head: Head, items: readonly Item[]): Promise<Plan> {
    const topicIds = new Set(items.map(({ message }) => key(message.topicId)))
    const topics = await this.#directory.read(this.#db, orgId, head.shape, topicIds)
    const parents = await readParents(this.#db, orgId, items)
    return plan(head, items, { topics, parents, now: this.#db.clock() })
  }

  /** False when the organization is no longer as the plan took it. What refuses all needs that looked at, too. */
  async #write(orgId: string, head: Head, { rows, last }: Plan): Promise<boolean> {
    if (rows.length === 0) return isSame(head, await this.#db.readHead(orgId))
    const written = await this.#db.query(groupStatement(orgId, head, last, rows))
    if (written.length === 0) return false
    this.#db.rememberHead(orgId, last)
    const botIds = [...new Set(rows.flatMap(({ bots }) => bots.map(({ id }) => id)))]
    this.#db.onCommit({ orgId, firstSeq: head.seq + 1, lastSeq: last.seq, botIds })
    return true
  }

  async #sendSingly(orgId: string, items: readonly Item[]): Promise<Outcome<Sent>[]> {
    const outcomes: Outcome<Sent>[] = []
    for (const { caller, message } of items) {
      const sending = this.#db.writeOutside(async (open) =>
        sendMessage(await open.enter(orgId), caller, message),
      )
      outcomes.push(await outcomeOf(sending))
    }
    return outcomes
  }
}

type Row = {
  message: MessageRow
  event: { seq: number; id: string; at: number; data: string }
  bots: KnownTopic['bots']
}

type Plan = { outcomes: Outcome<Sent>[]; rows: Row[]; last: Head }

type Circumstances = {
  topics: ReadonlyMap<string, KnownTopic>
  /** Topics of the messages that are replied to. */
  parents: ReadonlyMap<string, string>
  now: number
}

const key = (id: string): string => id.toLowerCase()
const isSame = (one: Head, other: Head): boolean =>
  one.seq === other.seq && one.tick === other.tick && one.shape === other.shape

/** Decides about each message, and gives those that are sent their ids, times and numbers, in the order of arrival. */
function plan(head: Head, items: readonly Item[], circumstances: Circumstances): Plan {
  const { now } = circumstances
  const rows: Row[] = []
  let { seq, tick } = head
  const moment = (): { id: string; at: number } => {
    tick = nextTick(tick, now)
    return { id: uuidFromTick(tick), at: tickTime(tick) }
  }
  const outcomes = items.map((item): Outcome<Sent> => {
    const checked = check(item, circumstances)
    if ('refusal' in checked) return { error: checked.refusal }
    const { topic, mentions } = checked
    const message = rowOf(item, moment(), topic, mentions)
    const shown = presentEventMessage(message, topic.members, message.created_at)
    const data = JSON.stringify({ message: shown, truncated: shown.truncated })
    seq += 1
    rows.push({ message, event: { seq, ...moment(), data }, bots: topic.bots })
    return { result: { id: message.id, topicId: message.topic_id, createdAt: message.created_at } }
  })
  return { outcomes, rows, last: { seq, tick, shape: head.shape } }
}

type Checked = { topic: KnownTopic; mentions: string[] } | { refusal: Refusal }

/** The same checks, in the same order, as for a message that is sent by itself. */
function check({ caller, message }: Item, { topics, parents }: Circumstances): Checked {
  const topic = topics.get(key(message.topicId))
  if (!topic?.members.has(caller.profileId)) return { refusal: notFound('Topic not found') }
  const mentions = mentionsIn(message.text)
  if (!mentions.every((id) => topic.members.has(id))) return { refusal: badRequest('Invalid mention') }
  const { parentId } = message
  if (parentId !== undefined && parents.get(key(parentId)) !== key(message.topicId)) {
    return { refusal: badRequest('Invalid parentId') }
  }
  return { topic, mentions }
}

function rowOf(
  { caller, message }: Item,
  { id, at }: { id: string; at: number },
  topic: KnownTopic,
  mentions: string[],
): MessageRow {
  return {
    id,
    topic_id: key(message.topicId),
    sender_id: caller.profileId,
    sender_name: topic.members.get(caller.profileId) ?? '',
    type: 'text',
    text: message.text,
    mentions,
    parent_id: message.parentId === undefined ? null : key(message.parentId),
    external_id: message.externalId ?? null,
    is_system: false,
    is_edited: false,
    reply_count: 0,
    reactions: [],
    details: null,
    attachments: null,
    created_at: at,
    updated_at: at,
  }
}

async function readParents(
  db: Database,
  orgId: string,
  items: readonly Item[],
): Promise<ReadonlyMap<string, string>> {
  const ids = items.flatMap(({ message }) => (message.parentId === undefined ? [] : [message.parentId]))
  if (ids.length === 0) return new Map()
  const rows = await db.query<{ id: string; topic_id: string }>(sql`
    select id, topic_id from messages where org_id = ${orgId} and id = any(${ids}::uuid[])`)
  return new Map(rows.map(({ id, topic_id }) => [id, topic_id]))
}

/** An array of ids or numbers, which need no quotes: making it costs a fraction of what the driver would spend on it. */
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/** Payloads are JSON, in which this stands only escaped. */
const SEPARATOR = '\x1e'

/** One row in the answer: written. None: the organization has changed, and nothing was. */
function groupStatement(orgId: string, head: Head, last: Head, rows: readonly Row[]): Sql {
  const column = (value: (row: Row) => string | number): string => arrayOf(rows.map(value))
  const audience = rows.flatMap(({ event, bots }) => bots.map(({ id }) => ({ id, seq: event.seq })))
  const replies = rows.flatMap(({ message }) => message.parent_id ?? [])
  const deliveries = rows.flatMap(({ event, bots, message }) =>
    bots.filter(({ hasWebhook }) => hasWebhook).map(({ id }) => ({ id, event, topicId: message.topic_id })),
  )
  return sql`
    with log as (
      update organization_logs set last_seq = ${last.seq}, last_tick = ${last.tick.toString()}
      where org_id = ${orgId} and last_seq = ${head.seq} and last_tick = ${head.tick.toString()}
        and shape = ${head.shape}
      returning org_id
    ), message as (
      insert into messages (org_id, id, topic_id, sender_id, type, text, mentions, parent_id, external_id, created_at,
        updated_at)
      select log.org_id, x.id, x.topic_id, x.sender_id, 'text', x.text, x.mentions::text[], x.parent_id, x.external_id,
        x.at, x.at
      from log, unnest(${column(({ message }) => message.id)}::uuid[],
        ${column(({ message }) => message.topic_id)}::uuid[], ${column(({ message }) => message.sender_id)}::text[],
        ${rows.map(({ message }) => message.text)}::text[], ${rows.map(({ message }) => arrayOf(message.mentions))}::text[],
        ${column(({ message }) => message.parent_id ?? 'NULL')}::uuid[], ${rows.map(({ message }) => message.external_id)}::text[],
        ${column(({ message }) => message.created_at)}::bigint[])
        as x (id, topic_id, sender_id, text, mentions, parent_id, external_id, at)
    ), event as (
      insert into events (org_id, seq, id, type, topic_id, data, created_at)
      select log.org_id, x.seq, x.id, 'message.created', x.topic_id, x.data::json, x.at
      from log, unnest(${column(({ event }) => event.seq)}::bigint[], ${column(({ event }) => event.id)}::uuid[],
        ${column(({ message }) => message.topic_id)}::uuid[], string_to_array(${rows.map(({ event }) => event.data).join(SEPARATOR)}, ${SEPARATOR}),
        ${column(({ event }) => event.at)}::bigint[]) as x (seq, id, topic_id, data, at)
    ), audience as (
      insert into event_audience (org_id, bot_id, seq)
      select log.org_id, x.bot_id, x.seq
      from log, unnest(${arrayOf(audience.map(({ id }) => id))}::text[], ${arrayOf(audience.map(({ seq }) => seq))}::bigint[])
        as x (bot_id, seq)
    )${replies.length === 0 ? nothing : countReplies(replies)}${deliveries.length === 0 ? nothing : insertDeliveries(deliveries)}
    select 1 from log`
}

const countReplies = (parentIds: readonly string[]): Sql => sql`, reply as (
      update messages m set reply_count = m.reply_count + x.count
      from log, (select parent_id, count(*) from unnest(${parentIds}::uuid[]) as parent_id group by parent_id) x
      where m.org_id = log.org_id and m.id = x.parent_id
    )`

type Delivery = { id: string; event: Row['event']; topicId: string }

const insertDeliveries = (deliveries: readonly Delivery[]): Sql => sql`, delivery as (
      insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
      select log.org_id, x.bot_id, x.seq, ${deliveryId(sql`x.event_id`, sql`x.bot_id`)}, x.topic_id, x.at
      from log, unnest(${deliveries.map(({ id }) => id)}::text[], ${deliveries.map(({ event }) => event.seq)}::bigint[],
        ${deliveries.map(({ event }) => event.id)}::uuid[], ${deliveries.map(({ topicId }) => topicId)}::uuid[],
        ${deliveries.map(({ event }) => event.at)}::bigint[]) as x (bot_id, seq, event_id, topic_id, at)
    )`
