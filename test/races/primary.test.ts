import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Host } from '../../server/db/hosts.ts'
import { Primary, type Probe } from '../../server/db/primary.ts'
import { atAnyTime, later, passTime, playTime, race, type Scheduler, settle } from './support.ts'

const [FIRST, SECOND]: [Host, Host] = [
  { host: 'first', port: 5432 },
  { host: 'second', port: 5432 },
]

/** A connection of the pool. */
class Client extends EventEmitter {
  isBroken = false
  readonly connection = {
    stream: {
      destroy: () => {
        this.isBroken = true
        this.emit('end')
      },
    },
  }
}

/** Two servers; the second is promoted some time after the first takes no writes any more, and is a standby from then on. */
class World {
  takesWrites: Host | undefined = FIRST
  readonly primary: Primary
  readonly clients: { client: Client; host: Host }[] = []
  readonly found: Host[] = []
  openProbes = 0
  readonly #scheduler: Scheduler

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.primary = new Primary([FIRST, SECOND], {}, (host) => this.#probe(host))
  }

  failOver(): Promise<void> {
    return atAnyTime(this.#scheduler, 'the first is stopped', () => {
      this.takesWrites = undefined
      return atAnyTime(this.#scheduler, 'the second is promoted', () => {
        this.takesWrites = SECOND
      })
    })
  }

  connect(): Promise<void> {
    return atAnyTime(this.#scheduler, 'connect', async () => {
      const host = await this.primary.find().catch(() => undefined)
      if (!host) return
      this.found.push(host)
      await this.#scheduler.schedule(Promise.resolve(), `connected to ${host.host}`)
      const client = new Client()
      this.clients.push({ client, host })
      this.primary.connected(client, host)
    })
  }

  /** Reports a broken connection to the first host. */
  doubt(): Promise<void> {
    return atAnyTime(this.#scheduler, 'doubt', () => this.primary.doubt(FIRST))
  }

  check(): Promise<void> {
    return atAnyTime(this.#scheduler, 'check', () => this.primary.check().catch(() => {}))
  }

  async #probe(host: Host): Promise<Probe> {
    await this.#scheduler.schedule(Promise.resolve(), `probe ${host.host}`)
    this.openProbes += 1
    let isOpen = true
    const close = () => {
      if (isOpen) this.openProbes -= 1
      isOpen = false
    }
    return {
      takesWrites: async () => {
        await this.#scheduler.schedule(Promise.resolve(), `ask ${host.host}`)
        const is = this.takesWrites === host
        await this.#scheduler.schedule(Promise.resolve(), `answer of ${host.host}`)
        return is
      },
      breakOff: close,
      end: async () => close(),
    }
  }
}

playTime()

it('leads to the server that takes writes, keeps no connection to another, and breaks off none to it', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const connects = Array.from({ length: 5 }, () => world.connect())
    const checks = world.check().then(() => world.check())
    const passing = [later(scheduler, 300), later(scheduler, 300)]
    return [
      Promise.all([...connects, checks, world.failOver(), world.doubt(), ...passing]),
      async () => {
        for (let look = 0; look < 2; look++) {
          await passTime(scheduler, 1, 300) // longer than a search that failed is remembered
          const checked = world.primary.check().catch(() => {})
          await settle(scheduler)
          await checked
        }
        await world.primary.close()
      },
      () => {
        const names = world.found.map(({ host }) => host)
        expect(names, 'never back to the first').toEqual([...names].sort())
        for (const { client, host } of world.clients) expect(client.isBroken).toBe(host !== SECOND)
        expect(world.openProbes).toBe(0)
      },
    ]
  })
})
