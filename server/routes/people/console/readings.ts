import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/readings.ts'
import { askForReading, decideReading, endReading } from '../../../actions/organization/readings.ts'
import { created, ok } from '../../../http/answers.ts'
import { readListPage } from '../../../http/list-pages.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentReading } from '../../../presenters/readings.ts'
import { countReadings, listReadings } from '../../../queries/organization/readings.ts'

export function readingRoutes(people: PeopleApi): void {
  people.reads(contract.listReadings, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, state = 'all' } = query
    const now = parley.clock()
    const { rows, ...page } = await readListPage(
      { secrets: parley.secrets, caller, list: 'readings' },
      { cursor, filters: { isWaiting: state === 'waiting', now }, limit },
      {
        read: (...asked) => listReadings(caller, db, ...asked),
        count: (asked) => countReadings(caller, db, asked),
      },
    )
    return ok({ readings: rows.map((row) => presentReading(row, now)), ...page })
  })

  people.writes(contract.askForReading, async ({ caller, tx, body, parley }) => {
    const { subjectType: type, subjectId: id, reason } = body
    const reading = await askForReading(tx, parley, caller, { subject: { type, id }, reason })
    return created(presentReading(reading, tx.now()))
  })

  people.writes(contract.decideReading, async ({ caller, tx, params, body, parley }) =>
    ok(presentReading(await decideReading(tx, parley, caller, params.readingId, body.outcome), tx.now())),
  )

  people.writes(contract.endReading, async ({ caller, tx, params }) =>
    ok(presentReading(await endReading(tx, caller, params.readingId), tx.now())),
  )
}
