import type { Command, TopicCommand } from '../../../contract/commands.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export function listCommands({ orgId, profileId }: Caller, db: Queryable): Promise<Command[]> {
  return db.query<Command>(sql`
    select name, description, arguments from bot_commands
    where org_id = ${orgId} and bot_id = ${profileId} order by name`)
}

export async function listPrompts({ orgId, profileId }: Caller, db: Queryable): Promise<string[]> {
  const [row] = await db.query<{ prompts: string[] }>(
    sql`select prompts from bots where org_id = ${orgId} and id = ${profileId}`,
  )
  return row?.prompts ?? []
}

/** Commands of active bots in the topic; whether the caller may look into it is checked before. */
export function listTopicCommands(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  topicId: string,
): Promise<TopicCommand[]> {
  return db.query<TopicCommand>(sql`
    select c.bot_id as "botId", c.name, c.description, c.arguments
    from topic_members m
    join bot_commands c on c.org_id = m.org_id and c.bot_id = m.profile_id
    join bots b on b.org_id = c.org_id and b.id = c.bot_id and b.active
    where m.org_id = ${orgId} and m.topic_id = ${topicId} and m.profile_id like 'b@%'
    order by c.name, c.bot_id`)
}
