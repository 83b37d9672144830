import type { Config } from '../config.ts'
import type { Clock } from '../db/database.ts'
import type { Secrets } from '../secrets.ts'

/** A link's path below `/attachments/`: the file and the name under which it is saved. */
export type LinkTarget = `${string}/${string}`

/** The prefix of placeholders for links in events, which are signed when they are handed out. */
const PLACEHOLDER = 'parley:'
const PLACEHOLDERS = new RegExp(`"(url|thumbnailUrl)":"${PLACEHOLDER}([^"]+)"`, 'g')
const PURPOSE = 'attachment link'

export const linkTarget = (id: string, name: string): LinkTarget => `${id}/${encodeURIComponent(name)}`

export const linkPlaceholder = (target: LinkTarget): string => `${PLACEHOLDER}${target}`

/** Links to files: anyone with one may read the file, until it expires. */
export class Links {
  #secrets: Secrets
  #config: Config
  #clock: Clock

  constructor(secrets: Secrets, config: Config, clock: Clock) {
    this.#secrets = secrets
    this.#config = config
    this.#clock = clock
  }

  to(target: LinkTarget): string {
    const { storageUrl, baseUrl, linkSeconds } = this.#config
    const expires = this.#clock() + linkSeconds * 1000
    const signature = this.#secrets.sign(PURPOSE, `${target}?${expires}`)
    return `${storageUrl ?? baseUrl}/attachments/${target}?expires=${expires}&signature=${signature}`
  }

  /** Undefined: not a link of ours, or changed. Otherwise how many milliseconds it still works; none when it is over. */
  timeLeft(target: LinkTarget, expires: string, signature: string): number | undefined {
    const retiredAfter = this.#clock() - this.#config.linkSeconds * 1000
    if (!this.#secrets.isSigned(PURPOSE, `${target}?${expires}`, signature, { retiredAfter }))
      return undefined
    return Math.max(0, Number(expires) - this.#clock())
  }

  /**
   * The payload of an event, JSON as it is stored, with fresh links. Only attachments have fields of these names, and
   * quotes inside of texts are escaped in JSON: nothing that anybody wrote is taken for a placeholder.
   */
  refresh(data: string): string {
    if (!data.includes(PLACEHOLDER)) return data
    return data.replace(
      PLACEHOLDERS,
      (_whole, field: string, target: LinkTarget) => `"${field}":"${this.to(target)}"`,
    )
  }
}
