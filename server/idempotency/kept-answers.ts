import { LIMITS } from '../../contract/limits.ts'
import { type RefusalName, recognizeRefusal } from '../../contract/refusals/recognize.ts'
import { cleanStep } from '../db/clean-some.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { Refusal, refusal, TemporaryRefusal } from '../errors.ts'
import type { Secrets } from '../secrets.ts'

/** An answer as it goes over the wire. */
export type WireAnswer = {
  status: number
  payload: string | Buffer
  replayed?: boolean
  /** The name of the refusal, where the answer is one. */
  refused?: RefusalName
}

export type IdempotentRequest = {
  orgId: string
  /** The bot, or the address where there is no bot. */
  owner: string
  key: string
  requestHash: Buffer
}

const KEPT_MS = LIMITS.idempotencyHours * 3_600_000
/** Answers from before this moment are no longer given again. */
export const keptSince = (now: number): number => now - KEPT_MS

export const NO_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

export const isIdempotencyKey = (key: string | string[] | undefined): key is string =>
  typeof key === 'string' && key.length >= 1 && key.length <= LIMITS.idempotencyKeyLength

/** Whether a request with this header can only be given an earlier answer again: asked before its body is read. */
export async function hasKeptAnswer(
  db: Queryable,
  key: string | string[] | undefined,
  { orgId, owner }: Pick<IdempotentRequest, 'orgId' | 'owner'>,
  now: number,
): Promise<boolean> {
  if (!isIdempotencyKey(key)) return false
  const [row] = await db.query(sql`
    select 1 from idempotent_answers
    where org_id = ${orgId} and owner = ${owner} and key = ${key} and created_at > ${keptSince(now)}`)
  return row !== undefined
}

/** The answer that a key had before, as it is kept: as it is, or encrypted where it may hold a secret. */
export type KeptAnswer = { hash: string; status: number; plainBody: string | null; body: string | null }

/** The first answer once more; refuses another request under the same key. */
export function keptAnswer(secrets: Secrets, request: IdempotentRequest, kept: KeptAnswer): WireAnswer {
  if (kept.hash !== request.requestHash.toString('hex')) {
    throw refusal('idempotency_key_reused')
  }
  const { status } = kept
  const payload = bodyOf(secrets, request, kept)
  // The row keeps the text of a refusal alone, so that nodes of the version before can give it again too.
  const refused = status < 400 ? undefined : recognizeRefusal(String(JSON.parse(payload)), status)
  return { status, payload, replayed: true, ...(refused && { refused }) }
}

/** The first answer to this very request, if it is kept; refuses another request with its key. */
export async function readKeptAnswer(
  db: Queryable,
  secrets: Secrets,
  request: IdempotentRequest,
  now: number,
): Promise<WireAnswer | undefined> {
  const { orgId, owner, key } = request
  const [kept] = await db.query<KeptAnswer>(sql`
    select encode(request_hash, 'hex') as hash, status, plain_body as "plainBody", encode(body, 'base64') as body
    from idempotent_answers
    where org_id = ${orgId} and owner = ${owner} and key = ${key} and created_at > ${keptSince(now)}`)
  return kept && keptAnswer(secrets, request, kept)
}

/** The body of the answer that a request of this owner got, if it succeeded: for a later question, without the request. */
export async function readKeptSuccess(
  db: Queryable,
  secrets: Secrets,
  { orgId, owner, key }: Omit<IdempotentRequest, 'requestHash'>,
  now: number,
): Promise<unknown> {
  const [kept] = await db.query<Pick<KeptAnswer, 'plainBody' | 'body'>>(sql`
    select plain_body as "plainBody", encode(body, 'base64') as body from idempotent_answers
    where org_id = ${orgId} and owner = ${owner} and key = ${key} and created_at > ${keptSince(now)}
      and status between 200 and 299`)
  const body = kept ? bodyOf(secrets, { orgId, owner }, kept) : ''
  return body === '' ? undefined : JSON.parse(body)
}

function bodyOf(
  secrets: Secrets,
  owner: Pick<IdempotentRequest, 'orgId' | 'owner'>,
  { plainBody, body }: Pick<KeptAnswer, 'plainBody' | 'body'>,
): string {
  return plainBody ?? secrets.decrypt(Buffer.from(body ?? '', 'base64'), contextOf(owner)).toString()
}

const contextOf = ({ orgId, owner }: Pick<IdempotentRequest, 'orgId' | 'owner'>): string =>
  `answer:${orgId}:${owner}`

/**
 * Gives the first answer again, or runs `work` and keeps its answer in the same transaction. `tx` must already
 * exclude a second request with this key. A refusal is an answer too; `attempt` has undone what it began.
 */
export async function answerOnce(
  tx: Queryable,
  secrets: Secrets,
  request: IdempotentRequest,
  now: number,
  work: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  const kept = await readKeptAnswer(tx, secrets, request, now)
  if (kept) return kept
  const { orgId, owner, key, requestHash } = request
  const answer = await work().catch(refusalAsAnswer)
  await tx.query(sql`
    insert into idempotent_answers (org_id, owner, key, request_hash, status, body, created_at)
    values (${orgId}, ${owner}, ${key}, ${requestHash}, ${answer.status},
      ${secrets.encrypt(answer.payload, contextOf(request))}, ${now})
    on conflict (org_id, owner, key) do update set request_hash = excluded.request_hash,
      status = excluded.status, body = excluded.body, plain_body = null, created_at = excluded.created_at`)
  return answer
}

/** The answer that is kept for a key, or a new one, kept with what `work` did. Without a key there is nothing to keep. */
export function writeOnce(
  tx: Transaction,
  secrets: Secrets,
  repeat: IdempotentRequest | undefined,
  work: () => Promise<WireAnswer>,
): Promise<WireAnswer> {
  return repeat ? answerOnce(tx, secrets, repeat, tx.now(), () => tx.attempt(work)) : work()
}

/** Inside an organization its one writer excludes a second request anyway; outside, this does. */
export async function excludeOthers(tx: Queryable, { owner, key }: IdempotentRequest): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${owner}\n${key}`}, 2))`)
}

/** A refusal for lack of budget, or until a person acts, is not final, so it is not kept. */
function refusalAsAnswer(error: unknown): WireAnswer {
  if (error instanceof Refusal && error.status !== 429 && !(error instanceof TemporaryRefusal))
    return { status: error.status, payload: JSON.stringify(error.message), refused: error }
  throw error
}

export const forgetOldAnswers = (db: Queryable, now: number, limit: number): Promise<boolean> =>
  cleanStep(db, {
    table: 'idempotent_answers',
    key: 'org_id, owner, key',
    where: sql`created_at <= ${keptSince(now)}`,
    limit,
  })
