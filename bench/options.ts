import { parseArgs } from 'node:util'
import { GROUPS, QUICK, SCENARIOS } from './scenarios/index.ts'

export type Options = {
  names: string[]
  runs: number
  seconds: number
  quick: boolean
  record: boolean
  json: boolean
  /** Limits a scenario to these figures; one that is not named here shows all of its figures. */
  figures: Record<string, readonly string[]>
  /** The folder for temporary data. */
  folder: string | undefined
}

export const USAGE = `npm run bench -- [scenario…] [--runs N] [--seconds N] [--folder PATH] [--quick] [--record] [--json]

  --runs      how often each is measured (default 3, with --quick 1)
  --seconds   how long each measurement takes (default 5, with --quick 2)
  --folder    where temporary data goes (default: the system's; it should be a real disk)
  --quick     some figures of ${Object.keys(QUICK).join(', ')} in some two minutes, or all of the scenarios named;
              fails when the best of three tries is below 0.7 of what bench/recorded.json has
  --record    writes the ratios of this run into bench/recorded.json; with --quick, the middle one of three tries
  --json      prints the results as JSON instead of a table

Scenarios:
${SCENARIOS.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join('\n')}
${Object.entries(GROUPS)
  .map(([name, scenarios]) => `  ${name.padEnd(14)} ${scenarios.join(', ')}`)
  .join('\n')}`

/** Returns undefined if the usage was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      seconds: { type: 'string' },
      folder: { type: 'string' },
      quick: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const known = SCENARIOS.map(({ name }) => name)
  const named = positionals.flatMap((name) => GROUPS[name] ?? [name])
  const unknown = named.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(
      `There is no scenario "${unknown}"; there are ${[...known, ...Object.keys(GROUPS)].join(', ')}.`,
    )
  const { quick, record, json, folder } = values
  const isShort = quick && named.length === 0
  return {
    names: named.length > 0 ? named : quick ? Object.keys(QUICK) : known,
    figures: isShort ? QUICK : {},
    runs: wholeNumber('--runs', values.runs, quick ? 1 : 3, 20),
    seconds: wholeNumber('--seconds', values.seconds, quick ? 2 : 5, 60),
    quick,
    record,
    json,
    folder,
  }
}

function wholeNumber(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= most) return number
  throw new Error(`${name} must be a whole number from 1 to ${most}.`)
}
