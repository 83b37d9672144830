import { createHash } from 'node:crypto'
import { LIMITS } from '../../../contract/limits.ts'
import type { PersonScope } from '../../../contract/scopes.ts'
import {
  ACCESS_TOKEN_SECONDS,
  type AssistantCaller,
  type AssistantRow,
  type FoundToken,
  findOwner,
  findToken,
  issueAssistantToken,
  spendToken,
  type TokenKind,
} from '../../auth/assistants.ts'
import type { Asked } from '../../auth/authorization-requests.ts'
import { hostOf, isVerified, noteClientUse } from '../../auth/oauth-clients.ts'
import type { PersonCaller, SignedIn } from '../../auth/sessions.ts'
import { crossing, sql } from '../../db/sql.ts'
import type { OpenTransaction, Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import { queueMail } from '../../mail/queue.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import { equalInConstantTime } from '../../secrets.ts'
import { type Actor, actorOf, audit, type Change, memberChange, SERVER } from '../organization/audit.ts'

const DAY_MS = 86_400_000

/** Lets an assistant act for the caller, and gives the code that its program exchanges for tokens. */
export async function connectAssistant(
  tx: Transaction,
  { secrets, config }: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  asked: Asked,
  { scopes, days }: { scopes: readonly PersonScope[]; days: number },
): Promise<string> {
  if (!scopes.every((scope) => asked.scopes.includes(scope))) throw refusal('assistant_scope_not_requested')
  const [organization] = await tx.query(sql`
    select 1 from organizations where org_id = ${tx.orgId} and allow_assistants`)
  if (!organization) throw refusal('assistants_not_allowed')
  await tx.query(sql`
    delete from assistants where org_id = ${tx.orgId} and id in (
      select id from assistants where org_id = ${tx.orgId} and profile_id = ${caller.profileId}
      order by created_at desc, id offset ${LIMITS.assistantsPerMember - 1})`)
  const { client, redirectUri, codeChallenge } = asked
  const now = tx.now()
  const id = newUuid()
  const [name, host, given] = [client.name, hostOf(redirectUri), [...new Set(scopes)]]
  await tx.query(sql`
    insert into assistants (org_id, id, profile_id, client_id, name, host, is_verified, scopes, signed_in_with,
      created_at, expires_at)
    values (${tx.orgId}, ${id}, ${caller.profileId}, ${client.id}, ${name}, ${host}, ${isVerified(client, redirectUri)},
      ${given}, ${caller.signedInWith}, ${now}, ${now + days * DAY_MS})`)
  await noteClientUse(tx, now, client.id)
  await audit(tx, actorOf(caller), {
    action: 'assistant.connected',
    target: { type: 'assistant', id, name },
    changes: [
      { field: 'host', to: host },
      { field: 'scopes', to: given.join(' ') },
      { field: 'days', to: String(days) },
    ],
  })
  await queueMail(tx, secrets, {
    to: caller.email,
    subject: 'An assistant was connected to your account on Parley',
    text: mailWords`${name} (${asIs(host)}) can act for you on ${asIs(config.baseUrl)} for ${days} days.

If this was not you, disconnect it in your account and set a new password:

${asIs(config.baseUrl)}/account
`,
  })
  return issueAssistantToken(
    tx,
    { orgId: tx.orgId, id },
    { kind: 'code', redirectUri, codeChallenge, expiresAt: now + LIMITS.authorizationCodeSeconds * 1000 },
  )
}

export type AssistantTokens = { accessToken: string; refreshToken: string; seconds: number; scope: string }

type CodeProof = { code: string; redirectUri: string; clientId: string; verifier: string }

/** The first tokens of an assistant; undefined if the code or its proof is wrong. */
export function exchangeCode(
  parley: Pick<Parley, 'db'>,
  proof: CodeProof,
): Promise<AssistantTokens | undefined> {
  return spend(parley, 'code', proof.code, (found) => {
    const challenge = createHash('sha256').update(proof.verifier).digest('base64url')
    return (
      found.clientId === proof.clientId &&
      found.redirectUri === proof.redirectUri &&
      equalInConstantTime(challenge, found.codeChallenge ?? '')
    )
  })
}

/** Exchanges a refresh token for new tokens and ends it; undefined if it is not valid. */
export const refreshTokens = (
  parley: Pick<Parley, 'db'>,
  { refreshToken, clientId }: { refreshToken: string; clientId: string },
): Promise<AssistantTokens | undefined> =>
  spend(parley, 'refresh', refreshToken, (found) => found.clientId === clientId)

/**
 * Uses up a code or a refresh token. A second use means that it was copied. It is unknown which of the two users is the
 * right one, so the connection ends for both.
 */
async function spend(
  { db }: Pick<Parley, 'db'>,
  kind: TokenKind,
  token: string,
  isProven: (found: FoundToken) => boolean,
): Promise<AssistantTokens | undefined> {
  const owner = await findOwner(db, token)
  if (!owner) return undefined
  return db.write(owner.orgId, async (tx) => {
    const now = tx.now()
    const found = await findToken(tx, now, kind, token)
    if (!found || !isProven(found)) return undefined
    if (found.usedAt !== null) {
      await end(tx, SERVER, found, [{ field: 'reason', to: 'reused' }])
      return undefined
    }
    await spendToken(tx, now, token)
    await tx.query(sql`
      update assistants set connected_at = coalesce(connected_at, ${now})
      where org_id = ${tx.orgId} and id = ${found.id}`)
    const expiresAt = Math.min(found.expiresAt, now + ACCESS_TOKEN_SECONDS * 1000)
    return {
      accessToken: await issueAssistantToken(tx, found, { kind: 'access', expiresAt }),
      refreshToken: await issueAssistantToken(tx, found, { kind: 'refresh', expiresAt: found.expiresAt }),
      seconds: Math.ceil((expiresAt - now) / 1000),
      scope: found.scopes.join(' '),
    }
  })
}

/** Revokes a token, and with it the program's whole connection. Returns false if the token is another program's. */
export async function revokeToken(
  { db }: Pick<Parley, 'db'>,
  { token, clientId }: { token: string; clientId: string },
): Promise<boolean> {
  const owner = await findOwner(db, token)
  if (!owner) return true
  if (owner.clientId !== clientId) return false
  await db.write(owner.orgId, (tx) =>
    end(tx, { kind: 'person', id: owner.profileId, assistant: owner.name }, owner),
  )
  return true
}

/** The assistant's own person disconnects it, in any organization. */
export async function endOwnAssistant(
  open: OpenTransaction,
  { accountId, client }: SignedIn,
  assistantId: string,
): Promise<void> {
  const [found] = await open.query<
    Pick<AssistantRow, 'orgId' | 'id' | 'profileId' | 'name'>
  >(sql`${crossing('a person is looked for in all their organizations')}
    select x.org_id as "orgId", x.id, x.profile_id as "profileId", x.name
    from profiles p join assistants x on x.org_id = p.org_id and x.profile_id = p.id
    where p.account_id = ${accountId} and x.id = ${assistantId}`)
  if (!found) throw refusal('assistant_not_found')
  const tx = await open.enter(found.orgId)
  const isEnded = await end(tx, { kind: 'person', id: found.profileId, client }, found)
  if (!isEnded) throw refusal('assistant_not_found')
}

export async function endMemberAssistant(
  tx: Transaction,
  caller: PersonCaller,
  assistantId: string,
): Promise<void> {
  const [found] = await tx.query<{ id: string; name: string; memberId: string; memberName: string }>(sql`
    select x.id, x.name, p.id as "memberId", p.name as "memberName" from assistants x join profiles p on p.org_id = x.org_id and p.id = x.profile_id
    where x.org_id = ${tx.orgId} and x.id = ${assistantId} and x.connected_at is not null`)
  if (!found) throw refusal('assistant_not_found')
  const change = memberChange('member', { to: { id: found.memberId, name: found.memberName } })
  if (!(await end(tx, actorOf(caller), found, [change]))) throw refusal('assistant_not_found')
}

/** Deletes the assistant with its tokens. Returns false if another request did so first. */
async function end(
  tx: Transaction,
  actor: Actor,
  { id, name }: Pick<AssistantRow, 'id' | 'name'>,
  changes: readonly Change[] = [],
): Promise<boolean> {
  const ended = await tx.query(sql`
    delete from assistants where org_id = ${tx.orgId} and id = ${id} returning id`)
  if (ended.length === 0) return false
  await audit(tx, actor, { action: 'assistant.ended', target: { type: 'assistant', id, name }, changes })
  return true
}

/** Written down before it is done: nothing that an assistant does is missing from the log. */
export async function auditCall(
  { db }: Pick<Parley, 'db'>,
  caller: AssistantCaller,
  { tool, about }: { tool: string; about: readonly Change[] },
): Promise<void> {
  await db.writeAs(caller, (tx) =>
    audit(tx, actorOf(caller), {
      action: 'assistant.called',
      target: { type: 'assistant', ...caller.assistant },
      changes: [{ field: 'tool', to: tool }, ...about],
    }),
  )
}
