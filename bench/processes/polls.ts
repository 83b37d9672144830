import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../parts/child.ts'
import { wallClock } from '../parts/clock.ts'
import { type Answer, Connection } from '../parts/connection.ts'
import { type Credentials, getRequest } from '../parts/requests.ts'

const TIMEOUT_SECONDS = 30
/** Bots that start polling at the same time. */
const CROWD = 100

export type PollJob = {
  port: number
  /** One poll for each entry; a bot listed twice has two. */
  bots: readonly Credentials[]
}

export type Received = { id: string; createdAt: number; receivedAt: number }

type Update = { eventType: string; data: { message?: { id: string; createdAt: number } } }

let connections: Connection[] = []
let received: Received[] = []
let failure: Error | undefined

/** Takes up polling for all of them; from then on each answer is followed by the next poll. */
async function park({ port, bots }: PollJob): Promise<void> {
  failure = undefined
  received = []
  const offsets = new Map<Credentials, string>()
  for (let first = 0; first < bots.length; first += CROWD) {
    await Promise.all(
      bots.slice(first, first + CROWD).map(async (bot) => {
        const connection = new Connection(port)
        connections.push(connection)
        const known = offsets.get(bot)
        // Beyond some 500 unaccepted connections the kernel drops more: each gets an answer before the next one opens.
        if (known !== undefined) await connection.ask([getRequest('/health/live')])
        const offset = known ?? (await drain(connection, bot))
        offsets.set(bot, offset)
        poll(connection, bot, offset)
      }),
    )
  }
}

/** Reads up to the end of the log. */
async function drain(connection: Connection, bot: Credentials): Promise<string> {
  for (let offset = ''; ; ) {
    const answer = await connection.ask([getRequest(`/v2/updates${offset && `?offset=${offset}`}`, bot)])
    const { updates, nextOffset } = read(answer)
    if (updates.length === 0) return nextOffset
    offset = nextOffset
  }
}

function poll(connection: Connection, bot: Credentials, offset: string): void {
  connection.listen(
    (answer) => {
      const receivedAt = wallClock()
      try {
        const { updates, nextOffset } = read(answer)
        for (const { data } of updates) {
          if (data.message)
            received.push({ id: data.message.id, createdAt: data.message.createdAt, receivedAt })
        }
        poll(connection, bot, nextOffset)
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
      }
    },
    (error) => {
      failure = error
    },
  )
  connection.send([getRequest(`/v2/updates?timeout=${TIMEOUT_SECONDS}&offset=${offset}`, bot)])
}

function read({ status, body }: Answer): { updates: Update[]; nextOffset: string } {
  if (status !== 200) throw new Error(`a poll was answered ${status}: ${body.subarray(0, 300)}`)
  return JSON.parse(body.toString())
}

/** Waits for `count` messages, and returns them. */
async function take({ count, limitMs }: { count: number; limitMs: number }): Promise<Received[]> {
  const deadline = performance.now() + limitMs
  while (received.length < count && performance.now() < deadline && !failure) await sleep(2)
  if (failure) throw failure
  return received.splice(0)
}

function leave(_: null): void {
  for (const connection of connections) connection.end()
  connections = []
}

/** Reports a failed poll, which would be missing for good. */
function check(_: null): void {
  if (failure) throw failure
}

serve({ park, take, leave, check })
export type Polls = { park: typeof park; take: typeof take; leave: typeof leave; check: typeof check }
