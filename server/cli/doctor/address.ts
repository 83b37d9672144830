import type { Config } from '../../config.ts'
import { isLocalServer } from '../../http/local.ts'
import { type Check, fine, problem } from './check.ts'

const PATIENCE_MS = 5000

/** Whether the public address leads here, and what a proxy in front needs. Empty without a public address. */
export async function checkAddress(config: Config): Promise<Check[]> {
  if (!config.baseUrlGiven || isLocalServer(config)) return []
  return [checkProxy(config), ...(await checkPublicAddress(config))]
}

/** Parley speaks no TLS itself: where people come by https, a proxy stands in front. */
function checkProxy({ baseUrl, trustProxy }: Config): Check {
  if (!baseUrl.startsWith('https:') || trustProxy !== false)
    return fine(
      'Proxy',
      trustProxy === false ? 'none' : 'visitors are told apart by the address that it passes on',
    )
  return problem(
    'Proxy',
    'one stands in front, and everybody behind it counts as one visitor',
    'Set TRUST_PROXY to its address, or to true, and let it send X-Forwarded-For.',
  )
}

async function checkPublicAddress({ baseUrl, host, port, metricsPublic }: Config): Promise<Check[]> {
  const wildcard = host === '0.0.0.0' || host === '::'
  const here = await ask(`http://${wildcard ? '127.0.0.1' : host}:${port}/health/live`)
  if (here?.text !== LIVE) return [fine('Address', `${baseUrl}; not tried, since no server runs here`)]
  const there = await ask(`${baseUrl}/health/live`)
  if (there?.text !== LIVE) {
    const detail = there
      ? `${baseUrl} answers ${there.status}, and not as Parley does`
      : `${baseUrl} does not answer from here`
    return [
      problem(
        'Address',
        detail,
        'Let the proxy of BASE_URL pass everything on to Parley, or correct BASE_URL.',
      ),
    ]
  }
  const found = fine('Address', `${baseUrl} leads to Parley`)
  if (!metricsPublic || (await ask(`${baseUrl}/metrics`))?.status !== 200) return [found]
  const fix = 'Let the proxy refuse /metrics, as ops/haproxy.cfg does, or unset METRICS.'
  return [found, problem('Metrics', `everybody can read ${baseUrl}/metrics`, fix)]
}

const LIVE = JSON.stringify({ status: 'live' })

async function ask(url: string): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  } catch {
    return undefined
  }
}
