import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

type ChatOrganization = {
  position: number
  name: string
  logoFileId: string | null
  showPresence: boolean
  repliesInTopics: boolean
}

/** The organization, and the number of its newest event. */
export async function readChatOrganization(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
): Promise<ChatOrganization> {
  const [row] = await db.query<ChatOrganization>(sql`
    select l.last_seq as position, o.name, o.logo_file_id as "logoFileId", o.show_presence as "showPresence",
      o.replies_in_topics as "repliesInTopics"
    from organizations o join organization_logs l using (org_id) where o.org_id = ${orgId}`)
  if (!row) throw new Error(`organization ${orgId} does not exist`)
  return row
}
