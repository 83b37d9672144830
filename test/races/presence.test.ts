import { expect, it } from 'vitest'
import { EphemeralEvents } from '../../server/events/ephemeral.ts'
import { Presence } from '../../server/events/presence.ts'
import { RacingChannels, type RacingNode } from './nodes.ts'
import { atAnyTime, later, passTime, playTime, race, type Scheduler } from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'
type Person = 'ada' | 'ben'
const PEOPLE: readonly Person[] = ['ada', 'ben']

/** A node with the streams of people, and what their pages were shown of others. */
class Node {
  readonly connection: RacingNode
  readonly presence: Presence
  readonly streams = new Map<Person, number>()
  readonly shown: { profileId: unknown; online: unknown }[] = []

  constructor(channels: RacingChannels, name: string) {
    this.connection = channels.join(name)
    const ephemeral = new EphemeralEvents(this.connection, () => false)
    this.presence = new Presence(ephemeral, this.connection, () => performance.now())
    ephemeral.onEvent(({ data: { profileId, online } }) => this.shown.push({ profileId, online }))
    this.connection.connect()
  }

  open(person: Person): void {
    this.streams.set(person, (this.streams.get(person) ?? 0) + 1)
    this.presence.came({ orgId: ORG, profileId: person })
  }

  close(person: Person): void {
    this.streams.set(person, (this.streams.get(person) ?? 0) - 1)
    this.presence.left({ orgId: ORG, profileId: person })
  }

  shownOf(person: Person): unknown[] {
    return this.shown.filter(({ profileId }) => profileId === person).map(({ online }) => online)
  }
}

class World {
  readonly one: Node
  readonly two: Node
  readonly #scheduler: Scheduler

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    const channels = new RacingChannels(scheduler)
    this.one = new Node(channels, 'one')
    this.two = new Node(channels, 'two')
  }

  isOnline(person: Person): boolean {
    return [this.one, this.two].some(({ streams }) => (streams.get(person) ?? 0) > 0)
  }

  /** Opens pages at the first node and at the second, and closes them again: each long enough for the others to be told. */
  async wander(person: Person): Promise<void> {
    const { one, two } = this
    for (const [label, act] of [
      ['opens a page at one', () => one.open(person)],
      ['opens a page at two', () => two.open(person)],
      ['closes the one', () => one.close(person)],
      ['closes the other', () => two.close(person)],
      ['opens another at two', () => two.open(person)],
      ['closes that', () => two.close(person)],
    ] as const) {
      await atAnyTime(this.#scheduler, `${person} ${label}`, act)
      await later(this.#scheduler, 5100)
    }
  }

  /** Breaks a node's connection repeatedly, for a while each time. */
  async reconnect({ connection }: Node): Promise<void> {
    for (const time of [1, 2, 3]) {
      await atAnyTime(this.#scheduler, `break ${time}`, () => connection.disconnect())
      for (const again of [1, 2, 3, 4]) await atAnyTime(this.#scheduler, `try ${again}`, () => {})
      connection.connect()
    }
  }

  /** Passes time. After a silence of 30 seconds, nodes take each other for gone. */
  async pass(): Promise<void> {
    for (const milliseconds of [60, 60, 60, 60, 45_000, 60]) await later(this.#scheduler, milliseconds)
  }
}

playTime()

it('is the same on all nodes in the end, whatever was lost on the way, and never ends for who is there', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const { one, two } = world
      two.open('ben')
      return [
        Promise.all([world.wander('ada'), world.reconnect(one), world.pass()]),
        () => passTime(scheduler, 4, 60),
        () => passTime(scheduler, 5, 5000),
        () => passTime(scheduler, 4, 60),
        () => {
          expect(two.shownOf('ben'), 'ben is there').toEqual([true])
          for (const node of [one, two]) {
            const online = PEOPLE.filter((person) => world.isOnline(person))
            expect(node.presence.online(ORG).sort(), node.connection.name).toEqual(online)
            for (const person of PEOPLE)
              expect(node.shownOf(person).at(-1) ?? false, person).toBe(world.isOnline(person))
          }
        },
      ]
    },
    { times: 0.5 },
  )
})
