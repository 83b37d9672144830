import type { Config } from '../config.ts'
import type { Parley } from '../parley.ts'
import type { StoredTarget } from '../queries/bots/deliveries.ts'
import type { Secrets } from '../secrets.ts'

/** The target of an address's deliveries and the secrets that go with them, worked out from the stored row. */
export type Target = {
  address: URL
  secret: Buffer
  former: { secret: Buffer; until: number } | undefined
  ownHeaders: Record<string, string> | undefined
}

export function openTarget(
  parts: Pick<Parley, 'secrets' | 'config'>,
  addressId: string,
  stored: StoredTarget & { url: string },
): Target {
  return { address: new URL(stored.url), ...openSecrets(parts, addressId, stored) }
}

/** Everything but the address, which not every bot has. */
export function openSecrets(
  { secrets, config }: Pick<Parley, 'secrets' | 'config'>,
  addressId: string,
  { secret, formerSecret, formerSecretUntil, headers }: StoredTarget,
): Omit<Target, 'address'> {
  return {
    secret: secrets.decrypt(secret, addressId),
    former:
      formerSecret !== null && formerSecretUntil !== null
        ? { secret: secrets.decrypt(formerSecret, addressId), until: formerSecretUntil }
        : undefined,
    ownHeaders: headers === null ? undefined : openHeaders(secrets, config, addressId, headers),
  }
}

/** The parts of an envelope that depend on its target at the time of sending. */
export const targetEnvelope = ({ secret, former, ownHeaders }: Omit<Target, 'address'>, sentAt: number) => ({
  secret,
  formerSecret: former && sentAt < former.until ? former.secret : undefined,
  ownHeaders,
})

export const isSameTarget = (one: StoredTarget, other: StoredTarget): boolean =>
  one.url === other.url &&
  one.secret.equals(other.secret) &&
  one.formerSecretUntil === other.formerSecretUntil &&
  isSameBuffer(one.formerSecret, other.formerSecret) &&
  isSameBuffer(one.headers, other.headers)

const isSameBuffer = (one: Buffer | null, other: Buffer | null): boolean =>
  one === other || (one !== null && other !== null && one.equals(other))

/** Headers that a request is made of, that Parley sets itself, and that would lead it elsewhere. */
const RESERVED =
  /^(host|date|expect|te|trailer|upgrade|via|user-agent|cookie|keep-alive|forwarded|connection|(content|webhook|proxy|transfer|accept|sec|x-forwarded)-.*)$/i

type HeaderConfig = Pick<Config, 'webhookHeaderPrefix'>

export const isReservedHeader = (name: string, { webhookHeaderPrefix }: HeaderConfig): boolean =>
  RESERVED.test(name) || name.toLowerCase().startsWith(webhookHeaderPrefix.toLowerCase())

export const headersContext = (addressId: string): string => `headers:${addressId}`

/** The headers that an admin chose. One that has become ours since, by another prefix, is left out. */
export function openHeaders(
  secrets: Secrets,
  config: HeaderConfig,
  addressId: string,
  sealed: Buffer,
): Record<string, string> {
  const headers: Record<string, string> = JSON.parse(
    secrets.decrypt(sealed, headersContext(addressId)).toString(),
  )
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isReservedHeader(name, config)))
}
