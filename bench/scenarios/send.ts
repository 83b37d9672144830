import { makeBots, makeTopics, sendersOf } from '../parts/cast.ts'
import { BOTS_EACH, PEOPLE, TOPICS } from '../parts/crowd.ts'
import type { Scenario } from '../scenario.ts'
import { keysOf, measureSending, setStage } from './sending.ts'

export const send: Scenario = {
  name: 'send',
  title: 'Send a text message with a static key, 64 connections, 20 topics of 5 people and 2 bots',
  floor: 'a bare node:http server that checks the same signature and answers in the same shape',
  target: { sent: { ratioAtLeast: 0.5, p99Under: 50 } },
  async run(context) {
    const stage = await setStage(context)
    const bots = await makeBots(stage.backstage, TOPICS * BOTS_EACH)
    const topics = await makeTopics(stage.backstage, bots, { botsEach: BOTS_EACH, people: PEOPLE })
    const floorPort = await stage.floor.ask('open', { keys: keysOf(bots) })
    return measureSending(context, stage, floorPort, sendersOf(topics))
  },
}
