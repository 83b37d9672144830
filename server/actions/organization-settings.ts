import { identityChanged } from '../auth/identity.ts'
import type { PersonCaller } from '../auth/sessions.ts'
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/transaction.ts'
import { Refusal } from '../errors.ts'
import { keepFiles, releaseFiles } from '../files/files.ts'
import type { Parley } from '../parley.ts'
import { AGENT_SIGNUP } from '../queries/installation.ts'
import { readOrganization } from '../queries/organizations.ts'
import { actorOf, audit, changesBetween } from './audit.ts'

export type OrganizationSettings = {
  name?: string | undefined
  restrictToOrgUnits?: boolean | undefined
  /** Requests a minute; 0: no limit; null: the server's setting. */
  rateLimit?: number | null | undefined
  /** How long events are kept; null: the server's setting. */
  retentionDays?: number | null | undefined
}

/** What is left out stays as it is. */
export async function setOrganization(tx: Transaction, settings: OrganizationSettings): Promise<void> {
  const { name, restrictToOrgUnits, rateLimit, retentionDays } = settings
  await tx.query(sql`
    update organizations set
      name = coalesce(${name}, name),
      restrict_to_org_units = coalesce(${restrictToOrgUnits}::boolean, restrict_to_org_units),
      rate_limit = case when ${rateLimit !== undefined}::boolean then ${rateLimit}::integer else rate_limit end,
      retention_days = case when ${retentionDays !== undefined}::boolean then ${retentionDays}::double precision
        else retention_days end,
      updated_at = ${tx.now()}
    where org_id = ${tx.orgId}`)
  await identityChanged(tx, tx.orgId)
}

/** The same with the setting that counts for the whole server, which is not every organization's to decide. */
export async function changeOrganization(
  tx: Transaction,
  parley: Pick<Parley, 'config'>,
  caller: PersonCaller,
  { agentSignup, ...settings }: OrganizationSettings & { agentSignup?: boolean | undefined },
): Promise<void> {
  const before = await readOrganization(tx, tx, parley.config)
  if (agentSignup !== undefined && !(before.isHome && caller.role === 'owner'))
    throw new Refusal(403, 'agent sign-up is for owners of the first organization of the server')
  const wanted = { ...settings, agentSignup }
  const changes = changesBetween(before, wanted)
  if (changes.length === 0) return
  await setOrganization(tx, settings)
  if (agentSignup !== undefined) {
    await tx.query(sql`
      insert into settings (name, value) values (${AGENT_SIGNUP}, ${agentSignup ? 'on' : 'off'})
      on conflict (name) do update set value = excluded.value`)
  }
  await audit(tx, actorOf(caller), {
    action: 'organization.changed',
    target: { type: 'organization', id: tx.orgId, name: settings.name ?? before.name },
    changes,
  })
}

/** A file that is in the store already; kept from here on, in the place of the one before. Undefined: none. */
export async function changeLogo(
  tx: Transaction,
  parley: Pick<Parley, 'config'>,
  caller: PersonCaller,
  fileId: string | undefined,
): Promise<void> {
  const { name, logoFileId } = await readOrganization(tx, tx, parley.config)
  if (fileId === undefined && logoFileId === null) return
  if (fileId !== undefined) await keepFiles(tx, [fileId])
  if (logoFileId !== null) await releaseFiles(tx, [logoFileId])
  await tx.query(sql`
    update organizations set logo_file_id = ${fileId}, updated_at = ${tx.now()} where org_id = ${tx.orgId}`)
  await audit(tx, actorOf(caller), {
    action: fileId === undefined ? 'organization.logo_removed' : 'organization.logo_set',
    target: { type: 'organization', id: tx.orgId, name },
  })
}
