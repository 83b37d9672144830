import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/saved.ts'
import { saveMessage, unsaveMessage } from '../../../actions/messages/saved-messages.ts'
import type { Caller } from '../../../caller.ts'
import { json, noContent, ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { listSavedMessages, type SavedPosition } from '../../../queries/messages/saved-messages.ts'
import { writeMessages } from '../../bot/message-json.ts'

type Filters = { reminders: boolean }

/** Serves the caller's saved messages, which are private. */
export function savedRoutes(people: PeopleApi): void {
  people.reads(contract.listSavedMessages, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, reminders = false } = query
    const list = cursors<Filters, SavedPosition>(parley.secrets, caller, 'saved-messages')
    const place = cursor === undefined ? { filters: { reminders } } : list.read(cursor)
    const { items, last } = cutPage(
      await listSavedMessages(caller, db, {
        ...place.filters,
        ...('after' in place && { after: place.after }),
        limit,
      }),
      limit,
    )
    const messages = await writeMessages(parley, caller, items, {
      includeReactionUsers: true,
      forPages: true,
    })
    const saved = items.map(({ saved_at, remind_at, reminded_at }, index) => {
      const remindAt = remind_at === null ? '' : `,"remindAt":${remind_at}`
      return `{"message":${messages[index]},"savedAt":${saved_at}${remindAt},"isDue":${reminded_at !== null}}`
    })
    const at = last && (place.filters.reminders ? (last.remind_at ?? 0) : last.saved_at)
    const end = {
      ...(last && at !== undefined && { nextCursor: list.write({ ...place, after: [at, last.id] }) }),
      hasMore: last !== undefined,
    }
    return json(200, `{"saved":[${saved.join(',')}],${JSON.stringify(end).slice(1)}`)
  })

  people.acts(contract.saveMessage, async ({ caller, params, body, parley }) => {
    const saved = await parley.db.writeBeside(caller, (tx) =>
      saveMessage(tx, caller, params.messageId, body, parley.clock()),
    )
    tell(parley, caller)
    return ok(saved)
  })

  people.acts(contract.unsaveMessage, async ({ caller, params, parley }) => {
    await parley.db.writeBeside(caller, (tx) => unsaveMessage(tx, caller, params.messageId))
    tell(parley, caller)
    return noContent()
  })
}

/** Makes the person's other browsers read the list again. */
const tell = ({ ephemeral }: Pick<Parley, 'ephemeral'>, { orgId, profileId }: Caller): void =>
  ephemeral.send({ orgId, type: 'later', profileId, data: {} })
