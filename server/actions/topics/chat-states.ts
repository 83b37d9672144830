import type { Level } from '../../../contract/people/chat-records.ts'
import type { Caller } from '../../caller.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { refusal } from '../../errors.ts'
import { FIRST_ID, LAST_ID } from '../../ids.ts'
import { type DraftRow, MAX_DRAFTS } from '../../queries/messages/drafts.ts'
import { joinedAt, statesOf, type TopicStateRow } from '../../queries/topics/chat-topics.ts'

/*
 * Writes one person's own state: read positions, mute, levels, drafts. It is private and emits no events of the log:
 * each change is one statement that does not wait for the organization's writer.
 */

export type StateChange = {
  /** The read position, which only moves forward. */
  readTo?: string
  /** The first message that counts as unread again. */
  unreadFrom?: string
  muted?: boolean
  /** Leads to favourites, out of a section of their own. */
  favourite?: boolean
  /** A section of their own; null leads out of it. */
  sectionId?: string | null
  level?: Level
}

export async function setTopicState(
  db: Queryable,
  caller: Caller,
  topicId: string,
  change: StateChange,
): Promise<TopicStateRow> {
  const { unreadFrom, sectionId } = change
  if (typeof sectionId === 'string') await requireSection(db, caller, sectionId)
  const position =
    unreadFrom === undefined ? undefined : await positionBefore(db, caller, topicId, unreadFrom)
  await db.query(stateInsert(caller, topicId, { ...change, position }))
  const [state] = await db.query<TopicStateRow>(statesOf(caller, sql`m.topic_id = ${topicId}`))
  if (!state) throw refusal('topic_not_found')
  return state
}

/**
 * Does what `setTopicState` does, in one statement. Returns undefined where it wrote nothing: the right
 * has changed, the topic is not theirs, or it takes more than one statement.
 */
export async function setTopicStateAtOnce(
  db: Pick<Database, 'isSpread' | 'writeStatement'>,
  caller: Caller,
  topicId: string,
  change: StateChange,
): Promise<TopicStateRow | undefined> {
  const held = db.isSpread ? undefined : caller.authority?.held
  if (!held || change.unreadFrom !== undefined || change.sectionId !== undefined) return undefined
  const [state] = await db.writeStatement<TopicStateRow>(
    caller.orgId,
    sql`
    with held as materialized (${held()}),
    s as (${stateInsert(caller, topicId, change, sql`exists (select from held)`)} returning *)
    ${statesOf(caller, sql`m.topic_id = ${topicId}`, sql`join s`)}`,
  )
  return state
}

function stateInsert(
  { orgId, profileId }: Caller,
  topicId: string,
  { readTo, position, muted, favourite, sectionId, level }: StateChange & { position?: string | undefined },
  condition = sql`true`,
): Sql {
  // The message must exist: a position in the future would hide unwritten messages, and one from before they joined
  // would make read ones unread.
  const newest = sql`(
    select x.id from messages x
    where x.org_id = ${orgId} and (x.topic_id, x.id) >= (${topicId}::uuid, ${joinedAt})
      and (x.topic_id, x.id) <= (${topicId}::uuid, ${readTo ?? null}::uuid)
    order by x.topic_id desc, x.id desc limit 1)`
  // Newer messages may have been read before a late one appeared: reading it has a position of its own.
  const late = sql`(
    select x.appeared_id from messages x
    where x.org_id = ${orgId} and x.id = ${readTo ?? null}::uuid and x.topic_id = ${topicId}::uuid)`
  const section =
    sectionId !== undefined ? sql`excluded.section_id` : favourite === true ? sql`null` : sql`s.section_id`
  const isFavourite =
    favourite !== undefined || typeof sectionId === 'string' ? sql`excluded.favourite` : sql`s.favourite`
  return sql`
    insert into topic_states as s (org_id, profile_id, topic_id, read_to, late_read_to, muted, favourite, section_id, level)
    select m.org_id, m.profile_id, m.topic_id, ${position ?? newest}::uuid, ${late}, ${muted ?? false}, ${favourite ?? false},
      ${sectionId?.toLowerCase() ?? null}, ${level ?? null}
    from topic_members m
    where m.org_id = ${orgId} and m.profile_id = ${profileId} and m.topic_id = ${topicId} and ${condition}
    on conflict (org_id, profile_id, topic_id) do update set
      read_to = ${position === undefined ? sql`greatest(s.read_to, excluded.read_to)` : sql`excluded.read_to`},
      late_read_to = ${position === undefined ? sql`greatest(s.late_read_to, excluded.late_read_to)` : sql`nullif(greatest(s.read_to, s.late_read_to), ${FIRST_ID})`},
      muted = ${muted === undefined ? sql`s.muted` : sql`excluded.muted`},
      favourite = ${isFavourite}, section_id = ${section},
      place = case when ${section} is not distinct from s.section_id and ${isFavourite} = s.favourite then s.place end,
      level = coalesce(excluded.level, s.level)`
}

