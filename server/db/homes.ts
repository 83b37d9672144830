import type { Queryable } from './database.ts'
import { sql } from './sql.ts'

/** The group of organizations that one is in, and the machine that has it. */
export type Home = { group: string; machine: string }

/** A move is noticed after this time. Until then its organization is written in the company of its former group, which is slower at worst. */
const KNOWN_MS = 60_000
const MOST_KNOWN = 100_000

/** The homes of organizations on a cluster, as this node has seen them. */
export class Homes {
  readonly #db: Queryable
  readonly #known = new Map<string, Home & { until: number }>()
  readonly #asking = new Map<string, Promise<Home>>()

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Returns the home as it is known; looks it up again in the background when that was long ago. */
  get(orgId: string): Home | undefined {
    const known = this.#known.get(orgId)
    if (known && known.until < performance.now()) this.find(orgId).catch(() => {}) // the next one asks again
    return known
  }

  find(orgId: string): Promise<Home> {
    const asking = this.#asking.get(orgId) ?? this.#ask(orgId).finally(() => this.#asking.delete(orgId))
    this.#asking.set(orgId, asking)
    return asking
  }

  async #ask(orgId: string): Promise<Home> {
    const [home] = await this.#db.query<Home>(sql`
      select s.shardid::text as "group", n.nodename || ':' || n.nodeport as machine
      from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid join pg_dist_node n on n.groupid = p.groupid
      where s.shardid = get_shard_id_for_distribution_column('organization_logs', ${orgId}::uuid) and n.noderole = 'primary'`)
    if (!home) throw new Error(`no machine has the organization ${orgId}`)
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(orgId, { ...home, until: performance.now() + KNOWN_MS })
    return home
  }
}
