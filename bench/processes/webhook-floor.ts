import { openGuardedAgent } from '../../server/network/guard.ts'
import { buildRequest, type WebhookRequest } from '../../server/presenters/webhook-requests.ts'
import { post } from '../../server/webhooks/call.ts'
import { serve } from '../parts/child.ts'

export type FloorDeliveries = {
  urls: readonly string[]
  /** The stored data of an event. */
  data: string
  seconds: number
  warmUpSeconds: number
  /** Requests to one receiver at a time. */
  each: number
}

const PREPARED = 500
const LIMIT_MS = 10_000

/** The server's own client, posting prepared requests: a delivery without log, queue and records. */
async function run({ urls, data, seconds, warmUpSeconds, each }: FloorDeliveries): Promise<number> {
  const agent = openGuardedAgent(['127.0.0.0/8'])
  const requests = await Promise.all(Array.from({ length: PREPARED }, () => prepare(data)))
  const began = performance.now()
  const from = began + warmUpSeconds * 1000
  const until = from + seconds * 1000
  let count = 0
  const deliver = async (url: URL, first: number) => {
    for (let turn = first; performance.now() < until; turn++) {
      const request = requests[turn % requests.length]
      if (!request) throw new Error('nothing is prepared')
      const attempt = await post(agent, url, request, { limitMs: LIMIT_MS, call: new AbortController() })
      if (attempt?.outcome !== 'ok') throw new Error(`not delivered: ${JSON.stringify(attempt)}`)
      const now = performance.now()
      if (now >= from && now <= until) count += 1
    }
  }
  await Promise.all(
    urls.flatMap((url, number) =>
      Array.from({ length: each }, (_, worker) => deliver(new URL(url), number * each + worker)),
    ),
  )
  await agent.close()
  return count / seconds
}

function prepare(data: string): Promise<WebhookRequest> {
  const eventId = crypto.randomUUID()
  const now = Date.now()
  return buildRequest(
    { eventId, type: 'message.created', createdAt: now, data },
    {
      deliveryId: eventId,
      secret: Buffer.from('a secret of the bench'),
      sentAt: now,
      gzip: true,
      headerPrefix: 'X-Service-',
    },
  )
}

serve({ run })
export type WebhookFloor = { run: typeof run }
