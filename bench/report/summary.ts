import { type Figure, ratioOf, type Scenario, type Target } from '../scenario.ts'

/** A figure over all runs: the median, and the range. */
export type Summary = {
  scenario: string
  figure: string
  unit: string
  value: number
  floor?: number
  ratio?: number
  p50?: number
  p99?: number
  /** Largest minus smallest, as a share of the middle; of the ratios where there are, otherwise of the values. */
  spread: number
  target: Target
  reached: boolean
}

export function summarize(scenario: Scenario, runs: readonly (readonly Figure[])[]): Summary[] {
  return (runs[0] ?? []).map(({ name }) => {
    const figures = runs.flatMap((run) => run.filter((figure) => figure.name === name))
    return summarizeFigure(scenario, name, figures)
  })
}

function summarizeFigure(scenario: Scenario, name: string, figures: readonly Figure[]): Summary {
  const all = <Key extends string>(key: Key, read: (figure: Figure) => number | undefined) => {
    const found = figures.map(read).filter((value) => value !== undefined)
    return found.length === 0 ? {} : ({ [key]: middle(found) } as { [Name in Key]?: number })
  }
  const ratios = figures.map(ratioOf).filter((ratio) => ratio !== undefined)
  const values = figures.map(({ value }) => value)
  const measured = {
    value: middle(values),
    ...all('floor', ({ floor }) => floor),
    ...all('ratio', ratioOf),
    ...all('p50', ({ latency }) => latency?.p50),
    ...all('p99', ({ latency }) => latency?.p99),
  }
  const target = scenario.target[name] ?? {}
  return {
    scenario: scenario.name,
    figure: name,
    unit: figures[0]?.unit ?? '',
    ...measured,
    spread: spreadOf(ratios.length > 0 ? ratios : values),
    target,
    reached: standings({ ...measured, target }).every((standing) => standing >= 1),
  }
}

export function middle(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}

function spreadOf(values: readonly number[]): number {
  const center = middle(values)
  return center === 0 ? 0 : (Math.max(...values) - Math.min(...values)) / center
}

type Measured = Pick<Summary, 'value' | 'target'> & Partial<Pick<Summary, 'ratio' | 'p99'>>

/** How well each demand of the target is met: 1 is exactly, 2 is twice as good. */
export function standings({ value, ratio = 0, p99 = 0, target }: Measured): number[] {
  const { ratioAtLeast, valueUnder, valueAtLeast, p99Under } = target
  return [
    ...(ratioAtLeast === undefined ? [] : [ratio / ratioAtLeast]),
    ...(valueUnder === undefined ? [] : [valueUnder / value]),
    ...(valueAtLeast === undefined ? [] : [value / valueAtLeast]),
    ...(p99Under === undefined ? [] : [p99Under / p99]),
  ]
}

export const nameOf = ({ scenario, figure }: Pick<Summary, 'scenario' | 'figure'>): string =>
  `${scenario}: ${figure}`

export function describeTarget(
  { ratioAtLeast, valueUnder, valueAtLeast, p99Under }: Target,
  unit: string,
): string {
  return [
    ...(ratioAtLeast === undefined ? [] : [`ratio ≥ ${round(ratioAtLeast)}`]),
    ...(valueUnder === undefined ? [] : [`< ${valueUnder} ${unit}`]),
    ...(valueAtLeast === undefined ? [] : [`≥ ${valueAtLeast} ${unit}`]),
    ...(p99Under === undefined ? [] : [`p99 < ${p99Under} ms`]),
  ].join(', ')
}

/** Rounds to three significant digits. */
export function round(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}
