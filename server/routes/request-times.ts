import type { Metric, Registry } from 'prom-client'

const NAME = 'parley_http_request_seconds'
/** Upper bounds of the buckets. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

type Times = { count: number; sum: number; buckets: number[] }
type Sample = { metricName: string; value: number; labels: Record<string, string | number> }

/**
 * The histogram of request times. It is counted here, since prom-client checks and joins the labels again for each request;
 * the registry asks for samples when it is read.
 */
export class RequestTimes {
  readonly name = NAME
  readonly #byRoute = new Map<string, Map<string, Map<number, Times>>>()

  constructor(registry: Registry) {
    // The registry wants no more of a metric than its name, `get` and `reset`.
    registry.registerMetric(this as unknown as Metric)
  }

  add(method: string, route: string, status: number, seconds: number): void {
    const times = memberOf(
      memberOf(
        memberOf(this.#byRoute, route, () => new Map()),
        method,
        () => new Map(),
      ),
      status,
      noTimes,
    )
    times.count += 1
    times.sum += seconds
    const bucket = SECONDS.findIndex((bound) => seconds <= bound)
    if (bucket !== -1) times.buckets[bucket] = (times.buckets[bucket] ?? 0) + 1
  }

  reset(): void {
    this.#byRoute.clear()
  }

  async get() {
    return {
      name: NAME,
      help: 'Time from the first byte of a request to the end of its answer',
      type: 'histogram',
      aggregator: 'sum',
      values: [...this.#samples()],
    }
  }

  *#samples(): Generator<Sample> {
    for (const [route, byMethod] of this.#byRoute)
      for (const [method, byStatus] of byMethod)
        for (const [status, times] of byStatus)
          yield* samplesOf(times, { method, route, status: String(status) })
  }
}

function* samplesOf({ count, sum, buckets }: Times, labels: Record<string, string>): Generator<Sample> {
  let below = 0
  for (const [index, bound] of SECONDS.entries()) {
    below += buckets[index] ?? 0
    yield { metricName: `${NAME}_bucket`, value: below, labels: { le: bound, ...labels } }
  }
  yield { metricName: `${NAME}_bucket`, value: count, labels: { le: '+Inf', ...labels } }
  yield { metricName: `${NAME}_sum`, value: sum, labels }
  yield { metricName: `${NAME}_count`, value: count, labels }
}

const noTimes = (): Times => ({ count: 0, sum: 0, buckets: SECONDS.map(() => 0) })

function memberOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
