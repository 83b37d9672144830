import { expect, it } from 'vitest'
import { Callers } from '../../server/auth/callers.ts'
import { atAnyTime, RacingDatabase, RacingNotifications, race, type Scheduler } from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
const ACCOUNT = '33333333-3333-4333-8333-333333333333'
const NOW = 1_700_000_000_000

type Step = 'none' | 'second_factor'

/** One person with a session. Each change makes them another profile number, and what they need first goes with `needs`. */
class World {
  changes = 0
  heard = 0
  isOpen = true
  isListening = true
  needs: Step = 'none'
  readonly callers: Callers
  readonly #scheduler: Scheduler
  readonly #notifications: RacingNotifications

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.#notifications = new RacingNotifications(scheduler)
    const db = new RacingDatabase(scheduler, ({ text }) => {
      return text.includes('from sessions') && this.isOpen ? [{ ...SESSION, ...this.#profile() }] : []
    })
    this.callers = new Callers(
      db,
      () => NOW,
      () => this.isListening,
    )
  }

  change(act: () => void): Promise<void> {
    return atAnyTime(this.#scheduler, 'commit', () => {
      act()
      this.changes += 1
      const number = this.changes
      return this.#notifications.send(`${number}`, () => {
        if (!this.isListening) return
        this.callers.drop(ACCOUNT)
        this.heard = number
      })
    })
  }

  reconnect(): Promise<void> {
    return atAnyTime(this.#scheduler, 'break', () => {
      this.isListening = false
      return atAnyTime(this.#scheduler, 'connect', () => {
        this.isListening = true
        this.callers.drop()
        this.heard = this.changes
      })
    })
  }

  find() {
    const visitor = { client: CLIENT, sessionToken: 'token', knownBrowserToken: undefined }
    return this.callers.find(visitor, ORG)
  }

  #profile() {
    return {
      profileId: `${this.changes}`,
      role: 'member',
      needs: this.needs === 'none' ? null : this.needs,
      showsPresence: true,
      lastVisitAt: NOW,
    }
  }
}

const CLIENT = { address: '127.0.0.1', userAgent: '' }
const SESSION = {
  accountId: ACCOUNT,
  sessionId: '44444444-4444-4444-8444-444444444444',
  email: 'ada@example.com',
  since: NOW,
  signedInWith: 'password',
  expiresAt: NOW + 1_000_000,
  lastSeenAt: NOW,
}

it('gives no caller that is older than the news that came before it was asked for', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const ask = (number: number) =>
      atAnyTime(scheduler, `ask ${number}`, async () => {
        const { heard } = world
        expect(Number((await world.find())?.profileId)).toBeGreaterThanOrEqual(heard)
      })
    const change = () => world.change(() => {})
    return [...[1, 2, 3, 4, 5].map(ask), change(), change(), world.reconnect()]
  })
})

it('admits no one by a session whose end has arrived', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const ask = (number: number) =>
      atAnyTime(scheduler, `ask ${number}`, async () => {
        const isOver = world.heard === 1
        const caller = await world.find()
        if (isOver) expect(caller).toBeNull()
      })
    const end = world.change(() => {
      world.isOpen = false
    })
    return [...[1, 2, 3, 4, 5].map(ask), end, world.reconnect()]
  })
})

it('keeps no one out by memory who needs nothing any longer, however late the news is', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    world.needs = 'second_factor'
    const ask = (number: number) =>
      atAnyTime(scheduler, `ask ${number}`, async () => {
        const isFree = world.changes === 1
        const caller = await world.find()
        if (isFree) expect(caller?.needs).toBeNull()
      })
    const free = world.change(() => {
      world.needs = 'none'
    })
    return [...[1, 2, 3, 4, 5].map(ask), free]
  })
})
