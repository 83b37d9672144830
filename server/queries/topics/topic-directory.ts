import type { Reach } from '../../../contract/reach.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, nothing, sql } from '../../db/sql.ts'
import { together } from '../../db/together.ts'
import { type BlockedWords, blockedWordsOf } from '../../limits/blocked-words.ts'

export type NarrowBot = { id: string; reach: Exclude<Reach, 'everything'>; addressIds: readonly string[] }

/** Facts about a topic that sending into it, and telling people of its events, needs. */
export type KnownTopic = {
  /** Names of all members, by id. */
  members: ReadonlyMap<string, string>
  /** When each person among them joined the topic. */
  joinedAt: ReadonlyMap<string, number>
  /** Bots among them that receive every event, and the addresses of their webhooks that get texts. */
  botIds: readonly string[]
  addressIds: readonly string[]
  /** Bots that get less than everything; `botIds` does not have them. */
  narrowBots: readonly NarrowBot[]
  /** Members who may write here; undefined: all of them. */
  writers: ReadonlySet<string> | undefined
  /** Whether the topic takes no more messages. */
  isArchived: boolean
  /** Whether bots may not write until a person has. */
  areBotsStopped: boolean
  /** Whether the topics of the organization show all replies. */
  showsReplies: boolean
  /** Words that no message in the organization may contain. */
  blockedWords: BlockedWords | undefined
  /** The version of the organization's message check; null where there is none. */
  messageCheck: number | null
}

/** Topics of an organization at one version of its memberships. A topic that is not in it has no members at that version. */
export type KnownTopics = Versions & { topics: ReadonlyMap<string, KnownTopic> }

/** The memberships' version, and that of the rights (db/authority.ts), which moves it along. */
type Versions = { version: number; authorityVersion: number }

/** Wanted topic ids, by organization. */
export type WantedTopics = ReadonlyMap<string, ReadonlySet<string>>

/** A read under way, and the organizations of which it may miss a change. */
type Reading = { wanted: WantedTopics; changed: Set<string> }

type Known = Versions & { topics: Map<string, KnownTopic>; bytes: number }
type Row = {
  org_id: string
  version: number
  authority_version: number
  topic_id: string | null
  profile_id: string
  joined_at: number
  name: string
  /** Addresses of a bot's webhook that get messages. */
  address_ids: string[] | null
  reach: Reach
  is_restricted: boolean
  may_write: boolean
  is_archived: boolean
  are_bots_stopped: boolean
  shows_replies: boolean
  blocked_words: string[] | null
  message_check: number | null
}

/** Memory for all organizations; beyond it, the topics whose last use is longest ago are forgotten. */
const MAX_BYTES = 32 * 1024 * 1024
/** Estimates: an organization's maps; a topic with its lists; a member's two strings, a number and slots in maps. */
const ORGANIZATION_BYTES = 500
const TOPIC_BYTES = 1000
const MEMBER_BYTES = 350

const bytesOf = ({ members }: KnownTopic): number => TOPIC_BYTES + MEMBER_BYTES * members.size

/**
 * Remembers topics at a version of the memberships of their organization (`membership_version` in `organization_logs`): they hold for as
 * long as that number stays. A statement that acts on them checks it. What is handed out never changes.
 */
export class TopicDirectory {
  /** Organizations, and the topics of each, in the order in which they were asked for last. */
  #organizations = new Map<string, Known>()
  #bytes = 0
  #readings = new Set<Reading>()

  /** Gives all wanted topics of each organization at one version. An organization that does not exist is missing. */
  async read(db: Queryable, wanted: WantedTopics): Promise<ReadonlyMap<string, KnownTopics>> {
    const answers = new Map<string, Versions & { topics: Map<string, KnownTopic> }>()
    let asked = new Map<string, ReadonlySet<string>>()
    for (const [orgId, topicIds] of wanted) {
      const known = this.#organizations.get(orgId)
      const unknown = known ? new Set([...topicIds].filter((id) => !known.topics.has(id))) : topicIds
      if (known) {
        const { version, authorityVersion } = known
        answers.set(orgId, { version, authorityVersion, topics: takeLast(known.topics, topicIds) })
        this.#organizations.delete(orgId)
        this.#organizations.set(orgId, known)
      }
      if (unknown.size > 0) asked.set(orgId, unknown)
    }
    while (asked.size > 0) {
      const { loaded, changed } = await this.#load(db, asked, wanted)
      const again = new Map<string, ReadonlySet<string>>()
      for (const [orgId, topicIds] of asked) {
        const all = wanted.get(orgId) ?? topicIds
        const fresh = changed.has(orgId) ? undefined : loaded.get(orgId)
        const known = answers.get(orgId)
        if (changed.has(orgId)) again.set(orgId, all)
        else if (!fresh) answers.delete(orgId)
        else if (topicIds.size === all.size) answers.set(orgId, fresh)
        else if (known?.version === fresh.version)
          for (const [id, topic] of fresh.topics) known.topics.set(id, topic)
        else again.set(orgId, all) // what is remembered is of another version: one statement reads all of it
      }
      asked = again
    }
    return answers
  }

