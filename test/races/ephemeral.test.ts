import { expect, it } from 'vitest'
import { sql } from '../../server/db/sql.ts'
import { EphemeralEvents } from '../../server/events/ephemeral.ts'
import { RacingChannels } from './nodes.ts'
import { atAnyTime, later, playTime, RacingDatabase, race, type Scheduler } from './support.ts'

const CALLER = { orgId: '11111111-1111-4111-8111-111111111111', profileId: 'ben' }
/** The documented time before the members of a topic are looked up again. */
const TYPING_MS = 2000

/** A topic that Ben comes into and leaves, and every moment at which that changed. */
class World {
  readonly #changes: { at: number; isMember: boolean }[] = []
  readonly ephemeral: EphemeralEvents
  readonly told: number[] = []
  readonly #db: RacingDatabase
  readonly #scheduler: Scheduler
  #statements = 0

  constructor(scheduler: Scheduler, isMember: boolean) {
    this.#scheduler = scheduler
    this.#changes.push({ at: performance.now() - TYPING_MS, isMember })
    this.#db = new RacingDatabase(scheduler, () => {
      this.#statements += 1
      if (this.#statements === 2) throw new Error('the database is away')
      return this.isMember ? [{ found: 1 }] : []
    })
    this.ephemeral = new EphemeralEvents(new RacingChannels(scheduler).join('node'), () => true)
    this.ephemeral.onEvent(() => this.told.push(performance.now()))
  }

  get isMember(): boolean {
    return this.#changes.at(-1)?.isMember === true
  }

  change(isMember: boolean): Promise<void> {
    return atAnyTime(this.#scheduler, isMember ? 'comes' : 'leaves', () => {
      this.#changes.push({ at: performance.now(), isMember })
    })
  }

  type(): Promise<void> {
    return atAnyTime(this.#scheduler, 'type', async () => {
      const [askedAt, known] = [performance.now(), this.#changes.length]
      const isMember = async () => (await this.#db.query(sql`select member`)).length > 0
      const answer = await this.ephemeral
        .typing(CALLER, { topicId: 'topic' }, isMember)
        .catch(() => 'failed' as const)
      if (answer === true) expect(this.#was(true, askedAt - TYPING_MS)).toBe(true)
      const since = this.#changes.slice(known - 1).map((change) => change.isMember)
      if (answer === false) expect(since, 'refused by what the database says').toContain(false)
    })
  }

  /** Whether Ben was, or was not, a member at some moment since then. */
  #was(isMember: boolean, since: number): boolean {
    return this.#changes.some(
      (change, index) =>
        change.isMember === isMember && (this.#changes[index + 1]?.at ?? Number.POSITIVE_INFINITY) > since,
    )
  }
}

playTime()

for (const isMember of [true, false]) {
  it(`lets nobody type who is not in the topic, and refuses none who is, ${isMember ? 'a member' : 'a stranger'} at first`, async () => {
    await race((scheduler) => {
      const world = new World(scheduler, isMember)
      const types = Array.from({ length: 6 }, () => world.type())
      const ephemeral = [later(scheduler, 900), later(scheduler, 1200), later(scheduler, 2500)]
      return [...types, world.change(!isMember), world.change(isMember), ...ephemeral]
    })
  })
}

it('announces a typing member once in two seconds, however many requests come at once', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler, true)
      const types = Array.from({ length: 6 }, () => world.type())
      return [...types, () => expect(world.told).toHaveLength(1)]
    },
    { times: 0.5 },
  )
})
