import { LIMITS } from '../../contract/limits.ts'
import type { Clock } from '../db/database.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import { type GuardOptions, openGuardedAgent } from '../network/guard.ts'
import { readJson } from '../network/read-json.ts'
import { isRedirectUri, nameOfClient, type OAuthClient } from './oauth-clients.ts'

/** A description has a name and a few addresses. */
const BOUNDS = { bytes: 16 * 1024, ms: 5000 }
const KEPT = { entries: 1000, bytes: 4 * 1024 * 1024 }
/** Lifetime of a document, so short that a program with new addresses does not wait for a day. */
const LIFETIME_MS = 10 * 60_000
/** Documents read at the same time, for all callers. */
const MAX_READING = 10

type Options = GuardOptions & {
  /** Reads a document; replaced in tests. */
  readDocument?: (url: URL) => Promise<unknown>
}

/**
 * Programs that are known by an address of theirs, where a document describes them (OAuth Client ID Metadata Documents). It is
 * read through the guard that webhooks go through: an address inside of the network leads nowhere.
 */
export class ClientDocuments {
  #agent: ReturnType<typeof openGuardedAgent>
  #clock: Clock
  #known = new BoundedMap<{ client: OAuthClient; until: number }>(
    KEPT,
    ({ client }) => JSON.stringify(client).length,
  )
  #reading = new Map<string, Promise<OAuthClient>>()
  #readDocument: (url: URL) => Promise<unknown>

  constructor(allowedNetworks: readonly string[], clock: Clock, options: Options = {}) {
    this.#agent = openGuardedAgent(allowedNetworks, options)
    this.#clock = clock
    this.#readDocument = options.readDocument ?? ((url) => readJson(this.#agent, url, BOUNDS))
  }

  /** Throws if the document does not exist, or does not describe this program. */
  async read(id: string): Promise<OAuthClient> {
    const known = this.#known.get(id)
    if (known && known.until > this.#clock()) return known.client
    const url = addressOf(id)
    if (!url) throw new Error('not an address of a document')
    const already = this.#reading.get(id)
    if (already) return already
    if (this.#reading.size >= MAX_READING) throw new Error('too many documents are being read')
    // The lifetime begins with the request: a document may have changed while it was being sent.
    const until = this.#clock() + LIFETIME_MS
    const reading = this.#readDocument(url)
      .then((document) => clientIn(document, id, url))
      .finally(() => this.#reading.delete(id))
    this.#reading.set(id, reading)
    const client = await reading
    this.#known.set(id, { client, until })
    return client
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

export const isDocumentAddress = (clientId: string): boolean => clientId.startsWith('https://')

/** Written as it is read, so that a program has one id: no dots, no user, no fragment, and a path. */
function addressOf(id: string): URL | undefined {
  if (id.length > LIMITS.redirectUri || !URL.canParse(id)) return undefined
  const url = new URL(id)
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '' && !id.includes('#')
  return isPlain && url.pathname !== '/' && url.href === id ? url : undefined
}

function clientIn(document: unknown, id: string, { host }: URL): OAuthClient {
  const described: Record<string, unknown> = Object(document)
  const { redirect_uris: redirectUris, token_endpoint_auth_method: method = 'none' } = described
  if (described.client_id !== id) throw new Error('client_id must be the address of the document')
  if (method !== 'none') throw new Error('token_endpoint_auth_method must be none')
  const isList = Array.isArray(redirectUris) && redirectUris.length <= LIMITS.redirectUris
  if (!isList || redirectUris.length === 0 || !redirectUris.every(isRedirectUri))
    throw new Error('redirect_uris has an address that no code can be sent to')
  return { id, name: nameOfClient(described.client_name, host), redirectUris, documentHost: host }
}
