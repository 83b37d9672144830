import { Pool } from 'undici'
import { expect } from 'vitest'
import { createTopic } from '../../server/actions/topics/topics.ts'
import { organization, staticBot } from './cast.ts'
import { call, sign } from './client.ts'
import { INSPECTED, openInspector } from './inspector.ts'
import { Nodes } from './nodes.ts'

const CONNECTIONS = 16
const STEPS = 10
const MB = 1024 * 1024

/**
 * Asks a server process for so many different pages, of an empty list and of a short one. Gives the most that its memory in use has
 * grown by, measured ten times on the way, in megabytes.
 */
export async function growthByPages(pages: number): Promise<number> {
  const nodes = await Nodes.start(1, INSPECTED)
  try {
    const { bot, emptyId, shortId } = await nodes.prepare(async (beside) => {
      const orgId = await organization(beside)
      const made = await staticBot(beside, orgId, 'Reader')
      const topic = (name: string) =>
        beside.parley.db.write(orgId, (tx) => createTopic(tx, { createdBy: made.id, name, members: [] }))
      return { bot: made, emptyId: (await topic('Empty')).id, shortId: (await topic('Short')).id }
    })
    const url = nodes.url(0)
    for (let number = 0; number < 3; number++)
      await call(url, bot.credentials, 'POST', '/v2/messages', {
        body: { topicId: shortId, text: `message ${number} ${'x'.repeat(300)}` },
      })

    const { apiKey, apiSecret } = bot.credentials
    const headersOf = (path: string) => {
      const timestamp = String(Date.now())
      return {
        authorization: `Bearer ${apiKey}`,
        'x-timestamp': timestamp,
        'x-signature': sign(apiSecret, timestamp, path),
      }
    }
    const pathOf = (number: number): string => {
      const topicId = number % 2 === 0 ? emptyId : shortId
      const bound = number % 4 < 2 ? `after=${number}` : `before=${Date.now() + number}`
      return `/v2/topics/${topicId}/messages?${bound}&limit=${1 + (number % 100)}`
    }
    const pool = new Pool(url, { connections: CONNECTIONS })
    const ask = async (from: number, to: number) => {
      let next = from
      const askOn = async () => {
        while (next < to) {
          const path = pathOf(next++)
          const { statusCode, body } = await pool.request({ method: 'GET', path, headers: headersOf(path) })
          await body.dump()
          expect(statusCode).toBe(200)
        }
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, askOn))
    }

    const inspector = await openInspector(nodes.output(0))
    await ask(pages, pages + 1000) // compiles code, opens connections, fills what is filled once
    const before = await inspector.memoryInUse()
    let most = 0
    for (let step = 0; step < STEPS; step++) {
      await ask((step * pages) / STEPS, ((step + 1) * pages) / STEPS)
      most = Math.max(most, (await inspector.memoryInUse()) - before)
    }
    inspector.close()
    await pool.close()
    return most / MB
  } finally {
    await nodes.close()
  }
}
