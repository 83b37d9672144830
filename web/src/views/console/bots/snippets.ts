import type { Credentials, DeliveryAttempt } from '../../../../../contract/people/bots.ts'
import type { Scope } from '../../../../../contract/scopes.ts'

/** One word for a POSIX shell, whatever is in it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Environment variables for a bot's program; a line for each known value. */
export function envFile(baseUrl: string, credentials: Credentials): string {
  const values = {
    PARLEY_URL: baseUrl,
    PARLEY_API_KEY: credentials.apiKey,
    PARLEY_API_SECRET: credentials.apiSecret,
    PARLEY_CLIENT_ID: credentials.clientId,
    PARLEY_CLIENT_SECRET: credentials.clientSecret,
  }
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/**
 * A signed request that runs as it stands in any shell with openssl. Seconds and three zeros, since macOS has no
 * `date +%N`; not a variable `path`, which zsh ties to PATH.
 */
export function signedCall(baseUrl: string, apiKey: string, apiSecret: string): string {
  return `target=/v2/members/me
timestamp=$(date +%s)000
signature=$(printf '%s' "$timestamp.$target" | openssl dgst -sha256 -hmac ${shellQuoted(apiSecret)} | sed 's/^.* //')
curl -sS "${baseUrl}$target" \\
  -H ${shellQuoted(`Authorization: Bearer ${apiKey}`)} \\
  -H "X-Timestamp: $timestamp" \\
  -H "X-Signature: $signature"`
}

/** Calls that change nothing, by what they need. */
const FIRST_CALLS: readonly [scope: Scope, target: string][] = [
  ['member:read', '/v2/members/me'],
  ['channel:list', '/v2/topics'],
  ['channel:read', '/v2/organization/labels'],
  ['task:read', '/v2/tasks'],
]

/** The call that a bot with these scopes can begin with, if there is one. */
export const firstTarget = (scopes: readonly Scope[]): string | undefined =>
  FIRST_CALLS.find(([scope]) => scopes.includes(scope))?.[1]

/** A token, and a first call with it where the scopes allow one. */
export function tokenCall(
  baseUrl: string,
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
  target: string | undefined,
): string {
  const ask = `curl -sS ${shellQuoted(`${baseUrl}/oauth/token`)} -d grant_type=client_credentials \\
  --data-urlencode ${shellQuoted(`client_id=${clientId}`)} \\
  --data-urlencode ${shellQuoted(`client_secret=${clientSecret}`)}`
  if (target === undefined) return ask
  return `token=$(${ask} |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -sS ${shellQuoted(baseUrl + target)} -H "Authorization: Bearer $token"`
}

/**
 * A delivery as a command. The body goes out as it was signed, before compression; curl counts its length itself. A
 * header without a value needs a semicolon, or curl leaves it out.
 */
export function attemptAsCurl({ url, headers }: DeliveryAttempt['request'], body: string): string {
  const kept = Object.entries(headers).filter(
    ([name]) => !/^(content-encoding|content-length|host)$/i.test(name),
  )
  return [
    `curl -i --globoff ${shellQuoted(url)}`,
    ...kept.map(([name, value]) => `-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    `--data-raw ${shellQuoted(body)}`,
  ].join(' \\\n  ')
}

/** JSON with line breaks; anything else as it is. */
export function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
