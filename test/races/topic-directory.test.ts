import { expect, it } from 'vitest'
import type { Row } from '../../server/db/database.ts'
import type { Statement } from '../../server/db/sql.ts'
import { type KnownTopics, TopicDirectory } from '../../server/queries/topics/topic-directory.ts'
import { atAnyTime, RacingDatabase, RacingNotifications, race } from './support.ts'

const ORG = 'org'
const [FIRST, SECOND, LATER, NEVER] = ['first', 'second', 'later', 'never']

/** Members of topics at each version: changes are new versions, and none is ever changed. */
class Memberships {
  #versions: ReadonlyMap<string, readonly string[]>[] = [
    new Map([
      [FIRST, ['deploy']],
      [SECOND, ['deploy', 'ada']],
    ]),
  ]

  get version(): number {
    return this.#versions.length - 1
  }

  at(version: number): ReadonlyMap<string, readonly string[]> {
    return this.#versions[version] ?? new Map()
  }

  /** A topic that had no members before moves no version. */
  begin(topicId: string, members: readonly string[]): void {
    this.#versions[this.version] = new Map([...this.at(this.version), [topicId, members]])
  }

  change(topicId: string, members: readonly string[]): void {
    this.#versions.push(new Map([...this.at(this.version), [topicId, members]]))
  }

  /** The rows of the directory's one statement. */
  rows({ values }: Statement): Row[] {
    const topicIds = values[1]
    if (!Array.isArray(topicIds)) throw new Error('the wanted topics are the second value')
    const found = topicIds.flatMap((topicId: string) =>
      (this.at(this.version).get(topicId) ?? []).map((id) => memberRow(this.version, topicId, id)),
    )
    return found.length > 0 ? found : [memberRow(this.version, null, null)]
  }
}

const memberRow = (version: number, topicId: string | null, memberId: string | null): Row => ({
  org_id: ORG,
  version,
  topic_id: topicId,
  profile_id: memberId,
  joined_at: 1,
  name: memberId,
  address_ids: null,
  reach: 'everything',
  is_restricted: false,
  may_write: true,
  is_archived: false,
  are_bots_stopped: false,
  blocked_words: null,
})

const membersIn = ({ topics }: KnownTopics, topicId: string) => {
  const members = topics.get(topicId)?.members
  return members && [...members.keys()]
}

it('gives all that is wanted, as of one version, whatever changes and in whatever order answers come', () =>
  race((scheduler) => {
    const memberships = new Memberships()
    const database = new RacingDatabase(scheduler, (statement) => memberships.rows(statement))
    const notifications = new RacingNotifications(scheduler)
    const directory = new TopicDirectory()
    let toldVersion = 0

    const read = (...topicIds: string[]) =>
      atAnyTime(scheduler, `read ${topicIds.join(' ')}`, async () => {
        const leastVersion = toldVersion
        const known = (await directory.read(database, new Map([[ORG, new Set(topicIds)]]))).get(ORG)
        if (!known) throw new Error('the organization exists at every version')
        expect(known.version).toBeGreaterThanOrEqual(leastVersion)
        for (const topicId of topicIds)
          expect(membersIn(known, topicId), `${topicId} at ${known.version}`).toEqual(
            memberships.at(known.version).get(topicId),
          )
      })
    const change = (topicId: string, ...members: string[]) =>
      atAnyTime(scheduler, `change ${topicId}`, () => {
        memberships.change(topicId, members)
        const { version } = memberships
        void notifications.send(`version ${version}`, () => {
          toldVersion = version
          directory.forget(ORG)
        })
      })

    return [
      read(FIRST),
      read(FIRST, SECOND),
      change(LATER, 'deploy'),
      read(FIRST, LATER),
      read(SECOND, LATER, NEVER),
      change(FIRST, 'deploy', 'ada'),
      read(FIRST, SECOND, LATER),
    ]
  }))

it('goes on with a read while topics that it does not ask for are begun, and gives all that was told before it', () =>
  race((scheduler) => {
    const memberships = new Memberships()
    let statements = 0
    const database = new RacingDatabase(scheduler, (statement) => {
      const [, topicIds] = statement.values
      if (Array.isArray(topicIds) && topicIds.includes(FIRST)) statements += 1
      return memberships.rows(statement)
    })
    const directory = new TopicDirectory()
    let told: readonly string[] | undefined

    const begin = (topicId: string) =>
      atAnyTime(scheduler, `begin ${topicId}`, () => {
        memberships.begin(topicId, ['deploy'])
        directory.forgetTopic(ORG, topicId)
        if (topicId === LATER) told = ['deploy']
      })
    const read = async () => {
      const known = (await directory.read(database, new Map([[ORG, new Set([FIRST])]]))).get(ORG)
      expect(known && membersIn(known, FIRST)).toEqual(['deploy'])
      expect(statements, 'statements of one read').toBe(1)
    }
    const readLater = () =>
      atAnyTime(scheduler, 'read later', async () => {
        const least = told
        const known = (await directory.read(database, new Map([[ORG, new Set([LATER])]]))).get(ORG)
        if (least) expect(known && membersIn(known, LATER)).toEqual(least)
      })
    return [
      atAnyTime(scheduler, 'read', read),
      readLater(),
      begin(LATER),
      ...Array.from({ length: 6 }, (_, index) => begin(`direct ${index}`)),
    ]
  }))

it('forgets what was read first once it holds more than its bound', async () => {
  const members = Array.from({ length: 20_000 }, (_, index) => `member ${index}`)
  const directory = new TopicDirectory()
  const statements: unknown[] = []
  const database = {
    query: async <R>({ values }: { values: readonly unknown[] }) => {
      statements.push(values)
      const [orgIds] = values.filter(Array.isArray)
      return members.map((id) => ({ ...memberRow(1, FIRST, id), org_id: orgIds?.[0] })) as R[]
    },
  }
  const readOf = (orgId: string) => directory.read(database, new Map([[orgId, new Set([FIRST])]]))
  for (const orgId of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) await readOf(orgId)
  expect(directory.bytes).toBeLessThanOrEqual(32 * 1024 * 1024)
  const before = statements.length
  await readOf('seven')
  expect(statements).toHaveLength(before)
  await readOf('one')
  expect(statements).toHaveLength(before + 1)
})

it('forgets topics of an organization above its bound one by one, the latest asked for last', async () => {
  const members = Array.from({ length: 1000 }, (_, index) => `member ${index}`)
  const directory = new TopicDirectory()
  const asked: string[] = []
  const database = {
    query: async <R>({ values }: { values: readonly unknown[] }) => {
      const [, topicIds] = values.filter(Array.isArray)
      asked.push(...(topicIds ?? []))
      return (topicIds ?? []).flatMap((topicId) => members.map((id) => memberRow(1, topicId, id))) as R[]
    },
  }
  const read = (...topicIds: string[]) => directory.read(database, new Map([[ORG, new Set(topicIds)]]))
  const topicIds = Array.from({ length: 200 }, (_, index) => `topic ${index}`)
  for (const topicId of topicIds) await read(topicId, FIRST)
  expect(asked, 'each was read once, also the one that is always asked for').toEqual([
    'topic 0',
    FIRST,
    ...topicIds.slice(1),
  ])
  expect(directory.bytes).toBeLessThanOrEqual(32 * 1024 * 1024)
  asked.length = 0
  await read('topic 199', 'topic 198', FIRST)
  expect(asked).toEqual([])
  await read('topic 1')
  expect(asked).toEqual(['topic 1'])
})
