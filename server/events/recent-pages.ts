import type { Caller } from '../auth/bots.ts'
import type { Wake } from './wake.ts'

/** Links in a page, and what changes without an event (a name, a poll that ends), are never older than this. */
const KEPT_MS = 1000
const MAX_BYTES = 32 * 1024 * 1024

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
}

/**
 * Pages that were read a moment ago, until anything happens in their organization. What many clients ask for at once, such
 * as the newest messages, is then read and written once. Only on a node that is alone: of others it would hear too late
 * for somebody who writes there and reads here.
 */
export class RecentPages {
  #wake: Wake
  #isListening: () => boolean
  #organizations = new Map<string, Map<string, Kept>>()
  #bytes = 0

  constructor(wake: Wake, isListening: () => boolean) {
    this.#wake = wake
    this.#isListening = isListening
    wake.onEvents(({ orgId }) => this.drop(orgId))
  }

  /** The whole answer to this caller. */
  async read(caller: Caller, name: string, { isAllowed, load, end }: Source): Promise<Buffer> {
    if (!this.#wake.isAlone || !this.#isListening()) return whole(await load(), end)
    const known = this.#organizations.get(caller.orgId)?.get(name)
    if (!known || known.until <= performance.now())
      return whole(await this.#load(caller.orgId, name, load), end)
    const ending = known.ends.get(caller.profileId)
    if (ending) return Buffer.concat([(await known.page).json, ending])
    if (!(await isAllowed())) return whole(await load(), end)
    const page = await known.page.catch(load) // whoever asked first may not have been allowed to
    known.ends.set(caller.profileId, Buffer.from(end(page)))
    return whole(page, end)
  }

  /** What is dropped while it is read is still given to those who wait for it: they asked before the change. */
  async #load(orgId: string, name: string, load: () => Promise<Page>): Promise<Page> {
    const pages = this.#organizations.get(orgId) ?? new Map<string, Kept>()
    this.#organizations.set(orgId, pages)
    const page = load()
    pages.set(name, { page, until: performance.now() + KEPT_MS, ends: new Map() })
    try {
      const { json } = await page
      this.#bytes += json.length
      if (this.#bytes > MAX_BYTES) this.#clear()
      return await page
    } catch (error) {
      pages.delete(name)
      throw error
    }
  }

  drop(orgId: string): void {
    this.#organizations.delete(orgId)
  }

  /** Counting what is dropped one by one would cost more than reading some pages again. */
  #clear(): void {
    this.#organizations.clear()
    this.#bytes = 0
  }
}

const whole = (page: Page, end: Source['end']): Buffer => Buffer.concat([page.json, Buffer.from(end(page))])
