import type { Reach } from '../../contract/reach.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import { together } from '../db/together.ts'
import { type BlockedWords, blockedWordsOf } from '../limits/blocked-words.ts'

export type NarrowBot = { id: string; reach: Exclude<Reach, 'everything'>; addressIds: readonly string[] }

/** Facts about a topic that sending into it, and telling people of its events, needs. */
export type KnownTopic = {
  /** Names of all members, by id. */
  members: ReadonlyMap<string, string>
  /** Bots among them that receive every event, and the addresses of their webhooks that get texts. */
  botIds: readonly string[]
  addressIds: readonly string[]
  /** Bots that hear less than everything; they are not among those. */
  narrowBots: readonly NarrowBot[]
  /** Members who may write here; undefined: all of them. */
  writers: ReadonlySet<string> | undefined
  /** Nobody writes here any more. */
  isArchived: boolean
  /** No bot writes here until a person has. */
  areBotsStopped: boolean
  /** Words that nobody in the organization may send. */
  blockedWords: BlockedWords | undefined
}

/** Topics of an organization as they are at one version of its memberships. Topics without members are missing. */
export type KnownTopics = { version: number; topics: ReadonlyMap<string, KnownTopic> }

/** Topics that somebody wants to know about, by organization. */
export type WantedTopics = ReadonlyMap<string, ReadonlySet<string>>

type Known = { version: number; topics: Map<string, KnownTopic> }
type Row = {
  org_id: string
  version: number
  topic_id: string | null
  profile_id: string
  name: string
  /** Addresses of a bot's webhook that get texts. */
  address_ids: string[] | null
  reach: Reach
  is_restricted: boolean
  may_write: boolean
  is_archived: boolean
  are_bots_stopped: boolean
  blocked_words: string[] | null
}

/** Members of all known topics together, some 300 bytes each; more are forgotten at once and read again. */
const MAX_MEMBERS = 100_000
const MAX_ORGANIZATIONS = 10_000

/**
 * Topics as they were at a certain version of the memberships of their organization (`organization_logs`): true for as long
 * as that has not moved. A statement that acts on this must make sure of that itself.
 */
export class TopicDirectory {
  #organizations = new Map<string, Known>()
  #members = 0
  /** Organizations that are being read, and whether their memberships have changed since that began. */
  #readings = new Set<Set<string>>()

  /** Gives the wanted topics; those that are not known yet are read with one statement. */
  async read(db: Queryable, wanted: WantedTopics): Promise<ReadonlyMap<string, KnownTopics>> {
    let missing: WantedTopics = wanted
    do missing = await this.#readOnce(db, missing)
    while (missing.size > 0)
    return new Map([...wanted.keys()].flatMap((orgId) => this.#knownOf(orgId)))
  }

  /** The memberships of this organization have changed: also for those who are just reading them. */
  forget(orgId: string): void {
    this.#organizations.delete(orgId)
    for (const changed of this.#readings) changed.add(orgId)
  }

  /** Gives what must be read again, since it changed while it was read: it would be taken for what it is now. */
  async #readOnce(db: Queryable, wanted: WantedTopics): Promise<WantedTopics> {
    const unknown = [...wanted].flatMap(([orgId, topicIds]) => this.#unknown(orgId, topicIds))
    if (unknown.length === 0) return new Map()
    const changed = new Set<string>()
    this.#readings.add(changed)
    await this.#load(db, unknown).finally(() => this.#readings.delete(changed))
    for (const orgId of changed) this.#organizations.delete(orgId)
    return new Map([...wanted].filter(([orgId]) => changed.has(orgId)))
  }

  #unknown(orgId: string, topicIds: ReadonlySet<string>): { orgId: string; topicId: string }[] {
    const known = this.#organizations.get(orgId)
    return [...topicIds].filter((id) => !known?.topics.has(id)).map((topicId) => ({ orgId, topicId }))
  }

  #knownOf(orgId: string): [string, KnownTopics][] {
    const known = this.#organizations.get(orgId)
    return known ? [[orgId, known]] : []
  }

  async #load(db: Queryable, unknown: readonly { orgId: string; topicId: string }[]): Promise<void> {
    const rows = await readTopics(db, unknown)
    if (this.#members > MAX_MEMBERS || this.#organizations.size > MAX_ORGANIZATIONS) this.#clear()
    const building = new Map<string, Building>()
    for (const row of rows) {
      const known = this.#at(row.org_id, row.version)
      if (row.topic_id !== null) add(building, known, row.topic_id, row)
    }
    for (const [topicId, { known, ...topic }] of building) {
      known.topics.set(topicId, topic)
      this.#members += topic.members.size
    }
  }

  /** Counting what is forgotten one by one would cost more than reading some topics again. */
  #clear(): void {
    this.#organizations.clear()
    this.#members = 0
  }

  #at(orgId: string, version: number): Known {
    const known = this.#organizations.get(orgId)
    if (known?.version === version) return known
    const fresh: Known = { version, topics: new Map() }
    this.#organizations.set(orgId, fresh)
    return fresh
  }
}

type Building = {
  known: Known
  members: Map<string, string>
  botIds: string[]
  addressIds: string[]
  narrowBots: NarrowBot[]
  writers: Set<string> | undefined
  isArchived: boolean
  areBotsStopped: boolean
  blockedWords: BlockedWords | undefined
}

function add(building: Map<string, Building>, known: Known, topicId: string, row: Row): void {
  const {
    profile_id,
    name,
    address_ids: addressIds,
    reach,
    is_restricted,
    may_write,
    is_archived: isArchived,
    are_bots_stopped: areBotsStopped,
  } = row
  let topic = building.get(topicId)
  if (!topic) {
    const writers = is_restricted ? new Set<string>() : undefined
    topic = {
      known,
      members: new Map(),
      botIds: [],
      addressIds: [],
      narrowBots: [],
      writers,
      isArchived,
      areBotsStopped,
      blockedWords: blockedWordsOf(row.blocked_words),
    }
    building.set(topicId, topic)
  }
  topic.members.set(profile_id, name)
  if (addressIds !== null && reach !== 'everything') {
    topic.narrowBots.push({ id: profile_id, reach, addressIds })
  } else if (addressIds !== null) {
    topic.botIds.push(profile_id)
    topic.addressIds.push(...addressIds)
  }
  if (may_write) topic.writers?.add(profile_id)
}

/** One statement, so that memberships and their version are of one moment. An organization without these topics has one row. */
function readTopics(db: Queryable, wanted: readonly { orgId: string; topicId: string }[]): Promise<Row[]> {
  return together(db, wanted, (some, orgId) => {
    const isOne = db.isSpread === true
    const orgIds = [...new Set(some.map((one) => one.orgId))]
    return sql`${crossing('what is wanted of several organizations is asked for together')}
    select l.org_id, l.membership_version as version, x.*
    from organization_logs l
    left join lateral (
      select m.topic_id, m.profile_id, m.reach, p.name, case b.delivery when 'polling' then '{}'::text[] when 'webhook' then array(
          select x.id from (
            select b.id, b.webhook_events union all
            select a.id, a.webhook_events from webhook_addresses a where a.org_id = ${isOne ? orgId : sql`b.org_id`} and a.bot_id = b.id
          ) x where x.webhook_events is null or 'message.created' = any(x.webhook_events)) end as address_ids,
        t.archived_at is not null as is_archived, t.bots_stopped_at is not null as are_bots_stopped,
        o.blocked_words,
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
      where w.org_id = l.org_id
    ) x on true
    where ${isOne ? sql`l.org_id = ${orgId}` : sql`l.org_id = any(${orgIds}::uuid[])`}`
  })
}
