import type { DatabaseConnection } from '../../db/connection.ts'
import type { LongWork } from '../../long-work.ts'
import { type CommandOutput, flag, longCommand } from '../command.ts'
import { loadConfig } from '../installation.ts'

const options = {
  'trust-changed': flag('Take applied migrations that differ from those of this version for the same'),
  distributed: flag('Spread organizations over the machines of a Citus cluster; all servers must be stopped'),
}

export const run = longCommand(
  options,
  async ({ 'trust-changed': trustChanged = false, distributed = false }, work) => {
    const config = loadConfig()
    const { openDatabase } = await import('../open.ts')
    const database = await openDatabase(config, 'migrate')
    try {
      return distributed
        ? await runDistributed(database.connection, trustChanged, work)
        : await runPlain(database.connection, trustChanged)
    } finally {
      await database.close()
    }
  },
  { resume: 'What was done stays. The same command goes on where it stopped.' },
)

async function runDistributed(
  connection: DatabaseConnection,
  trustChanged: boolean,
  work: LongWork,
): Promise<CommandOutput> {
  const { distribute } = await import('../../db/distribute.ts')
  const { migrations, functions, placed } = await distribute(connection, { trustChanged, work })
  return {
    json: { applied: migrations, functions, placed },
    lines: [`The database is spread. Tables placed now: ${placed}.`],
  }
}

async function runPlain(connection: DatabaseConnection, trustChanged: boolean): Promise<CommandOutput> {
  const { migrate } = await import('../../db/migrate.ts')
  const { migrations, functions } = await migrate(connection, { trustChanged })
  const applied = [...migrations, ...functions.map((name) => `function ${name}`)]
  return {
    json: { applied: migrations, functions },
    lines:
      applied.length === 0
        ? ['The database is up to date.']
        : ['The database is up to date. Applied now:', '', ...applied.map((line) => `  ${line}`)],
  }
}
