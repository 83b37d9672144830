import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeBackup, verifyBackup } from '../server/backup/backup.ts'
import { openPlace } from '../server/backup/places.ts'
import { restoreBackup } from '../server/backup/restore.ts'
import { listTables, readTableState } from '../server/backup/tables.ts'
import { migrate, readMigrationState, readMigrations } from '../server/db/migrate.ts'
import { openStorage } from '../server/files/storage/open.ts'
import { Secrets } from '../server/secrets.ts'
import { describeCatalog } from './support/catalog.ts'
import { fillFormer } from './support/former-rows.ts'
import { openEmpty } from './support/migrated.ts'
import { atNight } from './support/thorough.ts'

const SECRET_KEY = 'a key for the test of former backups alone'

/** The newest migrations of versions whose backups are restored: of the oldest one, whose tables had other names, and of the one before this. */
it.each(['0096_audience_blocks.sql', ...atNight('0122_readings_keep_who_allowed.sql')])(
  'a backup of a database at %s is restored as what that database is once it is brought up to date',
  async (newest) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-former-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const storage = await openStorage({ filesDir: join(folder, 'files'), s3: undefined })
    const place = await openPlace(join(folder, 'former.parley'), { s3: undefined })
    const former = await openEmpty()
    const migrations = [...(await readMigrations()).keys()]
    // The schema is not taken where an older state is asked for: that is made by its migrations, and goes on from there.
    expect(await migrate(former.connection, { upTo: newest })).toMatchObject({
      migrations: migrations.filter((name) => name <= newest),
    })
    await fillFormer(former.client, new Secrets(SECRET_KEY))
    await makeBackup({ connection: former.connection, storage, secretKeys: [SECRET_KEY] }, place, undefined)

    const { connection, client } = await openEmpty()
    const keys: string[] = []
    await restoreBackup(
      {
        connection,
        storage,
        incoming: join(folder, 'incoming'),
        keepSecretKeys: async (kept) => void keys.push(...kept),
      },
      place,
      undefined,
      await verifyBackup(place, undefined),
    )
    expect(keys).toEqual([SECRET_KEY])
    expect(await migrate(former.connection)).toMatchObject({ from: newest, to: migrations.at(-1) })
    // The backup is noted in `settings` after it was made.
    const tables = (await listTables(former.client)).filter(({ name }) => name !== 'settings')
    expect(tables.length).toBeGreaterThan(60)
    for (const table of tables)
      expect([table.name, await readTableState(client, table)]).toEqual([
        table.name,
        await readTableState(former.client, table),
      ])
    expect(await readMigrationState(client)).toEqual({ pending: [], changed: [], newer: [], breaking: [] })
    expect(await describeCatalog(client)).toEqual(await describeCatalog(former.client))
  },
)
