import { describeTarget, nameOf, round, type Summary } from './summary.ts'

const HEAD = ['figure', 'value', 'floor', 'ratio', 'target', '', 'p50 ms', 'p99 ms', 'spread']

/** Summaries to compare with: the title of the column, and the text for a figure that has nothing. */
export type Comparison = { title: string; summaries: readonly Summary[]; missing: string }

export function table(summaries: readonly Summary[], before: Comparison): string {
  const head = [...HEAD, before.title]
  const rows = summaries.map((summary) => rowOf(summary, before))
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  return [head, widths.map((width) => '─'.repeat(width)), ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function rowOf(summary: Summary, before: Comparison): string[] {
  const { value, floor, ratio, unit, p50, p99, spread, target, reached } = summary
  const shown = (number: number | undefined) => (number === undefined ? '' : round(number))
  return [
    nameOf(summary),
    `${round(value)} ${unit}`,
    shown(floor),
    shown(ratio),
    describeTarget(target, unit),
    Object.keys(target).length === 0 ? '' : reached ? 'reached' : 'MISSED',
    shown(p50),
    shown(p99),
    `${Math.round(spread * 100)} %`,
    compare(
      summary,
      before.summaries.find((other) => nameOf(other) === nameOf(summary)),
    ) ?? before.missing,
  ]
}

/** The ratio of before where there is one, since it depends less on the machine; otherwise the value. */
function compare(now: Summary, before: Summary | undefined): string | undefined {
  if (!before) return undefined
  const [current, former] =
    now.ratio === undefined || before.ratio === undefined
      ? [now.value, before.value]
      : [now.ratio, before.ratio]
  const change = Math.round((current / former - 1) * 100)
  return `${round(former)} (${change > 0 ? '+' : ''}${change} %)`
}
