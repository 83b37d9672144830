import { readOverview } from '../../../../contract/people/organization.ts'
import { countMessages } from '../../../actions/message-counts.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { countAttempts, countPending, countThings, listUnwell } from '../../../queries/overview.ts'
import { remembered } from '../../../remembered.ts'

const HOUR_MS = 3_600_000

export function overviewRoutes(people: PeopleApi): void {
  // Counting grows with the attempts of a day, and open consoles look every other second.
  const attempts = remembered<Awaited<ReturnType<typeof countAttempts>>>()

  people.reads(readOverview, async ({ caller, db, parley }) => {
    const now = parley.clock()
    const name = `${caller.orgId} ${Math.floor(now / HOUR_MS)}`
    return ok({
      ...(await countThings(caller, db)),
      messagesByDay: await countMessages(parley.db, caller, now),
      deliveries: {
        ...(await attempts(name, () => countAttempts(caller, db, now))),
        pending: await countPending(caller, db),
        unwell: await listUnwell(caller, db),
      },
    })
  })
}
