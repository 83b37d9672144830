import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { isOpenTo } from '../topics/open-topics.ts'
import { isKnown } from './known-members.ts'

export type BotFacts = {
  description: string
  prompts: string[]
  ownerId: string | null
  credential: 'static' | 'oauth'
  permission: 'read' | 'write'
  scopes: string[]
  topics: number
}

/** Facts of a bot that people may see, besides its name. */
export async function readBotFacts(
  { orgId }: Caller,
  db: Queryable,
  botId: string,
): Promise<BotFacts | undefined> {
  const [row] = await db.query<BotFacts>(sql`
    select b.description, b.prompts, b.owner_id as "ownerId", b.credential, b.permission, b.scopes,
      (select count(*)::integer from topic_members m where m.org_id = ${orgId} and m.profile_id = b.id) as topics
    from bots b where b.org_id = ${orgId} and b.id = ${botId}`)
  return row
}

/** Whether this file is a photo of a member, an emoji of the organization's own, or the cover of a topic that the caller may look into. */
export async function isVisiblePicture(caller: Caller, db: Queryable, fileId: string): Promise<boolean> {
  const { orgId, profileId } = caller
  const [row] = await db.query<{ found: boolean }>(sql`
    select exists (select from profiles p where p.org_id = ${orgId} and p.photo_file_id = ${fileId} and ${isKnown(caller, sql`p.id`)})
      or exists (select from custom_emoji e where e.org_id = ${orgId} and e.file_id = ${fileId})
      or exists (
        select from topics t
        where t.org_id = ${orgId} and t.cover_file_id = ${fileId} and (${isOpenTo(sql`${orgId}`, sql`${profileId}`)} or exists (
          select from topic_members m
          where m.org_id = ${orgId} and m.topic_id = t.id and m.profile_id = ${profileId}))
      ) as found`)
  return row?.found ?? false
}
