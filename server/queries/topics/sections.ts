import { BUILT_IN_SECTIONS, type SectionOrder } from '../../../contract/people/section-names.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export type SectionRow = { id: string; name: string | null; folded: boolean; sorting: SectionOrder }

const DEFAULTS: readonly SectionRow[] = BUILT_IN_SECTIONS.map((id) => ({
  id,
  name: null,
  folded: false,
  sorting: id === 'direct' || id === 'unread' ? 'recent' : 'name',
}))

/** Sections of the caller's list: those that everybody has, then their own in their order. */
export async function listSections({ orgId, profileId }: Caller, db: Queryable): Promise<SectionRow[]> {
  const rows = await db.query<SectionRow>(sql`
    select id, name, folded, sorting from sidebar_sections where org_id = ${orgId} and profile_id = ${profileId}
    order by place, id`)
  const changed = new Map(rows.map((row) => [row.id, row]))
  return [
    ...DEFAULTS.map((section) => changed.get(section.id) ?? section),
    ...rows.filter(({ name }) => name !== null),
  ]
}

export async function findSection(
  caller: Caller,
  db: Queryable,
  id: string,
): Promise<SectionRow | undefined> {
  const sections = await listSections(caller, db)
  return sections.find((section) => section.id === id.toLowerCase())
}
