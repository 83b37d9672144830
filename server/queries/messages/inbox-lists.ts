import type { TopicChange } from '../../../contract/people/places.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { FIRST_ID, LAST_ID } from '../../ids.ts'
import { joinedAt } from '../topics/chat-topics.ts'
import { isIn, isInEach, maySee } from '../topics/open-topics.ts'
import { isMentionedByGroup } from './group-mentions.ts'
import { type MessageRow, messageColumns } from './messages.ts'

/*
 * Lists of things from everywhere in an organization, or of one kind in a topic: the newest first. Each page is a range of one index
 * that names its columns (see `messagePage`), and costs the same at any age. All ask for one row more than `limit`.
 */

export type IdPage = { after?: string; limit: number }

/** Messages of the caller's topics that mention them, by name or as one of a group; each topic gives no more than the page takes. */
export function listMentions(
  caller: Caller,
  db: Queryable,
  { after = LAST_ID, limit }: IdPage,
): Promise<MessageRow[]> {
  return db.query<MessageRow>(sql`
    select ${messageColumns}
    from (
      (select n.message_id from mentions n
      where n.org_id = ${caller.orgId} and n.profile_id = ${caller.profileId} and n.message_id < ${after}::uuid
        and ${isInEach(caller, sql`n.topic_id`)}
      order by n.message_id desc limit ${limit + 1})
      union
      select y.id from topic_members m cross join lateral (
        select x.id from messages x
        where x.org_id = ${caller.orgId} and x.details ? 'groupMentions' and x.sender_id <> m.profile_id
          and (x.topic_id, x.id) > (m.topic_id, ${joinedAt}) and (x.topic_id, x.id) < (m.topic_id, ${after}::uuid)
          and ${isMentionedByGroup(sql`x.details`, sql`m.profile_id`)}
        order by x.topic_id desc, x.id desc limit ${limit + 1}
      ) y
      where m.org_id = ${caller.orgId} and m.profile_id = ${caller.profileId}
      order by message_id desc limit ${limit + 1}
    ) n
    join messages x on x.org_id = ${caller.orgId} and x.id = n.message_id
    join profiles p on p.org_id = ${caller.orgId} and p.id = x.sender_id
    order by x.id desc`)
}

/** The index condition of each kind of list. */
const KINDS = { files: sql`m.attachments is not null`, polls: sql`m.type = 'poll'` } as const

export function listTopicMessages(
  caller: Caller,
  db: Queryable,
  topicId: string,
  { kind, after = LAST_ID, limit }: IdPage & { kind: keyof typeof KINDS },
): Promise<MessageRow[]> {
  return db.query<MessageRow>(sql`
    select ${messageColumns}
    from (
      select * from messages m
      where m.org_id = ${caller.orgId} and ${KINDS[kind]} and ${maySee(caller, sql`${topicId}`)}
        and (m.topic_id, m.id) >= (${topicId}::uuid, ${FIRST_ID}::uuid)
        and (m.topic_id, m.id) < (${topicId}::uuid, ${after}::uuid)
      order by m.topic_id desc, m.id desc limit ${limit + 1}
    ) x
    join profiles p on p.org_id = ${caller.orgId} and p.id = x.sender_id
    order by x.id desc`)
}

/** Messages of the caller's topics by id, in no order. */
export function readMessages(caller: Caller, db: Queryable, ids: readonly string[]): Promise<MessageRow[]> {
  return db.query<MessageRow>(sql`
    select ${messageColumns}
    from messages x join profiles p on p.org_id = x.org_id and p.id = x.sender_id
    where x.org_id = ${caller.orgId} and x.id = any(${ids}::uuid[]) and ${isIn(caller, sql`x.topic_id`)}`)
}

export type TopicChangeRow = {
  id: string
  type: TopicChange['type']
  data: { actorId: string; memberIds?: string[]; changes?: TopicChange['changes'] }
  created_at: number
}

/** Changes of one of the caller's topics. */
export function listTopicChanges(
  caller: Caller,
  db: Queryable,
  topicId: string,
  { after = LAST_ID, limit }: IdPage,
): Promise<TopicChangeRow[]> {
  return db.query<TopicChangeRow>(sql`
    select c.id, c.type, c.data, c.created_at from topic_changes c
    where c.org_id = ${caller.orgId} and ${isIn(caller, sql`${topicId}`)}
      and (c.topic_id, c.id) >= (${topicId}::uuid, ${FIRST_ID}::uuid) and (c.topic_id, c.id) < (${topicId}::uuid, ${after}::uuid)
    order by c.topic_id desc, c.id desc limit ${limit + 1}`)
}
