import * as contract from '../../../contract/bot-storage.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { store, unstore } from '../../actions/rehearsals/storage.ts'
import type { RehearsalCaller } from '../../auth/rehearsals.ts'
import { refusal } from '../../errors.ts'
import { created, json, noContent, ok } from '../../http/answers.ts'
import { cursors, cutPage } from '../../http/cursor.ts'
import { listStored, readStored } from '../../queries/bots/rehearsals.ts'
import type { RehearsalApi } from './api.ts'

const placeOf = ({ orgId, rehearsal }: RehearsalCaller) => ({ orgId, rehearsalId: rehearsal.id })

/** The storage of a rehearsal. It begins empty: the bot's own has what came later. */
export function rehearsedStorage(api: RehearsalApi): void {
  api.reads(contract.listStorage, async ({ caller, query, parley: { db, secrets } }) => {
    const { limit = LIMITS.pageDefault, cursor, prefix = '' } = query
    const name = `rehearsed storage ${caller.rehearsal.id}`
    const list = cursors<{ prefix: string }, string>(secrets, caller, name)
    const place = cursor === undefined ? { filters: { prefix } } : list.read(cursor)
    const rows = await listStored(placeOf(caller), db, { ...place.filters, ...place, limit })
    const { items, last } = cutPage(rows, limit)
    return ok({
      entries: items,
      ...(last && { nextCursor: list.write({ filters: place.filters, after: last.key }) }),
      hasMore: last !== undefined,
    })
  })

  api.reads(contract.readStorage, async ({ caller, params: { key }, parley: { db } }) => {
    const entry = await readStored(placeOf(caller), db, key)
    if (!entry) throw refusal('storage_key_not_found')
    const { value, ...rest } = entry
    return json(200, `${JSON.stringify(rest).slice(0, -1)},"value":${value}}`)
  })

  api.writes(contract.writeStorage, async ({ tx, caller, params: { key }, body: { value, version } }) => {
    const { isNew, ...entry } = await store(tx, caller, { key, value, version })
    return isNew ? created(entry) : ok(entry)
  })

  api.writes(contract.deleteStorage, async ({ tx, caller, params: { key }, query: { version } }) => {
    await unstore(tx, caller, { key, version })
    return noContent()
  })
}
