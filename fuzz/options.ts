import { parseArgs } from 'node:util'

export type Options = {
  seed: number
  requests: number
  /** The operations to test; empty means all. */
  operations: string[]
  /** Repeats the requests of this seed up to this one, and shows it alone. */
  replay: number | undefined
  /** The longest that one piece of hostile content may hold up the server or a page. */
  limitMs: number
  /** Leaves the server running after a finding, to try its request by hand. */
  keep: boolean
}

export const USAGE = `npm run fuzz -- [--seed N] [--requests N] [--operation ID]… [--replay SEED:NUMBER] [--patient] [--keep]

  --seed        the same seed makes the same requests (default: another one each time; it is printed)
  --requests    how many to send (default 20000, at most 1000000)
  --operation   only this operation of /openapi.json, by its operationId; may be repeated
  --replay      sends one request of an earlier run again, after those that set the stage for it
  --patient     hostile content may hold up the server, or a page, for a second instead of a quarter: for machines with other work
  --keep        leaves the server running after a finding, until Ctrl-C`

const MAX_SEED = 2 ** 32 - 1

/** Returns undefined if the usage was asked for. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string' },
      requests: { type: 'string' },
      operation: { type: 'string', multiple: true, default: [] },
      replay: { type: 'string' },
      patient: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const [seed, number] = values.replay?.split(':') ?? []
  return {
    seed: wholeNumber('the seed', seed ?? values.seed, Math.floor(Math.random() * MAX_SEED), MAX_SEED),
    requests: wholeNumber('--requests', values.requests, 20_000, 1_000_000),
    operations: values.operation,
    replay: values.replay === undefined ? undefined : wholeNumber('--replay', number ?? '', 0, 1_000_000),
    limitMs: values.patient ? 1000 : 250,
    keep: values.keep,
  }
}

function wholeNumber(name: string, text: string | undefined, fallback: number, most: number): number {
  if (text === undefined) return fallback
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= most) return number
  throw new Error(`${name} must be a whole number up to ${most}.`)
}
