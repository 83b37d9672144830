import { expect, it } from 'vitest'
import type { Row } from '../../server/db/database.ts'
import type { Statement } from '../../server/db/sql.ts'
import { Acknowledgements } from '../../server/events/acknowledgements.ts'
import { readConfirmedSeq } from '../../server/queries/events/updates.ts'
import { atAnyTime, RacingDatabase, race, type Scheduler, settle } from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
const callerOf = (profileId: string) => ({ orgId: ORG, profileId })

/** Positions of polling bots in a database, as nodes write them down; the first statement fails. */
class World {
  readonly written = new Map<string, number>()
  readonly confirmed = new Map<string, number>()
  readonly db: RacingDatabase
  /** Positions that were written without a confirmation. */
  readonly unconfirmed: number[] = []
  isDown = true

  constructor(scheduler: Scheduler) {
    this.db = new RacingDatabase(scheduler, (statement) =>
      statement.text.includes('update bots') ? this.#write(statement) : this.#read(statement),
    )
  }

  confirm(node: Acknowledgements, botId: string, seq: number): void {
    this.confirmed.set(botId, Math.max(seq, this.confirmed.get(botId) ?? 0))
    const before = node.noted(callerOf(botId))
    node.note(callerOf(botId), seq)
    expect(node.noted(callerOf(botId))).toBe(Math.max(before, seq))
  }

  #read({ values: [, botId] }: Statement): Row[] {
    return [{ polled_seq: this.written.get(String(botId)) ?? 0 }]
  }

  #write({ values: [, botIds, seqs] }: Statement): Row[] {
    if (this.isDown) {
      this.isDown = false
      throw new Error('the database is away')
    }
    if (!Array.isArray(botIds) || !Array.isArray(seqs)) throw new Error('bots and numbers are lists')
    for (const [index, botId] of botIds.entries()) {
      const seq = Number(seqs[index])
      if (seq > (this.confirmed.get(botId) ?? 0)) this.unconfirmed.push(seq)
      this.written.set(botId, Math.max(seq, this.written.get(botId) ?? 0))
    }
    return []
  }
}

it('writes down all that was confirmed and nothing else, and lets no bot fall back', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const [here, elsewhere] = [new Acknowledgements(), new Acknowledgements()]
    const confirm = (node: Acknowledgements, botId: string, seq: number) =>
      atAnyTime(scheduler, `${botId} confirms ${seq}`, () => world.confirm(node, botId, seq))
    const write = (node: Acknowledgements) =>
      atAnyTime(scheduler, 'write', () => node.write(world.db).catch(() => {}))
    /** A bot comes back without an offset: the larger of memory and database counts, memory first. */
    const comeBack = (botId: string) =>
      atAnyTime(scheduler, `${botId} comes back`, async () => {
        const noted = here.noted(callerOf(botId))
        const before = Math.max(noted, world.written.get(botId) ?? 0)
        const position = Math.max(noted, await readConfirmedSeq(callerOf(botId), world.db))
        expect(position).toBeGreaterThanOrEqual(before)
        expect(position).toBeLessThanOrEqual(world.confirmed.get(botId) ?? 0)
      })
    return [
      ...[3, 5, 4, 7].map((seq) => confirm(here, 'deploy', seq)),
      ...[2, 6].map((seq) => confirm(here, 'build', seq)),
      confirm(elsewhere, 'deploy', 6),
      ...[write(here), write(here), write(here), write(elsewhere)],
      ...[comeBack('deploy'), comeBack('build'), comeBack('deploy')],
      async () => {
        world.isDown = false
        const written = Promise.all([here.write(world.db), elsewhere.write(world.db)])
        await settle(scheduler)
        await written
      },
      () => expect(world.written).toEqual(world.confirmed),
      () => expect(world.unconfirmed).toEqual([]),
    ]
  })
})
