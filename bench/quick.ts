import type { Place } from './context.ts'
import { type Measured, measure, show } from './measure.ts'
import type { Options } from './options.ts'
import { asRecorded, findLosses, readRecorded, writeRecorded } from './report/recorded.ts'
import { middle, nameOf, round, type Summary } from './report/summary.ts'

const TRIES = 3

type Selection = Pick<Options, 'names' | 'figures'>

/**
 * Measures briefly, and compares the ratios with those that were recorded. The machine may be a noisy one: a low ratio is
 * measured again, without the rest, and has failed when the best of three tries is too low.
 */
export async function runQuick(options: Options, place: Place): Promise<number> {
  const recorded = await readRecorded(place.root)
  const tries: Summary[] = []
  let selection: Selection = options
  let failures: Measured['failures'] = {}
  for (let number = 1; number <= TRIES && selection.names.length > 0; number++) {
    if (number > 1) process.stderr.write(`\nTry ${number} of ${TRIES}\n`)
    const measured = await measure(selection.names, { ...options, ...selection }, place)
    tries.push(...measured.summaries)
    failures = measured.failures
    if (!options.record) selection = selectAgain(selection, findLosses(bestOf(tries), recorded), failures)
  }

  const best = bestOf(tries)
  if (options.json) console.log(JSON.stringify({ summaries: best, failures }, undefined, 2))
  else {
    const missing = 'not recorded'
    show({ summaries: best, failures }, { title: 'recorded', summaries: asRecorded(best, recorded), missing })
  }
  if (options.record) await writeRecorded(place.root, middleOf(tries))
  const losses = options.record ? [] : findLosses(best, recorded)
  for (const loss of losses) {
    console.error(
      `${nameOf(loss)}: ${round(loss.ratio ?? 0)} at best, recorded was ${recorded[nameOf(loss)]}`,
    )
  }
  return losses.length > 0 || Object.keys(failures).length > 0 ? 1 : 0
}

/** Selects the figures that are too low, and every figure of a scenario that failed. */
function selectAgain(
  { figures }: Selection,
  losses: readonly Summary[],
  failures: Measured['failures'],
): Selection {
  const failed = Object.keys(failures)
  const low = losses.map(({ scenario }) => scenario).filter((name) => !failed.includes(name))
  const lowFigures = losses.map(({ scenario, figure }): [string, string] => [scenario, figure])
  return {
    names: [...new Set([...low, ...failed])],
    figures: {
      ...figures,
      ...Object.fromEntries(
        low.map((name) => [name, lowFigures.filter(([of]) => of === name).map(([, figure]) => figure)]),
      ),
    },
  }
}

/** Picks the try with the best ratio for each figure, and the first one where there is no ratio. */
function bestOf(tries: readonly Summary[]): Summary[] {
  const best = new Map<string, Summary>()
  for (const summary of tries) {
    const known = best.get(nameOf(summary))
    if (!known || (summary.ratio ?? 0) > (known.ratio ?? 0)) best.set(nameOf(summary), summary)
  }
  return [...best.values()]
}

/** Picks the latest try for each figure, with the median of all ratios. */
function middleOf(tries: readonly Summary[]): Summary[] {
  return tries.map((summary) => {
    const same = tries.filter((other) => nameOf(other) === nameOf(summary))
    const ratios = same.flatMap(({ ratio }) => (ratio === undefined ? [] : [ratio]))
    return ratios.length === 0 ? summary : { ...summary, ratio: middle(ratios) }
  })
}
