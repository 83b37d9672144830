import type { Caller, Client } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { newUuid, randomToken, sha256 } from '../../ids.ts'
import {
  type AuditedOrganization,
  actorOf,
  auditOrganization,
  changesBetween,
} from '../organization/audit.ts'

type Maker = Caller & { client?: Client }

const TOKEN_BITS = 256
const HOUR_MS = 3_600_000
/** The prefix lets scanners find tokens in files, and differs from keys of bots. */
const PREFIX = 'parley_scim_'

/**
 * Makes the token of the organization. A token that is there goes on for `overlapHours`, so that the identity provider can be given the new
 * one; one that was replaced before ends at once.
 */
export async function makeScimToken(
  tx: Transaction,
  caller: Maker,
  overlapHours: number,
): Promise<{ id: string; token: string }> {
  const { orgId } = tx
  await tx.query(sql`delete from scim_tokens where org_id = ${orgId} and valid_until is not null`)
  const until = Math.round(tx.now() + overlapHours * HOUR_MS)
  const former = await tx.query(
    overlapHours > 0
      ? sql`update scim_tokens set valid_until = ${until} where org_id = ${orgId} returning id`
      : sql`delete from scim_tokens where org_id = ${orgId} returning id`,
  )
  const [id, token] = [newUuid(), `${PREFIX}${randomToken(TOKEN_BITS)}`]
  await tx.query(sql`
    insert into scim_tokens (token_hash, org_id, id, created_by, created_at)
    values (${sha256(token)}, ${orgId}, ${id}, ${caller.profileId}, ${tx.now()})`)
  const goesOn = former.length > 0 && overlapHours > 0
  await tell(tx, caller, 'organization.scim_token_made', {
    formerUntil: goesOn ? new Date(until).toISOString() : undefined,
  })
  return { id, token }
}

/** Ends a token at once. */
export async function revokeScimToken(tx: Transaction, caller: Maker, tokenId: string): Promise<void> {
  const [gone] = await tx.query(sql`
    delete from scim_tokens
    where org_id = ${tx.orgId} and id = ${tokenId} and (valid_until is null or valid_until > ${tx.now()}) returning id`)
  if (!gone) throw refusal('scim_token_not_found')
  await tell(tx, caller, 'organization.scim_token_revoked', {})
}

const tell = (
  tx: Transaction,
  caller: Maker,
  action: AuditedOrganization,
  said: Record<string, unknown>,
): Promise<void> => auditOrganization(tx, actorOf(caller), action, changesBetween({}, said))
