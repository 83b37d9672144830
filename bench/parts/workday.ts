import { createTopic } from '../../server/actions/topics/topics.ts'
import { sql } from '../../server/db/sql.ts'
import type { Backstage, Bot } from './cast.ts'
import { writeHistory } from './history.ts'
import { makeManySignedIn } from './people.ts'

/** One action of a person every so many milliseconds. */
export const ACTION_MS = 20_000
/** Share of messages that reply to another one. */
export const REPLIES = 0.85
/** Share of opened direct messages that are the first to this colleague. */
export const NEW_DIRECT_MESSAGES = 0.1

/** How often people do what: the weights of Mattermost's published load model. */
export const WEIGHTS = {
  switchConversation: 6.52,
  scroll: 1.99,
  checkUnread: 1,
  post: 1,
  openDirectMessage: 0.98,
  listThreads: 0.6,
  readThread: 0.32,
  followLink: 0.3,
  viewThread: 0.28,
  reconnect: 0.14,
  react: 0.13,
} as const
export type ActionName = keyof typeof WEIGHTS

/** People of a team, and teams of a department. */
const TEAM = 20
const TEAMS = 10
/** Topics of each: a team talks most, a department less, everybody seldom. */
const TEAM_TOPICS = 3
const DEPARTMENT_TOPICS = 2
const HISTORY = 60
/** Colleagues on either side that each person has written to already, and the messages of each of these conversations. */
const NEIGHBOURS = 2
const DIRECT_HISTORY = 20
const DIRECT_MESSAGES_AT_ONCE = 200

/** A person with a browser: the conversations they are in, and the colleagues they write to. */
export type Worker = {
  profileId: string
  token: string
  team: readonly string[]
  department: readonly string[]
  everybody: string
  /** The team, and its members whom this person has written to already. */
  colleagues: readonly string[]
  known: readonly string[]
}

export type Company = { orgId: string; workers: Worker[]; departmentTopics: string[] }

/** An organization in teams of 20 and departments of 200. Its bots are in the topics of departments, in turn. */
export async function makeCompany(
  backstage: Backstage,
  count: number,
  bots: readonly Bot[],
): Promise<Company> {
  const people = await makeManySignedIn(backstage, count)
  const [host] = bots
  if (!host) throw new Error('a company needs a bot')
  const topics: { id: string; bots: Bot[] }[] = []
  const make = async (name: string, members: readonly { profileId: string }[], own: readonly Bot[] = []) => {
    const ids = [...members.map(({ profileId }) => profileId), ...own.slice(1).map(({ id }) => id)]
    const creator = own[0] ?? host
    const { id } = await backstage.db.write(backstage.orgId, (tx) =>
      createTopic(tx, { createdBy: creator.id, name, members: ids }),
    )
    topics.push({ id, bots: [creator] })
    return id
  }
  const everybody = await make('Everybody', people)
  const workers: Worker[] = []
  const departmentTopics: string[] = []
  for (let first = 0; first < count; first += TEAM * TEAMS) {
    const members = people.slice(first, first + TEAM * TEAMS)
    const department: string[] = []
    for (let number = 0; number < DEPARTMENT_TOPICS; number++) {
      const place = departmentTopics.length + department.length
      const own = bots.filter(
        (_, index) => index % (DEPARTMENT_TOPICS * Math.ceil(count / (TEAM * TEAMS))) === place,
      )
      department.push(await make(`Department ${first} ${number}`, members, own))
    }
    departmentTopics.push(...department)
    for (let at = 0; at < members.length; at += TEAM) {
      const mates = members.slice(at, at + TEAM)
      const team: string[] = []
      for (let number = 0; number < TEAM_TOPICS; number++)
        team.push(await make(`Team ${first + at} ${number}`, mates))
      const ids = mates.map(({ profileId }) => profileId)
      for (const [place, { profileId, token }] of mates.entries())
        workers.push({
          profileId,
          token,
          team,
          department,
          everybody,
          colleagues: ids.filter((id) => id !== profileId),
          known: neighboursOf(place, ids),
        })
    }
  }
  await writeHistory(backstage, topics, HISTORY)
  await writeHistory(backstage, await makeDirectMessages(backstage, workers, host), DIRECT_HISTORY)
  await backstage.db.query(sql`analyze`) // thousands of people came in one statement
  return { orgId: backstage.orgId, workers, departmentTopics }
}

function neighboursOf(place: number, ids: readonly string[]): string[] {
  const steps = Array.from({ length: NEIGHBOURS }, (_, index) => index + 1)
  const places = steps.flatMap((step) => [place + step, place - step + ids.length])
  const found = new Set(places.map((each) => ids[each % ids.length] ?? ''))
  found.delete(ids[place] ?? '')
  return [...found]
}

/** Makes the direct messages of people who know each other. */
async function makeDirectMessages({ db, orgId }: Backstage, workers: readonly Worker[], host: Bot) {
  const pairs = workers.flatMap(({ profileId, known }) =>
    known.flatMap((other) => (profileId < other ? [{ profileId, other }] : [])),
  )
  const made: { id: string; bots: Bot[] }[] = []
  for (let first = 0; first < pairs.length; first += DIRECT_MESSAGES_AT_ONCE) {
    const some = pairs.slice(first, first + DIRECT_MESSAGES_AT_ONCE)
    await db.write(orgId, async (tx) => {
      for (const { profileId, other } of some) {
        const topic = { type: 'dm', createdBy: profileId, name: '', members: [other] } as const
        made.push({ id: (await createTopic(tx, topic)).id, bots: [{ ...host, id: profileId }] })
      }
    })
  }
  return made
}