  /** The memberships of this organization have changed; reads under way begin again. */
  forget(orgId: string): void {
    this.#drop(orgId)
    for (const { changed } of this.#readings) changed.add(orgId)
  }

  /**
   * The members of this topic have changed. Others stay as they are, at their version: a writer finds out by that whether they hold for
   * it, and a reader who heard of this change alone need not read them again. So does a read under way that asks for others: where many
   * direct messages are begun, none would come to its end.
   */
  forgetTopic(orgId: string, topicId: string): void {
    const known = this.#organizations.get(orgId)
    const topic = known?.topics.get(topicId)
    if (known && topic) {
      known.topics.delete(topicId)
      this.#grow(known, -bytesOf(topic))
    }
    for (const { wanted, changed } of this.#readings) if (wanted.get(orgId)?.has(topicId)) changed.add(orgId)
  }

  /** Estimated memory. */
  get bytes(): number {
    return this.#bytes
  }

  async #load(db: Queryable, asked: WantedTopics, wanted: WantedTopics) {
    const reading: Reading = { wanted, changed: new Set() }
    const { changed } = reading
    this.#readings.add(reading)
    const loaded = await readTopics(db, asked).finally(() => this.#readings.delete(reading))
    for (const [orgId, topics] of loaded) if (!changed.has(orgId)) this.#keep(orgId, topics)
    return { loaded, changed }
  }

  #keep(orgId: string, { version, authorityVersion, topics }: KnownTopics): void {
    const before = this.#organizations.get(orgId)
    if (before && before.version > version) return // a later read was answered first
    const isSame = before?.version === version
    if (!isSame) this.#drop(orgId)
    const known = isSame ? before : { version, authorityVersion, topics: new Map(), bytes: 0 }
    if (!isSame) this.#grow(known, ORGANIZATION_BYTES)
    for (const [id, topic] of topics) {
      if (!known.topics.has(id)) this.#grow(known, bytesOf(topic))
      known.topics.set(id, topic)
    }
    this.#organizations.set(orgId, known)
    for (const [oldest, its] of this.#organizations) {
      if (this.#bytes <= MAX_BYTES) break
      this.#forgetOldest(its)
      if (its.topics.size === 0) this.#drop(oldest)
    }
  }

  #forgetOldest(known: Known): void {
    for (const [id, topic] of known.topics) {
      if (this.#bytes <= MAX_BYTES) return
      known.topics.delete(id)
      this.#grow(known, -bytesOf(topic))
    }
  }

  #grow(known: Known, bytes: number): void {
    known.bytes += bytes
    this.#bytes += bytes
  }

  #drop(orgId: string): void {
    this.#bytes -= this.#organizations.get(orgId)?.bytes ?? 0
    this.#organizations.delete(orgId)
  }
}

/** Takes the wanted topics out of `topics` and puts them back as the last ones. */
function takeLast(topics: Map<string, KnownTopic>, ids: ReadonlySet<string>): Map<string, KnownTopic> {
  const taken = new Map<string, KnownTopic>()
  for (const id of ids) {
    const topic = topics.get(id)
    if (!topic) continue
    taken.set(id, topic)
    topics.delete(id)
    topics.set(id, topic)
  }
  return taken
}

/**
 * Reads topics with one statement for each machine, so that the topics of an organization and their version are of one moment. With
 * `memberIds`, they have only these of their members.
 */
