import { type Bot, makeTopics, makeWebhookBots, sendersOf, type Topic } from '../parts/cast.ts'
import type { Child } from '../parts/child.ts'
import { messageBody } from '../parts/requests.ts'
import type { Load } from '../processes/load.ts'
import type { Receivers } from '../processes/receivers.ts'
import type { WebhookFloor } from '../processes/webhook-floor.ts'
import type { Context, Figure, Scenario } from '../scenario.ts'
import { setStage, warmUpSeconds } from './sending.ts'

const RECEIVERS = 50
/** Every bot is in so many topics with all others: the number of parallel deliveries is not the limit. */
const WIDE_TOPICS = 8
/** Enough to keep the dispatcher busy for about the requested time. */
const MESSAGES_PER_SECOND = 40
const SMALL_TOPIC = 5
const DELIVERIES_PER_SECOND = 500
/** The server's own limits: four requests to one receiver at a time, 200 in all. */
const AT_A_TIME = 4
const PATIENCE_MS = 60_000

/** Bots that hear each other and no person are held to talk in a circle. */
const BOTS_ALONE = { BOT_LOOP_SLOW_AFTER: '0', BOT_LOOP_STOP_AFTER: '0' }

type Delivering = { context: Context; port: number; load: Child<Load>; receivers: Child<Receivers> }

export const webhooks: Scenario = {
  name: 'webhooks',
  title: 'Deliveries to 50 receivers: as many as possible, and how soon at 500 a second',
  floor: "the server's own client posting prepared bodies to the same receivers",
  target: { delivered: { ratioAtLeast: 0.5 }, 'commit to delivery': { p99Under: 250 } },
  async run(context) {
    const { server, backstage, load } = await setStage(context, BOTS_ALONE)
    const receivers = context.startProcess<Receivers>('receivers')
    const floor = context.startProcess<WebhookFloor>('webhook-floor')
    const urls = await receivers.ask('open', { count: RECEIVERS })
    const bots = await makeWebhookBots(backstage, urls)
    const small = await makeTopics(backstage, bots, { botsEach: SMALL_TOPIC })
    const everybody = Array.from({ length: WIDE_TOPICS }, () => bots).flat()
    const wide = await makeTopics(backstage, everybody, { botsEach: RECEIVERS })
    const delivering = { context, port: server.port, load, receivers }
    // The receivers also get events of the topics themselves. One good answer makes a receiver count as quick.
    await receivers.ask('take', { count: Number.POSITIVE_INFINITY, limitMs: 2000 })

    return context.repeat(async () => {
      const bare = await floor.ask('run', {
        urls,
        data: eventData(bots),
        seconds: context.seconds,
        warmUpSeconds: warmUpSeconds(context),
        each: AT_A_TIME,
      })
      await receivers.ask('take', { count: 0, limitMs: 0 })
      return [await measureMost(delivering, wide, bare), await measurePaced(delivering, small)]
    })
  },
}

/** Time from sending the first message to the last delivery. Each message goes to all receivers. */
async function measureMost(
  { context, port, load, receivers }: Delivering,
  topics: readonly Topic[],
  floor: number,
): Promise<Figure> {
  const messages = Math.ceil(MESSAGES_PER_SECOND * context.seconds)
  const sent = await load.ask('run', {
    ports: [port],
    connections: 8,
    seconds: 60,
    warmUpSeconds: 0,
    plan: { kind: 'send', senders: sendersOf(topics), most: messages },
    expect: 201,
  })
  const expected = messages * RECEIVERS
  const { count, lastAt, latency } = await receivers.ask('take', { count: expected, limitMs: PATIENCE_MS })
  if (count < expected) throw new Error(`${count} of ${expected} were delivered in time`)
  const seconds = (lastAt - sent.startedAt) / 1000
  return {
    name: 'delivered',
    unit: 'deliveries/s',
    better: 'more',
    value: expected / seconds,
    floor,
    details: { deliveries: expected, lastAfterMs: latency.max },
  }
}

async function measurePaced(
  { context, port, load, receivers }: Delivering,
  topics: readonly Topic[],
): Promise<Figure> {
  const rate = DELIVERIES_PER_SECOND / SMALL_TOPIC
  const sent = await load.ask('run', {
    ports: [port],
    connections: 16,
    seconds: context.seconds,
    warmUpSeconds: 0,
    plan: { kind: 'send', senders: sendersOf(topics), most: rate * context.seconds },
    expect: 201,
    rate,
  })
  const expected = sent.count * SMALL_TOPIC
  const { count, latency } = await receivers.ask('take', { count: expected, limitMs: PATIENCE_MS })
  if (count < expected) throw new Error(`${count} of ${expected} were delivered in time`)
  return {
    name: 'commit to delivery',
    unit: 'ms at p99',
    better: 'less',
    value: latency.p99,
    latency,
    details: { deliveries: count },
  }
}

/** An event of about the usual size. */
function eventData([bot]: readonly Bot[]): string {
  const message = JSON.parse(messageBody('9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d', 1))
  return JSON.stringify({
    message: {
      id: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
      senderId: bot?.id,
      senderName: 'Webhook 1',
      senderType: 'bot',
      type: 'text',
      ...message,
      createdAt: 1767225600000,
      updatedAt: 1767225600000,
      isEdited: false,
      isSystem: false,
      truncated: false,
      attachments: [],
      mentions: [],
      mentionedProfiles: [],
      reactions: [],
    },
    truncated: false,
  })
}
