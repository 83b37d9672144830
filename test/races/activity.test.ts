import { expect, it, vi } from 'vitest'
import { Activity } from '../../server/events/activity.ts'
import { EphemeralEvents } from '../../server/events/ephemeral.ts'
import { RacingChannels } from './nodes.ts'
import { atAnyTime, later, passTime, playTime, race, type Scheduler } from './support.ts'

const ADA = { orgId: '11111111-1111-4111-8111-111111111111', profileId: 'ada' }
/** The documented time for which a browser counts as in use. */
const ACTIVE_MS = 90_000

/** Two nodes that hear of Ada's browsers, and each browser's last report. */
class World {
  readonly nodes: Activity[]
  readonly #told = new Map<string, { at: number; active: boolean }>()
  readonly #scheduler: Scheduler

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    const channels = new RacingChannels(scheduler)
    this.nodes = ['one', 'two'].map((name) => {
      const node = channels.join(name)
      node.connect()
      const ephemeral = new EphemeralEvents(node, () => false)
      return new Activity(
        ephemeral,
        () => performance.now(),
        () => {},
      )
    })
  }

  /** A browser sends its news one by one, each to any node. */
  async browser(sessionId: string, news: readonly (readonly [node: number, active: boolean])[]) {
    for (const [number, active] of news)
      await atAnyTime(this.#scheduler, `${sessionId} at node ${number}`, () => {
        vi.advanceTimersByTime(1) // two requests of a browser do not come at the same moment
        this.#told.set(sessionId, { at: performance.now(), active })
        this.nodes[number]?.tell(ADA, sessionId, active)
      })
  }

  /** Whether Ada is active according to her browsers. */
  get isActive(): boolean {
    return [...this.#told.values()].some(({ at, active }) => active && performance.now() - at < ACTIVE_MS)
  }

  get shown(): boolean[] {
    return this.nodes.map((node) => node.isActive(ADA.orgId, ADA.profileId))
  }
}

playTime()

it('ends on all nodes as each browser reported last, to any node, and for as long as documented', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const laptop = world.browser('laptop', [
      [0, true],
      [1, false],
      [0, true],
      [1, false],
    ])
    const phone = world.browser('phone', [
      [1, true],
      [0, true],
    ])
    const passing = [20, 40, 60].map((milliseconds) => later(scheduler, milliseconds))
    return [
      Promise.all([laptop, phone, ...passing]),
      () => passTime(scheduler, 2, 50),
      () => expect(world.shown).toEqual([world.isActive, world.isActive]),
      () => passTime(scheduler, 1, ACTIVE_MS),
      () => expect(world.shown).toEqual([false, false]),
    ]
  })
})

it('counts a browser that has stopped no longer, once both nodes have heard of it', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const laptop = world.browser('laptop', [
        [0, true],
        [1, false],
      ])
      return [
        Promise.all([laptop, later(scheduler, 45)]),
        () => passTime(scheduler, 2, 50),
        () => expect(world.shown).toEqual([false, false]),
      ]
    },
    { times: 0.5 },
  )
})
