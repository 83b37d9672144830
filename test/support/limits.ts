import { setCeilings } from '../../server/actions/organization/organization-settings.ts'
import type { TestParley } from './parley.ts'

/** Requests a minute that an operator allows this organization; 0: no limit, null: as the server is set. */
export async function setRateLimit(
  server: TestParley,
  orgId: string,
  rateLimit: number | null,
): Promise<void> {
  await server.parley.db.write(orgId, (tx) => setCeilings(tx, { rateLimit }))
}
