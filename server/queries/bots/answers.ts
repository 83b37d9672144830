import { LIMITS } from '../../../contract/limits.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { firstUuidAt } from '../../ids.ts'

const DAY_MS = 86_400_000

/** How often people have answered with each element of a bot's messages, of its newest answers. */
export function countAnswers(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  botId: string,
  now: number,
): Promise<{ elementId: string; count: number }[]> {
  const since = firstUuidAt(now - LIMITS.countedAnswerDays * DAY_MS)
  return db.query(sql`
    select a.element_id as "elementId", count(*)::integer as count
    from (
      select x.element_id from message_actions x
      where x.org_id = ${orgId} and x.bot_id = ${botId} and x.id >= ${since}
      order by x.id desc limit ${LIMITS.countedAnswers}
    ) a
    group by a.element_id order by count desc, a.element_id limit ${LIMITS.countedElements}`)
}
