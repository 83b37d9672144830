import type { Caller } from '../caller.ts'
import type { Queryable } from '../db/database.ts'
import { Groups, type Perform } from '../db/groups.ts'
import { crossing, sql } from '../db/sql.ts'
import type { Wake } from './wake.ts'

/** Links in a page, and what changes without an event (a name, a poll that ends), are never older than this. */
const KEPT_MS = 1000
const MAX_PAGES = 20_000
const MAX_BYTES = 32 * 1024 * 1024
/** Memory of a page and of a reader besides their texts: objects, a promise, slots in maps. */
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
  /** The end of the answer, after the items. */
  end(page: Page): string
}

type Kept = {
  page: Promise<Page>
  /** How far the organization's log had come before it was read; empty where this node hears of everything. */
  head: string
  until: number
  /** Its size in memory. */
  bytes: number
  /** Readers who were found to be allowed to read it, with the end of each one's answer: cursors are for one reader only. */
  ends: Map<string, Buffer>
}

/** Replaced when something happens in it: pages read meanwhile are kept nowhere. */
type Organization = { id: string; pages: Map<string, Kept>; bytes: number }

/**
 * Pages that were read a moment ago, until anything happens in their organization. A page that many clients ask for at
 * once, such as the newest messages, is then read and written once. A node that is alone knows by itself when something
 * happens; where there are others, all requests that come in meanwhile ask the database together how far the logs have
 * come, so that whoever wrote on another node sees it here.
 */
export class RecentPages {
  #db: Queryable
  #wake: Wake
  #isListening: () => boolean
  #organizations = new Map<string, Organization>()
  #heads = new Groups(MAX_HEADS)
  #pages = 0
  #bytes = 0

  constructor(db: Queryable, wake: Wake, isListening: () => boolean) {
    this.#db = db
    this.#wake = wake
    this.#isListening = isListening
    wake.onEvents(({ orgId }) => this.drop(orgId))
  }

  /** Pages held now. */
  get kept(): { pages: number; bytes: number } {
    return { pages: this.#pages, bytes: this.#bytes }
  }

  /** The whole answer to this caller. */
  async read(caller: Caller, name: string, { isAllowed, load, end }: Source): Promise<Buffer> {
    const head = await this.#headOf(caller.orgId)
    const organization = this.#organizations.get(caller.orgId) ?? this.#add(caller.orgId)
    const known = organization.pages.get(name)
    if (known?.head !== head || known.until <= performance.now())
      return whole(await this.#load(organization, name, head, load), end)
    const ending = known.ends.get(caller.profileId)
    if (ending) return Buffer.concat([(await known.page).json, ending])
    if (!(await isAllowed())) return whole(await load(), end)
    const page = await known.page.catch(load) // the first to ask may not have been allowed to
    const text = Buffer.from(end(page))
    known.ends.set(caller.profileId, text)
    this.#grow(organization, name, known, READER_BYTES + text.length)
    return whole(page, end)
  }

  /** Something has happened in this organization. */
  drop(orgId: string): void {
    const organization = this.#organizations.get(orgId)
    if (!organization) return
    this.#organizations.delete(orgId)
    this.#bytes -= organization.bytes
    this.#pages -= organization.pages.size
  }

  #add(id: string): Organization {
    const organization = { id, pages: new Map(), bytes: 0 }
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

  async #load(
    organization: Organization,
    name: string,
    head: string,
    load: () => Promise<Page>,
  ): Promise<Page> {
    this.#forget(organization, name)
    const page = load()
    const kept: Kept = { page, head, until: performance.now() + KEPT_MS, bytes: 0, ends: new Map() }
    organization.pages.set(name, kept)
    if (this.#isCurrent(organization)) this.#pages += 1
    this.#grow(organization, name, kept, PAGE_BYTES + 2 * name.length)
    try {
      const { json } = await page
      this.#grow(organization, name, kept, json.length)
      return await page
    } catch (error) {
      if (organization.pages.get(name) === kept) this.#forget(organization, name)
      throw error
    }
  }

  #isCurrent(organization: Organization): boolean {
    return this.#organizations.get(organization.id) === organization
  }

  #grow(organization: Organization, name: string, kept: Kept, bytes: number): void {
    if (!this.#isCurrent(organization) || organization.pages.get(name) !== kept) return
    kept.bytes += bytes
    organization.bytes += bytes
    this.#bytes += bytes
    if (this.#bytes > MAX_BYTES || this.#pages > MAX_PAGES) this.#clear()
  }

  #forget(organization: Organization, name: string): void {
    const kept = organization.pages.get(name)
    if (!kept) return
    organization.pages.delete(name)
    organization.bytes -= kept.bytes
    if (!this.#isCurrent(organization)) return
    this.#bytes -= kept.bytes
    this.#pages -= 1
  }

  /** A page lives for a second: all of them are soon read again. */
  #clear(): void {
    this.#organizations.clear()
    this.#bytes = 0
    this.#pages = 0
  }
}

const whole = (page: Page, end: Source['end']): Buffer => Buffer.concat([page.json, Buffer.from(end(page))])
