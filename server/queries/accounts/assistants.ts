import type { EventType } from '../../../contract/events.ts'
import type { Assistant, MemberAssistant } from '../../../contract/people/assistants.ts'
import { isAllowed } from '../../auth/assistants.ts'
import { needsOf, type PersonCaller, type SignedIn } from '../../auth/sessions.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { crossing, nothing, sql } from '../../db/sql.ts'
import type { UpdatePage, UpdateRow } from '../events/updates.ts'

/** The assistants of an account in all its organizations, the newest first. */
export async function listAssistants(
  db: Queryable,
  { accountId }: Pick<SignedIn, 'accountId'>,
  now: number,
): Promise<Assistant[]> {
  const rows = await db.query<
    Omit<Assistant, 'lastUsedAt'> & { lastUsedAt: number | null }
  >(sql`${crossing('a person is looked for in all their organizations')}
    select x.id, x.name, x.host, x.is_verified as "isVerified", x.org_id as "organizationId",
      o.name as "organizationName", x.scopes, x.created_at as "createdAt", x.last_used_at as "lastUsedAt",
      x.expires_at as "expiresAt"
    from profiles p
      join assistants x on x.org_id = p.org_id and x.profile_id = p.id
      join organizations o on o.org_id = x.org_id
    where p.account_id = ${accountId} and p.status = 'Active' and x.connected_at is not null
      and x.expires_at > ${now} and p.sessions_ended_at < x.created_at
    order by x.created_at desc, x.id`)
  return rows.map(({ lastUsedAt, ...assistant }) => ({
    ...assistant,
    ...(lastUsedAt !== null && { lastUsedAt }),
  }))
}

type Place = [createdAt: number, id: string]
export type MemberAssistantRow = Omit<MemberAssistant, 'lastUsedAt'> & { lastUsedAt: number | null }

/** The assistants of all members of an organization that still may act, the newest first. */
export function listMemberAssistants(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  { after, limit, now }: { after?: Place; limit: number; now: number },
): Promise<MemberAssistantRow[]> {
  return db.query<MemberAssistantRow>(sql`
    select x.id, x.name, x.host, x.is_verified as "isVerified", p.id as "memberId", p.name as "memberName", x.scopes,
      x.created_at as "createdAt", x.last_used_at as "lastUsedAt", x.expires_at as "expiresAt"
    from assistants x
      join profiles p on p.org_id = x.org_id and p.id = x.profile_id
      join organizations o on o.org_id = x.org_id
    where x.org_id = ${orgId} and x.connected_at is not null and x.expires_at > ${now} and ${isAllowed(now)}
      ${after ? sql`and (x.created_at, x.id) < (${after[0]}, ${after[1]}::uuid)` : nothing}
    order by x.created_at desc, x.id desc limit ${limit + 1}`)
}

/** Organizations in which this session may connect an assistant. */
export async function listAllowingOrganizations(
  db: Queryable,
  signedIn: SignedIn,
  now: number,
): Promise<string[]> {
  const rows = await db.query<{
    id: string
  }>(sql`${crossing('a person is looked for in all their organizations')}
    select o.org_id as id from profiles p join organizations o using (org_id)
    where p.account_id = ${signedIn.accountId} and p.kind = 'user' and p.status = 'Active' and o.allow_assistants
      and ${needsOf(signedIn, now)} is null
    order by o.name, o.org_id`)
  return rows.map(({ id }) => id)
}

/** Events of topics. The others are for one bot, or for one person in their own browser. */
const TOPIC_EVENTS = [
  'message.created',
  'message.updated',
  'message.deleted',
  'reaction.added',
  'reaction.removed',
  'member.added',
  'member.removed',
  'topic.updated',
] as const satisfies readonly EventType[]

export type AssistantPage = UpdatePage

type Row = Omit<AssistantPage, 'updates'> & (UpdateRow | { seq: null })

/**
 * Events after `position` that the person may see, up to `position + span`, in commit order: those of topics that they are in as
 * this is read, from when they came. Undefined where the assistant may no longer act for them. One statement, so that all of it is of one moment.
 */
export async function readAssistantUpdates(
  { orgId, profileId, sessionId: assistantId }: PersonCaller,
  db: Queryable,
  { position, span, limit, now }: { position: number; span: number; limit: number; now: number },
): Promise<AssistantPage | undefined> {
  const rows = await db.query<Row>(sql`
    select l.last_seq as "lastSeq", l.floor_seq as "floorSeq", u.*
    from organization_logs l
    join organizations o using (org_id)
    join profiles p on p.org_id = l.org_id and p.id = ${profileId}
    join assistants x on x.org_id = l.org_id and x.id = ${assistantId} and x.profile_id = p.id and x.expires_at > ${now}
    left join lateral (
      select e.seq, e.id, e.type, e.data::text as data, e.created_at as "createdAt" from events e
      where e.org_id = ${orgId} and e.seq > greatest(${position}, l.floor_seq)
        and e.seq <= greatest(${position}, l.floor_seq) + ${span} and e.type = any(${TOPIC_EVENTS})
        and exists (
          select from topic_members m where m.org_id = ${orgId} and m.topic_id = e.topic_id and m.profile_id = p.id
            and m.joined_at <= e.created_at)
      order by e.seq limit ${limit}
    ) u on true
    where l.org_id = ${orgId} and ${isAllowed(now)}
    order by u.seq`)
  const [first] = rows
  if (!first) return undefined
  const { lastSeq, floorSeq } = first
  return { lastSeq, floorSeq, updates: rows.flatMap((row) => (row.seq === null ? [] : [row])) }
}
