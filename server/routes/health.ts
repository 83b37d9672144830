import type { FastifyInstance } from 'fastify'
import { describeSkew } from '../db/clock.ts'
import { sql } from '../db/sql.ts'
import type { Parley } from '../parley.ts'

const PROBE_MS = 2000

/** For load balancers and supervisors: `live` says the process answers, `ready` that it can do its work. */
export function healthRoutes(app: FastifyInstance, parley: Parley): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })

  app.get('/health/live', async () => ({ status: 'live' }))

  app.get('/health/ready', async (_request, reply) => {
    if (stopping) return reply.code(503).send({ status: 'stopping' })
    if (await answersInTime(parley)) {
      // It works all the same, by the database's time; but whoever runs this machine should know.
      const warning = describeSkew(parley.databaseClock.skewMs)
      return { status: 'ready', ...(warning !== undefined && { warning }) }
    }
    return reply.code(503).send({ status: 'database unavailable' })
  })
}

async function answersInTime(parley: Parley): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PROBE_MS, false)
  })
  const answered = parley.db.query(sql`select 1`).then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}
