import { createTopic } from '../../server/actions/topics/topics.ts'
import { sql } from '../../server/db/sql.ts'
import { type Backstage, type Bot, makeBots } from './cast.ts'
import { writeHistory } from './history.ts'
import { makeSignedIn, type SignedIn } from './people.ts'

export type LargeOrganization = {
  person: SignedIn
  /** Everybody is in it. */
  everybodys: string
  /** The topics that the person is in, the one with everybody among them. */
  topicIds: string[]
  bot: Bot
}

const FIRST_NAMES = ['Amara', 'Bjorn', 'Chiara', 'Dilan', 'Elif', 'Farid', 'Grace', 'Hana', 'Ines', 'Jonas']
const LAST_NAMES = [
  'Okafor',
  'Lindqvist',
  'Rossi',
  'Yilmaz',
  'Meyer',
  'Haddad',
  'Hopper',
  'Sato',
  'Silva',
  'Weber',
]
const TEAMS = [
  'Design',
  'Backend',
  'Sales',
  'Support',
  'Legal',
  'Office',
  'Release',
  'Incident',
  'Hiring',
  'Data',
]
/** Members of each topic besides the person and the bot. */
const OTHERS = 6

/**
 * An organization as large as companies are: one person is in all topics, and everybody is in one of them. Rows are written
 * in a few statements; ten thousand requests would take minutes.
 */
export async function makeLargeOrganization(
  backstage: Backstage,
  { members, topics, messagesEach }: { members: number; topics: number; messagesEach: number },
): Promise<LargeOrganization> {
  const { db, orgId } = backstage
  const [person] = await makeSignedIn(backstage, 1)
  const [bot] = await makeBots(backstage, 1)
  if (!person || !bot) throw new Error('there is a person and a bot')
  const everybodys = await db.write(orgId, async (tx) => {
    const { id } = await createTopic(tx, {
      createdBy: bot.id,
      name: 'General',
      members: [person.profileId],
      open: true,
      joinedByDefault: true,
    })
    await tx.query(sql`
      insert into profiles (org_id, id, kind, name, status, created_at, updated_at, email, email_key)
      select ${orgId}, gen_random_uuid()::text, 'user',
        (${FIRST_NAMES}::text[])[1 + n % 10] || ' ' || (${LAST_NAMES}::text[])[1 + (n / 10) % 10] || ' ' || n,
        'Active', ${tx.now()}::bigint + n, ${tx.now()}::bigint, 'member-' || n || '@example.com', 'member-' || n || '@example.com'
      from generate_series(1, ${members - 2}) n`)
    await tx.query(sql`
      insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
      select ${orgId}, ${id}, p.id, ${tx.now()}::bigint, ${tx.now()}::bigint + 1 from profiles p
      where p.org_id = ${orgId} on conflict do nothing`)
    return id
  })
  const topicIds = await db.write(orgId, async (tx) => {
    const made = await tx.query<{ id: string; created_at: number }>(sql`
      insert into topics (org_id, id, type, name, created_by, created_at, updated_at)
      select ${orgId}, gen_random_uuid(), 'topic', (${TEAMS}::text[])[1 + n % 10] || ' ' || n, ${bot.id},
        ${tx.now()}::bigint + n, ${tx.now()}::bigint from generate_series(1, ${topics - 1}) n
      returning id, created_at`)
    const others = await tx.query<{ id: string }>(sql`
      select p.id from profiles p where p.org_id = ${orgId} and p.kind = 'user' and p.id <> ${person.profileId}`)
    const rows = made.flatMap((topic, number) => {
      const some = Array.from(
        { length: OTHERS },
        (_, other) => others[(number * OTHERS + other) % others.length]?.id ?? '',
      )
      return [person.profileId, bot.id, ...some].map((profileId) => ({ ...topic, profileId }))
    })
    await tx.query(sql`
      insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
      select ${orgId}, x.topic_id, x.profile_id, x.created_at, x.created_at
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ profileId }) => profileId)}::text[],
        ${rows.map(({ created_at }) => created_at)}::bigint[]) as x (topic_id, profile_id, created_at)`)
    return [everybodys, ...made.map(({ id }) => id)]
  })
  for (const table of [sql`profiles`, sql`topics`, sql`topic_members`])
    await db.query(sql`vacuum analyze ${table}`)
  if (messagesEach > 0)
    await writeHistory(
      backstage,
      topicIds.map((id) => ({ id, bots: [bot] })),
      messagesEach,
    )
  return { person, everybodys, topicIds, bot }
}
