import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { nanoseconds, presentAttributes } from './traces.ts'

const CUMULATIVE = 2

type Metric = MetricObjectWithValues<MetricValue<string>>
type Point = { attributes: ReturnType<typeof presentAttributes>; timeUnixNano: string }

/** The metrics of `/metrics` in the JSON of OTLP. */
export async function presentMetrics(
  registry: Registry,
  startedMs: number,
  nowMs: number,
): Promise<object[]> {
  const startTimeUnixNano = nanoseconds(startedMs)
  const timeUnixNano = nanoseconds(nowMs)
  const metrics = await registry.getMetricsAsJSON()
  return metrics.flatMap((metric): object[] => {
    const { name, help: description } = metric
    const plain = () =>
      metric.values.map(({ value, labels }) => ({
        attributes: labelsOf(labels),
        timeUnixNano,
        asDouble: value,
      }))
    const type = String(metric.type)
    if (type === 'gauge') return [{ name, description, gauge: { dataPoints: plain() } }]
    if (type === 'counter') {
      const dataPoints = plain().map((point) => ({ ...point, startTimeUnixNano }))
      return [
        { name, description, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } },
      ]
    }
    if (type !== 'histogram') return []
    const dataPoints = histogramPoints(metric, timeUnixNano).map((point) => ({ ...point, startTimeUnixNano }))
    return [{ name, description, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } }]
  })
}

const labelsOf = (labels: Partial<Record<string, string | number>>) =>
  presentAttributes(Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)])))

/** Prometheus counts values below each bound, OTLP between two; `+Inf` is the last bound. */
function histogramPoints({ name, values }: Metric, timeUnixNano: string): Point[] {
  const series = new Map<
    string,
    { labels: MetricValue<string>['labels']; sum: number; count: number; below: [number, number][] }
  >()
  for (const value of values) {
    const { le, ...labels } = value.labels
    const key = JSON.stringify(labels)
    const one = series.get(key) ?? { labels, sum: 0, count: 0, below: [] }
    series.set(key, one)
    const suffix = ('metricName' in value ? String(value.metricName) : '').slice(name.length)
    if (suffix === '_sum') one.sum = value.value
    else if (suffix === '_count') one.count = value.value
    else if (le !== undefined && le !== '+Inf') one.below.push([Number(le), value.value])
  }
  return [...series.values()].map(({ labels, sum, count, below }) => {
    const sorted = below.sort(([one], [other]) => one - other)
    const bounds = sorted.map(([bound]) => bound)
    const counts = [...sorted.map(([, value]) => value), count]
    return {
      attributes: labelsOf(labels),
      timeUnixNano,
      count: String(count),
      sum,
      explicitBounds: bounds,
      bucketCounts: counts.map((value, index) => String(value - (counts[index - 1] ?? 0))),
    }
  })
}
