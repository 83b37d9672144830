import { command } from '../command.ts'
import { endWithSignals, loadConfig } from '../installation.ts'

export const run = command({}, async () => {
  const config = loadConfig()
  endWithSignals()
  const [{ openDatabase }, { migrate }] = await Promise.all([
    import('../open.ts'),
    import('../../db/migrate.ts'),
  ])
  const database = await openDatabase(config, 'migrate')
  try {
    const applied = await migrate(database.connection)
    if (applied.length === 0) return { json: { applied }, lines: ['The database is up to date.'] }
    return {
      json: { applied },
      lines: ['The database is up to date. Applied now:', '', ...applied.map((name) => `  ${name}`)],
    }
  } finally {
    await database.close()
  }
})
