import { setBot } from '../../../server/actions/bots.ts'
import { type OAuthTestBot, oauthBot, organization, type StaticTestBot, staticBot } from '../cast.ts'
import type { Nodes } from '../nodes.ts'
import { signInAs, type TestPerson } from '../people.ts'
import { type Receiver, webhookBot } from '../receiver.ts'

/** An organization whose bots and people are in all of its topics. */
export type Company = {
  orgId: string
  topicIds: string[]
  /** Keyed messages come from a bot that signs its requests, plain ones from a bot with a token. */
  keyedWriter: StaticTestBot
  plainWriter: OAuthTestBot
  /** One for each node. */
  pollers: StaticTestBot[]
  people: TestPerson[]
  receivers: StaticTestBot[]
}

const TOPICS = 3
const RECEIVERS = 2
/** As fast as a bot may be told to catch up: a dead node leaves 800 deliveries, which at the usual pace take over a minute. */
const CATCH_UP_RATE = 1000

export async function makeCompanies(nodes: Nodes, receiver: Receiver, count: number): Promise<Company[]> {
  return nodes.prepare(async (beside) => {
    const companies: Company[] = []
    for (let number = 0; number < count; number++) {
      const orgId = await organization(beside, `Company ${number}`)
      const company: Company = {
        orgId,
        topicIds: [],
        keyedWriter: await staticBot(beside, orgId, 'Keyed writer'),
        plainWriter: await oauthBot(beside, orgId, 'Plain writer'),
        pollers: [],
        people: [],
        receivers: [],
      }
      for (let node = 0; node < nodes.count; node++) {
        company.pollers.push(await staticBot(beside, orgId, `Poller ${node}`))
        const email = `person-${number}-${node}@example.com`
        company.people.push(await signInAs(beside, { orgId, name: `Person ${node}`, email }))
      }
      for (let bot = 0; bot < RECEIVERS; bot++) {
        const url = `${receiver.url}/${number}-${bot}`
        const receiverBot = await webhookBot(beside, orgId, url, `Receiver ${bot}`)
        await beside.parley.db.write(orgId, (tx) =>
          setBot(tx, receiverBot.id, { webhookRate: CATCH_UP_RATE }),
        )
        company.receivers.push(receiverBot)
      }
      await fillTopics(company)
      companies.push(company)
    }
    return companies
  })
}

async function fillTopics({
  keyedWriter,
  plainWriter,
  pollers,
  people,
  receivers,
  topicIds,
}: Company): Promise<void> {
  const members = [
    plainWriter.id,
    ...pollers.map(({ id }) => id),
    ...people.map(({ profileId }) => profileId),
    ...receivers.map(({ id }) => id),
  ]
  for (let number = 0; number < TOPICS; number++) {
    const { body } = await keyedWriter.post('/v2/topics', { name: `Topic ${number}`, members })
    topicIds.push(Object(body).id)
  }
}
