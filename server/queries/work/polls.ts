import { SHOWN_VOTERS } from '../../../contract/people/card-records.ts'
import type { Poll, SelectionType } from '../../../contract/polls.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'

export type PollRow = {
  id: string
  topic_id: string
  message_id: string
  question: string
  subtitle: string | null
  selection_type: SelectionType
  anonymous: boolean
  status: Poll['status']
  expires_at: number | null
  options: Poll['options']
  created_by: string
  created_at: number
}

export type VoteRow = { poll_id: string; voter_id: string; option_id: string; created_at: number }

/** A poll of one of the caller's topics. */
export async function readPoll(caller: Caller, db: Queryable, pollId: string): Promise<PollRow | undefined> {
  const [row] = await db.query<PollRow>(sql`
    select p.id, p.topic_id, p.message_id, p.question, p.subtitle, p.selection_type, p.anonymous, p.status,
      p.expires_at, p.options, p.created_by, p.created_at
    from polls p
    join topic_members m on m.org_id = p.org_id and m.topic_id = p.topic_id and m.profile_id = ${caller.profileId}
    where p.org_id = ${caller.orgId} and p.id = ${pollId}`)
  return row
}

/** The caller's votes in one poll. */
export function readVotes(caller: Caller, db: Queryable, pollId: string): Promise<VoteRow[]> {
  return db.query<VoteRow>(sql`
    select poll_id, voter_id, option_id, created_at from poll_votes
    where org_id = ${caller.orgId} and poll_id = ${pollId} and voter_id = ${caller.profileId}`)
}

export type PollStateRow = Pick<PollRow, 'id' | 'anonymous' | 'status' | 'expires_at' | 'options'> & {
  version: number
  voters: number
  votes: { id: string; count: number; voterIds: string[] }[]
  own: string[]
}

/** Results of polls whose messages the caller has been shown, and what the caller has chosen. */
export async function readPollStates(
  caller: Caller,
  db: Queryable,
  pollIds: readonly string[],
): Promise<PollStateRow[]> {
  if (pollIds.length === 0) return []
  return db.query<PollStateRow>(sql`
    select p.id, p.anonymous, p.status, p.expires_at, p.options, p.version, x.voters::integer, x.own, (
      select coalesce(json_agg(y), '[]') from (
        select v.option_id as id, count(*)::integer as count,
          (array_agg(v.voter_id order by v.created_at, v.voter_id))[1:${SHOWN_VOTERS}] as "voterIds"
        from poll_votes v where v.org_id = ${caller.orgId} and v.poll_id = p.id group by v.option_id
      ) y
    ) as votes
    from polls p
    cross join lateral (
      select count(distinct v.voter_id) as voters,
        coalesce(array_agg(v.option_id order by v.option_id) filter (where v.voter_id = ${caller.profileId}), '{}') as own
      from poll_votes v where v.org_id = ${caller.orgId} and v.poll_id = p.id
    ) x
    where p.org_id = ${caller.orgId} and p.id = any(${[...new Set(pollIds)]}::uuid[])
    order by p.id`)
}
