import { command, flag } from '../command.ts'
import { endWithSignals, loadConfig } from '../installation.ts'

const options = {
  'trust-changed': flag('Take applied migrations that differ from those of this version for the same'),
}

export const run = command(options, async ({ 'trust-changed': trustChanged = false }) => {
  const config = loadConfig()
  endWithSignals()
  const [{ openDatabase }, { migrate }] = await Promise.all([
    import('../open.ts'),
    import('../../db/migrate.ts'),
  ])
  const database = await openDatabase(config, 'migrate')
  try {
    const applied = await migrate(database.connection, { trustChanged })
    if (applied.length === 0) return { json: { applied }, lines: ['The database is up to date.'] }
    return {
      json: { applied },
      lines: ['The database is up to date. Applied now:', '', ...applied.map((name) => `  ${name}`)],
    }
  } finally {
    await database.close()
  }
})
