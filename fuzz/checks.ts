import type { promisesOf } from '../test/support/promised.ts'
import type { Planned } from './requests.ts'
import type { Result } from './wire.ts'

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
/** Stack traces, file paths, words of the database. */
const INTERNALS =
  /\bat \S+ \(|\bat file:|node_modules|\.[mc]?[jt]s:\d+|relation "|column "|violates|duplicate key|invalid input syntax|ECONN|EPIPE|ENOENT/
/** Names of keys whose values are shown once. */
const SECRET_FIELDS = /"(?:apiSecret|clientSecret|access_token|secret)":"([^"]{12,})"/g
/** Newest secrets that are searched for in every answer; the log is searched for all. */
const SECRETS_IN_ANSWERS = 40

/** Ids and texts of a foreign organization, which no answer may show. */
export type Foreign = { ids: ReadonlySet<string>; marker: string }

/** Checks every answer, and reports its faults. */
export class Judge {
  readonly #promises: ReturnType<typeof promisesOf>
  #foreign: Foreign = { ids: new Set(), marker: '' }
  readonly secrets: string[] = []

  constructor(promises: ReturnType<typeof promisesOf>) {
    this.#promises = promises
  }

  watchFor(foreign: Foreign): void {
    this.#foreign = foreign
  }

  mistakeIn(planned: Planned, result: Result): string | undefined {
    if (result === 'late') return 'no answer'
    if (result === 'broken off') return planned.isBroken ? undefined : 'the server hung up'
    const { status, headers, text, body } = result
    if (!(status >= 200 && status < 500)) return `status ${status}`
    if (headers.has('x-injected')) return 'a header that the request made up'
    if (!headers.get('x-request-id')) return 'an answer without X-Request-Id'
    if (status >= 400 && INTERNALS.test(text)) return 'something internal'
    if (
      status >= 400 &&
      planned.target.startsWith('/attachments/') &&
      planned.method !== 'HEAD' &&
      typeof body !== 'string'
    )
      return 'an error that is not a JSON string'
    // A request that is not HTTP is refused before its operation is known.
    const isUnread = planned.isBroken && status === 400 && typeof body === 'string'
    const mistake = isUnread ? undefined : this.#promises.mistakeIn(planned.method, planned.target, result)
    return mistake ?? this.#leakIn(planned, text, headers.has('idempotent-replayed'))
  }

  #leakIn({ target, body }: Planned, text: string, isReplayed: boolean): string | undefined {
    const { ids, marker } = this.#foreign
    if (marker !== '' && text.includes(marker)) return 'a text of a foreign organization'
    for (const [id] of text.matchAll(UUID)) {
      if (ids.has(id.toLowerCase()) && !target.includes(id) && !body?.includes(id))
        return `an id of a foreign organization, ${id}`
    }
    const known = isReplayed
      ? undefined
      : this.secrets.slice(-SECRETS_IN_ANSWERS).find((secret) => text.includes(secret))
    if (known !== undefined && !body?.includes(known)) return 'a secret that was shown before'
    for (const [, secret = ''] of text.matchAll(SECRET_FIELDS)) this.secrets.push(secret)
    return undefined
  }
}
