import type { Database, Queryable } from '../db/database.ts'
import type { Notifications } from '../db/notifications.ts'
import { sql } from '../db/sql.ts'
import type { Commit } from '../db/transaction.ts'
import { newUuid } from '../ids.ts'

const CHANNEL = 'parley_events'
/** PostgreSQL takes 8000 bytes. A commit for more bots than fit is announced without their names: all are woken. */
const MAX_PAYLOAD = 7900

/** A busy node tells others of many commits at once: a notification costs as much as a small commit. */
const COALESCE_MS = 5

const GREETING_MS = 5000
const GONE_AFTER_MS = 3 * GREETING_MS
/** A node that does not answer a greeting within this time is gone. */
const ANSWER_MS = 1000
/** Stands in place of a node's name for a command, which announces and does not listen. */
const COMMAND = 'command'

/** An announced commit; without `botIds` it may concern every bot of the organization. */
export type Announcement = Omit<Commit, 'botIds' | 'events'> & {
  botIds: string[] | undefined
  /** The events themselves, if this node wrote them. */
  events?: Commit['events']
}
type Listener = (announcement: Announcement) => void
type Channels = Pick<Notifications, 'on' | 'onConnect' | 'send' | 'connected'>

/**
 * Tells readers that there is something to read: those of this node at once, those of other nodes by a
 * notification that is sent after the commit and off the request's path. Inside the transaction it would make all
 * commits of the database wait for each other. A lost one costs a reader a second, never an event.
 */
export class Wake {
  #listeners: Listener[] = []
  #node = newName()
  #notifications: Channels
  #queue: Commit[] = []
  #sending = false
  /** Other nodes, and when each was last heard of. */
  #others = new Map<string, number>()
  #askedAt = Number.POSITIVE_INFINITY
  #greeting: NodeJS.Timeout

  constructor(db: Pick<Database, 'onCommit'>, notifications: Channels) {
    this.#notifications = notifications
    db.onCommit = (commit) => this.#committed(commit)
    notifications.on(CHANNEL, (payload) => this.#heard(payload))
    notifications.onConnect(() => {
      // Under a new name, which all others answer at once, also those that have heard of this node before.
      this.#node = newName()
      this.#askedAt = performance.now()
      this.#greet()
    })
    this.#greeting = setInterval(() => this.#greet(), GREETING_MS).unref()
  }

  /**
   * Whether no other node works on this database, as far as one can know: each greets the others now and then, at its start
   * first, and is greeted back at once. A node that hears nothing cannot know.
   */
  get isAlone(): boolean {
    const { connected } = this.#notifications
    return connected && this.#others.size === 0 && performance.now() - this.#askedAt > ANSWER_MS
  }

  stop(): void {
    clearInterval(this.#greeting)
  }

  onEvents(listener: Listener): void {
    this.#listeners.push(listener)
  }

  #committed(commit: Commit): void {
    this.#tell(commit)
    if (this.isAlone) return
    this.#queue.push(commit)
    if (!this.#sending) void this.#send()
  }

  #tell(announcement: Announcement): void {
    for (const listener of this.#listeners) listener(announcement)
  }

  /** Sends one notification at a time. Commits during it go into the next one. */
  async #send(): Promise<void> {
    this.#sending = true
    await forCompany()
    while (this.#queue.length > 0) {
      const payloads = pack(this.#node, this.#queue.splice(0))
      for (const payload of payloads) await this.#notifications.send(CHANNEL, payload).catch(() => {})
      await forCompany()
    }
    this.#sending = false
  }

  #greet(): void {
    for (const [node, heardAt] of this.#others) {
      if (performance.now() - heardAt > GONE_AFTER_MS) this.#others.delete(node)
    }
    void this.#notifications.send(CHANNEL, this.#node).catch(() => {})
  }

  #heard(payload: string): void {
    const [node, ...lines] = payload.split('\n')
    if (node === this.#node) return
    if (node !== undefined && node !== COMMAND) {
      if (!this.#others.has(node)) this.#greet()
      this.#others.set(node, performance.now())
    }
    for (const line of lines) {
      const [orgId = '', first, last, bots = ''] = line.split(' ')
      const botIds = bots === '*' ? undefined : bots.split(',').filter((id) => id !== '')
      this.#tell({ orgId, firstSeq: Number(first), lastSeq: Number(last), botIds })
    }
  }
}

const newName = (): string => newUuid().slice(0, 8)

const forCompany = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, COALESCE_MS)
  })

/** Announces a commit of a process without a listening connection, such as an operator's command. */
export async function announceCommit(db: Queryable, commit: Commit): Promise<void> {
  for (const payload of pack(COMMAND, [commit])) await db.query(sql`select pg_notify(${CHANNEL}, ${payload})`)
}

/** Packs commits into as few payloads as possible: the node's name, then a line for each commit. */
function pack(node: string, commits: readonly Commit[]): string[] {
  const payloads: string[] = []
  let current = node
  for (const { orgId, firstSeq, lastSeq, botIds } of commits) {
    const bots = botIds.join(',')
    const line = `\n${orgId} ${firstSeq} ${lastSeq} ${bots.length > MAX_PAYLOAD / 2 ? '*' : bots}`
    if (current.length + line.length > MAX_PAYLOAD) {
      payloads.push(current)
      current = node
    }
    current += line
  }
  return [...payloads, current]
}
