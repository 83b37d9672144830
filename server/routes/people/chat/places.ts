import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/places.ts'
import { setThreadState } from '../../../actions/messages/threads.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { json, ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { presentFollowedThread, presentThreadState } from '../../../presenters/chat.ts'
import {
  type IdPage,
  listMentions,
  listTopicChanges,
  listTopicMessages,
  readMessages,
} from '../../../queries/messages/inbox-lists.ts'
import {
  isTopicMember,
  isTopicVisible,
  type MessageRow,
  readMessage,
} from '../../../queries/messages/messages.ts'
import { listThreads, readThreadState } from '../../../queries/messages/threads.ts'
import { writeMessages } from '../../bot/message-json.ts'

type PageRequest = { caller: Caller; parley: Parley; query: { limit?: number; cursor?: string } }

/** A page of a list in the order of ids: the ids to read, and how its cursor is written. */
function idPage(
  { caller, parley, query: { limit = LIMITS.pageDefault, cursor } }: PageRequest,
  name: string,
) {
  const list = cursors<null, string>(parley.secrets, caller, name)
  const page: IdPage = { ...(cursor !== undefined && { after: list.read(cursor).after }), limit }
  const end = (last: string | undefined) => ({
    ...(last !== undefined && { nextCursor: list.write({ filters: null, after: last }) }),
    hasMore: last !== undefined,
  })
  return { page, end }
}

const FOR_PAGES = { includeReactionUsers: true, forPages: true }

async function messagePage(
  request: PageRequest,
  name: string,
  read: (page: IdPage) => Promise<MessageRow[]>,
) {
  const { page, end } = idPage(request, name)
  const { items, last } = cutPage(await read(page), page.limit)
  const messages = await writeMessages(request.parley, request.caller, items, FOR_PAGES)
  const rest = JSON.stringify(end(last?.id)).slice(1)
  return json(200, `{"messages":[${messages.join(',')}],${rest}`)
}

/** Serves lists that are places of their own, and those that the details of a topic show. */
export function placeRoutes(people: PeopleApi): void {
  people.reads(contract.listMentions, (request) =>
    messagePage(request, 'mentions', (page) => listMentions(request.caller, request.db, page)),
  )

  for (const [operation, kind] of [
    [contract.listTopicFiles, 'files'],
    [contract.listTopicPolls, 'polls'],
  ] as const) {
    people.reads(operation, async (request) => {
      const { caller, db, params } = request
      if (!(await isTopicVisible(caller, db, params.topicId))) throw refusal('topic_not_found')
      return messagePage(request, `topic-${kind} ${params.topicId}`, (page) =>
        listTopicMessages(caller, db, params.topicId, { ...page, kind }),
      )
    })
  }

  people.reads(contract.listThreads, async (request) => {
    const { caller, db, parley } = request
    const { page, end } = idPage(request, 'threads')
    const { items, last } = cutPage(await listThreads(caller, db, page), page.limit)
    const written = await messagesById(
      parley,
      caller,
      db,
      items.flatMap(({ parent_id, last_reply_id }) => [parent_id, last_reply_id]),
    )
    const threads = items.flatMap(({ parent_id, last_reply_id, ...row }) => {
      const parent = written.get(parent_id)
      const reply = last_reply_id === parent_id ? undefined : written.get(last_reply_id)
      return parent === undefined
        ? []
        : [
            `{"parent":${parent},"lastReply":${reply ?? 'null'},"unread":${row.unread},"mentions":${row.mentions},"following":${row.following}}`,
          ]
    })
    const rest = JSON.stringify(end(last?.last_reply_id)).slice(1)
    return json(200, `{"threads":[${threads.join(',')}],${rest}`)
  })

  people.reads(contract.readThread, async ({ caller, db, params: { messageId } }) => {
    if (!(await readMessage(caller, db, messageId))) throw refusal('message_not_found')
    const row = await readThreadState(caller, db, messageId)
    return ok(row ? presentThreadState(row) : { following: false, readTo: null, unread: 0, mentions: 0 })
  })

  people.acts(contract.setThreadState, async ({ caller, params, body, parley: { db, ephemeral } }) => {
    const row = await db.writeBeside(caller, (tx) => setThreadState(tx, caller, params.messageId, body))
    ephemeral.state(caller, { thread: { ...presentFollowedThread(row), following: row.following } })
    return ok(presentThreadState(row))
  })

  people.reads(contract.listTopicChanges, async (request) => {
    const { caller, db, params } = request
    const { page, end } = idPage(request, `topic-changes ${params.topicId}`)
    if (!(await isTopicMember(caller, db, params.topicId))) throw refusal('topic_not_found')
    const { items, last } = cutPage(await listTopicChanges(caller, db, params.topicId, page), page.limit)
    return ok({
      changes: items.map(({ id, type, data: { actorId, memberIds, changes }, created_at }) => ({
        id,
        type,
        actorId,
        createdAt: created_at,
        ...(memberIds && { memberIds }),
        ...(changes && { changes }),
      })),
      ...end(last?.id),
    })
  })
}

/** Messages as JSON, without deleted ones and those that the caller may not see. */
async function messagesById(
  parley: Pick<Parley, 'clock' | 'db' | 'links'>,
  caller: Caller,
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = ids.length === 0 ? [] : await readMessages(caller, db, [...new Set(ids)])
  const written = await writeMessages(parley, caller, rows, FOR_PAGES)
  return new Map(rows.map(({ id }, index) => [id, written[index] ?? '']))
}
