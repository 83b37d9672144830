import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** What sending into a topic needs to know of it. */
export type KnownTopic = {
  /** Names of all members, by id. */
  members: ReadonlyMap<string, string>
  /** Those of them that receive events. */
  bots: readonly { id: string; hasWebhook: boolean }[]
}

type Known = { shape: number; topics: Map<string, KnownTopic>; size: number }
type Row = {
  topic_id: string
  profile_id: string
  name: string
  has_webhook: boolean | null
}

/** Members of all topics that are known; more are forgotten at once and read again. One takes some 300 bytes. */
const MAX_MEMBERS = 100_000
const MAX_ORGANIZATIONS = 1000

/**
 * Topics as they were at a certain `shape` of their organization (organization_logs): true for as long as that has not
 * moved. Whoever acts on this must make sure of that in the same statement.
 */
export class TopicDirectory {
  #known = new Map<string, Known>()
  #members = 0

  /** Topics that do not exist are missing in the answer. */
  async read(
    db: Queryable,
    orgId: string,
    shape: number,
    topicIds: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, KnownTopic>> {
    const known = this.#at(orgId, shape)
    const unknown = [...topicIds].filter((id) => !known.topics.has(id))
    if (unknown.length === 0) return known.topics
    for (const [id, topic] of await readTopics(db, orgId, unknown)) {
      known.topics.set(id, topic)
      known.size += topic.members.size
      this.#members += topic.members.size
    }
    if (this.#members > MAX_MEMBERS) this.#clear()
    return known.topics
  }

  #at(orgId: string, shape: number): Known {
    const known = this.#known.get(orgId)
    if (known?.shape === shape) return known
    if (known) this.#members -= known.size
    else if (this.#known.size >= MAX_ORGANIZATIONS) this.#clear()
    const fresh: Known = { shape, topics: new Map(), size: 0 }
    this.#known.set(orgId, fresh)
    return fresh
  }

  #clear(): void {
    this.#known.clear()
    this.#members = 0
  }
}

type Building = {
  members: Map<string, string>
  bots: { id: string; hasWebhook: boolean }[]
}

async function readTopics(
  db: Queryable,
  orgId: string,
  topicIds: readonly string[],
): Promise<Map<string, KnownTopic>> {
  const rows = await db.query<Row>(sql`
    select m.topic_id, m.profile_id, p.name, b.delivery = 'webhook' as has_webhook
    from topic_members m
    join profiles p on p.org_id = m.org_id and p.id = m.profile_id
    left join bots b on b.org_id = m.org_id and b.id = m.profile_id
    where m.org_id = ${orgId} and m.topic_id = any(${topicIds}::uuid[])`)
  const topics = new Map<string, Building>()
  for (const { topic_id, profile_id, name, has_webhook } of rows) {
    const topic: Building = topics.get(topic_id) ?? { members: new Map(), bots: [] }
    topics.set(topic_id, topic)
    topic.members.set(profile_id, name)
    if (has_webhook !== null) topic.bots.push({ id: profile_id, hasWebhook: has_webhook })
  }
  return topics
}
