import { LIMITS } from '../../../contract/limits.ts'
import * as contract from '../../../contract/search.ts'
import { ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors } from '../../http/cursor.ts'
import { parseSearch, type SearchRequest } from '../../search/parse.ts'
import { runSearch, type SearchPosition } from '../../search/search.ts'

type Filters = { request: SearchRequest; order: contract.SearchOrder }

export function searchRoutes(api: ConversationApi): void {
  api.reads(contract.search, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, q, order = 'newest', timeZone = 'UTC' } = query
    const list = cursors<Filters, SearchPosition>(parley.secrets, caller, 'search')
    const place =
      cursor === undefined
        ? { filters: { request: parseSearch(q, timeZone), order }, after: undefined }
        : list.read(cursor)
    const { filters, after } = place
    const search = { ...filters, after, limit, link: parley.links.for(caller), now: parley.clock() }
    const { last, ...found } = await runSearch(caller, db, search)
    return ok({
      ...found,
      ...(last && { nextCursor: list.write({ filters, after: last }) }),
      hasMore: last !== undefined,
    })
  })
}
