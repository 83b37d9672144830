import { LIMITS } from '../../../contract/limits.ts'
import * as contract from '../../../contract/search.ts'
import { refusal } from '../../errors.ts'
import { ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors } from '../../http/cursor.ts'
import { parseSearch, type SearchRequest } from '../../search/parse.ts'
import { runSearch, type SearchPosition } from '../../search/search.ts'

type Filters = { request: SearchRequest; order: contract.SearchOrder; kind: contract.SearchKind }

export function searchRoutes(api: ConversationApi): void {
  api.reads(contract.search, async ({ caller, db, query, parley }) => {
    const {
      limit = LIMITS.pageDefault,
      cursor,
      q,
      order = 'newest',
      kind = 'messages',
      timeZone = 'UTC',
    } = query
    const list = cursors<Filters, SearchPosition>(parley.secrets, caller, 'search')
    const now = parley.clock()
    const place =
      cursor === undefined
        ? { filters: { request: parseSearch(q, { timeZone, now }), order, kind }, after: undefined }
        : list.read(cursor)
    const { filters, after } = place
    // A version before this one wrote cursors of another form.
    if (!Array.isArray(filters.request.clauses)) throw refusal('cursor_invalid')
    const search = { ...filters, after, limit, link: parley.links.for(caller), now }
    const { last, request, ...found } = await runSearch(caller, db, search)
    return ok({
      ...found,
      ...(last && { nextCursor: list.write({ filters: { ...filters, request }, after: last }) }),
      hasMore: last !== undefined,
    })
  })
}
