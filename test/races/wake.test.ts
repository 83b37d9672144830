import { expect, it } from 'vitest'
import type { Commit } from '../../server/db/transaction.ts'
import { type Announcement, Wake } from '../../server/events/wake.ts'
import { RacingChannels, type RacingNode } from './nodes.ts'
import { atAnyTime, later, passTime, playTime, race, type Scheduler } from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
const BOTS = ['deploy', 'build']

/** A node that commits, and hears of commits. */
class Node {
  readonly connection: RacingNode
  readonly wake: Wake
  readonly heard: Announcement[] = []
  readonly #database: { onCommit(commit: Commit): void } = { onCommit: () => {} }

  constructor(channels: RacingChannels, name: string) {
    this.connection = channels.join(name)
    this.wake = new Wake(this.#database, this.connection)
    this.wake.onEvents((announcement) => this.heard.push(announcement))
  }

  commit(seq: number): void {
    this.#database.onCommit({ orgId: ORG, firstSeq: seq, lastSeq: seq, botIds: BOTS, events: () => [] })
    expect(this.heard.at(-1)?.firstSeq, 'listeners of the node itself hear of it at once').toBe(seq)
  }
}

playTime()

it('tells every other node that is there of each commit, once and in order', async () => {
  await race(
    (scheduler) => {
      const { one, two } = nodes(scheduler)
      for (const { connection } of [one, two]) connection.connect()
      const commit = async (node: Node, seqs: readonly number[]) => {
        for (const seq of seqs) await atAnyTime(scheduler, `commit ${seq}`, () => node.commit(seq))
      }
      const passing = [2, 3, 4, 5, 6].map((milliseconds) => later(scheduler, milliseconds))
      return [
        Promise.all([commit(one, [1, 2, 3, 4]), commit(two, [11, 12]), ...passing]),
        () => passTime(scheduler, 4, 10),
        () => {
          for (const { heard } of [one, two]) {
            const seqs = heard.map(({ firstSeq }) => firstSeq)
            expect(seqs.filter((seq) => seq < 10)).toEqual([1, 2, 3, 4])
            expect(seqs.filter((seq) => seq > 10)).toEqual([11, 12])
            for (const { orgId, botIds } of heard) expect([orgId, botIds]).toEqual([ORG, BOTS])
          }
        },
      ]
    },
    { times: 0.5 },
  )
})

it('takes itself for alone only while it can hear, and has heard no other node', async () => {
  await race(
    (scheduler) => {
      const { one, two } = nodes(scheduler)
      one.connection.connect()
      // The time is long enough for an answer, if there were a node to give one.
      const alone = later(scheduler, 1500)
      const reconnect = atAnyTime(scheduler, 'one breaks', () => {
        one.connection.disconnect()
        return atAnyTime(scheduler, 'one connects', () => one.connection.connect())
      })
      const start = atAnyTime(scheduler, 'two starts', () => two.connection.connect())
      const commits = start.then(() => atAnyTime(scheduler, 'commit', () => two.commit(1)))
      const look = () =>
        atAnyTime(scheduler, 'look', () => {
          if (!one.connection.connected || one.heard.length > 0) expect(one.wake.isAlone).toBe(false)
          if (!two.connection.connected) expect(two.wake.isAlone).toBe(false)
        })
      const looks = Array.from({ length: 5 }, look)
      return [
        Promise.all([alone, reconnect, commits, ...looks, later(scheduler, 6), later(scheduler, 600)]),
        () => passTime(scheduler, 2, 1100), // less than until the next greeting, but for answers
        () => expect([one.wake.isAlone, two.wake.isAlone]).toEqual([false, false]),
        () => {
          two.connection.disconnect()
          two.wake.stop()
        },
        () => passTime(scheduler, 5, 5000),
        () => expect(one.wake.isAlone).toBe(true),
      ]
    },
    { times: 0.5 },
  )
})

function nodes(scheduler: Scheduler): { one: Node; two: Node } {
  const channels = new RacingChannels(scheduler)
  return { one: new Node(channels, 'one'), two: new Node(channels, 'two') }
}
