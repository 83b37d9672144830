import { expect, it } from 'vitest'
import type { LogEvent } from '../../server/db/transaction.ts'
import { Tail } from '../../server/events/tail.ts'
import { atAnyTime, RacingDatabase, RacingNotifications, race, type Scheduler } from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
const BOT = 'b@22222222-2222-4222-8222-222222222222'

const eventOf = (seq: number): LogEvent => ({
  seq,
  id: `${seq}`,
  type: 'message.created',
  topicId: 'topic',
  data: '{}',
  createdAt: seq,
  botIds: [BOT],
})

/** The log of one organization, written by this node and by another one. */
class World {
  lastSeq = 0
  /** Events up to this number were removed. */
  floor = 0
  readonly told: number[] = []
  /** First numbers of unanswered commits. */
  readonly #unanswered = new Set<number>()
  readonly tail: Tail
  readonly #scheduler: Scheduler
  readonly #notifications: RacingNotifications

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.#notifications = new RacingNotifications(scheduler)
    const db = new RacingDatabase(scheduler, ({ text, values }) => {
      if (text.includes('from organization_logs'))
        return [{ org_id: ORG, last_seq: this.lastSeq, floor_seq: this.floor }]
      const [, positions] = values
      const position = Array.isArray(positions) ? Number(positions[0]) : 0
      return this.#eventsAfter(position).map((event) => ({ orgId: ORG, ...event }))
    })
    this.tail = new Tail(db)
    this.tail.onEvents((_orgId, events) => this.told.push(...events.map(({ seq }) => seq)))
  }

  #eventsAfter(position: number): LogEvent[] {
    const first = Math.max(position, this.floor) + 1
    return Array.from({ length: Math.max(0, this.lastSeq - first + 1) }, (_, index) => eventOf(first + index))
  }

  /** Commits some events. This node gets its own with the answer, which may come after that of a later commit. */
  async write(count: number, where: 'here' | 'elsewhere' | 'unheard'): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), `commit ${where}`)
    const firstSeq = this.lastSeq + 1
    this.lastSeq += count
    const commit = { orgId: ORG, firstSeq, lastSeq: this.lastSeq, botIds: undefined }
    const events = Array.from({ length: count }, (_, index) => eventOf(firstSeq + index))
    if (where === 'here') {
      this.#unanswered.add(firstSeq)
      await this.#scheduler.schedule(Promise.resolve(), 'answer to the commit')
      this.#unanswered.delete(firstSeq)
      this.tail.hear({ ...commit, events: () => events })
    }
    if (where === 'elsewhere') await this.#notifications.send('elsewhere', () => this.tail.hear(commit))
  }

  /** Removes old events: none whose commit was not answered yet, as an event is kept for days. */
  remove(): Promise<void> {
    return atAnyTime(this.#scheduler, 'remove', () => {
      this.floor = Math.min(this.lastSeq, ...[...this.#unanswered].map((firstSeq) => firstSeq - 1))
      this.tail.forgetTo(ORG, this.floor)
    })
  }

  /** Follows the log as a poll does: from its end at some moment. */
  async follow(): Promise<number> {
    await this.#scheduler.schedule(Promise.resolve(), 'follow')
    this.tail.follow(ORG)
    await this.#scheduler.schedule(Promise.resolve(), 'read the log')
    const { lastSeq } = this
    await this.#scheduler.schedule(Promise.resolve(), 'answer of the log')
    this.tail.readTo(ORG, lastSeq)
    return lastSeq
  }

  look(): Promise<void> {
    return atAnyTime(this.#scheduler, 'look for lost', () => this.tail.lookForLost())
  }
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + 1 + index)

it('gives each event once, in order and without a gap', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const writes = [
      world.write(1, 'here'),
      world.write(2, 'elsewhere'),
      world.write(1, 'here'),
      world.write(2, 'here'),
      world.write(1, 'unheard'),
    ]
    const all = Promise.all([world.follow(), world.follow(), ...writes, world.look()])
    return [
      all.then(() => world.look()),
      () => {
        const [first = world.lastSeq + 1] = world.told
        expect(world.told).toEqual(numbers(first - 1, world.lastSeq))
      },
    ]
  })
})

it('gives a reader all events after its position, or says that they are not all here', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const read = (position: number) =>
      atAnyTime(scheduler, `read after ${position}`, () => {
        const page = world.tail.read(ORG, BOT, position, 100)
        const all = world.tail.readAll(ORG, position)
        expect(page !== undefined).toBe(world.tail.holds(ORG, position))
        const expected = page && numbers(position, page.lastSeq)
        expect(page?.updates.map(({ seq }) => seq)).toEqual(expected)
        expect(all?.map(({ seq }) => seq)).toEqual(expected)
      })
    const writes = [world.write(2, 'here'), world.write(1, 'elsewhere'), world.write(1, 'here')]
    return [world.follow(), ...writes, world.look(), ...[0, 1, 2, 3, 0, 1, 2, 3].map(read)]
  })
})

it('gives no event that was removed before it was asked for, and none twice', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const read = atAnyTime(scheduler, 'read', () => {
        const events = world.tail.readAll(ORG, 0) ?? []
        expect(events.every(({ seq }) => seq > world.floor)).toBe(true)
      })
      const writes = [world.write(2, 'elsewhere'), world.write(1, 'here'), world.write(2, 'here')]
      const all = Promise.all([world.follow(), ...writes, world.remove(), read, world.look()])
      return [
        all.then(() => world.look()),
        () => {
          expect(world.told).toEqual([...new Set(world.told)].sort((one, other) => one - other))
          const kept = world.tail.readAll(ORG, 0) ?? []
          expect(kept.every(({ seq }) => seq > world.floor)).toBe(true)
        },
      ]
    },
    { times: 5 },
  )
})
