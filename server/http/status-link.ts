import type { Config } from '../config.ts'
import type { Secrets } from '../secrets.ts'

const PURPOSE = 'status of the installation'
const LIFETIME_MS = 24 * 60 * 60_000
const TOKEN = /^(\d{13})\.([\w-]+)$/

/** Shows the status of the installation to anyone who has it, until its end, and opens nothing else. */
export function makeStatusLink(
  secrets: Secrets,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  now: number,
): { url: string; endsAt: number } {
  const endsAt = Math.round(now) + LIFETIME_MS
  return { url: `${baseUrl}/status/${endsAt}.${secrets.sign(PURPOSE, String(endsAt))}`, endsAt }
}

/** The end of the link; undefined if it has ended or is not ours. */
export function readStatusToken(secrets: Secrets, token: string, now: number): number | undefined {
  const [, endsAt, signature] = TOKEN.exec(token) ?? []
  if (endsAt === undefined || signature === undefined || Number(endsAt) <= now) return undefined
  return secrets.isSigned(PURPOSE, endsAt, signature) ? Number(endsAt) : undefined
}
