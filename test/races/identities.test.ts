import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { Identities, type Identity } from '../../server/auth/identity.ts'
import { refusal } from '../../server/errors.ts'
import { Secrets } from '../../server/secrets.ts'
import { atAnyTime, RacingDatabase, RacingNotifications, race, type Scheduler } from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
const BOT = 'b@22222222-2222-4222-8222-222222222222'
const KEY = 'the-key-of-the-bot'

const secrets = new Secrets('a secret key for tests')
const ENCRYPTED = secrets.encrypt('secret', BOT)
const KEY_HASH = createHash('sha256').update(KEY).digest('hex')

/** One bot in a database. Its permission counts up with each change: `read` and `write` in turn. */
class World {
  changes = 0
  /** Changes whose notification has reached this node. */
  heard = 0
  isListening = true
  readonly identities: Identities
  readonly #notifications: RacingNotifications
  readonly #scheduler: Scheduler

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.#notifications = new RacingNotifications(scheduler)
    const db = new RacingDatabase(scheduler, ({ text, values }) => {
      if (text.includes('from api_keys'))
        return Buffer.isBuffer(values[0]) && values[0].toString('hex') === KEY_HASH ? [PLACE] : []
      if (text.includes('from bot_directory')) return values[0] === BOT ? [PLACE] : []
      return Array.isArray(values[1]) && values[1].includes(BOT) ? [this.#row()] : []
    })
    this.identities = new Identities(db, secrets, () => this.isListening)
  }

  /** Commits a change; its notification comes later. */
  change(): Promise<void> {
    return atAnyTime(this.#scheduler, 'commit', () => {
      this.changes += 1
      const number = this.changes
      const told = this.#notifications.send(`${number}`, () => {
        if (!this.isListening) return // it is lost
        this.identities.drop(BOT)
        this.heard = number
      })
      return told
    })
  }

  /** The listening connection breaks and comes back. Notifications in between are lost. */
  reconnect(): Promise<void> {
    return atAnyTime(this.#scheduler, 'break', () => {
      this.isListening = false
      return atAnyTime(this.#scheduler, 'connect', () => {
        this.isListening = true
        this.identities.drop()
        this.heard = this.changes
      })
    })
  }

  #row() {
    return {
      org_id: ORG,
      id: BOT,
      credential: 'static',
      permission: this.changes % 2 === 0 ? 'read' : 'write',
      scopes: [],
      secret: ENCRYPTED,
      previous_secret: null,
      previous_secret_until: null,
      active: true,
      paused_at: null,
      token_generation: this.changes,
      delivery: 'polling',
      rate_limit: null,
      rate_limit_ceiling: null,
      signature_version: 1,
      messages_per_day: null,
      tokens_per_day: null,
    }
  }
}

const PLACE = { orgId: ORG, botId: BOT }

const mustWrite = (identity: Identity): number => {
  if (identity.permission !== 'write') throw refusal('forbidden')
  return identity.tokenGeneration
}

it('gives no identity that is older than the news that came before it was asked for', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const ask = (number: number) =>
      atAnyTime(scheduler, `ask ${number}`, async () => {
        const { heard } = world
        const identity = await (number % 2 === 0
          ? world.identities.byApiKey(KEY)
          : world.identities.byBotId(BOT))
        expect(identity?.tokenGeneration).toBeGreaterThanOrEqual(heard)
      })
    return [...[0, 1, 2, 3, 4, 5].map(ask), world.change(), world.change(), world.reconnect()]
  })
})

it('refuses no bot that the database allows, however late the news is', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const ask = (number: number) =>
      atAnyTime(scheduler, `ask ${number}`, async () => {
        const before = world.changes
        const identity = await world.identities.byBotId(BOT)
        if (!identity) throw new Error('the bot exists')
        const verdict = await Promise.resolve(world.identities.judge(identity, mustWrite)).catch(
          () => 'refused',
        )
        // The bot may write after each odd change. A request is judged at some moment while it runs.
        const wasAlwaysAllowed = before === world.changes && before % 2 === 1
        if (wasAlwaysAllowed) expect(verdict).not.toBe('refused')
      })
    // The first one puts the bot into memory.
    return [ask(0).then(() => Promise.all([...[1, 2, 3, 4].map(ask), world.change(), world.reconnect()]))]
  })
})

it('keeps no existing key as unknown', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const ask = (key: string) =>
      atAnyTime(scheduler, `ask ${key}`, async () => {
        const identity = await world.identities.byApiKey(key)
        expect(identity?.botId).toBe(key === KEY ? BOT : undefined)
      })
    return [...[KEY, 'no-key', KEY, 'no-key', 'no-key'].map(ask), world.change()]
  })
})