/** Holds the section until the transaction ends. */
async function requireSection(db: Queryable, { orgId, profileId }: Caller, id: string): Promise<void> {
  const found = await db.query(sql`
    select 1 from sidebar_sections
    where org_id = ${orgId} and profile_id = ${profileId} and id = ${id.toLowerCase()} and name is not null for key share`)
  if (found.length === 0) throw refusal('section_not_found')
}

/** The message before this one in its topic, or nothing if it is the first. */
async function positionBefore(
  db: Queryable,
  { orgId, profileId }: Caller,
  topicId: string,
  messageId: string,
): Promise<string> {
  const [row] = await db.query<{ isMember: boolean; found: string | null; before: string | null }>(sql`
    select exists (
        select from topic_members m
        where m.org_id = ${orgId} and m.profile_id = ${profileId} and m.topic_id = ${topicId}
      ) as "isMember",
      (select x.id from messages x
        where x.org_id = ${orgId} and x.id = ${messageId} and x.topic_id = ${topicId}) as found,
      (select x.id from messages x
        where x.org_id = ${orgId} and (x.topic_id, x.id) >= (${topicId}::uuid, ${FIRST_ID}::uuid)
          and (x.topic_id, x.id) < (${topicId}::uuid, ${messageId}::uuid)
        order by x.topic_id desc, x.id desc limit 1) as before`)
  if (!row?.isMember) throw refusal('topic_not_found')
  if (row.found === null) throw refusal('message_not_found')
  return row.before ?? FIRST_ID
}

/** Moves every position to the newest message; returns the topics that had something unread. */
export async function readEverything(db: Queryable, caller: Caller): Promise<TopicStateRow[]> {
  const unread = (await db.query<TopicStateRow>(statesOf(caller, sql`true`))).filter(
    (state) => state.unread > 0 || state.mentions > 0,
  )
  if (unread.length === 0) return []
  const topicIds = unread.map(({ topic_id }) => topic_id)
  await db.query(sql`
    insert into topic_states as s (org_id, profile_id, topic_id, read_to, late_read_to)
    select m.org_id, m.profile_id, m.topic_id, l.id, (
      select x.appeared_id from messages x
      where x.org_id = ${caller.orgId} and x.appeared_id is not null
        and (x.topic_id, x.appeared_id) >= (m.topic_id, ${FIRST_ID}::uuid)
        and (x.topic_id, x.appeared_id) <= (m.topic_id, ${LAST_ID}::uuid)
      order by x.topic_id desc, x.appeared_id desc limit 1)
    from topic_members m
    cross join lateral (
      select x.id from messages x
      where x.org_id = ${caller.orgId} and (x.topic_id, x.id) >= (m.topic_id, ${FIRST_ID}::uuid)
        and (x.topic_id, x.id) <= (m.topic_id, ${LAST_ID}::uuid)
      order by x.topic_id desc, x.id desc limit 1
    ) l
    where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId} and m.topic_id = any(${topicIds}::uuid[])
    on conflict (org_id, profile_id, topic_id) do update set
      read_to = greatest(s.read_to, excluded.read_to), late_read_to = greatest(s.late_read_to, excluded.late_read_to)`)
  return db.query<TopicStateRow>(statesOf(caller, sql`m.topic_id = any(${topicIds}::uuid[])`))
}

export type NewDraft = { topicId: string; parentId?: string; text: string }

/** The last one that was saved stands; an empty text removes it. Of very many the oldest go. */
export async function saveDraft(
  db: Queryable,
  { orgId, profileId }: Caller,
  { topicId, parentId, text }: NewDraft,
  now: number,
): Promise<DraftRow> {
  const [topic] = await db.query<{ id: string; isParent: boolean }>(sql`
    select m.topic_id as id, ${parentId ?? null}::uuid is null or exists (
      select from messages x where x.org_id = ${orgId} and x.id = ${parentId ?? null} and x.topic_id = m.topic_id
    ) as "isParent"
    from topic_members m where m.org_id = ${orgId} and m.profile_id = ${profileId} and m.topic_id = ${topicId}`)
  if (!topic) throw refusal('topic_not_found')
  const draft = { topic_id: topic.id, parent_id: parentId?.toLowerCase() ?? null, text, updated_at: now }
  const place = sql`org_id = ${orgId} and profile_id = ${profileId} and topic_id = ${topic.id}
    and parent_id = ${parentId ?? FIRST_ID}`
  // The replied message may be gone, so the draft has no place left.
  if (text === '' || !topic.isParent) {
    await db.query(sql`delete from drafts where ${place}`)
    return { ...draft, text: '' }
  }
  await db.query(sql`
    insert into drafts (org_id, profile_id, topic_id, parent_id, text, updated_at)
    values (${orgId}, ${profileId}, ${topic.id}, ${parentId ?? FIRST_ID}, ${text}, ${now})
    on conflict (org_id, profile_id, topic_id, parent_id) do update set text = excluded.text, updated_at = excluded.updated_at`)
  await db.query(sql`
    delete from drafts where org_id = ${orgId} and profile_id = ${profileId} and (topic_id, parent_id) in (
      select topic_id, parent_id from drafts where org_id = ${orgId} and profile_id = ${profileId}
      order by updated_at desc offset ${MAX_DRAFTS})`)
  return draft
}
