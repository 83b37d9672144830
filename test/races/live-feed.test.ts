import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Row } from '../../server/db/database.ts'
import type { Statement } from '../../server/db/sql.ts'
import type { LogEvent } from '../../server/db/transaction.ts'
import { type FeedStream, LiveFeed } from '../../server/events/live-feed.ts'
import { Tail } from '../../server/events/tail.ts'
import { TopicDirectory } from '../../server/queries/topics/topic-directory.ts'
import { atAnyTime, RacingDatabase, race, type Scheduler } from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
const TOPIC = '22222222-2222-4222-8222-222222222222'
const [ADA, BEN] = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444']
/** Longer than the feed waits to batch events. */
const LATER_MS = 50
/** Enough ticks for the feed to finish its work. */
const TICKS = 60

type Kind = 'message.created' | 'member.added' | 'member.removed'

/** A topic of Ben's that Ada joins and leaves, its log, and Ada's open page. */
class World {
  readonly log: LogEvent[] = []
  readonly shown: number[] = []
  readonly #scheduler: Scheduler
  readonly #tail: Tail
  readonly #feed: LiveFeed
  /** Whether Ada was in the topic after each event; at first she was. */
  readonly #isMemberAfter: boolean[] = [true]
  #version = 1
  #isCurrent = true
  #position = 0

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    const db = new RacingDatabase(scheduler, (statement) => this.#answer(statement))
    this.#tail = new Tail(db)
    this.#feed = new LiveFeed(
      {
        db,
        tail: this.#tail,
        topics: new TopicDirectory(),
        notifications: { connected: true },
        links: { for: () => (target) => target },
        log: { warn: (details: unknown) => expect.fail(JSON.stringify(details)) },
      },
      ORG,
      new Set([this.#page()]),
    )
    this.#tail.follow(ORG)
    this.#tail.readTo(ORG, 0)
    this.#tail.onEvents((_orgId, events) => this.#feed.hear(events))
  }

  /** Whether Ada was in the topic from this event on, and whether she never was. */
  seenFrom(seq: number): { always: boolean; never: boolean } {
    const after = this.#isMemberAfter.slice(seq)
    return { always: after.every(Boolean), never: !after.some(Boolean) }
  }

  /** Commits an event; this node hears of it with the answer, which may come after that of a later commit. */
  async write(type: Kind): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), `commit ${type}`)
    const seq = this.log.length + 1
    const data = type === 'message.created' ? '{}' : JSON.stringify({ memberIds: [ADA] })
    const event = { seq, id: `${seq}`, type, topicId: TOPIC, data, createdAt: seq, botIds: [] }
    this.log.push(event)
    this.#isMemberAfter.push(type === 'message.created' ? this.#isMember : type === 'member.added')
    if (type !== 'message.created') this.#version += 1
    await this.#scheduler.schedule(Promise.resolve(), `answer ${type}`)
    this.#tail.hear({ orgId: ORG, firstSeq: seq, lastSeq: seq, botIds: [], events: () => [event] })
  }

  pass(): Promise<unknown> {
    return atAnyTime(this.#scheduler, 'later', () => vi.advanceTimersByTime(LATER_MS))
  }

  get #isMember(): boolean {
    return this.#isMemberAfter.at(-1) === true
  }

  #answer({ text }: Statement): Row[] {
    if (text.includes('membership_version')) return this.#members()
    if (text.includes('from organization_logs'))
      return [{ org_id: ORG, last_seq: this.log.length, floor_seq: 0 }]
    return this.log.map((event) => ({ orgId: ORG, ...event }))
  }

  #members(): Row[] {
    const members = this.#isMember ? [BEN, ADA] : [BEN]
    const joinedAt = this.log.findLast(({ type }) => type === 'member.added')?.createdAt ?? 0
    const rights = { is_restricted: false, may_write: true, is_archived: false, are_bots_stopped: false }
    return members.map((id) => ({
      ...{
        org_id: ORG,
        version: this.#version,
        topic_id: TOPIC,
        profile_id: id,
        joined_at: joinedAt,
        name: id,
      },
      ...{ ...rights, reach: 'everything', address_ids: null, blocked_words: null },
    }))
  }

  /** A page that reads the log when it is woken. */
  #page(): FeedStream {
    const world = this
    return {
      caller: { orgId: ORG, profileId: ADA },
      isAdmin: false,
      isGuest: false,
      get isCurrent() {
        return world.#isCurrent
      },
      get position() {
        return world.#position
      },
      tell: (frames, lastSeq) => {
        for (const [, seq] of frames.matchAll(/^id: (\d+)$/gm)) world.shown.push(Number(seq))
        world.#position = Math.max(world.#position, lastSeq)
      },
      wake: () => {
        if (!world.#isCurrent) return
        world.#isCurrent = false
        void atAnyTime(world.#scheduler, 'read the log', () => {
          const unread = world.log.filter(({ seq }) => seq > world.#position)
          const visible = unread.filter(({ type }) => world.#isMember || type === 'member.removed')
          world.shown.push(...visible.map(({ seq }) => seq))
          world.#position = world.log.length
          world.#isCurrent = true
          world.#feed.schedule()
        })
      },
    }
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('tells a person each event of their topic once and in order, and nothing from when they have left it', () =>
  race((scheduler) => {
    const world = new World(scheduler)
    const kinds: Kind[] = [
      'message.created',
      'member.removed',
      'message.created',
      'member.added',
      'message.created',
      'message.created',
    ]
    const writes = kinds.map((kind) => world.write(kind))
    const passing = [world.pass(), world.pass(), world.pass()]
    const all = Promise.all([...writes, ...passing]).then(async () => {
      for (let tick = 0; tick < TICKS; tick++) await world.pass()
    })
    return [
      all,
      () => {
        expect(world.shown).toEqual([...new Set(world.shown)].sort((one, other) => one - other))
        for (const { seq, type } of world.log) {
          const { always, never } = world.seenFrom(seq)
          if (always || type === 'member.removed') expect(world.shown, `event ${seq}`).toContain(seq)
          else if (never) expect(world.shown, `event ${seq}`).not.toContain(seq)
        }
      },
    ]
  }))
