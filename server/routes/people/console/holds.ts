import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/holds.ts'
import { endHold, readHeldRecords, setHold } from '../../../actions/organization/holds.ts'
import { created, ok } from '../../../http/answers.ts'
import { readListPage } from '../../../http/list-pages.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentHeld, presentHold } from '../../../presenters/holds.ts'
import { countHolds, listHolds } from '../../../queries/organization/holds.ts'

export function holdRoutes(people: PeopleApi): void {
  people.reads(contract.listHolds, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, state = 'standing' } = query
    const { rows, ...page } = await readListPage(
      { secrets: parley.secrets, caller, list: 'holds' },
      { cursor, filters: { isStanding: state === 'standing' }, limit },
      {
        read: (...asked) => listHolds(caller, db, ...asked),
        count: (asked) => countHolds(caller, db, asked),
      },
    )
    return ok({ holds: rows.map(presentHold), ...page })
  })

  people.writes(contract.setHold, async ({ caller, tx, body }) =>
    created(presentHold(await setHold(tx, caller, body))),
  )

  people.writes(contract.endHold, async ({ caller, tx, params }) =>
    ok(presentHold(await endHold(tx, caller, params.holdId))),
  )

  people.writes(contract.readHeld, async ({ caller, tx, params, body, parley: { links } }) => {
    const { limit = LIMITS.heldPage, ...rest } = body
    const { records, next } = await readHeldRecords(tx, caller, params.holdId, { ...rest, limit })
    const link = links.for(caller)
    return ok({ records: records.map((row) => presentHeld(row, link)), ...(next && { next }) })
  })
}
