import type { Caller } from '../../caller.ts'
import { type Sql, sql } from '../../db/sql.ts'

/** Events that all members of a topic see; others contain what a person sent to the bot alone. */
const SEEN_BY_MEMBERS = [
  'message.created',
  'message.updated',
  'message.deleted',
  'reaction.added',
  'reaction.removed',
  'member.added',
  'member.removed',
  'topic.updated',
]

/** The topic of events without one, such as tests of a webhook. */
const NO_TOPIC = '00000000-0000-0000-0000-000000000000'

/** A condition on rows `e` of events: which of them a reader sees the content of. */
export type ShownCondition = Sql

/** Condition on a row `e` of events of a bot: the person was in its topic when it happened, and is in it now. */
export const isShownTo = ({ orgId, profileId }: Caller): ShownCondition => sql`(e.topic_id = ${NO_TOPIC}
  or e.type = any(${SEEN_BY_MEMBERS}) and exists (
    select from topic_members m
    where m.org_id = ${orgId} and m.topic_id = e.topic_id and m.profile_id = ${profileId} and m.joined_at <= e.created_at))`

/** All events are shown, to readers with a reading of the bot. */
export const EVERYTHING_SHOWN: ShownCondition = sql`true`
