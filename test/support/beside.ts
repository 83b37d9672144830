import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/log.ts'
import { openParley } from '../../server/parley.ts'
import { findRunningPostgres } from '../../server/postgres/embedded.ts'
import { type Home, organization } from './cast.ts'

/** Prepares an organization through the database of a running server, beside it. */
export async function openBeside<Result>(
  dataDir: string,
  url: string,
  prepare: (beside: Home, orgId: string) => Promise<Result>,
): Promise<Result> {
  const connection = await findRunningPostgres(dataDir)
  if (!connection) throw new Error('the server has no database')
  const config = readConfig({ DATA_DIR: dataDir })
  const parley = await openParley({ config, connection, log: createLog({ logLevel: 'silent' }) })
  try {
    const beside = { parley, url }
    return await prepare(beside, await organization(beside))
  } finally {
    await parley.close()
  }
}
