import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/assistants.ts'
import { endMemberAssistant } from '../../../actions/accounts/assistants.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { listMemberAssistants } from '../../../queries/accounts/assistants.ts'

export function memberAssistantRoutes(people: PeopleApi): void {
  people.reads(contract.listMemberAssistants, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor } = query
    const list = cursors<null, [number, string]>(parley.secrets, caller, 'assistants')
    const place = cursor === undefined ? {} : list.read(cursor)
    const rows = await listMemberAssistants(caller, db, { ...place, limit, now: parley.clock() })
    const { items, last } = cutPage(rows, limit)
    return ok({
      assistants: items.map(({ lastUsedAt, ...assistant }) => ({
        ...assistant,
        ...(lastUsedAt !== null && { lastUsedAt }),
      })),
      ...(last && { nextCursor: list.write({ filters: null, after: [last.createdAt, last.id] }) }),
      hasMore: last !== undefined,
    })
  })

  people.writes(contract.endMemberAssistant, async ({ caller, tx, params }) => {
    await endMemberAssistant(tx, caller, params.assistantId)
    return noContent()
  })
}
