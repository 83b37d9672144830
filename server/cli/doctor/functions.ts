import type { Database } from '../../db/database.ts'
import { describeLacking } from '../../db/function-places.ts'
import { findOwnStale, readWorkerFunctions } from '../../db/functions.ts'
import { readMigrationState } from '../../db/migrate.ts'
import { type Check, fine, problem } from './check.ts'

const NAME = 'Functions'

/** Compares the functions of the database, and of each worker of its cluster, with the files of this version. */
export async function checkFunctions({ pool }: Database): Promise<Check[]> {
  if ((await readMigrationState(pool)).newer.length > 0) return [fine(NAME, 'of a newer version')]
  const stale = await findOwnStale(pool)
  const workers = await readWorkerFunctions(pool)
  return [
    checkNames(NAME, stale.map(({ file }) => file).join(', ')),
    ...workers.map(({ worker, lacking, failure }) =>
      failure === undefined
        ? checkNames(`${NAME} on ${worker}`, describeLacking(lacking))
        : problem(
            `${NAME} on ${worker}`,
            `cannot be read: ${failure}`,
            'Start that machine again, or see to the way to it.',
          ),
    ),
  ]
}

function checkNames(name: string, stale: string): Check {
  if (stale === '') return fine(name, 'up to date')
  return problem(
    name,
    `missing, or not those of this version: ${stale}`,
    'Run "parley migrate", or start Parley.',
  )
}
