import { serve } from '../parts/child.ts'
import { Connection } from '../parts/connection.ts'
import { Histogram, type Latency } from '../parts/histogram.ts'
import { textHead } from '../parts/requests.ts'

/** Open bodies, each with a piece of text now and then. */
export type BodiesJob = {
  port: number
  bodies: readonly { path: string; token: string }[]
  /** ASCII text, so that its length is its number of bytes. */
  piece: string
  /** Pieces a second, of all bodies together: one body after the other, evenly spread. */
  rate: number
  seconds: number
}

/** `latency`: the time from the end of a body to its answer. */
export type BodiesOutcome = { perSecond: number; latency: Latency }

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

serve({ run })
export type Bodies = { run: typeof run }

async function run({ port, bodies, piece, rate, seconds }: BodiesJob): Promise<BodiesOutcome> {
  const chunk = [Buffer.from(`${piece.length.toString(16)}\r\n${piece}\r\n`)]
  const open = bodies.map(({ path, token }) => ({ ...begin(port, path, token), path, pieces: 0 }))
  const began = performance.now()
  let sent = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = Math.min(performance.now() - began, seconds * 1000)
      for (; sent < (elapsed * rate) / 1000; sent++) {
        const body = open[sent % open.length]
        if (!body) continue
        body.connection.send(chunk)
        body.pieces += 1
      }
      if (elapsed < seconds * 1000) return
      clearInterval(timer)
      resolve()
    }, 1)
  })
  const histogram = new Histogram()
  await Promise.all(
    open.map(async ({ connection, answer, path, pieces }) => {
      const since = performance.now()
      connection.send([LAST_CHUNK])
      const { status, body } = await answer
      histogram.record(performance.now() - since)
      connection.end()
      const { length } = Object(JSON.parse(body.toString()))
      if (status !== 200 || length !== pieces * piece.length)
        throw new Error(`${path}: ${pieces} pieces were answered with ${status}: ${body}`)
    }),
  )
  return { perSecond: sent / seconds, latency: histogram.summary() }
}

/** An answer before the end is an error, and is checked then. */
function begin(port: number, path: string, token: string) {
  const connection = new Connection(port)
  const answer = connection.ask([textHead(path, token)])
  answer.catch(() => {})
  return { connection, answer }
}
