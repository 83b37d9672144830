import { LIMITS } from '../../contract/limits.ts'
import { NAME_PATTERN } from '../../contract/names.ts'
import type { Queryable } from '../db/database.ts'
import { crossing, literal, sql } from '../db/sql.ts'
import { randomToken } from '../ids.ts'
import { firstCodePoints } from '../text.ts'

/** A program that asks people for access. It has no secret: its tokens are bound to its redirect address and its verifier. */
export type OAuthClient = {
  id: string
  name: string
  redirectUris: readonly string[]
  /** The host of the document that describes it; a program that registered itself can claim any name. */
  documentHost?: string
}

const CLIENT_ID_BITS = 128
const DAY_MS = 86_400_000
/** Lifetime of a registered program that is not connected, and of one that is no longer used. */
const UNUSED_MS = DAY_MS
const IDLE_MS = 90 * DAY_MS
/** Removed at once when there is no room: a crowd of registrations does not pay for each of them. */
const REMOVED_AT_ONCE = 100

/** Keeps only the name and the redirect addresses of a registration. */
export async function registerClient(
  db: Queryable,
  now: number,
  { name, redirectUris }: { name: string; redirectUris: readonly string[] },
): Promise<OAuthClient> {
  await db.query(sql`
    delete from oauth_clients where id in (
      select id from oauth_clients c
      where (select count(*) from oauth_clients) >= ${LIMITS.registeredClients}
      order by c.used_at is not null, coalesce(c.used_at, c.created_at) limit ${REMOVED_AT_ONCE})`)
  const id = `c_${randomToken(CLIENT_ID_BITS)}`
  await db.query(sql`
    insert into oauth_clients (id, name, redirect_uris, created_at)
    values (${id}, ${name}, ${redirectUris}, ${now})`)
  return { id, name, redirectUris }
}

export async function findRegisteredClient(db: Queryable, id: string): Promise<OAuthClient | undefined> {
  if (id.includes('\0')) return undefined
  const [row] = await db.query<OAuthClient>(sql`
    select id, name, redirect_uris as "redirectUris" from oauth_clients where id = ${id}`)
  return row
}

export async function noteClientUse(db: Queryable, now: number, id: string): Promise<void> {
  await db.query(sql`update oauth_clients set used_at = ${now} where id = ${id}`)
}

/** Deletes up to `limit` clients without an assistant; returns whether there may be more. Those with one are passed by. */
export async function forgetUnusedClients(db: Queryable, now: number, limit: number): Promise<boolean> {
  const isUnused = sql`coalesce(used_at, created_at) <= ${now - UNUSED_MS} and (used_at is null or used_at <= ${now - IDLE_MS})`
  for (let after = ''; ; ) {
    const unused = await db.query<{ id: string }>(sql`
      select id from oauth_clients where id > ${after} and ${isUnused} order by id limit ${literal(limit)}`)
    const ids = unused.map(({ id }) => id)
    const assisting = await db.query<{
      id: string
    }>(sql`${crossing('housekeeping goes through all organizations')}
      select distinct client_id as id from assistants where client_id = any(${ids})`)
    const kept = assisting.map(({ id }) => id)
    const gone = await db.query(sql`
      delete from oauth_clients where id = any(${ids}) and id <> all(${kept}::text[]) and ${isUnused} returning 1`)
    if (ids.length < limit || gone.length > 0) return ids.length === limit
    after = ids.at(-1) ?? after
  }
}

const NAME = new RegExp(NAME_PATTERN, 'u')

/** A name fit to be shown; `otherwise` if there is none. */
export function nameOfClient(name: unknown, otherwise: string): string {
  const text = typeof name === 'string' ? firstCodePoints(name.trim(), LIMITS.assistantName) : ''
  return text !== '' && NAME.test(text) ? text : otherwise
}

/**
 * An app's scheme: a reversed domain, as RFC 8252 demands, such as `com.example.app:`. Schemes without a dot belong to
 * the system, which may run programs for them. `cursor:` is the exception of a widely used editor.
 */
const APP_SCHEME = /^([a-z][a-z0-9+-]*(\.[a-z0-9][a-z0-9+-]*)+|cursor):$/

/** Whether a code may be sent there: to https, to this device by http, or to an app by a scheme of its own. */
export function isRedirectUri(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > LIMITS.redirectUri || !URL.canParse(text)) return false
  const url = new URL(text)
  if (text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return isLoopback(url)
  return APP_SCHEME.test(url.protocol) && /^[a-z][a-z0-9+.-]*:\/?\/?[^/]/i.test(text)
}

const isLoopback = ({ hostname }: URL): boolean => /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname)

/** Whether the answer goes to a program on the person's own device. */
export function isOnDevice(redirectUri: string): boolean {
  const url = new URL(redirectUri)
  return url.protocol !== 'https:'
}

/** The redirect address as shown to people: a host, or an app's scheme. */
export function hostOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  if (url.protocol === 'https:') return url.host
  return url.protocol === 'http:' ? url.hostname : url.protocol
}

/** Letter by letter, but for the port on a person's own device, which a program cannot know in advance (RFC 8252). */
export function hasRedirectUri({ redirectUris }: OAuthClient, given: string): boolean {
  if (!isRedirectUri(given)) return false
  return redirectUris.some((own) => own === given || (own.startsWith('http:') && isSameButPort(own, given)))
}

function isSameButPort(own: string, given: string): boolean {
  const [one, other] = [new URL(own), new URL(given)]
  if (other.protocol !== 'http:' || !isLoopback(other)) return false
  one.port = ''
  other.port = ''
  return one.href === other.href
}

/** Whether the program provably belongs to the host of the answer. */
export const isVerified = ({ documentHost }: OAuthClient, redirectUri: string): boolean =>
  documentHost !== undefined && redirectUri.startsWith('https:') && new URL(redirectUri).host === documentHost
