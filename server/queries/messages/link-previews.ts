import { createHash } from 'node:crypto'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { linkIn } from '../../link-in-text.ts'

export const urlHash = (url: string): Buffer => createHash('sha256').update(url).digest()

/**
 * The link of a message that needs a preview, and whether the organization has one for it. Undefined if there is
 * nothing to do: the message is gone, has no link any more, or its organization wants no previews.
 */
export async function readPreviewTask(
  db: Queryable,
  { orgId, messageId }: { orgId: string; messageId: string },
  now: number,
): Promise<{ url: string; known: boolean } | undefined> {
  const [message] = await db.query<{ text: string }>(sql`
    select m.text from messages m join organizations o using (org_id)
    where m.org_id = ${orgId} and m.id = ${messageId} and o.link_previews and m.details -> 'preview' is null`)
  const url = message && linkIn(message.text)
  if (url === undefined) return undefined
  const [known] = await db.query(sql`
    select 1 from link_previews
    where org_id = ${orgId} and url_hash = ${urlHash(url)} and fetched and expires_at > ${now}`)
  return { url, known: known !== undefined }
}
