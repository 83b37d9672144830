import { isBotId } from '../../contract/profile-ids.ts'
import type { Caller } from '../caller.ts'
import type { Config } from '../config.ts'
import type { Clock } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'

/** A link's path below `/attachments/`: the file and the name under which it is saved. */
export type LinkTarget = `${string}/${string}`

/** Makes links for one reader. */
export type Link = (target: LinkTarget) => string

/** Stands for links in events, which are signed when they are handed out (`presenters/event-links.ts`). */
export const PLACEHOLDER = 'parley:'
const PURPOSE = 'attachment link'
const UUID_BYTES = 16
/** Digits of a time in milliseconds, few enough to be exact. */
const EXPIRES = /^\d{1,15}$/

export const linkTarget = (id: string, name: string): LinkTarget => `${id}/${encodeURIComponent(name)}`

export const linkPlaceholder: Link = (target) => `${PLACEHOLDER}${target}`

/** A link that this server has signed: the organization whose file it opens, and the person it is for, if it is for one. */
export type SignedLink = {
  orgId: string
  personId: string | undefined
  /** Milliseconds until it expires; 0 if it has. */
  timeLeft: number
}

/**
 * Links to files of an organization. A bot's link opens its file for anyone who has it, until it expires; a person's
 * link, for as long as that person is a member. The signature names both and covers them.
 */
export class Links {
  #secrets: Secrets
  #config: Config
  #clock: Clock

  constructor(secrets: Secrets, config: Config, clock: Clock) {
    this.#secrets = secrets
    this.#config = config
    this.#clock = clock
  }

  for({ orgId, profileId }: Pick<Caller, 'orgId' | 'profileId'>): Link {
    const { storageUrl, baseUrl, linkSeconds } = this.#config
    return (target) => {
      const reader = writeReader(orgId, isBotId(profileId) ? undefined : profileId)
      const expires = this.#clock() + linkSeconds * 1000
      const signature = this.#secrets.sign(PURPOSE, signedText(reader, target, String(expires)))
      return `${storageUrl ?? baseUrl}/attachments/${target}?expires=${expires}&signature=${reader}.${signature}`
    }
  }

  /** Returns undefined if this server did not sign it, or any part was changed. */
  read(target: LinkTarget, expires: unknown, signature: unknown): SignedLink | undefined {
    if (typeof expires !== 'string' || !EXPIRES.test(expires) || typeof signature !== 'string')
      return undefined
    const [reader = '', signed = ''] = signature.split('.')
    const retiredAfter = this.#clock() - this.#config.linkSeconds * 1000
    if (!this.#secrets.isSigned(PURPOSE, signedText(reader, target, expires), signed, { retiredAfter }))
      return undefined
    return { ...readReader(reader), timeLeft: Math.max(0, Number(expires) - this.#clock()) }
  }
}

const signedText = (reader: string, target: LinkTarget, expires: string): string =>
  `${reader} ${target}?${expires}`

const writeReader = (orgId: string, personId = ''): string =>
  Buffer.from(`${orgId}${personId}`.replaceAll('-', ''), 'hex').toString('base64url')

function readReader(reader: string): Pick<SignedLink, 'orgId' | 'personId'> {
  const bytes = Buffer.from(reader, 'base64url')
  const personId = bytes.length > UUID_BYTES ? uuidAt(bytes, UUID_BYTES) : undefined
  return { orgId: uuidAt(bytes, 0), personId }
}

const uuidAt = (bytes: Buffer, start: number): string =>
  bytes
    .toString('hex', start, start + UUID_BYTES)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
