import { beforeAll, expect, it } from 'vitest'
import { Tokens } from '../../server/auth/tokens.ts'
import { Secrets } from '../../server/secrets.ts'
import { atAnyTime, race, type Scheduler } from './support.ts'

const BOT = 'b@22222222-2222-4222-8222-222222222222'
const [FORMER_KEY, KEY] = ['the former secret key of an operator', 'the secret key that replaces it now']
const LIFETIME_MS = 3_600_000
const STARTED_AT = 1_700_000_000_000
const secrets = new Secrets(KEY, FORMER_KEY)
const [CURRENT = '', FORMER = ''] = secrets.fingerprints

type Token = { text: string; isOfFormer: boolean; endsAt: number }
const tokens: Token[] = []

beforeAll(async () => {
  const mint = async (key: string, seconds: number) => {
    const config = { accessTokenSeconds: seconds, accessTokenSignature: 'shared', baseUrl: '' } as const
    const minted = new Tokens(new Secrets(key), () => STARTED_AT, config)
    const { access_token: text } = await minted.mint({ botId: BOT, tokenGeneration: 1 }, ['channel:list'])
    tokens.push({ text, isOfFormer: key === FORMER_KEY, endsAt: STARTED_AT + seconds * 1000 })
  }
  await mint(FORMER_KEY, LIFETIME_MS / 1000)
  await mint(KEY, LIFETIME_MS / 1000)
  await mint(FORMER_KEY, (10 * LIFETIME_MS) / 1000) // made by a thief, who claims a long life for it
})

/** A node that verifies tokens, while time passes and the key is replaced. */
class World {
  now = STARTED_AT
  readonly #scheduler: Scheduler
  readonly #tokens: Tokens
  #retiredAt = Number.POSITIVE_INFINITY

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    secrets.use({ current: FORMER, marksValues: false })
    const config = {
      accessTokenSeconds: LIFETIME_MS / 1000,
      accessTokenSignature: 'shared',
      baseUrl: '',
    } as const
    this.#tokens = new Tokens(secrets, () => this.now, config)
  }

  pass(): Promise<void> {
    return atAnyTime(this.#scheduler, 'later', () => {
      this.now += 0.4 * LIFETIME_MS
    })
  }

  replace(): Promise<void> {
    return atAnyTime(this.#scheduler, 'replace the key', () => {
      this.#retiredAt = this.now
      secrets.use({
        current: CURRENT,
        retired: { fingerprint: FORMER, at: this.now },
        marksValues: true,
      })
    })
  }

  read(token: Token): Promise<void> {
    return atAnyTime(this.#scheduler, 'read', async () => {
      const [askedAt, wasGood] = [this.now, this.#isGood(token)]
      const found = await this.#tokens.read(token.text)
      if (found) expect(wasGood, 'what has ended once stays so').toBe(true)
      // Verifying takes no hour: here it may, since the scheduler does not know of it.
      else if (this.now < askedAt + LIFETIME_MS) expect(this.#isGood(token)).toBe(false)
    })
  }

  /** A token of the former key ends with the last one that was rightly made with it. */
  #isGood({ isOfFormer, endsAt }: Token): boolean {
    const end = isOfFormer ? Math.min(endsAt, this.#retiredAt + LIFETIME_MS) : endsAt
    return this.now < end
  }
}

it('takes a token as if it were verified each time, while keys are replaced and tokens end', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const reads = [...tokens, ...tokens, ...tokens].map((token) => world.read(token))
      const passing = Array.from({ length: 5 }, () => world.pass())
      return [...reads, ...passing, world.replace()]
    },
    { times: 0.5 },
  )
})
