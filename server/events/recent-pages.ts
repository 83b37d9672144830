import type { Caller } from '../auth/bots.ts'
import type { Queryable } from '../db/database.ts'
import { Groups, type Perform } from '../db/groups.ts'
import { sql } from '../db/sql.ts'
import type { Wake } from './wake.ts'

/** Links in a page, and what changes without an event (a name, a poll that ends), are never older than this. */
const KEPT_MS = 1000
const MAX_PAGES = 20_000
const MAX_BYTES = 32 * 1024 * 1024
/** What a page and a reader of it take besides their texts: objects, a promise, slots in maps. */
const PAGE_BYTES = 600
const READER_BYTES = 300
/** Organizations in one look at where their logs are. */
const MAX_HEADS = 1000

/** A page that many may read: what is the same for all of them. */
export type Page = {
  /** The list as JSON, ready to be sent. */
  json: Buffer
  /** The last item, where there is more. */
  lastId: string | undefined
}

type Source = {
  /** Whether `load` would give the page to this caller. */
  isAllowed(): Promise<boolean>
  /** Reads it, and refuses who may not. */
  load(): Promise<Page>
  /** What comes after it. */
  end(page: Page): string
}

type Kept = {
  page: Promise<Page>
  /** The state of the organization before it was read. */
  state: string
  until: number
  bytes: number
  /** Who was found to be allowed to read it, and what ends the answer to each: cursors are for one reader only. */
  ends: Map<string, Buffer>
}

/**
 * Pages that were read a moment ago, until anything happens in their organization. What many clients ask for at once, such
 * as the newest messages, is then read and written once. A node that is alone knows by itself when something happens; where
 * there are others, all requests that come in meanwhile ask the database together how far the logs have come, so that
 * whoever wrote on another node sees it here.
 */
export class RecentPages {
  #db: Queryable
  #wake: Wake
  #isListening: () => boolean
  #pages = new Map<string, Kept>()
  /** How often something happened in an organization, as far as this node knows. */
  #changes = new Map<string, number>()
  #heads = new Groups(MAX_HEADS)
  #bytes = 0

  constructor(db: Queryable, wake: Wake, isListening: () => boolean) {
    this.#db = db
    this.#wake = wake
    this.#isListening = isListening
    wake.onEvents(({ orgId }) => this.drop(orgId))
  }

  /** What is kept now. */
  get kept(): { pages: number; bytes: number } {
    return { pages: this.#pages.size, bytes: this.#bytes }
  }

  /** The whole answer to this caller. */
  async read(caller: Caller, list: string, { isAllowed, load, end }: Source): Promise<Buffer> {
    const name = `${caller.orgId} ${list}`
    const state = await this.#stateOf(caller.orgId)
    const known = this.#pages.get(name)
    if (known?.state !== state || known.until <= performance.now())
      return whole(await this.#load(name, state, load), end)
    const ending = known.ends.get(caller.profileId)
    if (ending) return Buffer.concat([(await known.page).json, ending])
    if (!(await isAllowed())) return whole(await load(), end)
    const page = await known.page.catch(load) // whoever asked first may not have been allowed to
    const text = Buffer.from(end(page))
    known.ends.set(caller.profileId, text)
    this.#grow(name, known, READER_BYTES + text.length)
    return whole(page, end)
  }

  /** Something has happened in this organization. */
  drop(orgId: string): void {
    if (this.#changes.size >= MAX_PAGES) this.#clear()
    this.#changes.set(orgId, (this.#changes.get(orgId) ?? 0) + 1)
  }

  async #stateOf(orgId: string): Promise<string> {
    const isAlone = this.#wake.isAlone && this.#isListening()
    const head = isAlone ? '' : await this.#heads.add('heads', this.#readHeads, orgId)
    return `${head} ${this.#changes.get(orgId) ?? 0}`
  }

  #readHeads: Perform<string, string> = async (_name, orgIds) => {
    const rows = await this.#db.query<{ org_id: string; head: string }>(sql`
      select org_id, last_seq || '.' || membership_version as head
      from organization_logs where org_id = any(${[...new Set(orgIds)]}::uuid[])`)
    const heads = new Map(rows.map(({ org_id, head }) => [org_id, head]))
    return orgIds.map((orgId) => ({ result: heads.get(orgId) ?? '' }))
  }

  async #load(name: string, state: string, load: () => Promise<Page>): Promise<Page> {
    this.#forget(name)
    const page = load()
    const kept: Kept = { page, state, until: performance.now() + KEPT_MS, bytes: 0, ends: new Map() }
    this.#pages.set(name, kept)
    this.#grow(name, kept, PAGE_BYTES + 2 * name.length)
    try {
      const { json } = await page
      this.#grow(name, kept, json.length)
      return await page
    } catch (error) {
      if (this.#pages.get(name) === kept) this.#forget(name)
      throw error
    }
  }

  /** The oldest go first: a page lives for a second. */
  #grow(name: string, kept: Kept, bytes: number): void {
    if (this.#pages.get(name) !== kept) return
    kept.bytes += bytes
    this.#bytes += bytes
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= MAX_BYTES && this.#pages.size <= MAX_PAGES) break
      this.#forget(oldest)
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#pages.get(name)?.bytes ?? 0
    this.#pages.delete(name)
  }

  #clear(): void {
    this.#pages.clear()
    this.#changes.clear()
    this.#bytes = 0
  }
}

const whole = (page: Page, end: Source['end']): Buffer => Buffer.concat([page.json, Buffer.from(end(page))])
