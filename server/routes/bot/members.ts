import { LIMITS } from '../../../contract/limits.ts'
import * as contract from '../../../contract/members.ts'
import { isGuest } from '../../caller.ts'
import { refusal } from '../../errors.ts'
import { ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors, cutPage } from '../../http/cursor.ts'
import { presentMember } from '../../presenters/members.ts'
import {
  listMembers,
  type MemberFilters,
  type MemberPosition,
  readKnownMember,
} from '../../queries/members/members.ts'
import { emailKey } from '../../text.ts'

export function memberRoutes(api: ConversationApi): void {
  api.reads(contract.listMembers, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, offset, emails, status = 'Active' } = query
    if (cursor !== undefined && offset !== undefined)
      throw refusal('fields_conflict', { fields: 'cursor and offset' })

    const list = cursors<MemberFilters, MemberPosition>(parley.secrets, caller, 'members')
    const place = cursor === undefined ? { filters: filtersOf(status, emails) } : list.read(cursor)
    const rows = await listMembers(caller, db, { ...place, limit, offset: offset ?? 0 })
    const { items, last } = cutPage(rows, limit)
    return ok({
      members: items.map((member) => presentMember(member, caller)),
      ...(last && { nextCursor: list.write({ filters: place.filters, after: [last.created_at, last.id] }) }),
      hasMore: last !== undefined,
    })
  })

  api.reads(contract.readMe, async ({ caller, parley }) => {
    const member = await parley.members.read(caller, caller.profileId)
    if (!member) throw refusal('member_not_found')
    return ok(presentMember(member, caller))
  })

  api.reads(contract.readMember, async ({ caller, db, params, parley }) => {
    const member = await (isGuest(caller)
      ? readKnownMember(caller, db, params.memberId)
      : parley.members.read(caller, params.memberId))
    if (!member) throw refusal('member_not_found')
    return ok(presentMember(member, caller))
  })
}

function filtersOf(status: contract.MemberStatus, emails: string | undefined): MemberFilters {
  const keys = emails
    ?.split(',')
    .map(emailKey)
    .filter((key) => key !== '')
  return keys?.length ? { status, emails: keys } : { status }
}
