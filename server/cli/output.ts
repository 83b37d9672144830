import type { CommandOutput } from './command.ts'

/** Two aligned columns, a little to the right. */
export function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

/** With `--json` exactly one object, on one line. */
export function print({ json, lines }: CommandOutput, asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(json)}\n` : `${lines.join('\n')}\n`)
}

export const SHOWN_ONCE = 'The secret is shown once: put it into a safe place now.'
