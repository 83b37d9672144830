import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nameOf, type Summary } from './summary.ts'

/** Ratios by the name of the figure, written by hand with --record. */
export type Recorded = Record<string, number>

/** The best of three tries below this share of the recorded ratio is a loss, and no noise. */
const LEAST_SHARE = 0.7

const pathOf = (root: string): string => join(root, 'bench', 'recorded.json')

export async function readRecorded(root: string): Promise<Recorded> {
  const text = await readFile(pathOf(root), 'utf8').catch(() => '{}')
  return JSON.parse(text)
}

/** Keeps the figures that this run did not measure. */
export async function writeRecorded(root: string, summaries: readonly Summary[]): Promise<void> {
  const recorded = await readRecorded(root)
  for (const summary of summaries) {
    if (summary.ratio !== undefined) recorded[nameOf(summary)] = Number(summary.ratio.toPrecision(2))
  }
  await writeFile(pathOf(root), `${JSON.stringify(recorded, undefined, 2)}\n`)
}

/** The figures with the ratios recorded for them. */
export function asRecorded(summaries: readonly Summary[], recorded: Recorded): Summary[] {
  return summaries.flatMap((summary) => {
    const ratio = recorded[nameOf(summary)]
    return ratio === undefined ? [] : [{ ...summary, ratio }]
  })
}

/** Figures that are too far below what was recorded for them; those without a record cannot be. */
export function findLosses(summaries: readonly Summary[], recorded: Recorded): Summary[] {
  return summaries.filter((summary) => {
    const before = recorded[nameOf(summary)]
    return before !== undefined && summary.ratio !== undefined && summary.ratio < before * LEAST_SHARE
  })
}
