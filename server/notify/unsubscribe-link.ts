import type { Caller } from '../caller.ts'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets.ts'

const PURPOSE = 'no mail about missed messages'
const TOKEN = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([\w-]+)$/

/** Ends the mail about missed messages of one person, without signing in, and does nothing else. */
export function unsubscribeUrl(
  secrets: Secrets,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { orgId, profileId }: Pick<Caller, 'orgId' | 'profileId'>,
): string {
  const whose = `${orgId}.${profileId}`
  return `${baseUrl}/unsubscribe/${whose}.${secrets.sign(PURPOSE, whose)}`
}

/** The person whose mails this link stops; undefined if it is not ours. */
export function readUnsubscribeToken(secrets: Secrets, token: string): Caller | undefined {
  const [, orgId, profileId, signature] = TOKEN.exec(token) ?? []
  if (orgId === undefined || profileId === undefined || signature === undefined) return undefined
  return secrets.isSigned(PURPOSE, `${orgId}.${profileId}`, signature) ? { orgId, profileId } : undefined
}
