import { createTopic } from '../../server/actions/topics/topics.ts'
import { makeBots, type Sender } from '../parts/cast.ts'
import { BOTS_EACH, TOPICS } from '../parts/crowd.ts'
import { makeSignedIn } from '../parts/people.ts'
import type { Scenario } from '../scenario.ts'
import { sendToParley, setStage, throughput } from './sending.ts'

/** The number of bots in the same topics. */
const PEOPLE_EACH = BOTS_EACH

export const sendPeople: Scenario = {
  name: 'send-people',
  title: 'Send a text message as a person who is signed in, 64 connections, 20 topics of 2 people and 2 bots',
  floor: 'the same by the bots of these topics, on the same server',
  target: { sent: { ratioAtLeast: 0.9 } },
  async run(context) {
    const { server, backstage, load } = await setStage(context)
    const { db, orgId } = backstage
    const bots = await makeBots(backstage, TOPICS * BOTS_EACH)
    const people = await makeSignedIn(backstage, TOPICS * PEOPLE_EACH)
    const byBots: Sender[] = []
    const byPeople: Sender[] = []
    for (let number = 0; number < TOPICS; number++) {
      const [bot, ...otherBots] = bots.slice(number * BOTS_EACH, (number + 1) * BOTS_EACH)
      const members = people.slice(number * PEOPLE_EACH, (number + 1) * PEOPLE_EACH)
      if (!bot) throw new Error('there is a bot for each topic')
      const ids = [...otherBots.map(({ id }) => id), ...members.map(({ profileId }) => profileId)]
      const { id: topicId } = await db.write(orgId, (tx) =>
        createTopic(tx, { createdBy: bot.id, name: `Topic ${number}`, members: ids }),
      )
      for (const credentials of [bot, ...otherBots]) byBots.push({ topicId, credentials })
      const path = `/people/organizations/${orgId}/chat/messages`
      for (const { token } of members) byPeople.push({ topicId, credentials: { session: token }, path })
    }
    const crowd = { servers: [server], ports: [server.port], db, orgIds: [orgId] }
    await sendToParley(context, load, { ...crowd, senders: byBots }) // compiles what both have in common
    return context.repeat(async () => {
      const bot = await sendToParley(context, load, { ...crowd, senders: byBots })
      const person = await sendToParley(context, load, { ...crowd, senders: byPeople })
      return [throughput('sent', 'requests/s', person, bot)]
    })
  },
}
