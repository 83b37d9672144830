import { setImmediate as nextTurn } from 'node:timers/promises'
import { SESSIONS_CHANNEL } from '../auth/callers.ts'
import type { PersonCaller } from '../auth/sessions.ts'
import { isGuest } from '../caller.ts'
import { Groups, type Perform } from '../db/groups.ts'
import { tooMany } from '../errors.ts'
import { addTo, type Ceiling, largest } from '../limits/ceilings.ts'
import type { Parley } from '../parley.ts'
import { readStillThere } from '../queries/events/live-events.ts'
import { readKnownToGuests } from '../queries/members/known-members.ts'
import type { EphemeralEvent } from './ephemeral.ts'
import { LiveFeed } from './live-feed.ts'
import { LiveStream, type StreamOptions } from './live-stream.ts'
import { type PresenceChanges, PresenceNews } from './presence-news.ts'

type Parts = Pick<
  Parley,
  | 'ceilings'
  | 'clock'
  | 'config'
  | 'db'
  | 'ephemeral'
  | 'links'
  | 'log'
  | 'notifications'
  | 'presence'
  | 'tail'
  | 'topics'
>

const TICK_MS = 1000
/** Sessions checked in one statement. */
const MAX_CHECKS = 1000
/** Streams that get a frame of presence before requests have their turn. */
const STREAMS_IN_A_TURN = 200
/** A page that is refused looks again when one of the others may have been closed. */
const RETRY_MS = 30_000

type Followed = {
  streams: Set<LiveStream>
  /** Streams by person. */
  byPerson: Map<string, Set<LiveStream>>
  feed: LiveFeed
  presence: PresenceNews
  leaveTail(): void
  /** Resolves when all ephemeral events so far were sent, but for presence. */
  passed: Promise<void>
}

const NOBODY: ReadonlySet<string> = new Set()

