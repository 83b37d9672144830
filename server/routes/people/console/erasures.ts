import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/erasures.ts'
import { erasePerson, permitPersonData } from '../../../actions/members/erasures.ts'
import { type PersonPlace, readPersonData, type Snapshot, takeSnapshot } from '../../../export/person.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { cursors } from '../../../http/cursor.ts'
import { readListPage } from '../../../http/list-pages.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentErasure } from '../../../presenters/erasures.ts'
import { presentPersonLine } from '../../../presenters/person-data.ts'
import { countErasures, listErasures } from '../../../queries/members/erasures.ts'

export function erasureRoutes(people: PeopleApi): void {
  // The data is read outside of the transaction, so that no writer of the organization waits for it, and handed over if that permits it.
  people.acts(contract.readPersonData, async ({ caller, params, body, parley }) => {
    const { cursor, limit = LIMITS.heldPage } = body
    const { db, links, secrets } = parley
    const places = cursors<Snapshot, PersonPlace>(secrets, caller, `data of ${params.memberId}`)
    const place = cursor === undefined ? undefined : places.read(cursor)
    const snapshot = place?.filters ?? (await takeSnapshot(db, caller.orgId, parley.clock()))
    const person = { orgId: caller.orgId, profileId: params.memberId, ...snapshot }
    const { lines, next } = await readPersonData(db, person, place?.after, limit)
    const kinds = [...new Set(lines.map(({ kind }) => kind))]
    await db.writeAs(caller, (tx, permitted) =>
      permitPersonData(tx, permitted, params.memberId, { records: lines.length, kinds }),
    )
    return ok({
      records: lines.map((line) => presentPersonLine(line, links.for(caller))),
      ...(next && { next: places.write({ filters: snapshot, after: next }) }),
    })
  })

  people.writes(contract.erasePerson, async ({ caller, tx, params, body }) => {
    await erasePerson(tx, caller, params.memberId, { withMessages: body.withMessages ?? false })
    return noContent()
  })

  people.reads(contract.listErasures, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor } = query
    const { rows, ...page } = await readListPage(
      { secrets: parley.secrets, caller, list: 'erasures' },
      { cursor, filters: null, limit },
      {
        read: (_, ...asked) => listErasures(caller, db, ...asked),
        count: () => countErasures(caller, db),
      },
    )
    const now = parley.clock()
    return ok({ erasures: rows.map((row) => presentErasure(row, now)), ...page })
  })
}
