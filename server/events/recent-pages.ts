import { hash } from 'node:crypto'
import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { Groups, type Perform } from '../db/groups.ts'
import { crossing, sql } from '../db/sql.ts'
import type { Wake } from './wake.ts'

/** Links in a page, and what changes without an event (a name, a poll that ends), are never older than this. */
const KEPT_MS = 1000
/** Memory of all kept pages. The oldest give way: they would be read again soonest. */
const MAX_BYTES = 8 * 1024 * 1024
/** Memory of an empty page and of a reader besides their texts, as measured: objects, promises, buffers, slots in maps. */
const PAGE_BYTES = 1000
const READER_BYTES = 350
/** Organizations whose logs are compared in one statement. */
const MAX_HEADS = 1000

/** The part of a page that is equal for all its readers. */
export type Page = {
  /** The list as JSON. */
  json: Buffer
  /** The last item, if there are more. */
  lastId: string | undefined
  /** The only reader of a page with personal links. */
  readerId?: string
}

type Source = {
  /** Whether `load` would return the page to this caller. */
  isAllowed(): Promise<boolean>
  /** Reads the page, or refuses the caller. */
  load(): Promise<Page>
  /** The end of the answer, after the items. */
  end(page: Page): string
}

type Kept = {
  organization: Organization
  name: string
  page: Promise<Page>
  /** How far the organization's log had come before it was read; empty where this node hears of everything. */
  head: string
  until: number
  bytes: number
  /** Readers who may read it, with the end of each answer: cursors are for one reader only. */
  ends: Map<string, Buffer>
}

/** Replaced on each event in the organization, so that pages still being read are not kept. */
type Organization = { id: string; pages: Map<string, Kept> }

/**
 * Pages that were read a moment ago, until the next event in their organization. A page that many clients ask for at
 * once, such as the newest messages, is then read and encoded once. A node that is alone knows of every event. With
 * other nodes, requests ask the database together how far the logs have come, so that a write on another node is
 * visible here.
 */
export class RecentPages {
  #db: Queryable
  #wake: Pick<Wake, 'isAlone' | 'onEvents'>
  #isListening: () => boolean
  #organizations = new Map<string, Organization>()
  /** All pages, the oldest first. */
  #kept = new Set<Kept>()
  #heads = new Groups(MAX_HEADS)
  #bytes = 0
  #expiry: NodeJS.Timeout | undefined

  constructor(db: Queryable, wake: Pick<Wake, 'isAlone' | 'onEvents'>, isListening: () => boolean) {
    this.#db = db
    this.#wake = wake
    this.#isListening = isListening
    wake.onEvents(({ orgId }) => this.drop(orgId))
  }

  get kept(): { pages: number; bytes: number } {
    return { pages: this.#kept.size, bytes: this.#bytes }
  }

  /** Returns the whole answer for this caller. */
  async read(caller: Caller, wanted: string, { isAllowed, load, end }: Source): Promise<Buffer> {
    const head = await this.#headOf(caller.orgId)
    const name = hash('sha256', wanted, 'base64url') // callers choose how long `wanted` is
    const known = this.#organizations.get(caller.orgId)?.pages.get(name)
    if (known?.head !== head || known.until <= performance.now())
      return whole(await this.#load(caller.orgId, name, head, load), end)
    const ending = known.ends.get(caller.profileId)
    if (ending) return Buffer.concat([(await known.page).json, ending])
    if (!(await isAllowed())) return whole(await load(), end)
    const page = await known.page.catch(load) // the first to ask may not have been allowed to
    if (page.readerId !== undefined && page.readerId !== caller.profileId) return whole(await load(), end)
    const text = unpooled(Buffer.from(end(page)))
    known.ends.set(caller.profileId, text)
    this.#grow(known, READER_BYTES + text.length)
    return Buffer.concat([page.json, text])
  }

  /** Drops the organization's pages after an event. */
  drop(orgId: string): void {
    for (const kept of this.#organizations.get(orgId)?.pages.values() ?? []) this.#forget(kept)
    this.#organizations.delete(orgId)
  }

  #add(id: string): Organization {
    const organization = { id, pages: new Map() }
    this.#organizations.set(id, organization)
    return organization
  }

  #headOf(orgId: string): Promise<string> | string {
    const isAlone = this.#wake.isAlone && this.#isListening()
    return isAlone ? '' : this.#heads.add('heads', this.#readHeads, orgId)
  }

  #readHeads: Perform<string, string> = async (_name, orgIds) => {
    const rows = await this.#db.query<{
      org_id: string
      head: string
    }>(sql`${crossing('what is wanted of several organizations is asked for together')}
      select org_id, last_seq || '.' || membership_version as head
      from organization_logs where org_id = any(${[...new Set(orgIds)]}::uuid[])`)
    const heads = new Map(rows.map(({ org_id, head }) => [org_id, head]))
    return orgIds.map((orgId) => ({ result: heads.get(orgId) ?? '' }))
  }

  async #load(orgId: string, name: string, head: string, load: () => Promise<Page>): Promise<Page> {
    const organization = this.#organizations.get(orgId) ?? this.#add(orgId)
    const before = organization.pages.get(name)
    if (before) this.#forget(before)
    const page = load().then(({ json, ...rest }) => ({ json: unpooled(json), ...rest }))
    const until = performance.now() + KEPT_MS
    const kept: Kept = { organization, name, page, head, until, bytes: 0, ends: new Map() }
    organization.pages.set(name, kept)
    this.#kept.add(kept)
    this.#grow(kept, PAGE_BYTES + 2 * name.length)
    this.#expiry ??= setTimeout(this.#forgetExpired, KEPT_MS).unref()
    try {
      const loaded = await page
      this.#grow(kept, loaded.json.length)
      return loaded
    } catch (error) {
      this.#forget(kept)
      throw error
    }
  }

  #grow(kept: Kept, bytes: number): void {
    if (!this.#kept.has(kept)) return
    kept.bytes += bytes
    this.#bytes += bytes
    for (const oldest of this.#kept) {
      if (this.#bytes <= MAX_BYTES) return
      this.#forget(oldest)
    }
  }

  #forget(kept: Kept): void {
    if (!this.#kept.delete(kept)) return
    this.#bytes -= kept.bytes
    const { organization, name } = kept
    organization.pages.delete(name)
    const isEmpty = organization.pages.size === 0
    if (isEmpty && this.#organizations.get(organization.id) === organization)
      this.#organizations.delete(organization.id)
  }

  #forgetExpired = (): void => {
    this.#expiry = undefined
    const now = performance.now()
    for (const kept of this.#kept) {
      if (kept.until > now) {
        this.#expiry = setTimeout(this.#forgetExpired, kept.until - now).unref()
        return
      }
      this.#forget(kept)
    }
  }
}

const whole = (page: Page, end: Source['end']): Buffer => Buffer.concat([page.json, Buffer.from(end(page))])

/** A buffer of its own: a short one that shares a block of 8 KB with others would hold all of the block. */
function unpooled(buffer: Buffer): Buffer {
  if (buffer.buffer.byteLength === buffer.length) return buffer
  const own = Buffer.allocUnsafeSlow(buffer.length)
  buffer.copy(own)
  return own
}