const frameOf = (type: EphemeralEvent['type'], data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`

export class LiveStreams {
  #parley: Parts
  #organizations = new Map<string, Followed>()
  /** Open streams by account. */
  #streamsOf = new Map<string, number>()
  #ceiling: Ceiling
  #checks = new Groups(MAX_CHECKS)
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parley: Parts) {
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
    // Sessions may have ended while the listening connection was down.
    parley.notifications.onConnect(() => {
      for (const stream of this.#all()) stream.checkSession()
    })
    parley.ephemeral.onEvent((passed) => {
      const followed = this.#organizations.get(passed.orgId)
      if (passed.type === 'presence') {
        followed?.presence.add(String(passed.data.profileId), passed.data.online === true)
        return
      }
      // One after the other: a piece of a text whose topic is read first must not come after the next piece.
      if (followed) followed.passed = followed.passed.then(() => this.#pass(followed, passed))
    })
    parley.tail.onEvents((orgId, events) => this.#organizations.get(orgId)?.feed.hear(events))
  }

  /** Called before the answer begins, so that the refusal can still be a 429. */
  refuseTooMany(accountId: string): void {
    if (!this.#ceiling.isReachedBy(this.#streamsOf.get(accountId) ?? 0)) return
    this.#ceiling.refusals += 1
    throw tooMany(RETRY_MS, 'streams_open')
  }

  open(options: StreamOptions): void {
    const { orgId, accountId } = options.caller
    const followed = this.#organizations.get(orgId) ?? this.#follow(orgId)
    const stream = new LiveStream(this.#parley, options, {
      isStillThere: (caller) => this.#checks.add('sessions', this.#readStillThere, caller),
      onCaughtUp: () => followed.feed.schedule(),
      onEnd: () => this.#left(orgId, followed, stream),
    })
    followed.streams.add(stream)
    const own = followed.byPerson.get(options.caller.profileId) ?? new Set()
    followed.byPerson.set(options.caller.profileId, own.add(stream))
    this.#parley.presence.came(options.caller)
    addTo(this.#streamsOf, accountId, 1)
    stream.checkSession() // it may have ended between the admission and the registration of this stream
    options.response.once('close', () => stream.end())
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS)
    if (this.#isStopped) stream.end() // its request came before the stop
  }

  stop(): void {
    this.#isStopped = true
    this.#stopTicking()
    for (const stream of this.#all()) stream.end()
  }

  /** Sends an ephemeral event to the streams that may see it. People do not get their own typing. */
  async #pass(followed: Followed, { orgId, type, data, topicId, profileId }: EphemeralEvent): Promise<void> {
    const { topics, db, log } = this.#parley
    const frame = frameOf(type, data)
    try {
      const known = topicId && (await topics.read(db, new Map([[orgId, new Set([topicId])]])))
      const members = topicId && known ? known.get(orgId)?.topics.get(topicId)?.members : undefined
      const pass = (stream: LiveStream) => {
        const { profileId: own, showsPresence } = stream.caller
        if (type === 'typing' && !showsPresence) return
        if (own === data.profileId || (topicId !== undefined && !members?.has(own))) return
        stream.pass(frame)
      }
      if (profileId !== undefined) followed.byPerson.get(profileId)?.forEach(pass)
      else if (topicId === undefined) followed.streams.forEach(pass)
      else for (const id of members?.keys() ?? []) followed.byPerson.get(id)?.forEach(pass)
    } catch (error) {
      log.warn({ err: error }, 'an ephemeral event was not sent')
    }
  }

  /** Sends changes of presence to all people but their own. Guests get those of members whom they know. */
  async #tellPresence(
    orgId: string,
    streams: ReadonlySet<LiveStream>,
    changes: PresenceChanges,
  ): Promise<void> {
    const frames = new Map(
      [...changes].map(([profileId, online]) => [profileId, frameOf('presence', { profileId, online })]),
    )
    const all = [...frames.values()].join('')
    const framesBut = (own: string, known?: ReadonlySet<string>) =>
      [...frames].map(([id, frame]) => (id === own || known?.has(id) === false ? '' : frame)).join('')
    const shown = [...streams].filter(({ caller }) => caller.showsPresence)
    const guests = shown.filter(({ caller }) => isGuest(caller))
    for (const [index, stream] of shown.entries()) {
      if (index % STREAMS_IN_A_TURN === STREAMS_IN_A_TURN - 1) await nextTurn()
      if (isGuest(stream.caller)) continue
      const { profileId } = stream.caller
      stream.pass(frames.has(profileId) ? framesBut(profileId) : all)
    }
    if (guests.length === 0) return
    const guestIds = [...new Set(guests.map(({ caller }) => caller.profileId))]
    const ids = { guestIds, memberIds: [...changes.keys()] }
    const known = await readKnownToGuests(orgId, this.#parley.db, ids)
    for (const stream of guests) {
      const { profileId } = stream.caller
      stream.pass(framesBut(profileId, known.get(profileId) ?? NOBODY))
    }
  }

  #readStillThere: Perform<PersonCaller, boolean> = async (_name, callers) => {
    const { db, clock } = this.#parley
    return (await readStillThere(callers, db, clock())).map((result) => ({ result }))
  }

  #follow(orgId: string): Followed {
    const streams = new Set<LiveStream>()
    const feed = new LiveFeed(this.#parley, orgId, streams)
    const tell = (changes: PresenceChanges) =>
      this.#tellPresence(orgId, streams, changes).catch((error: unknown) =>
        this.#parley.log.warn({ err: error }, 'presence was not told'),
      )
    const followed: Followed = {
      streams,
      byPerson: new Map(),
      feed,
      presence: new PresenceNews(tell, () => streams.size),
      leaveTail: this.#parley.tail.follow(orgId),
      passed: Promise.resolve(),
    }
    this.#organizations.set(orgId, followed)
    return followed
  }

  #left(orgId: string, followed: Followed, stream: LiveStream): void {
    const { profileId, accountId } = stream.caller
    followed.streams.delete(stream)
    const own = followed.byPerson.get(profileId)
    own?.delete(stream)
    if (own?.size === 0) followed.byPerson.delete(profileId)
    this.#parley.presence.left(stream.caller)
    addTo(this.#streamsOf, accountId, -1)
    if (followed.streams.size > 0) return
    this.#organizations.delete(orgId)
    followed.leaveTail()
    followed.feed.stop()
    followed.presence.stop()
    if (this.#organizations.size === 0) this.#stopTicking()
  }

  #tick(): void {
    for (const stream of this.#all()) stream.tick(this.#parley.tail.lastSeq(stream.caller.orgId))
  }

  #stopTicking(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #all(): LiveStream[] {
    return [...this.#organizations.values()].flatMap(({ streams }) => [...streams])
  }
}
