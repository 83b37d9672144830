import { X509Certificate } from 'node:crypto'
import { LIMITS } from '../../../contract/limits.ts'
import type { AuditDestination } from '../../../contract/people/audit-destinations.ts'
import type { Caller, Client } from '../../caller.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import { newUuid, randomToken } from '../../ids.ts'
import { checkWebhookUrl } from '../../network/guard.ts'
import type { Parley } from '../../parley.ts'
import { readWebhookReach } from '../../queries/bots/webhook-reach.ts'
import { listAuditDestinations } from '../../queries/organization/audit-destinations.ts'
import { SECRET_BITS } from '../bots/bots.ts'
import { type AuditedOrganization, actorOf, auditOrganization, changesBetween } from './audit.ts'

type Maker = Caller & { client?: Client }
type Parts = Pick<Parley, 'config' | 'secrets'>
type Wanted = { kind: AuditDestination['kind']; address: string; caCertificate?: string }

const SYSLOG_PORT = 6514

export const auditSecretContext = (id: string): string => `audit destination:${id}`

/** A destination gets what happens from now on: the entry about itself is the first. */
export async function addAuditDestination(
  tx: Transaction,
  { config, secrets }: Parts,
  caller: Maker,
  { kind, address: given, caCertificate }: Wanted,
): Promise<{ id: string; secret?: string }> {
  const { orgId } = tx
  const address = kind === 'syslog' ? syslogAddress(given) : given
  const reach = await readWebhookReach(tx, config)
  const url = kind === 'syslog' ? `https://${address}/` : address
  const mistake = checkWebhookUrl(config, reach(orgId), url)
  if (mistake) throw new Refusal(mistake.code, { text: mistake.message, field: 'address' })
  if (caCertificate !== undefined) checkCertificates(kind, caCertificate)
  const others = await listAuditDestinations(tx, tx)
  if (others.some((other) => other.address === address)) throw refusal('audit_destination_known')
  if (others.length >= LIMITS.auditDestinations) throw refusal('audit_destinations_full')
  const id = newUuid()
  const secret = kind === 'webhook' ? randomToken(SECRET_BITS) : undefined
  const { id: sentTo, at } = tx.moment()
  await tx.query(sql`
    insert into audit_destinations (org_id, id, kind, address, ca_certificate, secret, created_by, created_at, sent_to, due_at)
    values (${orgId}, ${id}, ${kind}, ${address}, ${caCertificate},
      ${secret === undefined ? null : secrets.encrypt(secret, auditSecretContext(id))}, ${caller.profileId}, ${at}, ${sentTo}, ${at})`)
  await tell(tx, caller, 'organization.audit_destination_added', { kind, address })
  return { id, ...(secret !== undefined && { secret }) }
}

export async function removeAuditDestination(tx: Transaction, caller: Maker, id: string): Promise<void> {
  const [gone] = await tx.query<Pick<Wanted, 'kind' | 'address'>>(sql`
    delete from audit_destinations where org_id = ${tx.orgId} and id = ${id} returning kind, address`)
  if (!gone) throw refusal('audit_destination_not_found')
  await tell(tx, caller, 'organization.audit_destination_removed', gone)
}

/** Writes the entry that a test sends. */
export async function beginAuditTest(tx: Transaction, caller: Maker, id: string): Promise<void> {
  const [destination] = await listAuditDestinations(tx, tx, id)
  if (!destination) throw refusal('audit_destination_not_found')
  await tell(tx, caller, 'organization.audit_destination_tested', destination)
}

function tell(
  tx: Transaction,
  caller: Maker,
  action: AuditedOrganization,
  { kind, address }: Pick<Wanted, 'kind' | 'address'>,
): Promise<void> {
  const field = kind === 'webhook' ? 'webhookUrl' : 'syslogAddress'
  return auditOrganization(tx, actorOf(caller), action, changesBetween({}, { [field]: address }))
}

/** Host and port in one form: small letters, and the port of syslog over TLS where none is given. */
function syslogAddress(text: string): string {
  const url =
    /^[^\s/?#@\\]+$/.test(text) && URL.canParse(`syslog://${text}`) ? new URL(`syslog://${text}`) : undefined
  const host =
    url && URL.canParse(`https://${url.hostname}`) ? new URL(`https://${url.hostname}`).hostname : ''
  if (!url || host === '' || url.port === '0') throw refusal('syslog_address_invalid')
  return `${host}:${url.port === '' ? SYSLOG_PORT : url.port}`
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function checkCertificates(kind: Wanted['kind'], text: string): void {
  if (kind === 'webhook') throw refusal('ca_certificate_of_webhook')
  const blocks = text.match(CERTIFICATE) ?? []
  if (blocks.length === 0 || text.replace(CERTIFICATE, '').trim() !== '')
    throw refusal('ca_certificate_invalid')
  try {
    for (const block of blocks) new X509Certificate(block)
  } catch {
    throw refusal('ca_certificate_invalid')
  }
}
