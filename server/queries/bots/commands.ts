import type { Command, TopicCommand } from '../../../contract/commands.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

type Row<Shown extends Command> = Omit<Shown, 'fields'> & { fields: Command['fields'] | null }

const present = <Shown extends Command>({ fields, ...command }: Row<Shown>) => ({
  ...command,
  ...(fields && { fields }),
})

export async function listCommands({ orgId, profileId }: Caller, db: Queryable): Promise<Command[]> {
  const rows = await db.query<Row<Command>>(sql`
    select name, description, arguments, fields from bot_commands
    where org_id = ${orgId} and bot_id = ${profileId} order by name`)
  return rows.map(present)
}

export async function listPrompts({ orgId, profileId }: Caller, db: Queryable): Promise<string[]> {
  const [row] = await db.query<{ prompts: string[] }>(
    sql`select prompts from bots where org_id = ${orgId} and id = ${profileId}`,
  )
  return row?.prompts ?? []
}

/** Commands of active bots in the topic; whether the caller may look into it is checked before. */
export async function listTopicCommands(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  topicId: string,
): Promise<TopicCommand[]> {
  const rows = await db.query<Row<TopicCommand>>(sql`
    select c.bot_id as "botId", c.name, c.description, c.arguments, c.fields
    from topic_members m
    join bot_commands c on c.org_id = m.org_id and c.bot_id = m.profile_id
    join bots b on b.org_id = c.org_id and b.id = c.bot_id and b.active
    where m.org_id = ${orgId} and m.topic_id = ${topicId} and m.profile_id like 'b@%'
    order by c.name, c.bot_id`)
  return rows.map(present)
}
