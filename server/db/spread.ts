import type pg from 'pg'
import { type LongWork, UNSEEN } from '../long-work.ts'
import { cancelWhenStopped } from './cancel.ts'
import { type Missing, readMissing, refuseUnready } from './cluster-steps.ts'
import { type DatabaseConnection, newClient } from './connection.ts'
import { queryableOf, sqlState } from './database.ts'
import { applyFunctions, type LiveFunction, readFunctions } from './functions.ts'
import { FIRST, ONE_CONNECTION, type Placement, readSpreadState } from './placement.ts'
import { statementsOf } from './statements.ts'

/*
 * Spreads the tables of organizations over the machines of a Citus cluster, by placement.ts. Each step is a transaction
 * and is noted in `spreading`, so that an interrupted run continues where it stopped. The same steps place the tables
 * of later migrations.
 */

/** The error code for things that Citus does not do, such as a key from a table in the center to one that is spread. */
const UNSUPPORTED = '0A000'

/**
 * Spreads an up-to-date database, empty or filled. Nothing may write during it. Returns the number of placed tables. `functions`: those of
 * the version that the tables are of.
 */
export async function spread(
  connection: DatabaseConnection,
  work: LongWork = UNSEEN,
  functions?: readonly LiveFunction[],
): Promise<number> {
  const client = newClient(connection)
  await client.connect()
  try {
    await refuseUnready(client)
    await client.query(`create table if not exists spreading (
      kind text not null, table_name text not null, name text not null, definition text not null, left_out text,
      primary key (kind, table_name, name))`)
    // The version before kept triggers here; they come from the files of their functions.
    await client.query(`delete from spreading where kind in ('finished', 'trigger')`)
    const placed = await cancelWhenStopped(client, connection, work, () => place(client, work))
    work.begin('Functions')
    await applyFunctions(client, functions ?? (await readFunctions()))
    await client.query(
      `alter database ${client.escapeIdentifier(client.database ?? '')} set ${ONE_CONNECTION}`,
    )
    await client.query(`insert into spreading values ('finished', '', '', '')`)
    return placed
  } finally {
    await client.end()
  }
}

/** The function that places the tables that a migration adds to a spread database; undefined if it is not spread. */
export async function placerOf(client: pg.Client): Promise<(() => Promise<number>) | undefined> {
  if ((await readSpreadState(queryableOf(client))) === 'none') return undefined
  await client.query('set citus.enable_unsafe_triggers = on')
  return () => place(client, UNSEEN)
}

/** Keeps what a migration does with tables that have their places, for `place`. */
export async function keepForLater(client: pg.Client, name: string, text: string): Promise<void> {
  await client.query(
    `insert into spreading (kind, table_name, name, definition) values ('migration', '', $1, $2)`,
    [name, text],
  )
}

async function place(client: pg.Client, work: LongWork): Promise<number> {
  await client.query('set citus.enable_unsafe_triggers = on')
  await client.query('set client_min_messages = warning') // it would tell of each table that its rows were copied
  const missing = inOrder(await readMissing(client))
  const moving = missing.filter(({ placement }) => placement !== 'central').map(({ name }) => name)
  if (moving.length > 0) await takeOff(client, moving)
  work.begin('Tables', { total: missing.length })
  for (const { name, placement } of missing) {
    await placeTable(client, name, placement)
    work.advance(1)
  }
  await putBackKeys(client, work)
  await finishMigrations(client)
  return missing.length
}

/** The order in which tables can be placed: those that others refer to come first. */
function inOrder(missing: readonly Missing[]): Missing[] {
  const order = ({ name, placement }: Missing) =>
    placement === 'everywhere' ? 0 : name === FIRST ? 1 : placement === 'spread' ? 2 : 3
  return missing.toSorted((one, other) => order(one) - order(other))
}

/**
 * Takes foreign keys of these tables off, and their triggers: a table can only be moved without them. Keys are noted first; triggers come
 * back with their functions.
 */
async function takeOff(client: pg.Client, tables: readonly string[]): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(
      `insert into spreading (kind, table_name, name, definition)
       select 'key', conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
       where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
         and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))`,
      [tables],
    )
    const { rows } = await client.query<{ statement: string }>(
      `select format('alter table %I drop constraint if exists %I', table_name, name) as statement
       from spreading where kind = 'key' and left_out is null
       union all
       select format('drop trigger %I on %s', tgname, tgrelid::regclass) from pg_trigger
       where not tgisinternal and tgrelid::regclass::text = any($1)`,
      [tables],
    )
    for (const { statement } of rows) await client.query(statement)
  })
}

async function placeTable(client: pg.Client, name: string, placement: Placement): Promise<void> {
  if (placement === 'central') {
    // Tables that refer to each other are added together.
    await client.query(
      `select citus_add_local_table_to_metadata(c.oid, cascade_via_foreign_keys => true) from pg_class c
       where c.oid = $1::text::regclass and not exists (select from pg_dist_partition where logicalrelid = c.oid)`,
      [name],
    )
    return
  }
  await inTransaction(client, async () => {
    if (placement === 'everywhere') await client.query('select create_reference_table($1)', [name])
    else
      await client.query(`select create_distributed_table($1, 'org_id', colocate_with => $2)`, [
        name,
        name === FIRST ? 'default' : FIRST,
      ])
  })
  // Removes the rows that were copied out of it.
  await client.query('select truncate_local_data_after_distributing_table($1::text::regclass)', [name])
}

async function putBackKeys(client: pg.Client, work: LongWork): Promise<void> {
  const { rows } = await client.query<{ table_name: string; name: string; definition: string }>(
    `select table_name, name, definition from spreading where kind = 'key' and left_out is null order by table_name, name`,
  )
  work.begin('Foreign keys', { total: rows.length })
  for (const { table_name, name, definition } of rows) {
    await putBack(
      client,
      'key',
      table_name,
      name,
      `alter table ${table_name} add constraint ${name} ${definition}`,
    )
    work.advance(1)
  }
}

async function finishMigrations(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select name, definition from spreading where kind = 'migration' order by name`,
  )
  for (const { name, definition } of rows) await putBack(client, 'migration', '', name, definition)
}

async function putBack(
  client: pg.Client,
  kind: string,
  table: string,
  name: string,
  definition: string,
): Promise<void> {
  try {
    await inTransaction(client, async () => {
      for (const statement of statementsOf(definition)) await client.query(statement)
      await client.query('delete from spreading where kind = $1 and table_name = $2 and name = $3', [
        kind,
        table,
        name,
      ])
    })
  } catch (error) {
    if (sqlState(error) !== UNSUPPORTED || !(error instanceof Error)) throw error
    await leaveOut(client, kind, table, name, error.message)
  }
}

async function leaveOut(
  client: pg.Client,
  kind: string,
  table: string,
  name: string,
  reason: string,
): Promise<void> {
  await client.query('update spreading set left_out = $4 where kind = $1 and table_name = $2 and name = $3', [
    kind,
    table,
    name,
    reason,
  ])
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
