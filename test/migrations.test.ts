import { readdir } from 'node:fs/promises'
import type pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { listTables, readTableState, type Table } from '../server/backup/tables.ts'
import { queryableOf } from '../server/db/database.ts'
import { distribute } from '../server/db/distribute.ts'
import {
  FORMER_CHECKSUMS,
  migrate,
  ONCE_PLACED,
  readMigrationState,
  readMigrations,
} from '../server/db/migrate.ts'
import { readPlacements } from '../server/db/placement.ts'
import { sql, toStatement } from '../server/db/sql.ts'
import { statementsOf } from '../server/db/statements.ts'
import { newUuid } from '../server/ids.ts'
import { eventsFor } from '../server/queries/events/audience.ts'
import { Secrets } from '../server/secrets.ts'
import { fillFormer } from './support/former-rows.ts'
import { openEmpty, openFormer, openMigrated } from './support/migrated.ts'
import { atNight } from './support/thorough.ts'

const ONE = '0005_files.sql'
const FUTURE = '9000_from_the_future.sql'
const NOTHING = { migrations: [], functions: [] }

let connection: pg.ClientConfig
let client: pg.Client

async function openOne(): Promise<void> {
  const opened = await openMigrated()
  connection = opened.connection
  client = opened.client
}

const namesWithChecksum = async () =>
  (
    await client.query<{ name: string }>(
      'select name from migrations where checksum is not null order by name',
    )
  ).rows.map(({ name }) => name)

describe('applied migrations', () => {
  beforeEach(openOne)

  it('are kept with a checksum each, and fit', async () => {
    const files = (await readdir('server/db/migrations')).filter((name) => name.endsWith('.sql')).sort()
    expect(await namesWithChecksum()).toEqual(files)
    expect(await readMigrationState(client)).toEqual({ pending: [], changed: [], newer: [], breaking: [] })
    expect(await migrate(connection)).toMatchObject(NOTHING)
  })

  it('that differ are refused by name, until the operator says that they are the same', async () => {
    await client.query(`update migrations set checksum = 'another' where name = $1`, [ONE])
    await expect(migrate(connection)).rejects.toThrow(
      new RegExp(`other contents than this version of Parley has: ${ONE}\\. .*--trust-changed`),
    )
    expect(await migrate(connection, { trustChanged: true })).toMatchObject(NOTHING)
    expect(await migrate(connection)).toMatchObject(NOTHING)
    expect((await readMigrationState(client)).changed).toEqual([])
  })

  it('that had another text before, which made the same, are no others', async () => {
    for (const [name, checksum] of Object.entries(FORMER_CHECKSUMS)) {
      const { rowCount } = await client.query('update migrations set checksum = $2 where name = $1', [
        name,
        checksum,
      ])
      expect(rowCount, name).toBe(1)
    }
    expect((await readMigrationState(client)).changed).toEqual([])
    expect(await migrate(connection)).toMatchObject(NOTHING)
  })

  it('from before checksums get theirs, and what was changed under them is repaired', async () => {
    const triggers = async () =>
      (
        await client.query(
          `select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`,
        )
      ).rows
    const intended = await triggers()
    await client.query(`delete from migrations where name = '0022_repair.sql'`)
    await client.query('alter table migrations drop column checksum, drop column breaks_older')
    await client.query('drop trigger topics_announcement on topics')
    expect(await migrate(connection)).toMatchObject({ migrations: ['0022_repair.sql'], functions: [] })
    expect(await triggers()).toEqual(intended)
    expect(await namesWithChecksum()).toContain(ONE)
    expect((await readMigrationState(client)).changed).toEqual([])
  })
})

