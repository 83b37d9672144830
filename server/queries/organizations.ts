import type { Caller } from '../auth/bots.ts'
import type { Config } from '../config.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { isSignupOpen } from './installation.ts'

const DAY_MS = 86_400_000

export type OrganizationRow = {
  id: string
  name: string
  logoFileId: string | null
  restrictToOrgUnits: boolean
  rateLimit: number | null
  retentionDays: number | null
  /** The oldest one of this server: its owners decide on what counts for all. */
  isHome: boolean
}

export async function readOrganization(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  config: Pick<Config, 'agentSignup'>,
): Promise<OrganizationRow & { agentSignup: boolean }> {
  const [row] = await db.query<OrganizationRow>(sql`
    select org_id as id, name, logo_file_id as "logoFileId", restrict_to_org_units as "restrictToOrgUnits",
      rate_limit as "rateLimit", retention_days as "retentionDays",
      org_id = (select org_id from organizations order by created_at, org_id limit 1) as "isHome"
    from organizations where org_id = ${orgId}`)
  if (!row) throw new Error(`organization ${orgId} does not exist`)
  return { ...row, agentSignup: await isSignupOpen(db, config) }
}

/** How long this organization's events are kept. */
export async function readRetentionMs(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  { updatesRetentionMs }: Pick<Config, 'updatesRetentionMs'>,
): Promise<number> {
  const [row] = await db.query<{ days: number | null }>(sql`
    select retention_days as days from organizations where org_id = ${orgId}`)
  return typeof row?.days === 'number' ? row.days * DAY_MS : updatesRetentionMs
}
