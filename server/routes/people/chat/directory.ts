import { UUID } from '../../../../contract/common.ts'
import { LIMITS } from '../../../../contract/limits.ts'
import type { QueryOf } from '../../../../contract/operation.ts'
import * as contract from '../../../../contract/people/chat.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { presentChatMember } from '../../../presenters/chat.ts'
import {
  type ChatMemberPosition,
  type ChatMemberRow,
  listChatMembers,
} from '../../../queries/members/chat-members.ts'
import {
  countTopicMembers,
  findChatMembers,
  type MemberSearch,
  type NamePosition,
  readChatMembers,
} from '../../../queries/members/found-members.ts'
import { locateExternalTopic, locateMessage, locateTopic } from '../../../queries/messages/locate.ts'
import { mayReadTopic } from '../../../queries/topics/chat-topics.ts'

const PROFILE_ID = new RegExp(`^(b@)?${UUID}$`)
const MAX_IDS = 100

export function directoryRoutes(people: PeopleApi): void {
  people.reads(contract.listChatMembers, async ({ caller, db, query, parley }) => {
    const { ids, near, search, topicId, type } = query
    if (ids !== undefined) {
      if (search !== undefined) throw refusal('fields_conflict', { fields: 'ids and search' })
      if (topicId !== undefined) throw refusal('fields_conflict', { fields: 'ids and topicId' })
      return present(parley, caller, { rows: await readChatMembers(caller, db, idsIn(ids)) })
    }
    for (const id of [topicId, near]) await requireReadable(caller, db, id)
    if (near !== undefined && topicId === undefined)
      return present(parley, caller, { rows: await findNear(caller, db, query, near) })
    const isSearch = search !== undefined || topicId !== undefined || type !== undefined
    return present(parley, caller, await (isSearch ? findPage : listPage)(parley, caller, db, query))
  })

  people.account(contract.locate, async ({ signedIn, query, parley: { db, clock } }) => {
    const visit = { signedIn, now: clock() }
    const { topicId, messageId, externalTopic } = query
    const place =
      messageId !== undefined
        ? await locateMessage(visit, db, messageId)
        : topicId !== undefined
          ? await locateTopic(visit, db, topicId)
          : externalTopic !== undefined
            ? await locateExternalTopic(visit, db, externalTopic)
            : refuseNothing()
    if (!place) throw refusal('not_found')
    return ok(place)
  })
}

function refuseNothing(): never {
  throw refusal('fields_missing', { fields: 'topicId, messageId or externalTopic' })
}

async function requireReadable(caller: Caller, db: Queryable, topicId: string | undefined): Promise<void> {
  if (topicId !== undefined && !(await mayReadTopic(caller, db, topicId))) throw refusal('topic_not_found')
}

type Query = QueryOf<typeof contract.listChatMembers> & object
type MemberPage = { rows: ChatMemberRow[]; nextCursor?: string | undefined; total?: number | undefined }
type Parts = Pick<Parley, 'secrets'>

function idsIn(list: string): string[] {
  const ids = [...new Set(list.toLowerCase().split(','))]
  if (ids.length > MAX_IDS || !ids.every((id) => PROFILE_ID.test(id))) throw refusal('member_invalid')
  return ids
}

/** Everybody, the oldest first. */
async function listPage(
  { secrets }: Parts,
  caller: Caller,
  db: Queryable,
  query: Query,
): Promise<MemberPage> {
  const { limit = LIMITS.pageDefault, cursor } = query
  const list = cursors<null, ChatMemberPosition>(secrets, caller, 'chat-members')
  const place = cursor === undefined ? {} : list.read(cursor)
  const { items, last } = cutPage(await listChatMembers(caller, db, { ...place, limit }), limit)
  return {
    rows: items,
    nextCursor: last && list.write({ filters: null, after: [last.created_at, last.id] }),
  }
}

/** Finds members, and lists them by name. */
async function findPage(
  { secrets }: Parts,
  caller: Caller,
  db: Queryable,
  query: Query,
): Promise<MemberPage> {
  const { limit = LIMITS.pageDefault, cursor, search, topicId, type } = query
  const list = cursors<MemberSearch, NamePosition>(secrets, caller, 'found-members')
  const { filters, ...after } =
    cursor === undefined
      ? {
          filters: {
            ...(search !== undefined && { search }),
            ...(topicId !== undefined && { topicId }),
            ...(type !== undefined && { type }),
          },
        }
      : list.read(cursor)
  // A cursor outlives the right to read the topic that it is of.
  if (cursor !== undefined) await requireReadable(caller, db, filters.topicId)
  const { items, last } = cutPage(await findChatMembers(caller, db, filters, { ...after, limit }), limit)
  const isWholeTopic = cursor === undefined && topicId !== undefined && search === undefined
  return {
    rows: items,
    nextCursor: last && list.write({ filters, after: [last.name_key, last.id] }),
    total: isWholeTopic ? await countTopicMembers(caller, db, topicId, type) : undefined,
  }
}

/** One page: those of a topic, then others. */
async function findNear(caller: Caller, db: Queryable, query: Query, topicId: string) {
  const { limit = LIMITS.pageDefault, search = '', type } = query
  const wanted = { search, ...(type !== undefined && { type }) }
  const [inTopic, all] = await Promise.all([
    findChatMembers(caller, db, { ...wanted, topicId }, { limit }),
    findChatMembers(caller, db, wanted, { limit }),
  ])
  const isActive = ({ status }: ChatMemberRow) => status === 'Active'
  const rows = [...inTopic.filter(isActive), ...all]
  return [...new Map(rows.map((row) => [row.id, row])).values()].slice(0, limit)
}

/** `online` says who of them is there, where the organization shows it. */
function present(
  { clock, presence }: Pick<Parley, 'clock' | 'presence'>,
  { orgId }: Caller,
  { rows, nextCursor, total }: MemberPage,
) {
  const shown = rows.filter(({ show_presence }) => show_presence).map(({ id }) => id)
  return ok({
    members: rows.map((member) => presentChatMember(member, clock())),
    online: presence.activeAmong(orgId, shown),
    ...(total !== undefined && { total }),
    ...(nextCursor !== undefined && { nextCursor }),
    hasMore: nextCursor !== undefined,
  })
}
