type Environment = Record<string, string | undefined>

/** The targets of traces and metrics, by the variables that all programs with OpenTelemetry read. */
export type TelemetrySettings = {
  /** Undefined if none are sent. */
  tracesUrl: string | undefined
  metricsUrl: string | undefined
  /** Headers of each export, such as the collector's key, which is secret. */
  headers: Record<string, string>
  serviceName: string
  resource: Record<string, string>
  /** The share of traces that are sent, 0 to 1, and whether a caller that has decided for one is followed. */
  sampling: { ratio: number; followsCaller: boolean }
  metricsEveryMs: number
}

const DEFAULT_EVERY_MS = 60_000
const SAMPLERS: Record<string, (ratio: number) => number> = {
  always_on: () => 1,
  always_off: () => 0,
  traceidratio: (ratio) => ratio,
}

/** Returns undefined if no receiver is set. Reports every mistake with its fix. */
export function readTelemetry(environment: Environment, mistakes: string[]): TelemetrySettings | undefined {
  const read = (name: string) => environment[name]?.trim() || undefined
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT')?.replace(/\/+$/, '')
  const urlOf = (kind: 'traces' | 'metrics'): string | undefined => {
    if (read(`OTEL_${kind.toUpperCase()}_EXPORTER`) === 'none') return undefined
    const name = `OTEL_EXPORTER_OTLP_${kind.toUpperCase()}_ENDPOINT`
    const url = read(name) ?? (base && `${base}/v1/${kind}`)
    if (url === undefined || (URL.canParse(url) && /^https?:/.test(url))) return url
    mistakes.push(
      `${read(name) ? name : 'OTEL_EXPORTER_OTLP_ENDPOINT'} must be an http or https address, such as http://127.0.0.1:4318.`,
    )
    return undefined
  }
  const [tracesUrl, metricsUrl] = [urlOf('traces'), urlOf('metrics')]
  if (read('OTEL_SDK_DISABLED') === 'true' || (tracesUrl ?? metricsUrl) === undefined) return undefined
  const protocol = read('OTEL_EXPORTER_OTLP_PROTOCOL')
  if (protocol !== undefined && protocol !== 'http/json')
    mistakes.push(
      `OTEL_EXPORTER_OTLP_PROTOCOL is "${protocol}"; Parley speaks http/json, which collectors take at port 4318: set that, or leave it out.`,
    )
  const { 'service.name': named, ...resource } = pairs(read('OTEL_RESOURCE_ATTRIBUTES'))
  return {
    tracesUrl,
    metricsUrl,
    headers: pairs(read('OTEL_EXPORTER_OTLP_HEADERS')),
    serviceName: read('OTEL_SERVICE_NAME') ?? named ?? 'parley',
    resource,
    sampling: readSampling(read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG'), mistakes),
    metricsEveryMs: readInterval(read('OTEL_METRIC_EXPORT_INTERVAL'), mistakes),
  }
}

function readSampling(
  name = 'parentbased_always_on',
  argument = '1',
  mistakes: string[],
): TelemetrySettings['sampling'] {
  const followsCaller = name.startsWith('parentbased_')
  const sampler = SAMPLERS[name.replace('parentbased_', '')]
  const ratio = Number(argument)
  if (!sampler)
    mistakes.push(
      `OTEL_TRACES_SAMPLER is "${name}"; it must be ${Object.keys(SAMPLERS).join(', ')}, or one of them after parentbased_.`,
    )
  if (!(ratio >= 0 && ratio <= 1))
    mistakes.push(`OTEL_TRACES_SAMPLER_ARG is "${argument}"; it must be a number from 0 to 1.`)
  return { ratio: sampler?.(ratio) ?? 1, followsCaller }
}

function readInterval(text: string | undefined, mistakes: string[]): number {
  const everyMs = Number(text ?? DEFAULT_EVERY_MS)
  if (Number.isInteger(everyMs) && everyMs >= 1000) return everyMs
  mistakes.push(`OTEL_METRIC_EXPORT_INTERVAL is "${text}"; it must be milliseconds, 1000 at least.`)
  return DEFAULT_EVERY_MS
}

/** `name=value,name=value`; values may be percent-encoded. */
function pairs(text = ''): Record<string, string> {
  const found = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 ? [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const] : []
  })
  return Object.fromEntries(found)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
