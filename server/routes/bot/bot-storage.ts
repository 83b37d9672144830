import * as contract from '../../../contract/bot-storage.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { deleteEntry, writeEntry } from '../../actions/bots/bot-storage.ts'
import { refusal } from '../../errors.ts'
import { created, json, noContent, ok } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import { cursors, cutPage } from '../../http/cursor.ts'
import { listEntries, readEntry } from '../../queries/bots/bot-storage.ts'

export function storageRoutes(bots: BotApi): void {
  bots.reads(contract.listStorage, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, prefix = '' } = query
    const list = cursors<{ prefix: string }, string>(parley.secrets, caller, 'storage')
    const place = cursor === undefined ? { filters: { prefix } } : list.read(cursor)
    const rows = await listEntries(caller, db, { ...place.filters, ...place, limit })
    const { items, last } = cutPage(rows, limit)
    return ok({
      entries: items,
      ...(last && { nextCursor: list.write({ filters: place.filters, after: last.key }) }),
      hasMore: last !== undefined,
    })
  })

  bots.reads(contract.readStorage, async ({ caller, db, params }) => {
    const entry = await readEntry(caller, db, params.key)
    if (!entry) throw refusal('storage_key_not_found')
    const { value, ...rest } = entry
    // The value is stored JSON, and inserted as it is.
    return json(200, `${JSON.stringify(rest).slice(0, -1)},"value":${value}}`)
  })

  bots.batches(contract.writeStorage, async ({ caller, parley, params, body }) => {
    const { value, version } = body
    const { isNew, ...entry } = await writeEntry(parley.db, caller, { ...params, value, version })
    return isNew ? created(entry) : ok(entry)
  })

  bots.batches(contract.deleteStorage, async ({ caller, parley, params, query }) => {
    await deleteEntry(parley.db, caller, { ...params, version: query.version })
    return noContent()
  })
}
