import { type Measuring, type Place, runScenario } from './context.ts'
import type { Results } from './report/results.ts'
import { type Summary, summarize } from './report/summary.ts'
import { type Comparison, table } from './report/table.ts'
import type { Figure } from './scenario.ts'
import { SCENARIOS } from './scenarios/index.ts'

export type Measured = Pick<Results, 'summaries' | 'runs' | 'failures'>

/** Runs these scenarios one after the other; one that fails does not keep the others. */
export async function measure(
  names: readonly string[],
  measuring: Measuring,
  place: Place,
): Promise<Measured> {
  const summaries: Summary[] = []
  const runs: Record<string, Figure[][]> = {}
  const failures: Record<string, string> = {}
  for (const scenario of SCENARIOS.filter(({ name }) => names.includes(name))) {
    process.stderr.write(`${scenario.name}: ${scenario.title}\n`)
    try {
      const figures = await runScenario(scenario, place, measuring)
      runs[scenario.name] = figures
      summaries.push(...summarize(scenario, figures))
    } catch (error) {
      failures[scenario.name] = error instanceof Error ? error.message : String(error)
      process.stderr.write(`  failed: ${failures[scenario.name]}\n`)
    }
  }
  return { summaries, runs, failures }
}

export function show({ summaries, failures }: Omit<Measured, 'runs'>, before: Comparison): void {
  console.log(`\n${table(summaries, before)}`)
  for (const [name, reason] of Object.entries(failures))
    console.log(`\n${name} failed: ${reason.split('\n')[0]}`)
}
