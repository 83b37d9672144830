import { forgetFormerSecrets } from '../actions/bots/bots.ts'
import { forgetOldPreviews } from '../actions/messages/link-previews.ts'
import { forgetOldFailures } from '../actions/messages/scheduled-messages.ts'
import { forgetOldRehearsals } from '../actions/rehearsals/rehearsals.ts'
import { forgetOldAssistants, forgetOldAssistantTokens } from '../auth/assistants.ts'
import { forgetOldNonces } from '../auth/nonces.ts'
import { forgetUnusedClients } from '../auth/oauth-clients.ts'
import { forgetOldTokens } from '../auth/one-time-tokens.ts'
import { forgetOldSessions } from '../auth/sessions.ts'
import { literal, sql } from '../db/sql.ts'
import type { OpenTransaction } from '../db/transaction.ts'
import { forgetOldAnswers } from '../idempotency/kept-answers.ts'
import { forgetOldUsage } from '../limits/bot-budgets.ts'
import { forgetOldBudgets } from '../limits/budget.ts'
import { forgetOldPushes } from '../notify/push-queue.ts'
import type { Parley } from '../parley.ts'
import { Worker } from '../worker.ts'

const MINUTE_MS = 60_000
/** A statement that takes longer is ended: rows come in steps so small that it would wait for something, or hang. */
const STATEMENT_MS = 10_000
const ROWS = 1000
/** Tables without an index by time are read from the start in each step, so steps are larger; their rows are tiny. */
const UNINDEXED_ROWS = 20_000

export type CleanUp = {
  name: string
  /** The deleted rows, in words. */
  what: string
  everyMs: number
  /** Rows of one step. */
  rows: number
  /** Deletes at most `rows`; returns whether there may be more. */
  step(tx: OpenTransaction, now: number, rows: number): Promise<boolean>
}

const every = { everyMs: MINUTE_MS, rows: ROWS }
const unindexed = { everyMs: MINUTE_MS, rows: UNINDEXED_ROWS }

/** Each has a turn of its own (`startCleanUps`). `docs/operations.md` lists them. */
export const CLEAN_UPS: readonly CleanUp[] = [
  {
    name: 'old answers',
    what: 'answers to requests with an idempotency key',
    ...every,
    step: forgetOldAnswers,
  },
  {
    name: 'old budgets',
    what: 'budgets whose minute or day is over',
    ...unindexed,
    step: forgetOldBudgets,
  },
  { name: 'old usage', what: 'daily usage of bots before yesterday', ...unindexed, step: forgetOldUsage },
  { name: 'old sessions', what: 'sessions of people that have ended', ...every, step: forgetOldSessions },
  { name: 'old links', what: 'one-time links that nobody can use any more', ...every, step: forgetOldTokens },
  {
    name: 'old assistants',
    what: 'assistants that have ended or never connected',
    ...every,
    step: forgetOldAssistants,
  },
  {
    name: 'old assistant tokens',
    what: 'tokens of assistants that have ended',
    ...every,
    step: forgetOldAssistantTokens,
  },
  {
    name: 'unused programs',
    what: 'programs that registered and have no assistant',
    ...every,
    step: forgetUnusedClients,
  },
  { name: 'old nonces', what: 'nonces of signed requests', ...unindexed, step: forgetOldNonces },
  {
    name: 'former bot secrets',
    what: 'replaced secrets of bots',
    ...every,
    step: forgetFormerSecrets('bots'),
  },
  {
    name: 'former webhook secrets',
    what: 'replaced secrets of further webhook addresses',
    ...every,
    step: forgetFormerSecrets('webhook_addresses'),
  },
  {
    name: 'old failures',
    what: 'scheduled messages that could not be sent',
    ...every,
    step: forgetOldFailures,
  },
  {
    name: 'old rehearsals',
    what: 'rehearsals of bots whose time is over',
    ...every,
    rows: 5, // with up to 10,000 sayings each
    step: forgetOldRehearsals,
  },
  { name: 'old previews', what: 'link previews to be asked for again', ...every, step: forgetOldPreviews },
  { name: 'old pushes', what: 'notifications shown in browsers days ago', ...every, step: forgetOldPushes },
]

/** Starts a worker for each clean-up: none waits for another, and one with more to do comes back at once. */
export const startCleanUps = (parley: Pick<Parley, 'clock' | 'db' | 'log' | 'workers'>): Worker[] =>
  CLEAN_UPS.map(
    (cleanUp) => new Worker(cleanUp.name, parley, cleanUp.everyMs, () => cleanStep(parley, cleanUp)),
  )

/**
 * Runs one step; returns the milliseconds to the next. While there is more, it rests as long as it worked, for the sake
 * of requests.
 */
async function cleanStep(
  { db, clock }: Pick<Parley, 'db' | 'clock'>,
  { everyMs, rows, step }: CleanUp,
): Promise<number> {
  const began = performance.now()
  const isMore = await db.transaction(async (tx) => {
    await tx.query(sql`set local statement_timeout = ${literal(STATEMENT_MS)}`)
    return step(tx, clock(), rows)
  })
  return isMore ? performance.now() - began : everyMs
}
