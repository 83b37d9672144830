import { LIMITS } from '../../../contract/limits.ts'
import type { SectionOrder } from '../../../contract/people/section-names.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { refusal } from '../../errors.ts'
import { distinctIds, newUuid } from '../../ids.ts'
import { statesOf, type TopicStateRow } from '../../queries/topics/chat-topics.ts'
import { findSection, listSections, type SectionRow } from '../../queries/topics/sections.ts'

/*
 * Writes the sections of one person's list of conversations. They are private and emit no events of the log; what a person
 * changes at once in two browsers waits for each other.
 */

/** Makes the person's other changes of sections wait: all of them take this row first. */
const holdSections = (db: Queryable, { orgId, profileId }: Caller): Promise<unknown> =>
  db.query(sql`
    insert into sidebar_sections as s (org_id, profile_id, id) values (${orgId}, ${profileId}, 'topics')
    on conflict (org_id, profile_id, id) do update set folded = s.folded`)

const isOf = ({ orgId, profileId }: Caller): Sql => sql`org_id = ${orgId} and profile_id = ${profileId}`

/** The new section stands below the others. */
export async function createSection(db: Queryable, caller: Caller, name: string): Promise<SectionRow> {
  await holdSections(db, caller)
  const own = (await listSections(caller, db)).filter((section) => section.name !== null)
  if (own.length >= LIMITS.sections) throw refusal('sections_full')
  const id = newUuid()
  await db.query(sql`
    insert into sidebar_sections (org_id, profile_id, id, name, place)
    select ${caller.orgId}, ${caller.profileId}, ${id}, ${name}, coalesce(max(place) + 1, 0)
    from sidebar_sections where ${isOf(caller)} and name is not null`)
  return { id, name, folded: false, sorting: 'name' }
}

export type SectionChange = { name?: string; folded?: boolean; order?: SectionOrder; after?: string | null }

/** Fields that are left out stay. */
export async function updateSection(
  db: Queryable,
  caller: Caller,
  sectionId: string,
  { name, folded, order, after }: SectionChange,
): Promise<SectionRow> {
  await holdSections(db, caller)
  const before = await findSection(caller, db, sectionId)
  if (!before) throw refusal('section_not_found')
  if (before.name === null && (name !== undefined || after !== undefined)) throw refusal('section_built_in')
  if (after !== undefined) await moveSection(db, caller, before.id, after)
  const section = {
    ...before,
    name: name ?? before.name,
    folded: folded ?? before.folded,
    sorting: order ?? before.sorting,
  }
  await storeSection(db, caller, section)
  return section
}

const storeSection = (db: Queryable, { orgId, profileId }: Caller, section: SectionRow): Promise<unknown> =>
  db.query(sql`
    insert into sidebar_sections (org_id, profile_id, id, name, folded, sorting)
    values (${orgId}, ${profileId}, ${section.id}, ${section.name}, ${section.folded}, ${section.sorting})
    on conflict (org_id, profile_id, id) do update set
      name = excluded.name, folded = excluded.folded, sorting = excluded.sorting`)

async function moveSection(db: Queryable, caller: Caller, id: string, after: string | null): Promise<void> {
  const others = (await listSections(caller, db)).filter(
    (section) => section.name !== null && section.id !== id,
  )
  const above = others.findIndex((section) => section.id === after?.toLowerCase())
  if (after !== null && above === -1) throw refusal('section_not_found')
  const ids = others.map((section) => section.id)
  ids.splice(above + 1, 0, id)
  await db.query(sql`
    update sidebar_sections s set place = o.place
    from unnest(${ids}::text[]) with ordinality as o(id, place)
    where s.org_id = ${caller.orgId} and s.profile_id = ${caller.profileId} and s.id = o.id`)
}

/** Returns the states of topics that stood in the section: they go back to where they stand by themselves. */
export async function deleteSection(
  db: Queryable,
  caller: Caller,
  sectionId: string,
): Promise<TopicStateRow[]> {
  await holdSections(db, caller)
  const id = sectionId.toLowerCase()
  // Waits for topics that are just being moved into it.
  const found = await db.query(sql`
    select 1 from sidebar_sections where ${isOf(caller)} and id = ${id} and name is not null for update`)
  if (found.length === 0) throw refusal('section_not_found')
  const left = await db.query<{ topic_id: string }>(sql`
    update topic_states set section_id = null, place = null where ${isOf(caller)} and section_id = ${id}
    returning topic_id`)
  await db.query(sql`delete from sidebar_sections where ${isOf(caller)} and id = ${id}`)
  return readStates(
    db,
    caller,
    left.map(({ topic_id }) => topic_id),
  )
}

/** The section begins with these topics; places of others in it are forgotten. Returns the states of all that changed. */
export async function arrangeSection(
  db: Queryable,
  caller: Caller,
  sectionId: string,
  topicIds: readonly string[],
): Promise<TopicStateRow[]> {
  await holdSections(db, caller)
  const section = await findSection(caller, db, sectionId)
  if (!section) throw refusal('section_not_found')
  const { orgId, profileId } = caller
  const ids = distinctIds(topicIds)
  const topics = await db.query<{ type: 'topic' | 'dm' }>(sql`
    select t.type from topic_members m join topics t on t.org_id = m.org_id and t.id = m.topic_id
    where m.org_id = ${orgId} and m.profile_id = ${profileId} and m.topic_id = any(${ids}::uuid[])`)
  if (topics.length < ids.length) throw refusal('topic_not_found')
  const type = { topics: 'topic', direct: 'dm' }[section.id]
  if (type !== undefined && topics.some((topic) => topic.type !== type))
    throw refusal('section_topic_misplaced')
  const own = section.name === null ? null : section.id
  const isFavourite = section.id === 'favourites'
  const forgotten = await db.query<{ topic_id: string }>(sql`
    update topic_states s set place = null
    where ${isOf(caller)} and s.place is not null and s.section_id is not distinct from ${own}::text
      and (s.section_id is not null or s.favourite = ${isFavourite}) and s.topic_id <> all(${ids}::uuid[])
      and (${type ?? null}::text is null
        or exists (select from topics t where t.org_id = ${orgId} and t.id = s.topic_id and t.type = ${type ?? null}))
    returning s.topic_id`)
  await db.query(sql`
    insert into topic_states as s (org_id, profile_id, topic_id, favourite, section_id, place)
    select ${orgId}, ${profileId}, o.topic_id, ${isFavourite}, ${own}, o.place - 1
    from unnest(${ids}::uuid[]) with ordinality as o(topic_id, place) order by o.topic_id
    on conflict (org_id, profile_id, topic_id) do update set
      favourite = excluded.favourite, section_id = excluded.section_id, place = excluded.place`)
  await storeSection(db, caller, { ...section, sorting: 'hand' })
  return readStates(db, caller, [...ids, ...forgotten.map(({ topic_id }) => topic_id)])
}

const readStates = async (db: Queryable, caller: Caller, ids: readonly string[]): Promise<TopicStateRow[]> =>
  ids.length === 0 ? [] : db.query<TopicStateRow>(statesOf(caller, sql`m.topic_id = any(${ids}::uuid[])`))
