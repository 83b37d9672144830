import type { CommandOutput } from './command.ts'

/** Two aligned, indented columns. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

/** Prints exactly one object on one line with `--json`. Commands without lines print nothing. */
export function print({ json, lines }: CommandOutput, asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(json)}\n`)
  else if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
}

export const SHOWN_ONCE = 'The secret is shown once: put it into a safe place now.'

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
