import type { Caller } from '../auth/bots.ts'
import type { Wake } from './wake.ts'

/** Links in a page, and what changes without an event (a name, a poll that ends), are never older than this. */
const KEPT_MS = 1000
const MAX_BYTES = 32 * 1024 * 1024
const MAX_PAGES = 20_000
/** What a page and a reader of it take besides their texts: objects, a promise, slots in maps. */
const PAGE_BYTES = 600
const READER_BYTES = 300

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
  until: number
  /** Who was found to be allowed to read it, and what ends the answer to each: cursors are for one reader only. */
  ends: Map<string, Buffer>
  /** What it takes in memory. */
  bytes: number
}

type Organization = { pages: Map<string, Kept>; bytes: number }

/**
 * Pages that were read a moment ago, until anything happens in their organization. What many clients ask for at once, such
 * as the newest messages, is then read and written once. Only on a node that is alone: of others it would hear too late
 * for somebody who writes there and reads here.
 */
export class RecentPages {
  #wake: Wake
  #isListening: () => boolean
  #organizations = new Map<string, Organization>()
  #bytes = 0
  #pages = 0

  constructor(wake: Wake, isListening: () => boolean) {
    this.#wake = wake
    this.#isListening = isListening
    wake.onEvents(({ orgId }) => this.drop(orgId))
  }

  /** What is kept now. */
  get kept(): { pages: number; bytes: number } {
    return { pages: this.#pages, bytes: this.#bytes }
  }

  /** The whole answer to this caller. */
  async read(caller: Caller, name: string, { isAllowed, load, end }: Source): Promise<Buffer> {
    if (!this.#wake.isAlone || !this.#isListening()) return whole(await load(), end)
    const organization = this.#organizations.get(caller.orgId)
    const known = organization?.pages.get(name)
    if (!organization || !known || known.until <= performance.now())
      return whole(await this.#load(caller.orgId, name, load), end)
    const ending = known.ends.get(caller.profileId)
    if (ending) return Buffer.concat([(await known.page).json, ending])
    if (!(await isAllowed())) return whole(await load(), end)
    const page = await known.page.catch(load) // whoever asked first may not have been allowed to
    const text = Buffer.from(end(page))
    known.ends.set(caller.profileId, text)
    this.#grow(caller.orgId, name, known, READER_BYTES + text.length)
    return whole(page, end)
  }

  /** What is dropped while it is read is still given to those who wait for it: they asked before the change. */
  async #load(orgId: string, name: string, load: () => Promise<Page>): Promise<Page> {
    const organization = this.#organizations.get(orgId) ?? { pages: new Map(), bytes: 0 }
    this.#organizations.set(orgId, organization)
    this.#forget(organization, name)
    const page = load()
    const kept: Kept = { page, until: performance.now() + KEPT_MS, ends: new Map(), bytes: 0 }
    organization.pages.set(name, kept)
    this.#pages += 1
    this.#grow(orgId, name, kept, PAGE_BYTES + 2 * name.length)
    try {
      const { json } = await page
      this.#grow(orgId, name, kept, json.length)
      return await page
    } catch (error) {
      if (organization.pages.get(name) === kept) this.#forget(organization, name)
      throw error
    }
  }

  drop(orgId: string): void {
    const organization = this.#organizations.get(orgId)
    if (!organization) return
    this.#organizations.delete(orgId)
    this.#bytes -= organization.bytes
    this.#pages -= organization.pages.size
    organization.pages.clear()
    organization.bytes = 0
  }

  /** Counts what a page takes, unless it was dropped meanwhile. Where it is too much, everything goes: it is a second's work. */
  #grow(orgId: string, name: string, kept: Kept, bytes: number): void {
    const organization = this.#organizations.get(orgId)
    if (organization?.pages.get(name) !== kept) return
    kept.bytes += bytes
    organization.bytes += bytes
    this.#bytes += bytes
    if (this.#bytes <= MAX_BYTES && this.#pages <= MAX_PAGES) return
    this.#organizations.clear()
    this.#bytes = 0
    this.#pages = 0
  }

  #forget(organization: Organization, name: string): void {
    const kept = organization.pages.get(name)
    if (!kept) return
    organization.pages.delete(name)
    organization.bytes -= kept.bytes
    this.#bytes -= kept.bytes
    this.#pages -= 1
  }
}

const whole = (page: Page, end: Source['end']): Buffer => Buffer.concat([page.json, Buffer.from(end(page))])
