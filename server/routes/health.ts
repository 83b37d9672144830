import type { FastifyInstance } from 'fastify'
import { describeSkew } from '../db/clock.ts'
import { probeDatabase, whyUnavailable } from '../db/unavailable.ts'
import type { Parley } from '../parley.ts'

const PROBE_MS = 2000

/** Serves load balancers and supervisors: `live` says that the process answers, `ready` that it can work. */
export function healthRoutes(app: FastifyInstance, parley: Parley): void {
  app.get('/health/live', async () => ({ status: 'live' }))

  app.get('/health/ready', async (_request, reply) => {
    if (parley.draining.isAnnounced) return reply.code(503).send({ status: 'stopping' })
    const reason = await probe(parley)
    if (reason !== undefined) return reply.code(503).send({ status: 'database unavailable', reason })
    // The server works by the database's time; the warning is for the machine's operator.
    const warning = describeSkew(parley.databaseClock.skewMs)
    return { status: 'ready', ...(warning !== undefined && { warning }) }
  })
}

/** The reason why the database cannot be used; undefined if it can. */
async function probe(parley: Pick<Parley, 'db'>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, PROBE_MS, 'it does not answer')
  })
  const answered = probeDatabase(parley.db).then(
    () => undefined,
    (error: unknown) => whyUnavailable(error) ?? 'it refuses this node; the log says why',
  )
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}
