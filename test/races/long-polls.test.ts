import { expect, it } from 'vitest'
import { Identities, type Identity } from '../../server/auth/identity.ts'
import type { Row } from '../../server/db/database.ts'
import type { Statement } from '../../server/db/sql.ts'
import type { LogEvent } from '../../server/db/transaction.ts'
import { Refusal, unauthorized } from '../../server/errors.ts'
import { BotLoops } from '../../server/events/bot-loops.ts'
import { LongPolls } from '../../server/events/long-poll.ts'
import { Tail } from '../../server/events/tail.ts'
import { UpdateReader } from '../../server/events/update-reader.ts'
import { Ceilings } from '../../server/limits/ceilings.ts'
import type { UpdatePage } from '../../server/queries/events/updates.ts'
import { poll } from '../../server/routes/bot/updates.ts'
import { Secrets } from '../../server/secrets.ts'
import {
  atAnyTime,
  passTime,
  playTime,
  RacingDatabase,
  RacingNotifications,
  race,
  type Scheduler,
} from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
const BOT = 'b@22222222-2222-4222-8222-222222222222'
const PLACE = { orgId: ORG, botId: BOT }
const TIMEOUT_MS = 30_000
const secrets = new Secrets('a secret key for tests')
const SECRET = secrets.encrypt('secret', BOT)
const LIMITS = { slowAfter: 0, stopAfter: 0, pauseMs: 0 }

const OTHER = 'b@33333333-3333-4333-8333-333333333333'
const eventOf = (seq: number, botId: string): LogEvent => ({
  ...{ seq, id: `${seq}`, type: 'message.created', topicId: 'topic' },
  ...{ data: '{}', createdAt: seq, botIds: [botId] },
})
const isOwn = ({ botIds }: LogEvent) => botIds.includes(BOT)

