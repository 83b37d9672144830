import { LIMITS } from '../../../contract/limits.ts'
import type { Question } from '../../../contract/questions.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { type DuePlace, type DueRange, inRange } from '../../db/due-range.ts'
import { crossing, literal, type Sql, sql } from '../../db/sql.ts'

type Answer = Question['answers'][number]
export type QuestionRow = {
  id: string
  message_id: string
  topic_id: string
  status: Question['status']
  element_id: string | null
  value: string | null
  /** The contents of the form that decided. */
  values: Record<string, string> | null
  quorum: number
  approval: boolean
  expires_at: number
  created_at: number
  closed_at: number | null
  answers: (Omit<Answer, 'value' | 'values'> & {
    value: string | null
    values: NonNullable<Answer['values']> | null
  })[]
}

/** A question that the caller has asked, with its first answers. */
export async function readQuestion(
  caller: Caller,
  db: Queryable,
  id: string,
): Promise<QuestionRow | undefined> {
  const [row] = await db.query<QuestionRow>(sql`
    select q.id, q.message_id, q.topic_id, q.status, q.element_id, q.value, q.quorum, q.approval, q.expires_at, q.created_at,
      q.closed_at, d.field_values as "values", coalesce((
        select jsonb_agg(jsonb_build_object('userId', a.profile_id, 'userName', p.name, 'elementId', a.element_id,
          'value', a.value, 'values', a.field_values, 'createdAt', a.created_at) order by a.id)
        from (
          select * from message_actions x
          where x.org_id = ${caller.orgId} and x.actions_id = q.actions_id and x.slot is not null
          order by x.id limit ${literal(LIMITS.actionAnswersShown)}
        ) a
        join profiles p on p.org_id = ${caller.orgId} and p.id = a.profile_id
      ), '[]') as answers
    from questions q
    left join message_actions d on d.org_id = ${caller.orgId} and d.id = q.decided_by
    where q.org_id = ${caller.orgId} and q.id = ${id} and q.asker_id = ${caller.profileId}`)
  return row
}

/** The buttons of a question; none where its message is gone. */
export async function readAskedElements(
  caller: Caller,
  db: Queryable,
  id: string,
): Promise<{ id: string; text: string }[]> {
  const [row] = await db.query<{ elements: { id: string; text: string }[] | null }>(sql`
    select m.details #> '{actions,elements}' as elements from questions q
    join messages m on m.org_id = ${caller.orgId} and m.id = q.message_id
    where q.org_id = ${caller.orgId} and q.id = ${id} and q.asker_id = ${caller.profileId}`)
  return row?.elements ?? []
}

export async function countOpenQuestions({ orgId, profileId }: Caller, db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from questions
    where org_id = ${orgId} and asker_id = ${profileId} and status = 'open'`)
  return row?.count ?? 0
}

/** Open questions of all organizations whose time is over. */
export function listDueQuestions(db: Queryable, range: DueRange, limit: number): Promise<DuePlace[]> {
  const { where, order } = inRange(range, { dueAt: sql`expires_at`, id: sql`id` })
  return db.query<DuePlace>(sql`${crossing('what is due is looked for in all organizations')}
    select org_id as "orgId", id, expires_at as "dueAt" from questions
    where status = 'open' and ${where} order by ${order} limit ${literal(limit)}`)
}

/** Whether the time of a question is over. */
export const isQuestionDue = (until: number): Sql =>
  sql`exists (select from questions where status = 'open' and expires_at <= ${until})`

/** The first time after this one at which a question expires. */
export async function readNextExpiry(db: Queryable, time: number): Promise<number | undefined> {
  const [row] = await db.query<{
    dueAt: number
  }>(sql`${crossing('what is due is looked for in all organizations')}
    select expires_at as "dueAt" from questions
    where status = 'open' and expires_at > ${time} order by expires_at limit 1`)
  return row?.dueAt
}
