import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { checksumOf } from '../checksum.ts'
import { PROJECT_FOLDER } from '../project.ts'

/*
 * Live functions of the database: a file for each in functions/, with its present text. They are applied after the migrations, whenever a
 * text differs from the one that the database was given. A function with other arguments is a new file beside the old one for one
 * release, since nodes of the version before still call that.
 */

const FOLDER = join(PROJECT_FOLDER, 'server', 'db', 'functions')

type LiveFunction = { name: string; text: string }

export async function readFunctions(): Promise<LiveFunction[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      text: await readFile(join(FOLDER, file), 'utf8'),
    })),
  )
}

/** The functions that this database lacks or has with another text. */
export async function findStaleFunctions(client: pg.Client): Promise<LiveFunction[]> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('functions') is not null as found`,
  )
  const { rows } = tables[0]?.found
    ? await client.query<{ name: string; checksum: string }>('select name, checksum from functions')
    : { rows: [] }
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  return (await readFunctions()).filter(({ name, text }) => applied.get(name) !== checksumOf(text))
}

/** All or none: a function may call another in its new form. */
export async function applyFunctions(client: pg.Client, functions: readonly LiveFunction[]): Promise<void> {
  await client.query('begin')
  try {
    for (const { name, text } of functions) {
      await client.query(text)
      await client.query(
        `insert into functions (name, checksum) values ($1, $2)
         on conflict (name) do update set checksum = excluded.checksum`,
        [name, checksumOf(text)],
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
