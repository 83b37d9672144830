import { expect, it } from 'vitest'
import type { LogEvent } from '../../server/db/transaction.ts'
import { BotLoops } from '../../server/events/bot-loops.ts'
import { Tail } from '../../server/events/tail.ts'
import { atAnyTime, RacingDatabase, RacingNotifications, race, type Scheduler, settle } from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
const TOPIC = 'topic'
const [DEPLOY, BUILD, ADA] = ['b@deploy', 'b@build', 'ada']
const BOTS = [DEPLOY, BUILD]
const LIMITS = { slowAfter: 2, stopAfter: 4, pauseMs: 5000 }

/** A topic of two bots and a person, written through this node and another one. */
class World {
  readonly log: LogEvent[] = []
  readonly stopped: string[][] = []
  readonly loops: BotLoops
  readonly tail: Tail
  #now = 1_700_000_000_000
  readonly #scheduler: Scheduler
  readonly #notifications: RacingNotifications

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.#notifications = new RacingNotifications(scheduler)
    const db = new RacingDatabase(scheduler, ({ text, values }) => {
      if (text.includes('from organization_logs'))
        return [{ org_id: ORG, last_seq: this.log.length, floor_seq: 0 }]
      const [, positions] = values
      const position = Array.isArray(positions) ? Number(positions[0]) : 0
      return this.log.slice(position).map((event) => ({ orgId: ORG, ...event }))
    })
    this.tail = new Tail(db)
    this.loops = new BotLoops(
      this.tail,
      { tellNodes: () => {}, onNode: () => {} },
      () => this.#now,
      LIMITS,
      async (_orgId, { botIds }) => {
        this.stopped.push([...botIds].sort())
      },
    )
    this.loops.watch(ORG)
    for (const botId of BOTS) this.hearAll(botId)
  }

  /** Writes a message; this node gets its own with the answer, and others by an announcement. */
  async write(senderId: string, where: 'here' | 'elsewhere'): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), `${senderId} writes ${where}`)
    this.#now += 1
    const seq = this.log.length + 1
    const data = JSON.stringify({ message: { senderId } })
    const event = { seq, id: `${seq}`, type: 'message.created', topicId: TOPIC, data, botIds: BOTS }
    this.log.push({ ...event, createdAt: this.#now })
    const commit = { orgId: ORG, firstSeq: seq, lastSeq: seq, botIds: BOTS }
    const events = this.log.slice(-1)
    if (where === 'here') {
      await this.#scheduler.schedule(Promise.resolve(), 'answer')
      this.#hear({ ...commit, events: () => events })
    } else void this.#notifications.send('message', () => this.#hear(commit))
  }

  /** A bot gets the messages, and answers. */
  async answer(botId: string, where: 'here' | 'elsewhere'): Promise<void> {
    this.hearAll(botId)
    await this.write(botId, where)
  }

  hearAll(botId: string): void {
    this.loops.heard({ orgId: ORG, botId }, this.log.length)
  }

  refuses(botId: string): boolean {
    return this.loops.verdictOn({ orgId: ORG, profileId: botId }) !== undefined
  }

  #hear(announcement: Parameters<BotLoops['hear']>[0]): void {
    this.loops.hear(announcement)
    this.tail.hear(announcement)
  }
}

/** Bot messages in a row at the end of the log. */
const rowOf = (log: readonly LogEvent[]) => {
  const last = log.findLastIndex(({ data }) => data.includes(ADA))
  return log.length - 1 - last
}

it('counts each answer of a bot to another once, and starts over when a person wrote, on any node', async () => {
  await race((scheduler) => {
    const world = new World(scheduler)
    const turns = [DEPLOY, BUILD, DEPLOY, BUILD, DEPLOY, BUILD]
    const talk = async () => {
      for (const [turn, botId] of turns.entries())
        await world.answer(botId, turn % 2 === 0 ? 'here' : 'elsewhere')
    }
    return [
      Promise.all([talk(), world.write(ADA, 'elsewhere')]),
      async () => {
        void world.tail.lookForLost()
        await settle(scheduler)
      },
      () => {
        world.hearAll(DEPLOY)
        // The first message of a row is no answer; the next one would answer its last.
        const row = rowOf(world.log)
        expect(world.refuses(DEPLOY), `${row} in a row`).toBe(row > LIMITS.slowAfter)
        const answers = [row - 1, turns.length - row - 1]
        const isStopped = answers.some((count) => count >= LIMITS.stopAfter)
        expect(world.stopped).toEqual(isStopped ? [[BUILD, DEPLOY]] : [])
      },
    ]
  })
})

it('slows no bots that report without listening, side by side, in whatever order their messages come', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const reports = [DEPLOY, BUILD, DEPLOY, BUILD, DEPLOY, BUILD].map((botId, index) =>
        world.write(botId, index % 2 === 0 ? 'here' : 'elsewhere'),
      )
      const look = () =>
        atAnyTime(scheduler, 'look', () =>
          expect([DEPLOY, BUILD].some((bot) => world.refuses(bot))).toBe(false),
        )
      return [...reports, look(), look(), () => expect(world.stopped).toEqual([])]
    },
    { times: 0.5 },
  )
})
