import { customEmojiName } from '../../../contract/custom-emoji.ts'
import type { CustomEmoji } from '../../../contract/people/emoji.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

type Organization = Pick<Caller, 'orgId'>

export const listCustomEmoji = ({ orgId }: Organization, db: Queryable): Promise<CustomEmoji[]> =>
  db.query<CustomEmoji>(sql`
    select name, file_id as "pictureId", created_by as "createdBy", created_at as "createdAt"
    from custom_emoji where org_id = ${orgId} order by name`)

/** Whether this is the `:name:` of a custom emoji. */
export async function isCustomEmoji(
  { orgId }: Organization,
  db: Queryable,
  reaction: string,
): Promise<boolean> {
  const name = customEmojiName(reaction)
  if (name === undefined) return false
  const rows = await db.query(sql`select from custom_emoji where org_id = ${orgId} and name = ${name}`)
  return rows.length > 0
}
