import { expect, it } from 'vitest'
import { remembered } from '../../server/remembered.ts'
import { atAnyTime, later, playTime, race, type Scheduler } from './support.ts'

const NAME = 'members online'
const MAX_AGE_MS = 1000
/** The factor in the code: an answer lasts this many times as long as finding it took. */
const TTL_FACTOR = 20
/** More names than are kept. */
const MANY = 1001

type Look = { started: number; ended: number; isFailed: boolean }

/** A value that takes a while to find, and sometimes cannot be found. */
class World {
  readonly ask = remembered<Look>(MAX_AGE_MS)
  readonly looks: Look[] = []
  /** Lookups that began while another one's answer was valid. */
  overlaps = 0
  /** The look whose answer must be given, or waited for; undefined once it was pushed out. */
  #current: Look | undefined
  readonly #scheduler: Scheduler
  readonly #failing: number

  constructor(scheduler: Scheduler, failing: number) {
    this.#scheduler = scheduler
    this.#failing = failing
  }

  find = async (): Promise<Look> => {
    if (this.#current && !isOver(this.#current)) this.overlaps += 1
    const look = { started: performance.now(), ended: Number.POSITIVE_INFINITY, isFailed: false }
    this.#current = look
    this.looks.push(look)
    const number = this.looks.length
    await this.#scheduler.schedule(Promise.resolve(), `answer ${number}`)
    look.ended = performance.now()
    look.isFailed = number === this.#failing
    if (look.isFailed) throw look
    return look
  }

  pushOut(): void {
    this.#current = undefined
    for (let number = 0; number < MANY; number++)
      void this.ask(`other ${number}`, async () => ({ started: 0, ended: 0, isFailed: false }))
  }
}

const endOf = ({ started, ended }: Look) =>
  Math.min(ended + TTL_FACTOR * (ended - started), started + MAX_AGE_MS)
const isOver = (look: Look) => look.isFailed || endOf(look) <= performance.now()

playTime()

const ask = (scheduler: Scheduler, world: World) =>
  atAnyTime(scheduler, 'ask', async () => {
    const askedAt = performance.now()
    const isEnded = new Set(world.looks.filter(({ ended }) => ended <= askedAt))
    const found = await world.ask(NAME, world.find).catch((failure: Look) => failure)
    if (!isEnded.has(found)) return
    expect(found.isFailed, 'no failure is kept').toBe(false)
    expect(askedAt).toBeLessThan(endOf(found))
  })

it('looks once for all who ask at a time, keeps no failure, and no answer longer than it may', async () => {
  await race((scheduler) => {
    const world = new World(scheduler, 2)
    const asks = Array.from({ length: 8 }, () => ask(scheduler, world))
    const passing = [3, 40, 100, 500, 900].map((milliseconds) => later(scheduler, milliseconds))
    return [...asks, ...passing, () => expect(world.overlaps).toBe(0)]
  })
})

it('keeps a newer answer when an older look fails late', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler, 1)
      const asks = Array.from({ length: 6 }, () => ask(scheduler, world))
      const pushedOut = atAnyTime(scheduler, 'push out', () => world.pushOut())
      return [...asks, pushedOut, later(scheduler, 5), () => expect(world.overlaps).toBe(0)]
    },
    { times: 0.5 },
  )
})
