import type { ActionNote } from '../../../contract/people/card-records.ts'
import type { ThreadSummary } from '../../../contract/people/chat.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { FIRST_ID, LAST_ID } from '../../ids.ts'
import { type NoteRow, noteOf, notesOf } from './button-notes.ts'
import { listOf, type MessageList, type MessagePlace, messagePage, type PageRow } from './messages.ts'

/** Messages as a page shows them: who replied last to each, and what bots told the caller alone about them. */
export type ChatPage = MessageList & { threads: ThreadSummary[]; notes: ActionNote[] }

type ChatPageRow = PageRow & { threads: ThreadRow[] | null; notes: NoteRow[] | null }

/** A message with replies: the newest one, its time, and the senders of the newest ones, one for each reply. */
type ThreadRow = Omit<ThreadSummary, 'replierIds'> & { senderIds: string[] }

/** Replies looked at for the faces of a thread, and faces shown. */
const FACES = { among: 20, shown: 3 }

/** One statement reads all of it: opening a topic is what people do most. */
export async function listChatMessages(
  caller: Caller,
  db: Queryable,
  topicId: string,
  place: Omit<MessagePlace, 'forPages'>,
): Promise<ChatPage> {
  const pages = { ...place, forPages: true } as const
  const beside = (shown: Sql) => sql`
    (select json_agg(r) from (${threadsOf(caller, shown)}) r) as threads,
    (select json_agg(r) from (${notesOf(caller, sql`array(select m.id from ${shown} m)`)}) r) as notes`
  const [row] = await db.query<ChatPageRow>(messagePage(caller, topicId, pages, beside))
  return {
    ...listOf(row, topicId, pages),
    threads: (row?.threads ?? []).map(threadOf),
    notes: (row?.notes ?? []).map(noteOf),
  }
}

/** The threads of `messages`. The newest replies of each are a range of one index. */
const threadsOf = ({ orgId }: Caller, messages: Sql): Sql => sql`
  select m.id as "parentId", r.ids[1] as "lastReplyId", r.times[1] as "lastReplyAt", r.senders as "senderIds"
  from ${messages} m cross join lateral (
    select array_agg(y.id) as ids, array_agg(y.created_at) as times, array_agg(y.sender_id) as senders from (
      select x.id, x.created_at, x.sender_id from messages x
      where x.org_id = ${orgId} and x.parent_id is not null
        and (x.parent_id, x.id) >= (m.id, ${FIRST_ID}::uuid) and (x.parent_id, x.id) <= (m.id, ${LAST_ID}::uuid)
      order by x.parent_id desc, x.id desc limit ${FACES.among}
    ) y
  ) r where m.reply_count > 0 and r.ids is not null`

const threadOf = ({ senderIds, ...thread }: ThreadRow): ThreadSummary => ({
  ...thread,
  replierIds: [...new Set(senderIds)].slice(0, FACES.shown),
})
