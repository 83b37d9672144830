import { parseArgs } from 'node:util'
import { type LongWork, Stopped } from '../long-work.ts'
import { UsageError } from './errors.ts'
import { columns } from './output.ts'
import { Progress, shownFor } from './progress.ts'

/** `read` turns the text of the command line into a value, or says what the value must be. */
export type Reader<Value> = { placeholder: string; read(text: string): Value | WrongValue }
export class WrongValue {
  readonly mustBe: string
  constructor(mustBe: string) {
    this.mustBe = mustBe
  }
}

type Option = Reader<unknown> & {
  about: string
  required: boolean
  isFlag?: boolean
  isPositional?: boolean
  isProgram?: boolean
}
type Options = Record<string, Option>
type ValueOf<O> = O extends { read(text: string): infer Value }
  ? Exclude<Value, WrongValue> | (O extends { required: true } ? never : undefined)
  : never
type ValuesOf<O extends Options> = { [Name in keyof O]: ValueOf<O[Name]> }

export const required = <Value>(reader: Reader<Value>, about: string) =>
  ({ ...reader, about, required: true }) as const
export const optional = <Value>(reader: Reader<Value>, about: string) =>
  ({ ...reader, about, required: false }) as const

/** Stands by itself, without its name before it. A command has one of these at most. */
export const positional = <Value>(reader: Reader<Value>, about: string) =>
  ({ ...reader, about, required: true, isPositional: true }) as const

/** An option without a value. */
export const flag = (about: string) =>
  ({ placeholder: '', read: () => true, about, required: false, isFlag: true }) as const

/** A program with its arguments, which are everything behind `--`. */
export const program = (about: string) =>
  ({
    placeholder: '-- COMMAND',
    read: (text: string): readonly [string, ...string[]] => JSON.parse(text),
    about,
    required: true,
    isPositional: true,
    isProgram: true,
  }) as const

/** The output of a command: one object for scripts, lines for people. */
export type CommandOutput = { json: object; lines: readonly string[]; exitCode?: number }

export type Command = {
  options: Options
  /** Lines of help beyond the options. */
  notes: readonly string[]
  run(args: readonly string[]): Promise<CommandOutput>
}

export function command<const O extends Options>(
  options: O,
  run: (values: ValuesOf<O>, asJson: boolean) => Promise<CommandOutput>,
  notes: readonly string[] = [],
): Command {
  return {
    options,
    notes,
    // `readValues` gives every option of this very object the value its own reader returned.
    run: (args) => run(readValues(options, args) as ValuesOf<O>, wants(args, 'json')),
  }
}

/** `resume` says what a stopped command has kept, and how to go on. */
type LongOptions = { resume: string; notes?: readonly string[] }

/** A command that takes long: it shows how far it is, and Ctrl-C ends it between two steps. */
export function longCommand<const O extends Options>(
  options: O,
  run: (values: ValuesOf<O>, work: LongWork, asJson: boolean) => Promise<CommandOutput>,
  { resume, notes = [] }: LongOptions,
): Command {
  const all = { ...options, quiet: flag('Show no progress') }
  return {
    options: all,
    notes: [...notes, `Ctrl-C stops it. ${resume}`],
    async run(args) {
      const values = readValues(all, args)
      const asJson = wants(args, 'json')
      const shown = shownFor({ quiet: values.quiet === true, asJson }, process.stderr)
      const progress = new Progress(shown, process.stderr)
      progress.open()
      try {
        return await run(values as ValuesOf<O>, progress, asJson)
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
        throw new StoppedCommand(`Stopped. ${resume}`, progress.exitCode)
      } finally {
        progress.close()
      }
    },
  }
}

