import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/rehearsals.ts'
import { requireBot } from '../../../actions/bots/bot-settings.ts'
import { actorOf } from '../../../actions/organization/audit.ts'
import { deleteRehearsal, startRehearsal } from '../../../actions/rehearsals/rehearsals.ts'
import { refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import { cursors } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentBeginning, presentRehearsal, presentRehearsedEvent } from '../../../presenters/rehearsals.ts'
import { listHeard, listRehearsals, listSayings, readRehearsal } from '../../../queries/bots/rehearsals.ts'

export function rehearsalRoutes(people: PeopleApi): void {
  people.reads(contract.listRehearsals, async ({ caller, db, params, parley }) => {
    const { id: botId } = await requireBot(caller, db, params.botId)
    const rows = await listRehearsals(caller, db, botId, parley.clock())
    return ok({ rehearsals: rows.map((row) => presentRehearsal(row, parley.clock())) })
  })

  people.writes(contract.startRehearsal, async ({ caller, tx, params: { botId }, body }) => {
    const { id, token } = await startRehearsal(tx, actorOf(caller), caller, botId, body)
    const row = await readRehearsal(caller, tx, { botId: botId.toLowerCase(), rehearsalId: id }, tx.now())
    if (!row) throw new Error('a rehearsal that was begun')
    return created({ rehearsal: presentRehearsal(row, tx.now()), token })
  })

  people.reads(contract.readRehearsal, async ({ caller, db, params, query, parley }) => {
    const { id: botId } = await requireBot(caller, db, params.botId)
    const place = { botId, rehearsalId: params.rehearsalId.toLowerCase() }
    const row = await readRehearsal(caller, db, place, parley.clock())
    if (!row) throw refusal('rehearsal_not_found')
    const { limit = LIMITS.pageDefault, cursor } = query
    const list = cursors<null, number>(parley.secrets, caller, `rehearsal ${row.id}`)
    const after = cursor === undefined ? undefined : list.read(cursor).after
    const heard = await listHeard(caller, db, place, { after: after ?? 0, limit: limit + 1 })
    const shown = heard.slice(0, limit)
    const seqs = [...(after === undefined ? [0] : []), ...shown.map(({ seq }) => seq)]
    const sayings = await listSayings(caller, db, row.id, seqs)
    const saidTo = (seq: number) => sayings.filter(({ eventSeq }) => eventSeq === seq)
    const beginning = saidTo(0)
    const last = heard.length > limit ? shown.at(-1) : undefined
    return ok({
      rehearsal: presentRehearsal(row, parley.clock()),
      events: [
        ...(beginning.length > 0 ? [presentBeginning(beginning)] : []),
        ...shown.map((event) => presentRehearsedEvent(event, saidTo(event.seq))),
      ],
      ...(last && { nextCursor: list.write({ filters: null, after: last.seq }) }),
      hasMore: last !== undefined,
    })
  })

  people.writes(contract.deleteRehearsal, async ({ caller, tx, params }) => {
    await deleteRehearsal(tx, actorOf(caller), params)
    return noContent()
  })
}
