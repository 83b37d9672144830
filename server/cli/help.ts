import { type Command, describeOptions, positionalOf } from './command.ts'
import { columns } from './output.ts'
import type { Entry } from './registry.ts'

export function describeCommands(entries: readonly Entry[]): string {
  return [
    'Parley, a team messaging server in which bots are full members.',
    '',
    'Usage: parley <command> [options]',
    '',
    ...columns(entries.map(({ name, summary }) => [name, summary])),
    '',
    'Each command has --help and --json. Settings come from the environment and from .env.',
    'In a checkout of the sources, write "npx parley" for "parley".',
  ].join('\n')
}

export function describeCommand({ name, summary }: Entry, command: Command): string {
  const { notes } = command
  return [
    `${summary}.`,
    '',
    `Usage: parley ${[name, ...positionalOf(command)].join(' ')} [options]`,
    '',
    ...describeOptions(command),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n')
}
