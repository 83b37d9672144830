import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { applyFunctions, findStaleFunctions, parseFunction, readFunctions } from '../server/db/functions.ts'
import { migrate, readMigrations } from '../server/db/migrate.ts'
import { openFormer, openMigrated } from './support/migrated.ts'

/** Signatures and definitions of all functions and procedures of a schema that belong to no extension. */
async function definitionsIn(client: pg.Client, schema = 'public'): Promise<Map<string, string>> {
  const { rows } = await client.query<{ signature: string; definition: string }>(
    `select proname || '(' || pg_get_function_identity_arguments(oid) || ')' as signature,
       replace(pg_get_functiondef(oid), 'FUNCTION ' || $1 || '.', 'FUNCTION ') as definition
     from pg_proc where pronamespace = $1::regnamespace
       and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') order by 1`,
    [schema],
  )
  return new Map(rows.map(({ signature, definition }) => [signature, definition]))
}

async function triggersIn(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select tgrelid::regclass || '.' || tgname as name, pg_get_triggerdef(oid) as definition
     from pg_trigger where not tgisinternal order by 1`,
  )
  return new Map(rows.map(({ name, definition }) => [name, definition]))
}

const stateOf = async (client: pg.Client) => ({
  functions: await definitionsIn(client),
  triggers: await triggersIn(client),
})

/** The state that the files alone make: functions in a schema of their own, triggers on tables without any. */
async function stateOfFiles(client: pg.Client) {
  await client.query('begin')
  await client.query('set local check_function_bodies = off')
  await client.query('create schema scratch')
  await client.query('set local search_path = scratch, public')
  const functions = await readFunctions()
  for (const { definition } of functions) await client.query(definition)
  const definitions = await definitionsIn(client, 'scratch')
  await client.query('set local search_path = public')
  for (const name of (await triggersIn(client)).keys()) {
    const [table, trigger] = name.split('.')
    await client.query(`drop trigger ${trigger} on ${table}`)
  }
  for (const { triggers } of functions) for (const { statement } of triggers) await client.query(statement)
  const triggers = await triggersIn(client)
  await client.query('rollback')
  return { functions: definitions, triggers }
}

const namesIn = async (client: pg.Client) =>
  (await client.query<{ name: string }>('select name from functions order by name')).rows.map(
    ({ name }) => name,
  )

/** Migrations up to this number came before all functions and triggers stood in files. */
const LAST_WITH_FUNCTIONS = '0118'

describe('live functions', () => {
  it('and triggers of a new database are those of the files, and no others', async () => {
    const { client } = await openMigrated()
    const state = await stateOf(client)
    expect(state).toEqual(await stateOfFiles(client))
    expect(state.triggers.size).toBeGreaterThan(30)
    const functions = await readFunctions()
    expect([...state.functions.keys()].map((signature) => signature.replace(/\(.*/, ''))).toEqual(
      functions.map(({ name }) => name).toSorted(),
    )
  })

  it('stand in a file each, which begins by saying what its function does and has nothing else than its triggers', async () => {
    for (const { file, name, text, definition, triggers } of await readFunctions()) {
      expect(text, file).toMatch(/^\/\*\s+(\* )?[A-Z]/)
      expect(definition, file).toContain(`\ncreate or replace function ${name}(`)
      for (const { table, statement } of triggers) {
        expect(table, file).not.toBe('')
        expect(statement, file).toContain(`execute function ${name}()`)
      }
    }
  })

  it.each(['0022_repair.sql', '0097_functions.sql', '0118_one_writer_alone.sql'])(
    'of a database from before %s are the same once it is brought up to date',
    async (first) => {
      const { old, upgrade } = await openFormer(first)
      await upgrade()
      const { client } = await openMigrated()
      expect(await stateOf(old)).toEqual(await stateOf(client))
    },
  )

  it('are brought where the database has none of them', async () => {
    const { connection, client } = await openMigrated()
    const intended = await stateOf(client)
    for (const signature of intended.functions.keys())
      await client.query(`drop function ${signature} cascade`)
    const files = (await readFunctions()).map(({ file }) => file)
    expect(await migrate(connection)).toMatchObject({ migrations: [], functions: files })
    expect(await stateOf(client)).toEqual(intended)
    expect(await migrate(connection)).toMatchObject({ migrations: [], functions: [] })
  })

  it('that have another text, another checksum or none are brought by the next start, and only these', async () => {
    const { connection, client } = await openMigrated()
    const intended = await stateOf(client)
    await client.query(`update functions set checksum = 'another' where name = 'audience_of'`)
    await client.query(`delete from functions where name = 'addresses_of'`)
    await client.query(
      `create or replace function is_held(p_org_id uuid, p_topic_id uuid, p_author_id text) returns boolean language plpgsql stable
       as 'begin return false; end'`,
    )
    const functions = ['addresses_of', 'audience_of', 'is_held']
    expect((await findStaleFunctions(client)).map(({ file }) => file)).toEqual(functions)
    expect(await migrate(connection)).toMatchObject({ migrations: [], functions })
    expect(await stateOf(client)).toEqual(intended)
    expect(await namesIn(client)).toEqual((await readFunctions()).map(({ file }) => file))
  })

  it('are applied all or none', async () => {
    const { client } = await openMigrated()
    const intended = await stateOf(client)
    const [first, second] = await readFunctions()
    if (!first || !second) throw new Error('there are functions')
    const changed = { ...first, definition: first.definition.replace('begin', 'begin\n  -- changed') }
    const broken = { ...second, definition: 'create or replace function broken( returns' }
    await expect(applyFunctions(client, [changed, broken])).rejects.toThrow(
      /^Bringing the functions of the database failed: syntax error.*Nothing of it was kept\./,
    )
    expect(await stateOf(client)).toEqual(intended)
  })
  it('have a file beside the old one when their arguments change', async () => {
    const { connection, client } = await openMigrated()
    const intended = await definitionsIn(client)
    const text = `/* Says the same in other words. */
      create or replace function is_held(p_org_id uuid) returns boolean language sql as $$ select true $$;`
    await applyFunctions(client, [parseFunction('is_held.of_all', text)])
    const added = [...(await definitionsIn(client)).keys()].filter((signature) => !intended.has(signature))
    expect(added).toEqual(['is_held(p_org_id uuid)'])
    expect(await namesIn(client)).toContain('is_held.of_all')
    expect(await migrate(connection)).toMatchObject({ migrations: [], functions: [] })
  })

  it('and triggers are made by no migration any more', async () => {
    const later = [...(await readMigrations())].filter(([name]) => name > LAST_WITH_FUNCTIONS)
    const making = later.filter(([, text]) => /create (or replace )?(function|procedure|trigger)/i.test(text))
    expect(making.map(([name]) => name)).toEqual([])
  })
})