describe('the statements of a script', () => {
  it('end with semicolons, but for those in texts, names, functions and comments', () => {
    const script = `-- one; two
      select ';', 'it''s; so' /* not; here */;
      create function f() returns text language sql as $$ select 'a'; select 'b' $$;
      select $body$ $$; $body$, "odd;name" - 1
      -- the end; of it
      `
    const [first, second, third, ...others] = statementsOf(script)
    expect(first).toContain(`select ';', 'it''s; so'`)
    expect(second?.trim()).toBe(
      `create function f() returns text language sql as $$ select 'a'; select 'b' $$`,
    )
    expect(third).toContain('"odd;name" - 1')
    expect(others).toEqual([])
    expect(statementsOf('\n-- nothing;\n')).toEqual([])
  })

  it('are all that migrations say', async () => {
    for (const text of (await readMigrations()).values()) {
      const statements = statementsOf(text)
      expect(text.startsWith(statements.join(';'))).toBe(true)
      expect(text.slice(statements.join(';').length)).toMatch(/^;\s*(--.*\s*)*$/)
      for (const statement of statements)
        expect(statement.replaceAll(/^\s*--.*$|\/\*[\s\S]*?\*\//gm, '').trim()).toMatch(/^[a-z]+ /)
    }
  })
})

describe('a database of an older version', () => {
  /**
   * The newest migration of the version before this one, and of the first version that had a command to start it. Migrations between
   * them do not change any more.
   */
  it.each(['0122_readings_keep_who_allowed.sql', ...atNight('0004_webhooks.sql')])(
    'at %s keeps every row, in every column that it had',
    async (newest) => {
      const { connection, client: old } = await openEmpty()
      await migrate(connection, { upTo: newest })
      const { texts } = await fillFormer(old, new Secrets('any'))
      const tables = await listTables(old)
      // 0009 names the home organization in `settings`, and 0096 renamed one table.
      const kept = tables.filter(({ name }) => name !== 'settings')
      const stateOf = ({ name, columns }: Table, isUpgraded: boolean) =>
        readTableState(old, {
          name: isUpgraded ? name.replace('event_audience', 'audience_rows') : name,
          columns,
        })
      const states = []
      for (const table of kept) states.push({ ...table, ...(await stateOf(table, false)) })
      expect(states).toContainEqual(expect.objectContaining({ name: 'messages', rows: texts.length }))
      await migrate(connection)
      const upgraded = []
      for (const table of kept) upgraded.push({ ...table, ...(await stateOf(table, true)) })
      expect(upgraded).toEqual(states)
    },
  )
})

describe('a database from before addresses had to be proven', () => {
  it('keeps who can sign in today, and asks the others for a proof', async () => {
    const { old, upgrade } = await openFormer('0101_address_proof.sql')
    const orgId = newUuid()
    const people = [
      ['with a password', 'Active', true],
      ['with a passkey', 'Active', true],
      ['with a provider', 'Active', true],
      ['by a link made by hand', 'Active', false],
      ['archived', 'Archived', true],
      ['deleted', 'Deleted', true],
      ['invited', 'Pending', true],
      ['without a way to sign in', 'Active', true],
    ] as const
    await old.query('set session_replication_role = replica')
    for (const [name, status, isProven] of people) {
      const accountId = newUuid()
      const hasPassword = !/passkey|provider|invited|without/.test(name)
      await old.query(
        'insert into accounts (id, email, email_key, password, email_proven, created_at) values ($1, $2, $2, $3, $4, 0)',
        [accountId, name, hasPassword ? 'hash' : null, isProven],
      )
      await old.query(
        `insert into profiles (org_id, id, kind, name, status, account_id, created_at, updated_at)
         values ($1, $2, 'user', $3, $4, $5, 0, 0)`,
        [orgId, newUuid(), name, status, accountId],
      )
      if (name.includes('passkey'))
        await old.query(
          `insert into passkeys (credential_id, id, account_id, public_key, counter, transports, name, created_at)
           values ('key', $1, $2, '', 0, '{}', 'Key', 0)`,
          [newUuid(), accountId],
        )
      if (name.includes('provider'))
        await old.query(`insert into external_accounts values ('issuer', 'subject', $1, 0)`, [accountId])
    }
    await upgrade()
    const { rows } = await old.query<{ name: string; waits: boolean; proven: boolean }>(`
      select p.name, p.needs_proof as waits, a.email_proven as proven
      from profiles p join accounts a on a.id = p.account_id`)
    const namesOf = (chosen: (row: (typeof rows)[number]) => boolean) =>
      rows
        .filter(chosen)
        .map(({ name }) => name)
        .toSorted()
    expect(namesOf(({ waits }) => waits)).toEqual([
      'archived',
      'deleted',
      'invited',
      'without a way to sign in',
    ])
    expect(namesOf(({ proven }) => !proven)).toEqual([
      'by a link made by hand',
      'invited',
      'without a way to sign in',
    ])
  })
})

describe('a database with a row for each bot and event', () => {
  it('has the same events for its bots once they are kept in blocks', async () => {
    const { old, upgrade } = await openFormer('0096_audience_blocks.sql')
    const [orgId, botId] = [newUuid(), `b@${newUuid()}`]
    await old.query(`
      set session_replication_role = replica;
      insert into organization_logs (org_id, last_seq) values ('${orgId}', 600);
      insert into events (org_id, seq, id, type, topic_id, data, created_at, bot_ids)
        select '${orgId}', n, gen_random_uuid(), 'message.created', gen_random_uuid(), '{}', 0,
          case when n % 3 = 0 then '{${botId}}'::text[] else '{}' end from generate_series(1, 600) n;
      insert into event_audience (org_id, bot_id, seq)
        select '${orgId}', '${botId}', n from generate_series(1, 600) n where n % 3 = 0`)
    await upgrade()
    // The next event closes the open block.
    await old.query(`select close_audience_blocks('${orgId}', 800)`)
    const { text, values } = toStatement(
      sql`select seq from ${eventsFor({ orgId, botId, after: sql`0::bigint`, limit: 1000 })} a`,
    )
    const { rows } = await old.query<{ seq: string }>(text, values)
    expect(rows.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 200 }, (_, n) => 3 * (n + 1)))
  })
})

