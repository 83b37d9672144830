import { parseArgs } from 'node:util'

export type Options = {
  seed: number
  /** How many faults, or for how long; whichever comes first. */
  count: number
  minutes: number
}

export const USAGE = `npm run faults -- [--seed N] [--count N] [--minutes M]

  --seed      the same seed draws the same faults in the same order (default: another one each time; it is printed)
  --count     how many faults (default 25; with --minutes, as many as come)
  --minutes   no further fault is begun after so many minutes`

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
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  return {
    seed: wholeNumber('--seed', values.seed, Math.floor(Math.random() * MAX_SEED), MAX_SEED),
    count: wholeNumber(
      '--count',
      values.count,
      values.minutes === undefined ? DEFAULT_COUNT : MAX_COUNT,
      MAX_COUNT,
    ),
    minutes: wholeNumber('--minutes', values.minutes, MAX_MINUTES, MAX_MINUTES),
  }
}

function wholeNumber(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= most) return number
  throw new Error(`${name} must be a whole number up to ${most}.`)
}
