import { TOO_MANY_STREAMS } from '../../contract/people/stream.ts'
import { tooMany } from '../errors.ts'
import { addTo, type Ceiling, largest } from '../limits/ceilings.ts'
import type { Parley } from '../parley.ts'
import { readLastSeqs } from '../queries/live-events.ts'
import { LiveStream, type StreamOptions } from './live-stream.ts'

/** Names the account or the organization whose sessions have changed; triggers tell (0012_account_security.sql). */
const SESSIONS_CHANNEL = 'parley_sessions'
const TICK_MS = 1000
/** A page that is refused looks again when one of the others may have been closed. */
const RETRY_MS = 30_000

/** The live streams of this node. */
export class LiveStreams {
  #parley: Parley
  #organizations = new Map<string, Set<LiveStream>>()
  /** By account. */
  #streamsOf = new Map<string, number>()
  #ceiling: Ceiling
  #timer: NodeJS.Timeout | undefined
  #isTicking = false
  #isStopped = false

  constructor(parley: Parley) {
    this.#parley = parley
    const { maxStreamsPerPerson } = parley.config
    this.#ceiling = parley.ceilings.add('streams_of_a_person', maxStreamsPerPerson, () =>
      largest(this.#streamsOf.values()),
    )
    parley.notifications.on(SESSIONS_CHANNEL, (id) => {
      for (const stream of this.#all()) {
        if (stream.caller.accountId === id || stream.caller.orgId === id) stream.checkSession()
      }
    })
    // What was told while nobody could listen.
    parley.notifications.onConnect(() => {
      for (const stream of this.#all()) stream.checkSession()
    })
    parley.wake.onEvents(({ orgId }) => {
      for (const stream of this.#organizations.get(orgId) ?? []) stream.wake()
    })
  }

  /** Before anything is answered. */
  refuseTooMany(accountId: string): void {
    if (!this.#ceiling.isReachedBy(this.#streamsOf.get(accountId) ?? 0)) return
    this.#ceiling.refusals += 1
    throw tooMany(RETRY_MS, TOO_MANY_STREAMS)
  }

  open(options: StreamOptions): void {
    const { orgId, accountId } = options.caller
    const streams = this.#organizations.get(orgId) ?? new Set()
    this.#organizations.set(orgId, streams)
    const stream = new LiveStream(this.#parley, options, () => {
      streams.delete(stream)
      addTo(this.#streamsOf, accountId, -1)
      if (streams.size === 0 && this.#organizations.get(orgId) === streams) this.#organizations.delete(orgId)
      if (this.#organizations.size === 0) this.#stopTicking()
    })
    streams.add(stream)
    addTo(this.#streamsOf, accountId, 1)
    stream.checkSession() // it may have ended since the request was let in, when nobody would have told this stream
    options.response.once('close', () => stream.end())
    this.#timer ??= setInterval(() => void this.#tick(), TICK_MS)
    if (this.#isStopped) stream.end() // its request came before the stop
  }

  stop(): void {
    this.#isStopped = true
    this.#stopTicking()
    for (const stream of this.#all()) stream.end()
  }

  async #tick(): Promise<void> {
    if (this.#isTicking) return
    this.#isTicking = true
    const lastSeqs = await readLastSeqs(this.#parley.db, [...this.#organizations.keys()]).catch(
      () => undefined,
    )
    this.#isTicking = false
    if (!lastSeqs) return // the database is away; every stream finds out by itself
    for (const stream of this.#all()) stream.tick(lastSeqs.get(stream.caller.orgId) ?? 0)
  }

  #stopTicking(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #all(): LiveStream[] {
    return [...this.#organizations.values()].flatMap((streams) => [...streams])
  }
}
