import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { checksumOf } from '../checksum.ts'
import { PROJECT_FOLDER } from '../project.ts'
import { queryableOf } from './database.ts'
import {
  compareWorkers,
  dropWritersOnWorkers,
  fitFunctions,
  isLeftOut,
  type WantedTrigger,
  type WorkerFunctions,
} from './function-places.ts'
import { inPatientTransaction } from './patient-transaction.ts'
import { FIRST, ONE_CONNECTION, readPlacements, readSpreadState } from './placement.ts'
import { statementsOf } from './statements.ts'

/*
 * Live functions of the database: a file for each in functions/, with its present text and its triggers. They are applied after the
 * migrations, whenever a text differs from the one that the database has. A function with other arguments is a new file beside the old one
 * for one release, since nodes of the version before still call that: NAME.sql and NAME.WORD.sql.
 */

const FOLDER = join(PROJECT_FOLDER, 'server', 'db', 'functions')
const TRIGGER = /^create or replace trigger (\w+) [\s\S]*? on (\w+)/m

/** The one kind of trigger that shards do not have: it is called where the statement is given. */
const TRUNCATES = /^create or replace trigger \w+ (before|after) truncate /m

export type LiveFunction = {
  /** The file's name, without `.sql`. */
  file: string
  name: string
  text: string
  definition: string
  triggers: { name: string; table: string; statement: string }[]
}

export async function readFunctions(): Promise<LiveFunction[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) =>
      parseFunction(file.slice(0, -'.sql'.length), await readFile(join(FOLDER, file), 'utf8')),
    ),
  )
}

/** Parses a file: the function comes first, its triggers follow. */
export function parseFunction(file: string, text: string): LiveFunction {
  const [definition = '', ...triggers] = statementsOf(text)
  return {
    file,
    name: file.replace(/\..*/, ''),
    text,
    definition,
    triggers: triggers.map((statement) => {
      const [, name = '', table = ''] = TRIGGER.exec(statement) ?? []
      return { name, table, statement }
    }),
  }
}

/** The functions that have to be applied: this database, or a worker of its cluster, lacks them or a trigger of theirs, or has them in another form. */
export async function findStaleFunctions(client: pg.Client | pg.Pool): Promise<LiveFunction[]> {
  const stale = new Set((await findOwnStale(client)).map(({ name }) => name))
  for (const { lacking } of await readWorkerFunctions(client)) for (const { name } of lacking) stale.add(name)
  return (await readFunctions()).filter(({ name }) => stale.has(name))
}

/** The functions that this database lacks or has with another text, or whose triggers it lacks, whatever its workers have. */
export async function findOwnStale(client: pg.Client | pg.Pool): Promise<LiveFunction[]> {
  const applied = await readApplied(client)
  const functions = await readFunctions()
  const known = new Set((await readTriggers(client)).map(({ name, table }) => `${name} ${table}`))
  const wanted = await wantedTriggers(client, functions)
  const lacks = new Set(
    wanted.filter(({ trigger, table }) => !known.has(`${trigger} ${table}`)).map(({ name }) => name),
  )
  return functions.filter(
    ({ file, name, text }) => lacks.has(name) || !applied.some((one) => isSame(one, file, text)),
  )
}

/** The functions of each worker; empty without a cluster. */
export async function readWorkerFunctions(client: pg.Client | pg.Pool): Promise<WorkerFunctions[]> {
  if ((await readSpreadState(queryableOf(client))) !== 'finished') return []
  const functions = await readFunctions()
  const triggers = await wantedTriggers(client, functions)
  return compareWorkers(
    client,
    functions.map(({ name }) => name),
    triggers.filter(({ isOfShards }) => isOfShards),
  )
}

/** The triggers that this database must have: all, or those that a cluster can have. */
async function wantedTriggers(
  client: pg.Client | pg.Pool,
  functions: readonly LiveFunction[],
): Promise<WantedTrigger[]> {
  const db = queryableOf(client)
  const placements = (await readSpreadState(db)) === 'none' ? undefined : await readPlacements(db)
  return functions.flatMap(({ name, definition, triggers }) =>
    triggers
      .filter(({ table }) => !placements || !isLeftOut(placements.get(table), definition))
      .map(({ name: trigger, table, statement }) => ({
        name,
        trigger,
        table,
        isOfShards: !TRUNCATES.test(statement),
      })),
  )
}

async function readTriggers(client: pg.Client | pg.Pool): Promise<{ name: string; table: string }[]> {
  const { rows } = await client.query<{ name: string; table: string }>(
    `select t.tgname as name, c.relname as "table" from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and t.tgenabled <> 'D' and c.relnamespace = current_schema()::regnamespace`,
  )
  return rows
}

type Applied = { file: string; checksum: string; body: string }

const isSame = (applied: Applied, file: string, text: string): boolean =>
  applied.file === file && applied.checksum === checksumOf(text) && text.includes(applied.body)

async function readApplied(client: pg.Client | pg.Pool): Promise<Applied[]> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('functions') is not null as found`,
  )
  if (!rows[0]?.found) return []
  const applied = await client.query<Applied>(`
    select f.name as file, f.checksum, p.prosrc as body from functions f
    join pg_proc p on p.proname = split_part(f.name, '.', 1) and p.pronamespace = current_schema()::regnamespace`)
  return applied.rows
}

/**
 * Applies all or none: a function may call another in its new form. Bodies are not checked, so that files can come in any order. Triggers
 * come last, since they lock their tables.
 */
export async function applyFunctions(client: pg.Client, functions: readonly LiveFunction[]): Promise<void> {
  const db = queryableOf(client)
  const isSpread = (await readSpreadState(db)) !== 'none'
  const placements = isSpread ? await readPlacements(db) : undefined
  const triggers = functions.flatMap(({ definition, triggers }) =>
    triggers.filter(({ table }) => !placements || !isLeftOut(placements.get(table), definition)),
  )
  if (isSpread) await dropWritersOnWorkers(client)
  await inPatientTransaction(client, 'Bringing the functions of the database', async () => {
    await client.query('set local check_function_bodies = off')
    if (isSpread) {
      await client.query('set local citus.enable_unsafe_triggers = on')
      await client.query(`set local ${ONE_CONNECTION}`)
    }
    for (const { definition } of functions) await client.query(definition)
    // Every writer locks a row of this table first, so a writer that waits here holds no table that gets a trigger.
    if (triggers.length > 0) await client.query(`lock table ${FIRST} in exclusive mode`)
    for (const { statement } of triggers) await client.query(statement)
    if (isSpread) await fitFunctions(client)
    await noteApplied(client, functions)
  })
}

async function noteApplied(client: pg.Client, functions: readonly LiveFunction[]): Promise<void> {
  for (const { file, text } of functions)
    await client.query(
      `insert into functions (name, checksum) values ($1, $2)
       on conflict (name) do update set checksum = excluded.checksum`,
      [file, checksumOf(text)],
    )
}