export async function readTopics(
  db: Queryable,
  wanted: WantedTopics,
  memberIds?: readonly string[],
): Promise<Map<string, Versions & { topics: Map<string, KnownTopic> }>> {
  const pairs = [...wanted].flatMap(([orgId, topicIds]) =>
    [...topicIds].map((topicId) => ({ orgId, topicId })),
  )
  const found = new Map<string, Versions & { topics: Map<string, TopicUnderway> }>()
  for (const row of await readRows(db, pairs, memberIds)) {
    const { org_id: orgId, version, authority_version: authorityVersion, topic_id: topicId } = row
    const known = found.get(orgId) ?? { version, authorityVersion, topics: new Map() }
    found.set(orgId, known)
    if (topicId === null) continue
    const topic = known.topics.get(topicId) ?? emptyTopic(row)
    known.topics.set(topicId, topic)
    addMember(topic, row)
  }
  return found
}

type TopicUnderway = {
  members: Map<string, string>
  joinedAt: Map<string, number>
  botIds: string[]
  addressIds: string[]
  narrowBots: NarrowBot[]
  writers: Set<string> | undefined
  isArchived: boolean
  areBotsStopped: boolean
  showsReplies: boolean
  blockedWords: BlockedWords | undefined
  messageCheck: number | null
}

const emptyTopic = (row: Row): TopicUnderway => ({
  members: new Map(),
  joinedAt: new Map(),
  botIds: [],
  addressIds: [],
  narrowBots: [],
  writers: row.is_restricted ? new Set() : undefined,
  isArchived: row.is_archived,
  areBotsStopped: row.are_bots_stopped,
  showsReplies: row.shows_replies,
  blockedWords: blockedWordsOf(row.blocked_words),
  messageCheck: row.message_check,
})

function addMember(topic: TopicUnderway, row: Row): void {
  const { profile_id: id, name, address_ids: addressIds, reach } = row
  topic.members.set(id, name)
  if (addressIds === null) topic.joinedAt.set(id, row.joined_at)
  if (addressIds !== null && reach !== 'everything') {
    topic.narrowBots.push({ id, reach, addressIds })
  } else if (addressIds !== null) {
    topic.botIds.push(id)
    topic.addressIds.push(...addressIds)
  }
  if (row.may_write) topic.writers?.add(id)
}

/** An organization without any of these topics has one row. */
function readRows(
  db: Queryable,
  wanted: readonly { orgId: string; topicId: string }[],
  memberIds: readonly string[] | undefined,
): Promise<Row[]> {
  const ofMembers = memberIds ? sql`and m.profile_id = any(${memberIds}::text[])` : nothing
  return together(db, wanted, (some, orgId) => {
    const isOne = db.isSpread === true
    const orgIds = [...new Set(some.map((one) => one.orgId))]
    return sql`${crossing('what is wanted of several organizations is asked for together')}
    select l.org_id, l.membership_version as version, l.authority_version, x.*
    from organization_logs l
    left join lateral (
      select m.topic_id, m.profile_id, m.joined_at, m.reach, p.name, case b.delivery when 'polling' then '{}'::text[] when 'webhook' then array(
          select x.id from (
            select b.id, b.webhook_events union all
            select a.id, a.webhook_events from webhook_addresses a where a.org_id = ${isOne ? orgId : sql`b.org_id`} and a.bot_id = b.id
          ) x where x.webhook_events is null or 'message.created' = any(x.webhook_events)) end as address_ids,
        t.archived_at is not null as is_archived, t.bots_stopped_at is not null as are_bots_stopped,
        o.replies_in_topics as shows_replies, o.blocked_words, o.message_check,
        bool_or(t.announcement or p.status = 'Archived' or p.status = 'Deleted') over (partition by m.topic_id) as is_restricted,
        (b.id is not null or not t.announcement or p.role in ('owner', 'admin'))
          and p.status not in ('Archived', 'Deleted') as may_write
      from unnest(${some.map((one) => one.orgId)}::uuid[], ${some.map(({ topicId }) => topicId)}::uuid[])
        as w (org_id, topic_id)
      join topics t on t.org_id = ${isOne ? orgId : sql`l.org_id`} and t.id = w.topic_id
      join organizations o on o.org_id = l.org_id
      join topic_members m on m.org_id = t.org_id and m.topic_id = t.id
      join profiles p on p.org_id = m.org_id and p.id = m.profile_id
      left join bots b on b.org_id = m.org_id and b.id = m.profile_id
      where w.org_id = l.org_id ${ofMembers}
    ) x on true
    where ${isOne ? sql`l.org_id = ${orgId}` : sql`l.org_id = any(${orgIds}::uuid[])`}`
  })
}
