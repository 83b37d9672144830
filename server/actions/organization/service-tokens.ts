import type { RefusalCode } from '../../../contract/refusals/index.ts'
import { type ServiceTokenKind, serviceTokenHash } from '../../auth/service-tokens.ts'
import type { Caller, Client } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newUuid, randomToken } from '../../ids.ts'
import { type AuditedOrganization, actorOf, auditOrganization, changesBetween } from './audit.ts'

type Maker = Caller & { client?: Client }

const TOKEN_BITS = 256
const HOUR_MS = 3_600_000

/** The kinds of tokens. A prefix lets scanners find tokens in files, and differs from keys of bots. */
const KINDS = {
  scim: {
    prefix: 'parley_scim_',
    made: 'organization.scim_token_made',
    revoked: 'organization.scim_token_revoked',
    notFound: 'scim_token_not_found',
  },
  audit: {
    prefix: 'parley_audit_',
    made: 'organization.audit_token_made',
    revoked: 'organization.audit_token_revoked',
    notFound: 'audit_token_not_found',
  },
} as const satisfies Record<
  ServiceTokenKind,
  { prefix: string; made: AuditedOrganization; revoked: AuditedOrganization; notFound: RefusalCode }
>

/**
 * Makes the token of the organization of one kind. A token that is there goes on for `overlapHours`, so that the service outside can be given the new
 * one; one that was replaced before ends at once.
 */
export async function makeServiceToken(
  tx: Transaction,
  caller: Maker,
  kind: ServiceTokenKind,
  overlapHours: number,
): Promise<{ id: string; token: string }> {
  const { orgId } = tx
  const { prefix, made } = KINDS[kind]
  await tx.query(
    sql`delete from scim_tokens where org_id = ${orgId} and kind = ${kind} and valid_until is not null`,
  )
  const until = Math.round(tx.now() + overlapHours * HOUR_MS)
  const former = await tx.query(
    overlapHours > 0
      ? sql`update scim_tokens set valid_until = ${until} where org_id = ${orgId} and kind = ${kind} returning id`
      : sql`delete from scim_tokens where org_id = ${orgId} and kind = ${kind} returning id`,
  )
  const [id, token] = [newUuid(), `${prefix}${randomToken(TOKEN_BITS)}`]
  await tx.query(sql`
    insert into scim_tokens (token_hash, org_id, kind, id, created_by, created_at)
    values (${serviceTokenHash(kind, token)}, ${orgId}, ${kind}, ${id}, ${caller.profileId}, ${tx.now()})`)
  const goesOn = former.length > 0 && overlapHours > 0
  await tell(tx, caller, made, {
    formerUntil: goesOn ? new Date(until).toISOString() : undefined,
  })
  return { id, token }
}

/** Ends a token at once. */
export async function revokeServiceToken(
  tx: Transaction,
  caller: Maker,
  kind: ServiceTokenKind,
  tokenId: string,
): Promise<void> {
  const { revoked, notFound } = KINDS[kind]
  const [gone] = await tx.query(sql`
    delete from scim_tokens
    where org_id = ${tx.orgId} and kind = ${kind} and id = ${tokenId}
      and (valid_until is null or valid_until > ${tx.now()}) returning id`)
  if (!gone) throw refusal(notFound)
  await tell(tx, caller, revoked, {})
}

const tell = (
  tx: Transaction,
  caller: Maker,
  action: AuditedOrganization,
  said: Record<string, unknown>,
): Promise<void> => auditOrganization(tx, actorOf(caller), action, changesBetween({}, said))
