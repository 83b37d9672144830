import { makeOAuthBots, makeTopics, sendersOf } from '../parts/cast.ts'
import { BOTS_EACH, PEOPLE, TOPICS } from '../parts/crowd.ts'
import type { Scenario } from '../scenario.ts'
import { measureSending, setStage } from './sending.ts'

export const sendOAuth: Scenario = {
  name: 'send-oauth',
  title: 'The same with access tokens',
  floor: 'the bare server, verifying the HS256 token of each request',
  target: { sent: { ratioAtLeast: 0.5, p99Under: 50 } },
  async run(context) {
    const stage = await setStage(context)
    const { backstage, server } = stage
    const bots = await makeOAuthBots(backstage, server.port, TOPICS * BOTS_EACH)
    const topics = await makeTopics(backstage, bots, { botsEach: BOTS_EACH, people: PEOPLE })
    const floorPort = await stage.floor.ask('open', { keys: [], tokenKey: backstage.secrets.tokenKey })
    return measureSending(context, stage, floorPort, sendersOf(topics))
  },
}
