import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { openSecrets } from '../../keys/key-state.ts'
import { readPushKey } from '../../keys/push-keys.ts'
import { openGuardedAgent } from '../../network/guard.ts'
import { openSubscription } from '../../notify/push-queue.ts'
import type { Secrets } from '../../secrets.ts'
import { type Check, fine, messageOf, problem } from './check.ts'

const NAME = 'Push messages'
const PATIENCE_MS = 5000
/** Browsers that are looked at for their push services, of which there are a handful in the world. */
const LOOKED_AT = 200

/** Whether the key is readable, and the push services of the browsers that are notified can be reached from here. */
export async function checkPush(db: Database, config: Config): Promise<Check> {
  if (!config.webPush) return fine(NAME, 'switched off by WEB_PUSH')
  const [tables] = await db.query<{ there: string | null }>(sql`select to_regclass('pushes') as there`)
  if (tables?.there === null) return fine(NAME, 'none yet')
  const secrets = await openSecrets(db, config).catch(() => undefined)
  if (!secrets) return fine(NAME, 'not looked at, since the secret key is not known')
  try {
    if (!(await readPushKey(db, secrets))) return fine(NAME, 'no key yet: the first start makes it')
  } catch (error) {
    const fix =
      'The key is damaged. Restore a backup, or delete the row of push_keys: browsers subscribe anew when their page is opened.'
    return problem(NAME, `the key cannot be read: ${messageOf(error)}`, fix)
  }
  const [row] = await db.query<{ browsers: number; waiting: number }>(sql`
    select (select count(*) from push_subscriptions) as browsers,
      (select count(*) from pushes where state <> 'shown') as waiting`)
  const detail = `${row?.browsers ?? 0} browsers are notified, ${row?.waiting ?? 0} messages wait`
  const unreachable = await findUnreachable(db, config, secrets)
  if (unreachable.length === 0) return fine(NAME, detail)
  return problem(
    NAME,
    `${detail}; not reached from here: ${unreachable.join(', ')}`,
    'Let this machine connect to these push services, or set WEB_PUSH=off.',
  )
}

async function findUnreachable(db: Database, config: Config, secrets: Secrets): Promise<string[]> {
  const rows = await db.query<{ sessionId: string; subscription: Buffer }>(sql`
    select session_id as "sessionId", subscription from push_subscriptions order by created_at desc limit ${LOOKED_AT}`)
  const origins = new Set(rows.map((row) => new URL(openSubscription(secrets, row).endpoint).origin))
  const agent = openGuardedAgent(config.pushNetworks)
  try {
    const looked = await Promise.all(
      [...origins].map(async (origin) => {
        // Any answer means that the service was reached.
        const request = {
          origin,
          path: '/',
          method: 'GET',
          signal: AbortSignal.timeout(PATIENCE_MS),
        } as const
        return agent.request(request).then(
          ({ body }) => body.dump().then(() => []),
          (error: unknown) => [`${new URL(origin).host} (${messageOf(error)})`],
        )
      }),
    )
    return looked.flat()
  } finally {
    await agent.destroy()
  }
}
