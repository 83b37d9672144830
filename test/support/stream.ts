import { STREAM_PATH } from '../../contract/people/stream.ts'
import type { Visitor } from './people.ts'
import { until } from './receiver.ts'

export type Streamed = { id: string | undefined; event: string; data: unknown }

/** A live stream as a browser reads it. */
export type TestStream = {
  status: number
  headers: Headers
  /** Everything received, including hints and `reset`. */
  seen: Streamed[]
  /** The id that a browser would send on reconnecting. */
  lastId: string | undefined
  /** Heartbeats without data. */
  beats: number
  isOver: boolean
  /** Numbered events of the log, without `reset`. */
  events(): Streamed[]
  /** Waits for the first event that fits. */
  next(fits: (streamed: Streamed) => boolean): Promise<Streamed>
  ended(): Promise<void>
  close(): void
}

export const streamPath = (orgId: string) => STREAM_PATH.replace('{organizationId}', orgId)

export async function openStream(
  who: Visitor,
  orgId: string,
  {
    query = '',
    lastId,
    headers = {},
  }: { query?: string; lastId?: string; headers?: Record<string, string> } = {},
): Promise<TestStream> {
  const connection = new AbortController()
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`${who.url}${streamPath(orgId)}${query}`, {
    headers: { ...(cookie && { cookie }), ...(lastId && { 'last-event-id': lastId }), ...headers },
    signal: connection.signal,
  })
  const stream: TestStream = {
    status: response.status,
    headers: response.headers,
    seen: [],
    lastId,
    beats: 0,
    isOver: false,
    events: () => stream.seen.filter(({ id, event }) => id !== undefined && event !== 'reset'),
    async next(fits) {
      await until(
        () => stream.seen.some(fits),
        () => `what was waited for, after ${JSON.stringify(stream.seen.slice(-5))},`,
      )
      const [found] = stream.seen.filter(fits)
      if (!found) throw new Error('it was there')
      return found
    },
    ended: () => until(() => stream.isOver),
    close: () => connection.abort(),
  }
  void read(response, stream)
    .catch(() => {})
    .finally(() => {
      stream.isOver = true
    })
  return stream
}

async function read(response: Response, stream: TestStream): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) take(block, stream)
  }
}

/** Reads a block by the standard: an `id` counts even without data. */
function take(block: string, stream: TestStream): void {
  const fields = new Map(
    block.split('\n').map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ')
      return [name, value.join(': ')]
    }),
  )
  const id = fields.get('id')
  if (id !== undefined) stream.lastId = id
  if (fields.has('')) stream.beats += 1
  const data = fields.get('data')
  if (data !== undefined)
    stream.seen.push({ id, event: fields.get('event') ?? 'message', data: JSON.parse(data) })
}
