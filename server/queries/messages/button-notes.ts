import type { ActionNote } from '../../../contract/people/card-records.ts'
import type { Caller } from '../../caller.ts'
import { type Sql, sql } from '../../db/sql.ts'

/** A note as columns name it. One about a button has no sender: its message names the bot. */
export type NoteRow = Omit<ActionNote, 'senderId' | 'senderName'> & {
  senderId: string | null
  senderName: string | null
}

/** Notes and private answers of bots to the caller alone: the newest one of each of these messages. */
export const notesOf = (caller: Caller, messageIds: Sql): Sql => sql`
  select distinct on (x.message_id) x.message_id as "messageId", x.id as "actionId", x.text, x.bot_id as "senderId",
    p.name as "senderName"
  from (
    select message_id, id, note as text, null as bot_id from message_actions
    where org_id = ${caller.orgId} and profile_id = ${caller.profileId} and message_id = any(${messageIds}) and note is not null
    union all
    select message_id, id, text, bot_id from private_answers
    where org_id = ${caller.orgId} and profile_id = ${caller.profileId} and message_id = any(${messageIds})
  ) x left join profiles p on p.org_id = ${caller.orgId} and p.id = x.bot_id
  order by x.message_id, x.id desc`

export const noteOf = ({ senderId, senderName, ...note }: NoteRow): ActionNote => ({
  ...note,
  ...(senderId !== null && { senderId, senderName: senderName ?? '' }),
})
