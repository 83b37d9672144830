import { setBot } from '../../../server/actions/bots/bots.ts'
import { type OAuthTestBot, oauthBot, organization, type StaticTestBot, staticBot } from '../cast.ts'
import type { Nodes } from '../nodes.ts'
import { signInAs, type TestPerson } from '../people.ts'
import { type Receiver, webhookBot } from '../receiver.ts'
import { Stage } from './stage.ts'

/** An organization whose bots and people are in all of its topics, but for its guests. */
export type Company = {
  number: number
  orgId: string
  /** All topics, also those that were created later. */
  topicIds: string[]
  stage: Stage
  administrator: TestPerson
  /** Bots that are paused and resumed, added and removed. */
  guests: StaticTestBot[]
  /** Bots that answer each other until they are stopped. */
  loopingBots: [StaticTestBot, StaticTestBot]
  /** Keyed messages come from a bot that signs its requests, plain ones from a bot with a token. */
  keyedWriter: StaticTestBot
  plainWriter: OAuthTestBot
  /** One poller for each node. */
  pollers: StaticTestBot[]
  people: TestPerson[]
  receivers: StaticTestBot[]
}

const TOPICS = 3
const RECEIVERS = 2
const GUESTS = 2
/** Words that may be blocked. */
const WORDS = ['grog', 'bilge']
/**
 * The highest rate a bot may be given for catching up. A dead node leaves 800 deliveries, over a minute at the usual
 * pace.
 */
const CATCH_UP_RATE = 1000

export async function makeCompanies(nodes: Nodes, receiver: Receiver, count: number): Promise<Company[]> {
  return nodes.prepare(async (beside) => {
    const companies: Company[] = []
    for (let number = 0; number < count; number++) {
      const orgId = await organization(beside, `Company ${number}`)
      const email = `administrator-${number}@example.com`
      const people: TestPerson[] = []
      const pollers: StaticTestBot[] = []
      const receivers: StaticTestBot[] = []
      const guests: StaticTestBot[] = []
      for (let guest = 0; guest < GUESTS; guest++)
        guests.push(await staticBot(beside, orgId, `Guest ${guest}`))
      for (let node = 0; node < nodes.count; node++) {
        pollers.push(await staticBot(beside, orgId, `Poller ${node}`))
        const email = `person-${number}-${node}@example.com`
        people.push(await signInAs(beside, { orgId, name: `Person ${node}`, email }))
      }
      for (let bot = 0; bot < RECEIVERS; bot++) {
        const url = `${receiver.url}/${number}-${bot}`
        const receiverBot = await webhookBot(beside, orgId, url, `Receiver ${bot}`)
        await beside.parley.db.write(orgId, (tx) =>
          setBot(tx, receiverBot.id, { webhookRate: CATCH_UP_RATE }),
        )
        receivers.push(receiverBot)
      }
      const residents = {
        number,
        orgId,
        administrator: await signInAs(beside, { orgId, role: 'owner', name: 'Administrator', email }),
        keyedWriter: await staticBot(beside, orgId, 'Keyed writer'),
        plainWriter: await oauthBot(beside, orgId, 'Plain writer'),
        loopingBots: [
          await staticBot(beside, orgId, 'Ping'),
          await staticBot(beside, orgId, 'Pong'),
        ] satisfies [StaticTestBot, StaticTestBot],
        pollers,
        people,
        receivers,
        guests,
      }
      const topicIds: string[] = []
      for (let topic = 0; topic < TOPICS; topic++) {
        const { body } = await residents.keyedWriter.post('/v2/topics', topicOf(residents, `Topic ${topic}`))
        topicIds.push(Object(body).id)
      }
      companies.push({ ...residents, topicIds, stage: new Stage(topicIds, guests, WORDS) })
    }
    return companies
  })
}

/** The request body for a topic of all members. */
export function topicOf(
  {
    administrator,
    plainWriter,
    loopingBots,
    pollers,
    people,
    receivers,
    guests,
  }: Omit<Company, 'topicIds' | 'stage'>,
  name: string,
): { name: string; members: string[] } {
  const bots = [plainWriter, ...loopingBots, ...pollers, ...receivers, ...guests]
  const everybody = [administrator, ...people]
  return { name, members: [...bots.map(({ id }) => id), ...everybody.map(({ profileId }) => profileId)] }
}
