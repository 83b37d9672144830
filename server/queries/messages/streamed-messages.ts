import type { Progress } from '../../../contract/message-progress.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { MessageRow } from './messages.ts'

/** A message that a bot is writing. */
export type StreamingRow = Pick<
  MessageRow,
  'id' | 'topic_id' | 'sender_id' | 'sender_name' | 'text' | 'parent_id' | 'external_id' | 'created_at'
> & {
  also_in_topic: boolean
  /** Whether it becomes a reply that its topic does not show. */
  thread_only?: boolean
  org_id: string
  version: number
  last_key: string | null
  progress: Progress | null
  touched_at: number
  /** The end of the log at the time of reading. */
  last_seq: number
  is_archived?: boolean
  is_member?: boolean
  /** The organization's blocked words when the message was begun, or taken over by this node. */
  blocked_words?: string[] | null
  /** The version of the organization's message check at that time: people see such a text once it has been checked. */
  message_check?: number | null
}

/** Whether a message becomes a reply that its topic does not show, for rows of `streaming_messages` s. */
export const isThreadOnly = (orgId: string): Sql => sql`s.parent_id is not null and not s.also_in_topic
  and not (select o.replies_in_topics from organizations o where o.org_id = ${orgId}) as thread_only`

const MAX_SHOWN = 100

/** Messages being written in the caller's topics. A text held by another node may be a second old. */
export function listStreaming(caller: Caller, db: Queryable): Promise<StreamingRow[]> {
  return db.query<StreamingRow>(sql`
    select s.*, p.name as sender_name, ${isThreadOnly(caller.orgId)},
      (select o.message_check from organizations o where o.org_id = ${caller.orgId}) as message_check
    from streaming_messages s
    join topic_members m on m.org_id = s.org_id and m.topic_id = s.topic_id and m.profile_id = ${caller.profileId}
    join profiles p on p.org_id = s.org_id and p.id = s.sender_id
    where s.org_id = ${caller.orgId} order by s.id desc limit ${MAX_SHOWN}`)
}