describe('a database of a newer version', () => {
  beforeEach(openOne)

  const applyFuture = (breaksOlder: boolean) =>
    client.query('insert into migrations (name, checksum, breaks_older) values ($1, $2, $3)', [
      FUTURE,
      'of another version',
      breaksOlder,
    ])

  it('is used by this one, which can tell', async () => {
    await applyFuture(false)
    expect(await migrate(connection)).toMatchObject(NOTHING)
    expect(await readMigrationState(client)).toMatchObject({ newer: [FUTURE], breaking: [], pending: [] })
  })

  it('keeps the functions of that version', async () => {
    await applyFuture(false)
    await client.query(`update functions set checksum = 'of another version' where name = 'audience_of'`)
    await migrate(connection)
    const { rows } = await client.query(`select checksum from functions where name = 'audience_of'`)
    expect(rows).toEqual([{ checksum: 'of another version' }])
  })

  it('is refused where this one cannot work with it', async () => {
    await applyFuture(true)
    await expect(migrate(connection)).rejects.toThrow(
      `A newer version of Parley has changed this database so that this one cannot work with it (${FUTURE}).`,
    )
  })
})

describe('a database for several machines', () => {
  /** Migrations up to this number came with the first version that can spread a database: there was none yet. */
  const FIRST_VERSION = '0099'

  it('is refused with words where PostgreSQL has no Citus, and nothing has changed', async () => {
    const empty = await openEmpty()
    await expect(distribute(empty.connection)).rejects.toThrow(/has no extension Citus.*DATABASE_URL/)
    const { rows } = await empty.client.query(
      'select relname from pg_class where relnamespace = current_schema()::regnamespace',
    )
    expect(rows).toEqual([])
  })

  it('gets tables that refer to those of organizations only once they have their places', async () => {
    const { client } = await openMigrated()
    const placements = await readPlacements(queryableOf(client))
    const later = [...(await readMigrations())].filter(([name]) => name > FIRST_VERSION)
    const early = later.filter(([, text]) => {
      const [before = ''] = text.split(ONCE_PLACED)
      return [...before.matchAll(/\breferences (\w+)/g)].some(
        ([, table]) => placements.get(table ?? '') === 'spread',
      )
    })
    expect(early.map(([name]) => name)).toEqual([])
  })

  it('changes tables in the only form that a cluster takes: rules by a name of their own, each in its statement', async () => {
    const later = [...(await readMigrations())].filter(([name]) => name > FIRST_VERSION)
    const refused = later.flatMap(([name, text]) =>
      statementsOf(text)
        .filter((statement) => /^\s*(--.*\s*)*alter table/.test(statement))
        .filter(
          (change) =>
            /\badd (column [\s\S]*\b(check|references|unique|primary key)\b|check\b)/.test(change) ||
            /\badd constraint [\s\S]*,\s*(add|alter|drop) |,\s*add constraint /.test(change),
        )
        .map((change) => `${name}: ${change.trim()}`),
    )
    expect(refused).toEqual([])
  })
})
