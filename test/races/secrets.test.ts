import { beforeEach, expect, it } from 'vitest'
import type { Row } from '../../server/db/database.ts'
import { FINGERPRINT, ROTATION, refreshSecrets } from '../../server/keys/key-state.ts'
import { fingerprintOf, Secrets } from '../../server/secrets.ts'
import { atAnyTime, RacingDatabase, RacingNotifications, race, type Scheduler } from './support.ts'

const [FORMER_KEY, KEY] = ['the former secret key of an operator', 'the secret key that replaces it now']
const [FORMER, CURRENT] = [fingerprintOf(FORMER_KEY), fingerprintOf(KEY)]
const CONFIG = { dataDir: '', secretKey: KEY, secretKeyPrevious: FORMER_KEY }
const STARTED_AT = 1_700_000_000_000

/**
 * The secrets of one node, which change their state with what they read; shared by all orders, because deriving keys
 * takes long.
 */
let secrets: Secrets
beforeEach(() => {
  secrets = new Secrets(KEY, FORMER_KEY)
})

/** A database that says which key is in use: the former one until it is replaced. */
class World {
  /** 0: the former key; 1: it is being replaced; 2: it is no longer needed. */
  step = 0
  /** The last step that a finished reading must know of. */
  known = 0
  readonly #scheduler: Scheduler
  readonly #db: RacingDatabase
  readonly #notifications: RacingNotifications

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.#db = new RacingDatabase(scheduler, () => this.#settings())
    this.#notifications = new RacingNotifications(scheduler)
    secrets.know([KEY, FORMER_KEY])
    secrets.use({ current: FORMER, marksValues: false })
  }

  async change(): Promise<void> {
    for (const label of ['replace the key', 'let the former one go'])
      await atAnyTime(this.#scheduler, label, () => {
        this.step += 1
        void this.#notifications.send(label, () => void this.refresh())
      })
  }

  /** Asked for by a notification, by a slow look, and by the worker that replaces keys. */
  async refresh(): Promise<void> {
    const { step } = this
    await refreshSecrets({ db: this.#db, config: CONFIG, secrets })
    this.known = Math.max(this.known, step)
  }

  check(): void {
    if (this.known > 0) expect(secrets.fingerprint, 'the new key is used from when it was read').toBe(CURRENT)
    if (this.known > 1) expect(secrets.fingerprints).toEqual([CURRENT])
    const signature = secrets.sign('test', 'text')
    expect(secrets.isSigned('test', 'text', signature)).toBe(true)
    expect(secrets.decrypt(secrets.encrypt('a secret', 'bot'), 'bot').toString()).toBe('a secret')
  }

  #settings(): Row[] {
    const fingerprint = { name: FINGERPRINT, value: this.step === 0 ? FORMER : CURRENT }
    if (this.step === 0) return [fingerprint]
    const rotation = { from: FORMER, to: CURRENT, startedAt: STARTED_AT, until: STARTED_AT }
    const finished = this.step > 1 ? { finishedAt: STARTED_AT } : {}
    return [fingerprint, { name: ROTATION, value: JSON.stringify({ ...rotation, ...finished }) }]
  }
}

it('never goes back to a key that was replaced, and opens and signs at every moment', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const refreshes = [1, 2, 3].map(() => atAnyTime(scheduler, 'refresh', () => world.refresh()))
      const checks = [1, 2, 3, 4].map(() => atAnyTime(scheduler, 'check', () => world.check()))
      return [...refreshes, ...checks, world.change(), () => world.check()]
    },
    { times: 0.4 },
  )
})

it('opens with the new key what was encrypted with the former one, while it is being replaced', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const sealed = secrets.encrypt('a secret', 'bot')
      const signature = secrets.sign('test', 'text')
      const look = () =>
        atAnyTime(scheduler, 'look', () => {
          if (world.step > 1) return
          expect(secrets.decrypt(sealed, 'bot').toString()).toBe('a secret')
          expect(secrets.isSigned('test', 'text', signature)).toBe(true)
        })
      return [world.change(), look(), look(), look()]
    },
    { times: 0.2 },
  )
})
