import type { Config } from '../config.ts'

/** A year, for this host alone: other hosts of the same domain may belong to others. */
const STRICT_TRANSPORT = 'max-age=31536000'

/** Headers of every answer, whether a route, an error, a stream or the HTTP parser writes it. */
export function commonHeaders(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  requestId: string,
): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': STRICT_TRANSPORT }),
  }
}
