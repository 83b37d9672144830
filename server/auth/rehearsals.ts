import type { Operation } from '../../contract/operation.ts'
import type { Queryable } from '../db/database.ts'
import { nothing, sql } from '../db/sql.ts'
import { unauthorized } from '../errors.ts'
import { randomToken, sha256 } from '../ids.ts'
import type { Parley } from '../parley.ts'
import { type BotCaller, permit } from './bots.ts'
import type { Identity } from './identity.ts'

const TOKEN_BITS = 256
/** The organization stands in the token: its row is found on one machine. No other API takes a token of this form. */
const TOKEN =
  /^bearer +(parley_rehearsal_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_\w{30,60})$/i

export const newRehearsalToken = (orgId: string): string =>
  `parley_rehearsal_${orgId.replaceAll('-', '')}_${randomToken(TOKEN_BITS)}`

export const rehearsalTokenHash = (token: string): Buffer => sha256(`rehearsal:${token}`)

/** A rehearsal as it is now. */
export type RunningRehearsal = {
  id: string
  botId: string
  startedBy: string
  toSeq: number
  heardSeq: number
  heardAt: number
  currentSeq: number | null
  currentTries: number
  events: number
  sayings: number
  bytes: number
  storageVersion: number
  overAt: number | null
}

/** A bot in a rehearsal. */
export type RehearsalCaller = BotCaller & { rehearsal: RunningRehearsal }

/** The rehearsal, if its token still works: not too old, and begun by a person who is still an admin. */
async function find(
  db: Queryable,
  { orgId, tokenHash, id }: { orgId: string; tokenHash?: Buffer; id?: string },
  now: number,
  isLocked: boolean,
): Promise<RunningRehearsal | undefined> {
  const [row] = await db.query<RunningRehearsal>(sql`
    select r.id, r.bot_id as "botId", r.started_by as "startedBy", r.to_seq as "toSeq", r.heard_seq as "heardSeq",
      r.heard_at as "heardAt", r.current_seq as "currentSeq", r.current_tries as "currentTries", r.events, r.sayings, r.bytes,
      r.storage_version as "storageVersion", r.over_at as "overAt"
    from rehearsals r
    join profiles p on p.org_id = r.org_id and p.id = r.started_by and p.status = 'Active' and p.role in ('owner', 'admin')
    where r.org_id = ${orgId} and r.expires_at > ${now}
      and ${tokenHash ? sql`r.token_hash = ${tokenHash}` : sql`r.id = ${id}`}
    ${isLocked ? sql`for no key update of r` : nothing}`)
  return row
}

const gone = () => unauthorized('The rehearsal has ended')

/** The bot behind a token of a rehearsal; throws unless it may call the operation outside of one. */
export async function admitToRehearsal(
  { db, clock, identities }: Pick<Parley, 'db' | 'clock' | 'identities'>,
  authorization: string | undefined,
  operation: Operation,
): Promise<RehearsalCaller> {
  const [, token, ...parts] = TOKEN.exec(authorization ?? '') ?? []
  if (token === undefined) throw unauthorized('The request has no token of a rehearsal')
  const orgId = parts.join('-').toLowerCase()
  const rehearsal = await find(db, { orgId, tokenHash: rehearsalTokenHash(token) }, clock(), false)
  const identity = rehearsal && (await identities.byBotId(rehearsal.botId))
  if (!rehearsal || !identity || identity.orgId !== orgId) throw gone()
  const scopes = identity.credential === 'oauth' ? identity.scopes : undefined
  const prove = (bot: Identity | undefined): Identity => {
    if (!bot?.active) throw unauthorized('The bot is deactivated')
    return bot
  }
  const caller = await identities.judge(
    identity,
    (bot): BotCaller => ({
      orgId,
      profileId: bot.botId,
      identity: prove(bot),
      scopes,
      tokenScopes: scopes,
      prove,
    }),
  )
  return { ...(await permit(identities, caller, operation)), rehearsal }
}

/** The rehearsal of a caller as it is now, locked until the transaction ends. */
export async function lockRehearsal(
  db: Queryable,
  { orgId, rehearsal: { id } }: RehearsalCaller,
  now: number,
): Promise<RunningRehearsal> {
  const rehearsal = await find(db, { orgId, id }, now, true)
  if (!rehearsal) throw gone()
  return rehearsal
}
