import type { Notice } from '../../contract/people/stream.ts'
import { plainLine } from '../../contract/plain-text.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import { together } from '../db/together.ts'
import type { MessageDetails, StoredAttachment } from '../queries/messages/messages.ts'
import { firstCodePoints } from '../text.ts'

/** Characters of a message in a notification; systems show less. */
const BODY_LENGTH = 200
/** Characters of a text that are searched for them. */
const LOOKED_AT = 1000

export type NoticeMessage = {
  orgId: string
  id: string
  topicId: string
  /** The message that it replies to, if it stays in that thread. */
  threadId: string | null
  /** The read position, of the thread or of the topic, from which on the message counts as read. */
  readAt: string
  senderName: string
  isDirect: boolean
  topicName: string
  text: string
  details: MessageDetails | null
  attachments: StoredAttachment[] | null
  /** Names of mentioned members, by id. */
  names: Record<string, string> | null
  createdAt: number
}

/** Messages that are still there, in the words of a notification; system messages are left out. */
export function readNoticeMessages(
  db: Queryable,
  places: readonly { orgId: string; messageId: string }[],
): Promise<NoticeMessage[]> {
  return together(
    db,
    places,
    (some, orgId) => sql`${crossing('what is wanted of several organizations is asked for together')}
    select m.org_id as "orgId", m.id, m.topic_id as "topicId",
      case when m.thread_only then m.parent_id end as "threadId", coalesce(m.appeared_id, m.id) as "readAt",
      p.name as "senderName", t.type = 'dm' as "isDirect", t.name as "topicName", m.text, m.details, m.attachments,
      m.created_at as "createdAt", (
        select json_object_agg(o.id, o.name) from profiles o where o.org_id = ${orgId} and o.id = any(m.mentions)
      ) as names
    from (select distinct * from unnest(${some.map((one) => one.orgId)}::uuid[],
      ${some.map(({ messageId }) => messageId)}::uuid[]) as u (org_id, id)) x
    join messages m on m.org_id = ${orgId} and m.id = x.id and not m.is_system
    join topics t on t.org_id = m.org_id and t.id = m.topic_id
    join profiles p on p.org_id = m.org_id and p.id = m.sender_id`,
  )
}

/** Uses only names and the message's own words, so it needs no language. */
export function presentNotice(message: NoticeMessage): Notice {
  const { orgId, id, topicId, senderName, isDirect, topicName } = message
  return {
    organizationId: orgId,
    topicId,
    messageId: id,
    title: isDirect ? senderName : `${senderName} · ${topicName}`,
    body: firstCodePoints(bodyOf(message), BODY_LENGTH),
  }
}

/** A sign that needs no translation. */
const REMINDER_SIGN = '⏰'

export function presentReminder(message: NoticeMessage): Notice {
  const notice = presentNotice(message)
  return { ...notice, title: `${REMINDER_SIGN} ${notice.title}`, isReminder: true }
}

function bodyOf({ text, details, attachments, names }: NoticeMessage): string {
  if (text !== '') return plainLine(text, LOOKED_AT, (id) => names?.[id])
  const { poll, task, location, contact, forwarded } = details ?? {}
  if (forwarded && forwarded.text !== '') return plainLine(forwarded.text, LOOKED_AT, () => undefined)
  const shown = poll?.title ?? task?.title ?? location?.name ?? location?.address ?? contact?.name
  return shown ?? attachments?.map(({ name, type }) => name ?? type).join(', ') ?? ''
}
