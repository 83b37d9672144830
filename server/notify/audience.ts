import type { Level } from '../../contract/people/chat-records.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import {
  type NotificationSettingsRow,
  notificationSettingColumns,
} from '../queries/members/notification-settings.ts'
import { joinedAt, levelOf } from '../queries/topics/chat-topics.ts'
import type { NoticeMessage } from './notices.ts'

/** A person who may get a notification of a message. */
export type Listener = NotificationSettingsRow & {
  messageId: string
  profileId: string
  accountId: string
  level: Level
  muted: boolean
  isMentioned: boolean
  /** Whether they follow the thread of the message. */
  isFollowing: boolean
}

/**
 * Preselects `message.created` events `e` that may notify a person. Most messages of a busy server are between bots,
 * and reading each of them whole cost a quarter of the sends. It parses no JSON: `<@` begins a mention, and a reply has followers.
 */
export const mayConcernSomebody = (orgId: string) => sql`(
  strpos(e.data::text, '<@') > 0
  or exists (select from notification_settings n where n.org_id = ${orgId} and n.keywords <> '{}')
  or strpos(e.data::text, '"parentId":"') > 0
  or exists (select from topics t where t.org_id = ${orgId} and t.id = e.topic_id and t.type = 'dm')
  or exists (
    select from topic_states s where s.org_id = ${orgId} and s.topic_id = e.topic_id and s.level = 'everything'
  )
)`

/**
 * People whom these messages may concern, who can see them now and have not read them: those in a direct message, those
 * mentioned by name or as one of a group, those who follow the thread or want everything, and those with a matching keyword. So the cost depends on the people concerned,
 * not on the topic's members.
 */
export async function readListeners(
  db: Queryable,
  orgId: string,
  messages: readonly NoticeMessage[],
): Promise<Listener[]> {
  const ids = messages.map(({ id }) => id)
  const rows = await db.query<Listener>(sql`
    with said as materialized (
      select x.org_id, x.id, x.topic_id, x.sender_id, x.text, x.mentions, x.details -> 'groupMentions' as groups, coalesce(x.appeared_id, x.id) as read_at, t.type,
        x.thread_only, case when not o.replies_in_topics then x.parent_id end as thread_id
      from messages x join topics t on t.org_id = x.org_id and t.id = x.topic_id
      join organizations o on o.org_id = ${orgId}
      where x.org_id = ${orgId} and x.id = any(${ids}::uuid[])
    ), concerned as (
      select x.id, m.profile_id from said x
        join topic_members m on m.org_id = ${orgId} and m.topic_id = x.topic_id where x.type = 'dm' and not x.thread_only
      union
      select x.id, f.profile_id from said x
        join thread_follows f on f.org_id = ${orgId} and f.parent_id = x.thread_id and f.following
      union
      select x.id, unnest(x.mentions) from said x
      union
      select x.id, jsonb_array_elements_text(x.groups -> 'people') from said x where x.groups ? 'people'
      union
      select x.id, m.profile_id from said x
        join topic_members m on m.org_id = ${orgId} and m.topic_id = x.topic_id where not x.groups ? 'people'
      union
      select x.id, s.profile_id from said x
        join topic_states s on s.org_id = ${orgId} and s.topic_id = x.topic_id and s.level = 'everything'
        where not x.thread_only
      union
      select x.id, n.profile_id from said x
        join notification_settings n on n.org_id = ${orgId} and n.keywords <> '{}'
        where exists (select from unnest(n.keywords) k where strpos(lower(x.text), lower(k)) > 0)
    )
    select x.id as "messageId", p.id as "profileId", p.account_id as "accountId", ${levelOf} as level,
      coalesce(s.muted, false) as muted,
      (p.id = any(x.mentions) or coalesce(not x.groups ? 'people' or x.groups -> 'people' ? p.id, false)) as "isMentioned",
      coalesce(f.following, false) as "isFollowing", ${notificationSettingColumns}
    from concerned c
    join said x on x.id = c.id
    join topics t on t.org_id = ${orgId} and t.id = x.topic_id
    join topic_members m on m.org_id = ${orgId} and m.topic_id = x.topic_id and m.profile_id = c.profile_id
    join profiles p on p.org_id = ${orgId} and p.id = c.profile_id and p.kind = 'user' and p.status = 'Active'
      and p.account_id is not null
    left join topic_states s on s.org_id = ${orgId} and s.profile_id = p.id and s.topic_id = x.topic_id
    left join notification_settings n on n.org_id = ${orgId} and n.profile_id = p.id
    left join thread_follows f on f.org_id = ${orgId} and f.profile_id = p.id and f.parent_id = x.thread_id
    where p.id <> x.sender_id and x.read_at > coalesce(
      case when x.thread_only then f.read_to else greatest(s.read_to, s.late_read_to) end, ${joinedAt})`)
  const texts = new Map(messages.map(({ id, text }) => [id, text]))
  return rows.filter((listener) => isConcerned(listener, texts.get(listener.messageId) ?? ''))
}

/** A muted topic notifies of mentions alone. Who follows a thread hears of its replies. */
function isConcerned({ level, muted, isMentioned, isFollowing, keywords }: Listener, text: string): boolean {
  if (level === 'nothing') return false
  if (isMentioned) return true
  if (muted) return false
  return isFollowing || level === 'everything' || keywords.some((keyword) => hasWord(text, keyword))
}

/**
 * Whether the keyword is a whole word of the text: "art" is not in "start". Keywords are arbitrary text, so no pattern
 * is built.
 */
function hasWord(text: string, keyword: string): boolean {
  const [lower, word] = [text.toLowerCase(), keyword.toLowerCase()]
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    const end = at + word.length
    const [before, after] = [lower.slice(Math.max(0, at - 2), at), lower.slice(end, end + 2)]
    const beginsWord = !(LETTER_LAST.test(before) && LETTER_FIRST.test(word))
    const endsWord = !(LETTER_FIRST.test(after) && LETTER_LAST.test(word))
    if (beginsWord && endsWord) return true
  }
  return false
}
const LETTER_FIRST = /^[\p{L}\p{M}\p{N}_]/u
const LETTER_LAST = /[\p{L}\p{M}\p{N}_]$/u
