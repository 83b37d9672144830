import { expect, it } from 'vitest'
import { sql } from '../../server/db/sql.ts'
import { refusal } from '../../server/errors.ts'
import { RecentPages } from '../../server/events/recent-pages.ts'
import type { Announcement } from '../../server/events/wake.ts'
import { atAnyTime, RacingDatabase, RacingNotifications, race, type Scheduler } from './support.ts'

const ORG = '11111111-1111-4111-8111-111111111111'

/** A topic with messages, written here and, where the node is not alone, elsewhere. */
class World {
  messages = 0
  members = new Set(['ada', 'ben'])
  readonly pages: RecentPages
  readonly #db: RacingDatabase
  readonly #scheduler: Scheduler
  readonly #notifications: RacingNotifications
  #tell: (announcement: Announcement) => void = () => {}

  constructor(scheduler: Scheduler, isAlone: boolean) {
    this.#scheduler = scheduler
    this.#notifications = new RacingNotifications(scheduler)
    this.#db = new RacingDatabase(scheduler, ({ text, values: [asks] }) => {
      if (text.includes('organization_logs')) return [{ org_id: ORG, head: `${this.messages}` }]
      if (text.includes('members')) return this.members.has(String(asks)) ? [{ found: 1 }] : []
      return [{ messages: this.messages, isMember: this.members.has(String(asks)) }]
    })
    const wake = {
      isAlone,
      onEvents: (listener: (announcement: Announcement) => void) => {
        this.#tell = listener
      },
    }
    this.pages = new RecentPages(this.#db, wake, () => true)
  }

  /** Commits here: this node hears of it before the writer has the answer. */
  async writeHere(change: () => void): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), 'commit here')
    change()
    this.pages.drop(ORG)
  }

  async writeElsewhere(change: () => void): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), 'commit elsewhere')
    change()
    const announcement = { orgId: ORG, firstSeq: 0, lastSeq: 0, botIds: [] }
    void this.#notifications.send('elsewhere', () => this.#tell(announcement))
  }

  /** The messages on the page, or `refused`. */
  async read(profileId: string): Promise<number | 'refused'> {
    const load = async () => {
      const [row] = await this.#db.query(sql`select page for ${profileId}`)
      if (!row?.isMember) throw refusal('topic_not_found')
      return { json: Buffer.from(String(row.messages)), lastId: undefined }
    }
    const isAllowed = async () => (await this.#db.query(sql`select members for ${profileId}`)).length > 0
    try {
      return Number(
        await this.pages.read({ orgId: ORG, profileId }, 'page', { load, isAllowed, end: () => '' }),
      )
    } catch {
      return 'refused'
    }
  }
}

const say = (world: World) => () => {
  world.messages += 1
}

for (const isAlone of [true, false]) {
  it(`gives a page that has all that was written before it was asked for, ${isAlone ? 'alone' : 'beside other nodes'}`, async () => {
    await race((scheduler) => {
      const world = new World(scheduler, isAlone)
      const ask = (profileId: string) =>
        atAnyTime(scheduler, `${profileId} asks`, async () => {
          const { messages } = world
          expect(await world.read(profileId)).toBeGreaterThanOrEqual(messages)
        })
      const write = isAlone ? world.writeHere(say(world)) : world.writeElsewhere(say(world))
      return [...['ada', 'ben', 'ada', 'ben', 'ada'].map(ask), write, world.writeHere(say(world))]
    })
  })
}

it('gives no page to strangers or members removed before they asked, and refuses no member', async () => {
  await race((scheduler) => {
    const world = new World(scheduler, true)
    const ask = (profileId: string) =>
      atAnyTime(scheduler, `${profileId} asks`, async () => {
        const isMember = world.members.has(profileId)
        const given = await world.read(profileId)
        if (!isMember) expect(given).toBe('refused')
        if (world.members.has(profileId)) expect(given).not.toBe('refused')
      })
    const removed = world.writeHere(() => {
      world.members.delete('ben')
    })
    return [...['stranger', 'ada', 'ben', 'ada', 'ben', 'stranger'].map(ask), removed]
  })
})
