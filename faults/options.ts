import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hasStandbys } from '../test/support/replicated-postgres.ts'

export type Options = {
  seed: number
  /** The run ends after `count` faults or `minutes`, the earlier of the two. */
  count: number
  minutes: number
  /** Whether faults are short and follow each other closely. */
  brisk: boolean
  /** How many processes answer requests of each node. */
  workers: number
  /** Whether the database has a standby, which is promoted now and then. */
  standby: boolean
  /** Whether the disk of the database is full now and then. */
  fullDisk: boolean
  /** The folder of another version, which the nodes run before they are upgraded. */
  from: string | undefined
}

export const USAGE = `npm run faults -- [--seed N] [--count N] [--minutes M] [--brisk] [--workers N] [--standby | --full-disk] [--from FOLDER]

  --seed      the same seed draws the same faults in the same order (default: another one each time; it is printed)
  --count     how many faults (default 25; with --minutes, as many as come)
  --minutes   no further fault is begun after so many minutes
  --brisk     each fault is short, and the next one follows soon: 9 to 12 a minute instead of 6
  --workers   how many processes each node answers with (default 1)
  --standby   the database has a synchronous standby, and among the faults are those that promote it; needs the
              programs of PostgreSQL in /usr/lib/postgresql (apt install postgresql)
  --full-disk the disk of the database is full now and then; needs the right to mount one (root)
  --from      the folder of another version of Parley, built: the nodes begin with it, the database is
              migrated beside them, and the first fault upgrades them one by one`

const MAX_SEED = 2 ** 32 - 1
const DEFAULT_COUNT = 25
const MAX_COUNT = 1_000_000
const MAX_MINUTES = 10_080

/** Undefined when the usage was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      count: { type: 'string' },
      minutes: { type: 'string' },
      brisk: { type: 'boolean', default: false },
      workers: { type: 'string' },
      standby: { type: 'boolean', default: false },
      'full-disk': { type: 'boolean', default: false },
      from: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  if (values.standby && values['full-disk']) throw new Error('--standby and --full-disk exclude each other.')
  if (values.from !== undefined && !existsSync(join(values.from, 'bin', 'parley.mjs')))
    throw new Error(`There is no Parley in ${values.from}.`)
  if (values.standby && !hasStandbys)
    throw new Error('--standby needs PostgreSQL in /usr/lib/postgresql: apt install postgresql.')
  return {
    seed: wholeNumber('--seed', values.seed, Math.floor(Math.random() * MAX_SEED), MAX_SEED),
    count: wholeNumber(
      '--count',
      values.count,
      values.minutes === undefined ? DEFAULT_COUNT : MAX_COUNT,
      MAX_COUNT,
    ),
    minutes: wholeNumber('--minutes', values.minutes, MAX_MINUTES, MAX_MINUTES),
    brisk: values.brisk,
    workers: wholeNumber('--workers', values.workers, 1, 8),
    standby: values.standby,
    fullDisk: values['full-disk'],
    from: values.from,
  }
}

function wholeNumber(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= most) return number
  throw new Error(`${name} must be a whole number up to ${most}.`)
}
