import type { Queryable } from '../db/database.ts'
import { nothing, Sql, sql, verbatim } from '../db/sql.ts'
import { firstUuidAt } from '../ids.ts'
import { messagesOf } from '../queries/organization/holds.ts'
import { fieldOf, RECORD_KINDS, type RecordKind } from './records.ts'

/** The moment that the pages of an export show: a cursor that is kept for later reads nothing that came after it. */
export type Snapshot = { until: number }
type Person = { orgId: string; profileId: string } & Partial<Snapshot>
type PersonKind = Pick<RecordKind, 'name' | 'table' | 'columns' | 'order'> & {
  isTheirs: (person: Person) => Sql
}

/** Records of an export of the organization, those of one person: the columns that say whose they are. */
const OF_KINDS: Readonly<Record<string, string | readonly string[]>> = {
  members: 'id',
  'org-unit-members': 'profile_id',
  groups: 'owner_id',
  'group-members': 'profile_id',
  'notification-settings': 'profile_id',
  emoji: 'created_by',
  'topic-members': 'profile_id',
  sections: 'profile_id',
  'topic-states': 'profile_id',
  'followed-threads': 'profile_id',
  reactions: 'profile_id',
  receipts: 'profile_id',
  mentions: 'profile_id',
  pins: 'pinned_by',
  'saved-messages': 'profile_id',
  'message-actions': 'profile_id',
  reports: 'reporter_id',
  tasks: ['created_by', 'assignee'],
  polls: 'created_by',
}

const byColumns =
  (columns: readonly string[]) =>
  ({ profileId }: Person): Sql => {
    const [first = '', second] = columns
    const isFirst = sql`x.${verbatim(first)} = ${profileId}`
    return second === undefined ? isFirst : sql`(${isFirst} or x.${verbatim(second)} = ${profileId})`
  }

const kindOf = (name: string, isTheirs: PersonKind['isTheirs']): PersonKind => {
  const kind = RECORD_KINDS.find((one) => one.name === name)
  if (!kind) throw new Error(`no records of the kind ${name}`)
  return { ...kind, isTheirs }
}

const further = (
  name: string,
  table: string,
  order: string,
  columns: string,
  isTheirs = byColumns(['profile_id']),
): PersonKind => {
  const ordered = order.split(' ')
  return { name, table, order: ordered, columns: [...ordered, ...columns.split(' ')], isTheirs }
}

/** All data of a person, one kind after the other. Votes in anonymous polls stay secret, even from admins. */
export const PERSON_KINDS: readonly PersonKind[] = [
  ...Object.entries(OF_KINDS).map(([name, columns]) => kindOf(name, byColumns([columns].flat()))),
  kindOf(
    'poll-votes',
    ({ orgId, profileId }) => sql`x.voter_id = ${profileId}
      and exists (select from polls p where p.org_id = ${orgId} and p.id = x.poll_id and not p.anonymous)`,
  ),
  further('private-answers', 'private_answers', 'message_id', 'text bot_id created_at'),
  further('drafts', 'drafts', 'topic_id parent_id', 'text updated_at'),
  further(
    'scheduled-messages',
    'scheduled_messages',
    'id',
    'topic_id text parent_id send_at state created_at updated_at',
  ),
  further('assistants', 'assistants', 'id', 'name host scopes created_at connected_at last_used_at'),
  // The address and browser of an entry belong to the admin who acted, not to the person: they are left out.
  further(
    'audit-log',
    'audit_log',
    'id',
    'at actor_kind action target_type target_id target_name changes',
    byColumns(['actor_id', 'target_id']),
  ),
  kindOf('messages', () => nothing),
]

export type PersonLine = { kind: string; record: Record<string, unknown> }
/** The kind and the record that were read last. */
export type PersonPlace = { kind: string; after: (string | number)[] | null }

/** The present moment of an organization: its log's own, where that is ahead of the clock. */
export async function takeSnapshot(db: Queryable, orgId: string, now: number): Promise<Snapshot> {
  const [log] = await db.query<{ ms: number }>(
    sql`select last_tick >> 12 as ms from organization_logs where org_id = ${orgId}`,
  )
  return { until: Math.max(now, log?.ms ?? 0) }
}

/** Columns with a record's time; a kind uses the first that it has. */
const TIMES = ['created_at', 'at', 'joined_at', 'saved_at', 'pinned_at', 'updated_at']

const FIRST: PersonPlace = { kind: 'sessions', after: null }

/** Reads a part of a person's data; `next` is set if there may be more. */
export async function readPersonData(
  db: Queryable,
  person: Person,
  place: PersonPlace | undefined,
  limit: number,
): Promise<{ lines: PersonLine[]; next: PersonPlace | undefined }> {
  let { kind, after } = place ?? FIRST
  const lines: PersonLine[] = kind === FIRST.kind ? await readSessions(db, person) : []
  let index = Math.max(
    0,
    PERSON_KINDS.findIndex(({ name }) => name === kind),
  )
  for (; ; index++, after = null) {
    const one = PERSON_KINDS[index]
    if (!one) return { lines, next: undefined }
    kind = one.name
    const wanted = limit - lines.length
    if (wanted <= 0) return { lines, next: { kind, after } }
    const rows = await readKind(db, person, one, after, wanted)
    lines.push(...rows.map(({ record }) => ({ kind, record })))
    if (rows.length === wanted) return { lines, next: { kind, after: rows.at(-1)?.place ?? null } }
  }
}

async function readKind(
  db: Queryable,
  person: Person,
  { name, table, columns, order, isTheirs }: PersonKind,
  after: PersonPlace['after'],
  limit: number,
): Promise<{ record: Record<string, unknown>; place: (string | number)[] }[]> {
  const { orgId, profileId, until } = person
  const time = TIMES.find((column) => columns.includes(column))
  const isEarlier =
    until === undefined
      ? nothing
      : name === 'messages'
        ? sql`and x.id < ${firstUuidAt(until + 1)}`
        : time === undefined
          ? nothing
          : sql`and x.${verbatim(time)} <= ${until}`
  const fields = verbatim(columns.map((column) => `'${fieldOf(column)}', x.${column}`).join(', '))
  const key = verbatim(order.map((column) => `x.${column}`).join(', '))
  const from = String(after?.[0] ?? firstUuidAt(0))
  const found =
    name === 'messages'
      ? sql`x.id in (${messagesOf({ orgId }, { topic_id: null, profile_id: profileId }, from, limit)})`
      : sql`${isTheirs(person)} ${after === null ? nothing : sql`and (${key}) > (${listed(after)})`}`
  return db.query(sql`
    select json_build_object(${fields}) as record, json_build_array(${key}) as place from ${verbatim(table)} x
    where x.org_id = ${orgId} and ${found} ${isEarlier} order by ${key} limit ${limit}`)
}

const listed = (values: readonly unknown[]): Sql =>
  new Sql(['', ...Array(values.length - 1).fill(', '), ''], values)

/** Browsers that are signed in to this organization. */
async function readSessions(db: Queryable, { orgId, profileId }: Person): Promise<PersonLine[]> {
  const rows = await db.query<Record<string, unknown>>(sql`
    select s.user_agent as "userAgent", s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"
    from profiles p join sessions s on s.account_id = p.account_id
    where p.org_id = ${orgId} and p.id = ${profileId} and p.status = 'Active'
      and s.created_at > coalesce(p.sessions_ended_at, 0) order by s.created_at, s.id`)
  return rows.map((record) => ({ kind: 'sessions', record }))
}
