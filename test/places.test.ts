import { describe, expect, it } from 'vitest'
import { queryableOf } from '../server/db/database.ts'
import { isLeftOut } from '../server/db/function-places.ts'
import { readFunctions } from '../server/db/functions.ts'
import { readPlacements } from '../server/db/placement.ts'
import { openMigrated } from './support/migrated.ts'
import { CENTRAL, KEYS_LEFT_OUT, TRIGGERS_LEFT_OUT } from './support/places.ts'

/*
 * Tables, keys, triggers and functions that a cluster can have, told without one: another kind is found here.
 */

const open = async () => {
  const { client } = await openMigrated()
  return { client, placements: await readPlacements(queryableOf(client)) }
}

/** The code of a function, without comments and texts. */
const codeOf = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|--.*$|'[^']*'/gm, '')

describe('on a cluster', () => {
  it('tables are with their organization, but for those that are found before it is known', async () => {
    const { placements } = await open()
    const central = [...placements].filter(([, place]) => place === 'central').map(([name]) => name)
    expect(central, 'give the table keys that begin with org_id, or name it in support/places.ts').toEqual(
      CENTRAL,
    )
  })

  it('foreign keys can be had, but for those whose work actions do', async () => {
    const { client, placements } = await open()
    const { rows } = await client.query<{ table: string; other: string; names: boolean; sets: boolean }>(`
      select c.conrelid::regclass::text as "table", c.confrelid::regclass::text as other,
        exists (select from unnest(c.conkey, c.confkey) as k (own, other)
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
          join pg_attribute b on b.attrelid = c.confrelid and b.attnum = k.other
          where a.attname = 'org_id' and b.attname = 'org_id') as names,
        c.confdeltype in ('n', 'd') or c.confupdtype in ('n', 'd') as sets
      from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace order by 1, 2`)
    const canBe = ({ table, other, names, sets }: (typeof rows)[number]) => {
      const [from, to] = [placements.get(table), placements.get(other)]
      if (from === 'spread') return to === 'everywhere' || (to === 'spread' && names && !sets)
      return to !== 'spread' && (from === 'central' || to === 'everywhere')
    }
    expect(rows.length).toBeGreaterThan(50)
    expect(rows.filter((key) => !canBe(key)).map(({ table, other }) => `${table} → ${other}`)).toEqual(
      KEYS_LEFT_OUT,
    )
  })

  it('triggers can be had, but for those whose work actions do', async () => {
    const { placements } = await open()
    const left = (await readFunctions()).flatMap(({ definition, triggers }) =>
      triggers.filter(({ table }) => isLeftOut(placements.get(table), definition)).map(({ name }) => name),
    )
    expect(left.toSorted()).toEqual(TRIGGERS_LEFT_OUT)
  })

  it('tables of organizations are logged, without which their groups cannot be moved', async () => {
    const { client, placements } = await open()
    const { rows } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relpersistence = 'u'`,
    )
    expect(rows.filter(({ name }) => placements.get(name) === 'spread')).toEqual([])
  })

  it('the copies of write_messages name the tables of one group, in all that it calls', async () => {
    const { placements } = await open()
    const functions = new Map((await readFunctions()).map(({ name, definition }) => [name, definition]))
    const copied = /v_functions text\[\] := '\{([^}]*)\}'/
      .exec(functions.get('copy_writer') ?? '')?.[1]
      ?.split(',')
    const called = new Set(['write_messages'])
    for (const name of called) {
      const code = codeOf(functions.get(name) ?? '')
      for (const other of functions.keys()) if (new RegExp(`\\b${other}\\(`).test(code)) called.add(other)
    }
    called.delete('writer_of') // hands on to the copies, and is not called by them
    called.delete('copy_writer')
    expect([...called].toSorted()).toEqual(copied?.toSorted())
    const spread = [...placements].filter(([, place]) => place === 'spread').map(([name]) => name)
    // Tables behind these words get the number of their group; elsewhere one would stay the whole cluster's.
    const elsewhere = new RegExp(`(?<!\\b(?:from|join|into|update) )\\b(${spread.join('|')}) (as )?[a-z]\\b`)
    for (const name of called) expect(codeOf(functions.get(name) ?? ''), name).not.toMatch(elsewhere)
  })
})
