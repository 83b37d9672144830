import { LIMITS } from '../../../contract/limits.ts'
import { newRehearsalToken, rehearsalTokenHash } from '../../auth/rehearsals.ts'
import type { Caller, Client } from '../../caller.ts'
import { cleanStep } from '../../db/clean-some.ts'
import type { Queryable } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import { readRehearsal, seqBefore } from '../../queries/bots/rehearsals.ts'
import { requireBot } from '../bots/bot-settings.ts'
import { type Actor, audit, changesBetween } from '../organization/audit.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type Starter = Pick<Caller, 'profileId'> & { client?: Client }
type Wanted = { name?: string | undefined; days?: number | undefined }

/** Begins a rehearsal in the name of an admin: it hears what they may read. Only the answer has the token. */
export async function startRehearsal(
  tx: Transaction,
  by: Actor,
  { profileId }: Starter,
  botId: string,
  { name = '', days = LIMITS.rehearsalDays }: Wanted,
): Promise<{ id: string; token: string }> {
  const bot = await requireBot(tx, tx, botId)
  if (!bot.active) throw refusal('bot_not_active')
  await makeRoom(tx, bot.id)
  const now = tx.now()
  const fromAt = now - days * DAY_MS
  const [id, token] = [newUuid(), newRehearsalToken(tx.orgId)]
  await tx.query(sql`
    insert into rehearsals (org_id, id, bot_id, started_by, name, token_hash, from_at, to_seq, heard_seq, heard_at, created_at, expires_at,
      delete_at)
    select l.org_id, ${id}, ${bot.id}, ${profileId}, ${name.trim()}, ${rehearsalTokenHash(token)}, ${fromAt}, l.last_seq,
      ${await seqBefore(tx, tx, fromAt)}, ${fromAt}, ${now}, ${now + LIMITS.rehearsalHours * HOUR_MS},
      ${now + LIMITS.rehearsalKeptDays * DAY_MS}
    from organization_logs l where l.org_id = ${tx.orgId}`)
  await audit(tx, by, {
    action: 'bot.rehearsal_started',
    target: { type: 'bot', id: bot.id, name: bot.name },
    changes: changesBetween({}, { rehearsal: name.trim() || undefined, days }),
  })
  return { id, token }
}

/** Forgets the oldest rehearsal that is over where there are many; refuses one more where all of them go on. */
async function makeRoom(tx: Transaction, botId: string): Promise<void> {
  const now = tx.now()
  const kept = await tx.query<{ id: string; isRunning: boolean }>(sql`
    select id, over_at is null and expires_at > ${now} as "isRunning" from rehearsals
    where org_id = ${tx.orgId} and bot_id = ${botId} and delete_at > ${now} order by created_at, id`)
  if (kept.length < LIMITS.rehearsals) return
  const oldest = kept.find(({ isRunning }) => !isRunning)
  if (!oldest) throw refusal('rehearsals_full')
  await forget(tx, sql`id = ${oldest.id}`)
}

export async function deleteRehearsal(
  tx: Transaction,
  by: Actor,
  place: { botId: string; rehearsalId: string },
): Promise<void> {
  const { id, name } = await requireBot(tx, tx, place.botId)
  const rehearsal = await readRehearsal(tx, tx, { ...place, botId: id }, tx.now())
  if (!rehearsal) throw refusal('rehearsal_not_found')
  await forget(tx, sql`id = ${rehearsal.id}`)
  await audit(tx, by, {
    action: 'bot.rehearsal_deleted',
    target: { type: 'bot', id, name },
    changes: changesBetween({}, { rehearsal: rehearsal.name || undefined }),
  })
}

/** Ends all rehearsals of an organization: any of them may repeat what a person wrote who is being erased. */
export const forgetRehearsals = (tx: Transaction): Promise<void> => forget(tx, sql`true`)

/** Hides rehearsals at once, and ends their tokens; a worker deletes their rows within a minute. */
async function forget(tx: Transaction, condition: Sql): Promise<void> {
  const now = tx.now()
  await tx.query(sql`
    update rehearsals set delete_at = ${now}, expires_at = least(expires_at, ${now})
    where org_id = ${tx.orgId} and delete_at > ${now} and ${condition}`)
}

/** Deletes rehearsals whose time is over; returns whether there may be more. */
export const forgetOldRehearsals = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, { table: 'rehearsals', key: 'org_id, id', where: sql`delete_at <= ${now}`, limit })
