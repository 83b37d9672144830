import { expect, it } from 'vitest'
import { Streaming } from '../../server/actions/messages/streaming.ts'
import type { Row } from '../../server/db/database.ts'
import { type Sql, type Statement, toStatement } from '../../server/db/sql.ts'
import { EphemeralEvents } from '../../server/events/ephemeral.ts'
import { Tail } from '../../server/events/tail.ts'
import type { StreamingRow } from '../../server/queries/messages/streamed-messages.ts'
import { RacingChannels } from './nodes.ts'
import {
  atAnyTime,
  later,
  passTime,
  playTime,
  RacingDatabase,
  race,
  type Scheduler,
  settle,
} from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
const ID = '22222222-2222-4222-8222-222222222222'
const BOT = { orgId: ORG, profileId: 'b@33333333-3333-4333-8333-333333333333' }
const NOW = 1_700_000_000_000

const ROW: StreamingRow = {
  ...{ org_id: ORG, id: ID, topic_id: 'topic', sender_id: BOT.profileId, sender_name: 'Deploy', text: '' },
  ...{
    parent_id: null,
    also_in_topic: false,
    external_id: null,
    created_at: NOW,
    version: 0,
    last_key: null,
    progress: null,
    touched_at: NOW,
  },
  ...{ last_seq: 0, is_archived: false, is_member: true, blocked_words: null },
}

const isSave = (query: Sql) => {
  const { text } = toStatement(query)
  return text.includes('set text') && !text.includes('holder = null')
}

/** A message that a bot writes, its row in the database, and three nodes that can go on with it. */
class World {
  row: StreamingRow & { holder: string | null }
  readonly nodes: Streaming[]
  /** Pieces that the bot knows to be taken. */
  taken = ''
  readonly problems: string[] = []
  #hasStalled = false
  readonly #scheduler: Scheduler

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    const db = new RacingDatabase(scheduler, (statement) => this.#answer(statement))
    const channels = new RacingChannels(scheduler)
    const open = (name: string) => {
      const notifications = channels.join(name)
      notifications.connect()
      const ephemeral = new EphemeralEvents(notifications, () => false)
      const streaming = new Streaming({
        db: {
          query: async (query) => {
            if (isSave(query)) await this.#stall()
            return db.query(query)
          },
          isSpread: false,
          clock: () => NOW,
          write: () => Promise.reject(new Error('it is not ended here')),
          writeAs: () => Promise.reject(new Error('it is not ended here')),
        },
        ...{ ephemeral, notifications, tail: new Tail(db), isAlone: () => false, timeoutMs: 60_000 },
      })
      return { streaming, holder: ephemeral.node }
    }
    const opened = ['one', 'two', 'three'].map(open)
    this.nodes = opened.map(({ streaming }) => streaming)
    this.row = { ...ROW, holder: opened[0]?.holder ?? null }
    this.nodes[0]?.hold(this.row)
  }

  /** The bot sends one piece after the other, each to any node. */
  async write(numbers: readonly number[]): Promise<void> {
    for (const [piece, number] of numbers.entries())
      await atAnyTime(this.#scheduler, `append at node ${number}`, async () => {
        const text = `${piece} `
        const answer = await this.nodes[number]?.append(BOT, ID, { text }, undefined)
        this.taken += text
        expect(answer?.length, 'all that was taken before is there').toBe(this.taken.length)
      })
  }

  /** The first save of a text hangs for long enough that the message may have gone elsewhere and come back. */
  async #stall(): Promise<void> {
    if (this.#hasStalled) return
    this.#hasStalled = true
    for (let step = 0; step < 15; step++)
      await this.#scheduler.schedule(Promise.resolve(), 'a statement hangs')
  }

  #answer({ text, values }: Statement): Row[] {
    if (text.includes('select holder')) return [{ holder: this.row.holder }]
    if (text.includes('set holder')) return this.#take(String(values[0]), values[1] === true)
    if (text.includes('set text')) return this.#save(values, text.includes('holder = null'))
    return []
  }

  #take(holder: string, isForced: boolean): Row[] {
    if (isForced) this.problems.push('a node that answers is taken for dead')
    if (this.row.holder !== null && this.row.holder !== holder) return []
    this.row = { ...this.row, holder }
    return [this.row]
  }

  #save([, , texts, versions, , , holder]: readonly unknown[], isLeft: boolean): Row[] {
    if (this.row.holder !== holder) return []
    if (!Array.isArray(texts) || !Array.isArray(versions)) throw new Error('texts and versions are lists')
    const text = String(texts[0])
    const isOlder = !text.startsWith(this.row.text) || Number(versions[0]) < this.row.version
    if (isOlder) this.problems.push(`'${text}' replaces '${this.row.text}'`)
    this.row = { ...this.row, text, version: Number(versions[0]), holder: isLeft ? null : this.row.holder }
    return [{ id: ID }]
  }
}

playTime()

it('loses and doubles nothing of a text that goes on at one node after the other', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const written = world.write([0, 0, 1, 1, 0, 2, 0])
      written.catch(() => {}) // it is looked at below
      // Less in all than the two seconds after which a silent node is taken for dead.
      const ephemeral = [1000, 300].map((milliseconds) => later(scheduler, milliseconds))
      return [
        ...ephemeral,
        () => passTime(scheduler, 2, 300),
        () => written,
        async () => {
          const closed = Promise.all(world.nodes.map((node) => node.close()))
          await settle(scheduler)
          await closed
        },
        () => expect(world.row).toMatchObject({ text: world.taken, holder: null }),
        () => expect(world.problems).toEqual([]),
      ]
    },
    { times: 0.5 },
  )
})

it('gives all nodes that ask at once the message one after the other, and each piece a place of its own', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const append = (number: number) =>
        atAnyTime(scheduler, `append at node ${number}`, () =>
          world.nodes[number]?.append(BOT, ID, { text: `${number}` }, undefined),
        )
      const all = Promise.all([append(0), append(1), append(2), append(1), append(0)])
      all.catch(() => {})
      return [
        () => passTime(scheduler, 7, 260),
        () =>
          all.then((answers) =>
            expect(answers.map((answer) => answer?.length).sort()).toEqual([1, 2, 3, 4, 5]),
          ),
      ]
    },
    { times: 0.5 },
  )
})