/** A person ended the command before its end. */
export class StoppedCommand extends Stopped {
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** `--json` and `--help` belong to every command; its runner looks for them. */
const EVERYWHERE = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const

export function wants(args: readonly string[], flag: keyof typeof EVERYWHERE): boolean {
  const [own] = splitAtProgram(args)
  return own.includes(`--${flag}`) || (flag === 'help' && own.includes('-h'))
}

/** The arguments before `--` and those behind it, which belong to another program. */
function splitAtProgram(args: readonly string[]): [own: readonly string[], program: readonly string[]] {
  const at = args.indexOf('--')
  return at === -1 ? [args, []] : [args.slice(0, at), args.slice(at + 1)]
}

function readValues(options: Options, args: readonly string[]): Record<string, unknown> {
  const texts = readTexts(options, args)
  const missing = Object.entries(options).filter(([name, { required }]) => required && !texts.has(name))
  if (missing.length > 0) {
    const wanted = missing.map(([name, option]) => usageOf(name, option))
    throw new UsageError(`Missing: ${wanted.join(', ')}.`)
  }
  return Object.fromEntries(
    Object.entries(options).map(([name, { read, isPositional, placeholder }]) => {
      const text = texts.get(name)
      const value = text === undefined ? undefined : read(text)
      if (value instanceof WrongValue)
        throw new UsageError(
          `${isPositional ? placeholder : `--${name}`} is "${text}"; it must be ${value.mustBe}.`,
        )
      return [name, value]
    }),
  )
}

function readTexts(options: Options, args: readonly string[]): Map<string, string> {
  const known = Object.fromEntries(
    Object.entries(options).map(([name, { isFlag }]) => [
      name,
      { type: isFlag ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const programName = Object.keys(options).find((name) => options[name]?.isProgram)
  const [own, programArgs] = programName === undefined ? [args, []] : splitAtProgram(args)
  const { tokens } = parseArgs({
    args: [...own],
    options: { ...known, ...EVERYWHERE },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const texts = new Map<string, string>()
  if (programName !== undefined && programArgs.length > 0) texts.set(programName, JSON.stringify(programArgs))
  const place = Object.keys(options).find((name) => options[name]?.isPositional)
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue
    if (token.kind === 'positional') {
      if (programName !== undefined)
        throw new UsageError(
          `"${token.value}" stands before "--"; the program stands behind it: -- ${token.value}`,
        )
      if (place === undefined || texts.has(place))
        throw new UsageError(`"${token.value}" belongs to no option. ${namesOf(options)}`)
      texts.set(place, token.value)
      continue
    }
    const { name, rawName, value, inlineValue } = token
    const option = Object.hasOwn(options, name) && name !== place ? options[name] : undefined
    if (inlineValue && (option?.isFlag || Object.hasOwn(EVERYWHERE, name)))
      throw new UsageError(`${rawName} takes no value.`)
    if (Object.hasOwn(EVERYWHERE, name)) continue
    if (!option) throw new UsageError(`There is no option ${rawName}. ${namesOf(options)}`)
    if (option.isFlag) {
      texts.set(name, '')
      continue
    }
    if (value === undefined || (!inlineValue && value.startsWith('-'))) {
      const example = `${rawName} ${option.placeholder}`
      throw new UsageError(
        `${rawName} needs a value: ${example}. One that begins with a dash: ${rawName}=-….`,
      )
    }
    if (texts.has(name)) throw new UsageError(`${rawName} is given twice; once is enough.`)
    texts.set(name, value)
  }
  return texts
}

const usageOf = (name: string, { placeholder, isPositional }: Option): string =>
  (isPositional ? placeholder : `--${name} ${placeholder}`).trim()

function namesOf(options: Options): string {
  const named = Object.keys(options).filter((name) => !options[name]?.isPositional)
  return `The options are ${[...named, ...Object.keys(EVERYWHERE)].map((name) => `--${name}`).join(', ')}.`
}

export function describeOptions({ options }: Command): string[] {
  const rows = Object.entries(options).map(([name, option]): [string, string] => [
    usageOf(name, option),
    option.required ? `${option.about} (required)` : option.about,
  ])
  return columns([...rows, ['--json', 'Print one JSON object'], ['--help', 'Show this help']])
}

export const positionalOf = ({ options }: Command): string[] =>
  Object.values(options)
    .filter(({ isPositional }) => isPositional)
    .map(({ placeholder }) => placeholder)
