import { customEmojiName } from '../../../contract/custom-emoji.ts'
import type { CustomEmoji } from '../../../contract/people/emoji.ts'
import { type Caller, isGuest } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { readChatMembers } from '../members/found-members.ts'

type Organization = Pick<Caller, 'orgId'>

export type CustomEmojiRow = CustomEmoji & { createdBy: string }

/** All of them, with who added each, for callers who know everybody. */
export const listCustomEmoji = ({ orgId }: Organization, db: Queryable): Promise<CustomEmojiRow[]> =>
  db.query<CustomEmojiRow>(sql`
    select name, file_id as "pictureId", created_by as "createdBy", created_at as "createdAt"
    from custom_emoji where org_id = ${orgId} order by name`)

/** All of them as the caller may see them. */
export async function listShownEmoji(caller: Caller, db: Queryable): Promise<CustomEmoji[]> {
  const emoji = await listCustomEmoji(caller, db)
  if (!isGuest(caller)) return emoji
  const known = await readChatMembers(caller, db, [...new Set(emoji.map(({ createdBy }) => createdBy))])
  const ids = new Set(known.map(({ id }) => id))
  return emoji.map(({ createdBy, ...one }) => ({ ...one, ...(ids.has(createdBy) && { createdBy }) }))
}

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
