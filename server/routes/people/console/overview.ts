import { type Overview, readOverview } from '../../../../contract/people/organization.ts'
import { countMessages } from '../../../actions/messages/message-counts.ts'
import { readLastBackup } from '../../../backup/schedule.ts'
import type { Caller } from '../../../caller.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { readStorage } from '../../../queries/organization/file-quota.ts'
import { readHome, readSignups } from '../../../queries/organization/installation.ts'
import {
  countAttempts,
  countPending,
  countThings,
  listStoppedTopics,
  listUnwell,
} from '../../../queries/organization/overview.ts'
import { remembered } from '../../../remembered.ts'

const HOUR_MS = 3_600_000
/** The interval of the hints by which open consoles look again: when the last one comes, nothing older is remembered. */
const MAX_AGE_MS = 2000

export function overviewRoutes(people: PeopleApi): void {
  // Counting takes longer with more data, and every open console asks every other second.
  const things = remembered<Awaited<ReturnType<typeof countThings>>>(MAX_AGE_MS)
  const messages = remembered<Awaited<ReturnType<typeof countMessages>>>(MAX_AGE_MS)
  const attempts = remembered<Awaited<ReturnType<typeof countAttempts>>>()
  const signups = remembered<Awaited<ReturnType<typeof readSignups>>>(MAX_AGE_MS)

  people.reads(readOverview, async ({ caller, db, parley }) => {
    const now = parley.clock()
    const { usedBytes, quotaBytes } = await readStorage(caller, db, parley.config)
    const name = `${caller.orgId} ${Math.floor(now / HOUR_MS)}`
    return ok({
      ...(await things(name, () => countThings(caller, db))),
      storage: { usedBytes, quotaBytes },
      messagesByDay: await messages(name, () => countMessages(parley.db, caller, now)),
      deliveries: {
        ...(await attempts(name, () => countAttempts(caller, db, now))),
        pending: await countPending(caller, db),
        unwell: await listUnwell(caller, db),
      },
      stoppedTopics: await listStoppedTopics(caller, db),
      ...(await serverOf(parley, caller, () => signups('server', () => readSignups(db, parley.config, now)))),
    })
  })
}

/** Facts about the server, for the operator's organization alone. Operators with a PostgreSQL of their own have their own backups. */
async function serverOf(
  { db, config }: Pick<Parley, 'config' | 'db'>,
  { orgId }: Caller,
  countSignups: () => ReturnType<typeof readSignups>,
): Promise<Pick<Overview, 'backup' | 'signups'>> {
  if ((await readHome(db)) !== orgId) return {}
  const signups = await countSignups()
  if (config.databaseUrl !== undefined) return { signups }
  const last = await readLastBackup(db)
  return { signups, backup: last ? { lastAt: last.at } : {} }
}
