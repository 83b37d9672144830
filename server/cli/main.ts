import { readVersion } from '../project.ts'
import { StoppedCommand, wants } from './command.ts'
import { describeDatabase, explain, UsageError } from './errors.ts'
import { describeCommand, describeCommands } from './help.ts'
import { print } from './output.ts'
import { COMMANDS, type Entry } from './registry.ts'

const REFUSED = 1
const WRONG_USAGE = 2

/** Runs one command line; the exit code is left in `process.exitCode`. */
export async function main(args: string[]): Promise<void> {
  const entry = findCommand(args)
  try {
    if (entry) await runCommand(entry, args.slice(entry.name.split(' ').length))
    else await runBare(args)
  } catch (error) {
    process.exitCode = exitCodeOf(error)
    process.stderr.write(`${describeFailure(error, entry)}\n`)
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof StoppedCommand) return error.exitCode
  return error instanceof UsageError ? WRONG_USAGE : REFUSED
}

const findCommand = (args: readonly string[]): Entry | undefined =>
  COMMANDS.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))

async function runCommand(entry: Entry, args: readonly string[]): Promise<void> {
  const command = await entry.load()
  if (wants(args, 'help')) {
    process.stdout.write(`${describeCommand(entry, command)}\n`)
    return
  }
  const outcome = await command.run(args)
  print(outcome, wants(args, 'json'))
  process.exitCode = outcome.exitCode ?? 0
}

/** Handles `parley`, `parley --help`, `parley org`, and unknown commands. */
async function runBare(args: readonly string[]): Promise<void> {
  const [first] = args
  if (first === '--version' || first === '-v') {
    process.stdout.write(`${await readVersion()}\n`)
    return
  }
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  if (first === 'help' || wants(args, 'help')) {
    process.stdout.write(`${describeCommands(group.length > 0 ? group : COMMANDS)}\n`)
    return
  }
  if (first === undefined) throw new UsageError(describeCommands(COMMANDS))
  if (group.length > 0) throw new UsageError(`Which of these?\n\n${describeCommands(group)}`)
  throw new UsageError(`There is no command "${first}". \`parley --help\` lists them all.`)
}

function describeFailure(error: unknown, entry: Entry | undefined): string {
  const text = explain(error, describeDatabase(process.env.DATABASE_URL))
  if (text === undefined) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return `Parley ran into a fault of its own. Report it with these lines:\n\n${stack}`
  }
  const isUsage = error instanceof UsageError && entry !== undefined
  return isUsage ? `${text}\n\`parley ${entry.name} --help\` explains the command.` : text
}
