import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { Nonces } from '../../server/auth/nonces.ts'
import type { Row } from '../../server/db/database.ts'
import type { Statement } from '../../server/db/sql.ts'
import { atAnyTime, RacingDatabase, race } from './support.ts'

const BOT = { orgId: '11111111-1111-4111-8111-111111111111', botId: 'deploy' }

const keyOf = (nonce: string) =>
  `${BOT.botId} ${createHash('sha256').update(nonce).digest('hex').slice(0, 32)}`

/** The nonces in a database, and one statement among many that fails. */
class World {
  readonly kept = new Set<string>()
  #statements = 0

  insert({ values: [, botIds, hashes] }: Statement): Row[] {
    this.#statements += 1
    if (this.#statements === 2) throw new Error('the database is away')
    if (!Array.isArray(botIds) || !Array.isArray(hashes)) throw new Error('bots and hashes are lists')
    const keys = botIds.map((botId, index) => `${botId} ${Buffer.from(hashes[index]).toString('hex')}`)
    const inserted = keys.filter((key) => !this.kept.has(key))
    for (const key of inserted) this.kept.add(key)
    return inserted.map((key) => ({ key }))
  }
}

it('accepts a nonce once on all nodes, and refuses no unused one', async () => {
  await race((scheduler) => {
    const world = new World()
    const db = new RacingDatabase(scheduler, (statement) => world.insert(statement))
    const nodes = [new Nonces(db), new Nonces(db)]
    const answers = new Map<string, unknown[]>()
    const take = (nonce: string, number: number) =>
      atAnyTime(scheduler, `take ${nonce}`, async () => {
        const answer = await nodes[number % 2]?.take(BOT, nonce, 0).catch(() => 'failed')
        if (answer === false) expect(world.kept.has(keyOf(nonce)), 'it was used').toBe(true)
        answers.set(nonce, [...(answers.get(nonce) ?? []), answer])
      })
    const nonces = ['one', 'one', 'two', 'one', 'two', 'one', 'three', 'one', 'two', 'two']
    return [
      ...nonces.map(take),
      () => {
        for (const [nonce, given] of answers) {
          const taken = given.filter((answer) => answer === true).length
          expect(taken, nonce).toBe(world.kept.has(keyOf(nonce)) ? 1 : 0)
        }
      },
    ]
  })
})
