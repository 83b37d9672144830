import { nameOf, round, type Summary, standings } from './summary.ts'

const ROW = 26
const NAMES = 210
const CHART = 440
const NOTES = 200
const WIDTH = NAMES + CHART + NOTES
const HEAD = 64
const GAP = 56
/** The end of the scale is twice the target; better figures are cut off. */
const MOST_STANDING = 2
const LEAST_MS = 0.1
const MOST_MS = 10_000

/** The SVG has no CSS variables, which only browsers support. Other viewers draw it for a light page. */
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1b1f24 }
  .title { font-weight: 600; font-size: 15px } .name { text-anchor: end } .tick { text-anchor: middle; font-size: 11px }
  .grid { stroke: #d0d7de } .range { stroke: #1b1f24; stroke-width: 2 } .dot { fill: #1b1f24 }
  .target { stroke: #0b57d0; stroke-width: 2; stroke-dasharray: 4 3 } .limit { stroke: #0b57d0; stroke-width: 2 }
  .good { fill: #1f7a4d } .bad { fill: #b3261e }
  @media (prefers-color-scheme: dark) {
    text, .dot { fill: #e6edf3 } .grid { stroke: #3d444d } .range { stroke: #e6edf3 }
    .target, .limit { stroke: #8ab4f8 } .good { fill: #56d38a } .bad { fill: #ff8a80 }
  }`

/** Two charts for a page: how each figure stands to its target, and the latencies. Its background is the page's. */
export function plot(summaries: readonly Summary[], title: string): string {
  const timed = summaries.filter(({ p99 }) => p99 !== undefined && p99 > 0)
  const first = HEAD + 24
  const second = first + summaries.length * ROW + GAP + 24
  const height = second + timed.length * ROW + 40
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style>`,
    `<text x="8" y="22" class="title">${escaped(title)}</text>`,
    ...standingChart(summaries, first),
    ...latencyChart(timed, second),
    '</svg>\n',
  ].join('\n')
}

function standingChart(summaries: readonly Summary[], top: number): string[] {
  const x = (standing: number) => NAMES + 8 + (Math.min(standing, MOST_STANDING) / MOST_STANDING) * CHART
  const bottom = top + summaries.length * ROW
  return [
    `<text x="8" y="${top - 24}">Against the target: longer is better, the dashed line is the target</text>`,
    ...[0, 0.5, 1, 1.5, 2].map((at) => tick(x(at), top, bottom, at === MOST_STANDING ? '2× +' : `${at}×`)),
    ...summaries.flatMap((summary, index) => {
      const y = top + index * ROW
      const standing = Math.min(...standings(summary))
      return [
        label(nameOf(summary), y),
        `<rect x="${x(0)}" y="${y + 6}" width="${(x(standing) - x(0)).toFixed(1)}" height="${ROW - 12}" rx="2" class="${summary.reached ? 'good' : 'bad'}"/>`,
        note(shortValue(summary), y),
      ]
    }),
    `<line x1="${x(1)}" y1="${top - 4}" x2="${x(1)}" y2="${bottom}" class="target"/>`,
  ]
}

function latencyChart(summaries: readonly Summary[], top: number): string[] {
  const scale = Math.log(MOST_MS / LEAST_MS)
  const x = (ms: number) =>
    NAMES + 8 + (Math.log(Math.min(Math.max(ms, LEAST_MS), MOST_MS) / LEAST_MS) / scale) * CHART
  const bottom = top + summaries.length * ROW
  return [
    `<text x="8" y="${top - 24}">Latency, p50 to p99; the upright mark is what p99 should stay under</text>`,
    ...[0.1, 1, 10, 100, 1000, 10_000].map((ms) =>
      tick(x(ms), top, bottom, ms < 1000 ? `${ms} ms` : `${ms / 1000} s`),
    ),
    ...summaries.flatMap((summary, index) => {
      const { p50 = 0, p99 = 0, target } = summary
      const y = top + index * ROW
      const center = y + ROW / 2
      const limit = target.p99Under
      return [
        label(nameOf(summary), y),
        `<line x1="${x(p50).toFixed(1)}" y1="${center}" x2="${x(p99).toFixed(1)}" y2="${center}" class="range"/>`,
        ...[p50, p99].map((ms) => `<circle cx="${x(ms).toFixed(1)}" cy="${center}" r="4" class="dot"/>`),
        ...(limit === undefined
          ? []
          : [
              `<line x1="${x(limit).toFixed(1)}" y1="${y + 4}" x2="${x(limit).toFixed(1)}" y2="${y + ROW - 4}" class="limit"/>`,
            ]),
        note(`${round(p50)} to ${round(p99)} ms`, y),
      ]
    }),
  ]
}

const tick = (x: number, top: number, bottom: number, text: string): string =>
  `<line x1="${x.toFixed(1)}" y1="${top - 4}" x2="${x.toFixed(1)}" y2="${bottom}" class="grid"/><text x="${x.toFixed(1)}" y="${bottom + 14}" class="tick">${text}</text>`

const label = (text: string, y: number): string =>
  `<text x="${NAMES}" y="${y + ROW / 2 + 4}" class="name">${escaped(text)}</text>`

const note = (text: string, y: number): string =>
  `<text x="${NAMES + CHART + 18}" y="${y + ROW / 2 + 4}">${escaped(text)}</text>`

function shortValue({ ratio, target, value, unit }: Summary): string {
  if (ratio !== undefined && target.ratioAtLeast !== undefined) {
    return `${round(ratio)} of the floor (${round(target.ratioAtLeast)})`
  }
  const most = target.valueUnder ?? target.p99Under
  return `${round(value)} ${unit}${most === undefined ? '' : ` (${most})`}`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
