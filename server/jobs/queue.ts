import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { newUuid } from '../ids.ts'

export type JobKind = 'process' | 'transcribe' | 'preview' | 'text'

export type Job = {
  id: string
  orgId: string
  messageId: string
  attachmentId: string | null
  /** Attempts begun, including this one. */
  attempts: number
}

export const jobsChannel = (kind: JobKind): string => `parley_jobs_${kind}`

/** Whether a job of this kind is due. */
export const isJobDue = (kind: JobKind, until: number): Sql =>
  sql`exists (select from jobs where kind = ${kind} and due_at <= ${until})`

/** Adds a job that runs only once this transaction has committed. */
export async function addJob(
  tx: Transaction,
  kind: JobKind,
  messageId: string,
  attachmentId: string | null = null,
): Promise<void> {
  await tx.query(sql`
    insert into jobs (id, org_id, kind, message_id, attachment_id, due_at, created_at)
    values (${newUuid()}, ${tx.orgId}, ${kind}, ${messageId}, ${attachmentId}, ${tx.now()}, ${tx.now()})`)
  await tx.notify(jobsChannel(kind), '')
}

/** Adds jobs in a transaction that is not the organization's writer. */
export async function addJobs(
  tx: Queryable & { now(): number },
  orgId: string,
  kind: JobKind,
  jobs: readonly { messageId: string; attachmentId: string }[],
): Promise<void> {
  if (jobs.length === 0) return
  await tx.query(sql`
    insert into jobs (id, org_id, kind, message_id, attachment_id, due_at, created_at)
    select gen_random_uuid(), ${orgId}, ${kind}, x.message_id, x.attachment_id, ${tx.now()}, ${tx.now()}
    from unnest(${jobs.map(({ messageId }) => messageId)}::uuid[], ${jobs.map(({ attachmentId }) => attachmentId)}::uuid[])
      as x (message_id, attachment_id)`)
  await tx.query(sql`select pg_notify(${jobsChannel(kind)}, '')`)
}

/**
 * Takes jobs that are due, for as long as `until`: at most one of each organization, and first of those that were not
 * served for longest, so that one with many jobs does not keep the others waiting.
 */
export function claimJobs(
  db: Queryable,
  kind: JobKind,
  {
    now,
    until,
    limit,
    served,
    busy,
  }: {
    now: number
    until: number
    limit: number
    /** Organizations that had a turn, the latest last. */
    served: readonly string[]
    /** Organizations that must wait. */
    busy: readonly string[]
  },
): Promise<Job[]> {
  return db.query<Job>(sql`
    with recursive organization as (
      (select org_id from jobs where kind = ${kind} order by org_id limit 1)
      union all
      select (select j.org_id from jobs j where j.kind = ${kind} and j.org_id > o.org_id order by j.org_id limit 1)
      from organization o where o.org_id is not null
    ), due as materialized (
      select j.id from organization o
      cross join lateral (
        select id, due_at from jobs where kind = ${kind} and org_id = o.org_id and due_at <= ${now}
        order by due_at limit 1 for update skip locked
      ) j
      where o.org_id <> all(${busy}::uuid[])
      order by array_position(${served}::uuid[], o.org_id) nulls first, j.due_at limit ${limit}
    )
    update jobs j set attempts = j.attempts + 1, due_at = ${until} from due where j.id = due.id
    returning j.id, j.org_id as "orgId", j.message_id as "messageId", j.attachment_id as "attachmentId", j.attempts`)
}

/** Sets the due time; only the attempt that holds the job may. */
export async function postponeJob(
  db: Queryable,
  job: Job,
  dueAt: number,
  attempts = job.attempts,
): Promise<void> {
  await db.query(sql`
    update jobs set due_at = ${dueAt}, attempts = ${attempts} where id = ${job.id} and attempts = ${job.attempts}`)
}

/** Another attempt has taken this job over: this one's result must not count. */
export class JobTakenOver extends Error {
  override name = 'JobTakenOver'
}

/** Ends the job in the transaction that holds its result, so that it has one result, whatever crashes. */
export async function finishJob(tx: Queryable, job: Job): Promise<void> {
  const done = await tx.query(
    sql`delete from jobs where id = ${job.id} and attempts = ${job.attempts} returning id`,
  )
  if (done.length === 0) throw new JobTakenOver()
}
