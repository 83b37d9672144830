import * as contract from '../../../contract/groups.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { refusal } from '../../errors.ts'
import { ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors, cutPage } from '../../http/cursor.ts'
import { presentGroup, presentGroupMember } from '../../presenters/groups.ts'
import {
  type GroupMemberPosition,
  type GroupPosition,
  type GroupRow,
  listGroupMembers,
  listGroups,
  readGroup,
} from '../../queries/members/groups.ts'

export function groupRoutes(api: ConversationApi): void {
  api.reads(contract.listGroups, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, search = '' } = query
    const list = cursors<string, GroupPosition>(parley.secrets, caller, 'groups')
    const { filters, ...place } = cursor === undefined ? { filters: search } : list.read(cursor)
    const found = await listGroups(caller, db, { search: filters, ...place, limit })
    const { items, last } = cutPage(found, limit)
    return ok({
      groups: items.map(presentGroup),
      ...(last && { nextCursor: list.write({ filters, after: [last.tag_key, last.id] }) }),
      hasMore: last !== undefined,
    })
  })

  api.reads(contract.readGroup, async ({ caller, db, params }) =>
    ok(presentGroup(await requireGroup(caller, db, params.groupId))),
  )

  api.reads(contract.listGroupMembers, async ({ caller, db, params, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor } = query
    const { id } = await requireGroup(caller, db, params.groupId)
    const list = cursors<null, GroupMemberPosition>(parley.secrets, caller, `group-members:${id}`)
    const place = cursor === undefined ? {} : list.read(cursor)
    const { items, last } = cutPage(await listGroupMembers(caller, db, id, { ...place, limit }), limit)
    return ok({
      members: items.map(presentGroupMember),
      ...(last && { nextCursor: list.write({ filters: null, after: [last.joined_at, last.id] }) }),
      hasMore: last !== undefined,
    })
  })
}

async function requireGroup(caller: Caller, db: Queryable, groupId: string): Promise<GroupRow> {
  const group = await readGroup(caller, db, groupId)
  if (!group) throw refusal('group_not_found')
  return group
}
