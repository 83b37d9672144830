import { command, flag } from '../command.ts'
import { endWithSignals, loadConfig } from '../installation.ts'

const options = {
  'trust-changed': flag('Take applied migrations that differ from those of this version for the same'),
  distributed: flag('Spread organizations over the machines of a Citus cluster; all servers must be stopped'),
}

export const run = command(
  options,
  async ({ 'trust-changed': trustChanged = false, distributed = false }) => {
    const config = loadConfig()
    endWithSignals()
    const [{ openDatabase }, { migrate }] = await Promise.all([
      import('../open.ts'),
      import('../../db/migrate.ts'),
    ])
    const database = await openDatabase(config, 'migrate')
    try {
      const applied = await migrate(database.connection, { trustChanged })
      if (distributed) {
        const { spread } = await import('../../db/spread.ts')
        const placed = await spread(database.connection, (line) => process.stderr.write(`${line}\n`))
        return { json: { applied, placed }, lines: [`The database is spread. Tables placed now: ${placed}.`] }
      }
      if (applied.length === 0) return { json: { applied }, lines: ['The database is up to date.'] }
      return {
        json: { applied },
        lines: ['The database is up to date. Applied now:', '', ...applied.map((name) => `  ${name}`)],
      }
    } finally {
      await database.close()
    }
  },
)