/** A bot that polls one node, the log of its organization, and everything that ends a poll. */
class World {
  readonly log: LogEvent[] = []
  active = true
  delivery = 'polling'
  isStopping = false
  readonly longPolls = new LongPolls(new Ceilings(), 20)
  /** Positions of unanswered polls. */
  readonly waiting = new Set<{ position: number }>()
  readonly #scheduler: Scheduler
  readonly #notifications: RacingNotifications
  readonly #tail: Tail
  readonly #identities: Identities
  readonly #updates: UpdateReader
  readonly #botLoops: BotLoops

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.#notifications = new RacingNotifications(scheduler)
    const db = new RacingDatabase(scheduler, (statement) => this.#answer(statement))
    this.#tail = new Tail(db)
    this.#identities = new Identities(db, secrets, () => true)
    this.#updates = new UpdateReader(db)
    this.#botLoops = new BotLoops(
      this.#tail,
      { tellNodes: () => {}, onNode: () => {} },
      () => 0,
      LIMITS,
      async () => {},
    )
    this.#tail.onEvents((orgId, events) => this.longPolls.tell(orgId, events))
  }

  /** Commits an event, for the bot or for another one, here or at another node. */
  write(where: 'here' | 'elsewhere', botId = BOT): Promise<void> {
    return atAnyTime(this.#scheduler, `commit ${where}`, async () => {
      const event = eventOf(this.log.length + 1, botId)
      this.log.push(event)
      const commit = { orgId: ORG, firstSeq: event.seq, lastSeq: event.seq, botIds: [botId] }
      if (where === 'elsewhere') return this.#notifications.send('event', () => this.#tail.hear(commit))
      await this.#scheduler.schedule(Promise.resolve(), 'answer to the commit')
      this.#tail.hear({ ...commit, events: () => [event] })
    })
  }

  change(change: () => void): Promise<void> {
    return atAnyTime(this.#scheduler, 'change the bot', () => {
      change()
      return this.#notifications.send('bot', () => {
        this.#identities.drop(BOT)
        this.longPolls.wakeBot(BOT)
      })
    })
  }

  /** A waiting poll, with the answer that it must get. */
  poll(position: number, goesAway = false): Promise<void> {
    const asked = { position }
    return atAnyTime(this.#scheduler, `poll after ${position}`, async () => {
      const identity = await this.#identities.byBotId(BOT)
      if (!identity?.active || identity.delivery !== 'polling') return
      this.waiting.add(asked)
      const prove = (bot: Identity | undefined): Identity => {
        if (!bot?.active) throw unauthorized('The bot was deactivated')
        return bot
      }
      const caller = {
        ...{ orgId: ORG, profileId: BOT, identity, prove },
        ...{ scopes: undefined, tokenScopes: undefined },
      }
      let isGone = false
      const onGone = (leave: () => void) => {
        if (goesAway)
          void atAnyTime(this.#scheduler, 'the client goes away', () => {
            isGone = true
            leave()
          })
      }
      const parts = {
        ...{ identities: this.#identities, updates: this.#updates, longPolls: this.longPolls },
        ...{ tail: this.#tail, botLoops: this.#botLoops },
      }
      const startedAt = performance.now()
      const start = { position, isNamed: true }
      await poll(parts, caller, { start, limit: 10, timeoutMs: TIMEOUT_MS, onGone })
        .finally(() => this.waiting.delete(asked))
        .then((page) => {
          const isLate = performance.now() - startedAt >= TIMEOUT_MS
          this.#check(page, asked, isGone || isLate || this.isStopping)
        })
        .catch((error: unknown) => this.#judge(error))
    })
  }

  #judge(error: unknown): void {
    if (!(error instanceof Refusal)) throw error
    const isRight = error.status === 401 ? !this.active : error.status === 409 && this.delivery === 'webhook'
    expect(isRight, `${error.status} ${error.message}`).toBe(true)
  }

  stop(): Promise<void> {
    return atAnyTime(this.#scheduler, 'stop', () => {
      this.isStopping = true
      this.longPolls.stop()
    })
  }

  #check({ updates, lastSeq }: UpdatePage, { position }: { position: number }, mayBeEmpty: boolean): void {
    const expected = this.log.slice(position, lastSeq).filter(isOwn)
    expect(updates.map(({ seq }) => seq)).toEqual(expected.map(({ seq }) => seq))
    if (!mayBeEmpty) expect(updates).not.toEqual([])
  }

  #answer({ text, values }: Statement): Row[] {
    if (text.includes('from bot_directory')) return [PLACE]
    if (text.includes('cross join unnest')) return this.#pages(values)
    if (text.includes('from organization_logs'))
      return [{ org_id: ORG, last_seq: this.log.length, floor_seq: 0 }]
    if (text.includes('join bots b')) return [this.#bot()]
    const [, positions] = values
    const position = Array.isArray(positions) ? Number(positions[0]) : 0
    return this.log.slice(position).map((event) => ({ orgId: ORG, ...event }))
  }

  #pages([, positions]: readonly unknown[]): Row[] {
    if (!Array.isArray(positions)) throw new Error('the positions are the second value')
    return positions.flatMap((position, index): Row[] => {
      const page = { number: index + 1, last_seq: this.log.length, floor_seq: 0 }
      const events = this.log.slice(Number(position)).filter(isOwn)
      return events.length > 0 ? events.map((event) => ({ ...page, ...event })) : [{ ...page, seq: null }]
    })
  }

  #bot(): Row {
    return {
      ...{ org_id: ORG, id: BOT, credential: 'static', permission: 'write', scopes: [], secret: SECRET },
      ...{ previous_secret: null, previous_secret_until: null, active: this.active, paused_at: null },
      ...{ token_generation: 1, delivery: this.delivery, rate_limit: null, rate_limit_ceiling: null },
      ...{ signature_version: 1, messages_per_day: null, tokens_per_day: null },
    }
  }
}

playTime()

/** Polls that wait do not end by themselves: they are looked at when their time has passed. */
const inTime = (scheduler: Scheduler, world: World, actors: readonly Promise<void>[]) => {
  const all = Promise.all(actors)
  all.catch(() => {})
  return [
    () => passTime(scheduler, 2, TIMEOUT_MS),
    () => all.then(() => expect(world.longPolls.count).toBe(0)),
  ]
}

it('answers each poll with the events after its position, and lets none wait that has some', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const polls = [world.poll(0), world.poll(0), world.poll(0, true), world.poll(0)]
      const others = [world.write('here', OTHER), world.write('elsewhere', OTHER)]
      return [
        Promise.all([...others, world.write('here'), world.write('elsewhere')]),
        () => expect([...world.waiting]).toEqual([]),
        ...inTime(scheduler, world, polls),
      ]
    },
    { times: 0.75 },
  )
})

it.each([
  ['is deactivated', 401],
  ['changes to webhooks', 409],
])('ends the polls of a bot that %s, and of no other', async (_change, status) => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const polls = [world.poll(0), world.poll(0), world.poll(0)]
      const change = world.change(() => {
        if (status === 401) world.active = false
        else world.delivery = 'webhook'
      })
      return [
        Promise.all([change, world.write('elsewhere', OTHER)]),
        () => expect([...world.waiting], 'all have heard of it').toEqual([]),
        ...inTime(scheduler, world, polls),
      ]
    },
    { times: 0.5 },
  )
})

it('lets no poll wait once it stops', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const polls = [world.poll(0), world.poll(0), world.poll(0)]
      return [world.stop(), () => expect([...world.waiting]).toEqual([]), ...inTime(scheduler, world, polls)]
    },
    { times: 0.25 },
  )
})
