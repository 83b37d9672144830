import { parseArgs } from 'node:util'
import { QUICK, SCENARIOS } from './scenarios/index.ts'

export type Options = {
  names: string[]
  runs: number
  seconds: number
  quick: boolean
  record: boolean
  /** Where temporary data goes. */
  folder: string | undefined
}

export const USAGE = `npm run bench -- [scenario…] [--runs N] [--seconds N] [--folder PATH] [--quick] [--record]

  --runs      how often each is measured (default 3, with --quick 2)
  --seconds   how long each measurement takes (default 5, with --quick 2)
  --folder    where temporary data goes (default: the system's; it should be a real disk)
  --quick     ${QUICK.join(', ')} in under a minute; compares with bench/recorded.json, fails when something got
              twice as slow
  --record    writes the ratios of this run into bench/recorded.json

Scenarios:
${SCENARIOS.map(({ name, title }) => `  ${name.padEnd(14)} ${title}`).join('\n')}`

/** Undefined when the usage was asked for. */
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
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const known = SCENARIOS.map(({ name }) => name)
  const unknown = positionals.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Error(`There is no scenario "${unknown}"; there are ${known.join(', ')}.`)
  const { quick, record, folder } = values
  return {
    names: positionals.length > 0 ? positionals : quick ? [...QUICK] : known,
    runs: wholeNumber('--runs', values.runs, quick ? 2 : 3, 20),
    seconds: wholeNumber('--seconds', values.seconds, quick ? 2 : 5, 60),
    quick,
    record,
    folder,
  }
}

function wholeNumber(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= most) return number
  throw new Error(`${name} must be a whole number from 1 to ${most}.`)
}
