import { expect, it } from 'vitest'
import { ClientDocuments } from '../../server/auth/client-documents.ts'
import { atAnyTime, race, type Scheduler } from './support.ts'

const ID = 'https://example.com/assistant.json'
/** The documented lifetime of a document, and the number read at a time. */
const LIFETIME_MS = 600_000
const MAX_READING = 10

type Reading = { startedAt: number; isOver: boolean }

/** A program whose document names the reading that brought it, and the readings so far. */
class World {
  now = 1_700_000_000_000
  readonly documents: ClientDocuments
  failures = 0
  /** Readings of a document that was being read already, and the most that were read at a time. */
  doubles = 0
  most = 0
  readonly #readings: Reading[] = []
  readonly #scheduler: Scheduler
  readonly #reading = new Set<string>()

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    const readDocument = (url: URL) => this.#read(url.href)
    this.documents = new ClientDocuments([], () => this.now, { readDocument })
  }

  pass(milliseconds: number): Promise<void> {
    return atAnyTime(this.#scheduler, 'later', () => {
      this.now += milliseconds
    })
  }

  ask(): Promise<void> {
    return atAnyTime(this.#scheduler, 'ask', async () => {
      const [askedAt, failures] = [this.now, this.failures]
      const over = new Set(this.#readings.filter(({ isOver }) => isOver))
      const client = await this.documents.read(ID).catch(() => undefined)
      if (!client) {
        expect(this.failures, 'no failure is kept').toBeGreaterThan(failures)
        return
      }
      const reading = this.#readings[Number(client.redirectUris[0]?.split('/').at(-1))]
      if (!reading) throw new Error('each document names its reading')
      if (over.has(reading)) expect(askedAt).toBeLessThan(reading.startedAt + LIFETIME_MS)
    })
  }

  async #read(id: string): Promise<unknown> {
    if (this.#reading.has(id)) this.doubles += 1
    this.#reading.add(id)
    this.most = Math.max(this.most, this.#reading.size)
    const reading = { startedAt: this.now, isOver: false }
    const number = this.#readings.push(reading) - 1
    await this.#scheduler.schedule(Promise.resolve(), 'answer')
    this.#reading.delete(id)
    reading.isOver = true
    if (number === 1) {
      this.failures += 1
      throw new Error('no answer')
    }
    return { client_id: id, redirect_uris: [`https://example.com/${number}`] }
  }
}

it('gives no document that is older than ten minutes, reads it once for all, and keeps no failure', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const asks = Array.from({ length: 7 }, () => world.ask())
    const passing = [1000, 240_000, 350_000, 400_000].map((milliseconds) => world.pass(milliseconds))
    return [...asks, ...passing, () => expect(world.doubles).toBe(0), () => world.documents.close()]
  })
})

it('reads no more than ten documents at a time', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const ask = (number: number) =>
        atAnyTime(scheduler, `ask ${number}`, () =>
          world.documents.read(`https://example.com/${number}.json`).catch(() => {}),
        )
      return [
        ...Array.from({ length: 13 }, (_, number) => ask(number)),
        () => expect([world.doubles, world.most <= MAX_READING]).toEqual([0, true]),
        () => world.documents.close(),
      ]
    },
    { times: 0.25 },
  )
})
