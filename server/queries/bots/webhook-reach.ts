import type { Config } from '../../config.ts'
import type { Queryable } from '../../db/database.ts'
import { readHome } from '../organization/installation.ts'

type ReachConfig = Pick<Config, 'webhookAllowedNetworks' | 'webhookAllowedOrganizations'>

/**
 * The networks that webhooks of an organization may reach besides the public internet. The operator opens them for the
 * home organization, and for others by name: with open sign-up, any visitor may create an organization.
 */
export async function readWebhookReach(
  db: Queryable,
  { webhookAllowedNetworks, webhookAllowedOrganizations }: ReachConfig,
): Promise<(orgId: string) => readonly string[]> {
  if (webhookAllowedNetworks.length === 0) return () => []
  if (webhookAllowedOrganizations === 'all') return () => webhookAllowedNetworks
  const allowed = new Set([await readHome(db), ...webhookAllowedOrganizations])
  return (orgId) => (allowed.has(orgId) ? webhookAllowedNetworks : [])
}
