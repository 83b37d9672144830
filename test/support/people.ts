import type { Role } from '../../contract/operation.ts'
import { acceptHolder } from '../../server/actions/accounts/accounts.ts'
import { addPerson } from '../../server/actions/members/members.ts'
import { hashPassword } from '../../server/auth/passwords.ts'
import { createSession, type SignedInWith } from '../../server/auth/sessions.ts'
import { sql } from '../../server/db/sql.ts'
import { sessionCookie } from '../../server/http/session-cookies.ts'
import type { Home } from './cast.ts'
import { type Answer, call, type RequestOptions } from './client.ts'

/** A header that is set to `undefined` is not sent, also where it otherwise would be. */
export type VisitOptions = Omit<RequestOptions, 'headers'> & { headers?: Record<string, string | undefined> }

/** A browser with a page of this server open: it keeps cookies, and says where its requests come from. */
export type Visitor = {
  url: string
  /** Cookies by name; a test may take or change them. */
  cookies: Map<string, string>
  get(path: string, options?: VisitOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: VisitOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: VisitOptions): Promise<Answer>
  delete(path: string, body?: unknown, options?: VisitOptions): Promise<Answer>
}

export type TestPerson = Visitor & { accountId: string; profileId: string; orgId: string; email: string }

/** A person who has not signed in. */
export function visitor(url: string, cookies = new Map<string, string>()): Visitor {
  const ask = async (method: string, path: string, { headers = {}, ...options }: VisitOptions = {}) => {
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const given = { origin: url, ...(jar !== '' && { cookie: jar }), ...headers }
    const sent = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const answer = await call(url, undefined, method, path, { ...options, headers: Object.fromEntries(sent) })
    for (const cookie of answer.headers.getSetCookie()) keep(cookies, cookie)
    return answer
  }
  return {
    url,
    cookies,
    get: (path, options) => ask('GET', path, options),
    post: (path, body, options) => ask('POST', path, { ...options, body }),
    patch: (path, body, options) => ask('PATCH', path, { ...options, body }),
    delete: (path, body, options) => ask('DELETE', path, { ...options, body }),
  }
}

/** An active member with this role, signed in: `ada.get(`/people/organizations/${orgId}/audit`)`. */
export async function signInAs(
  server: Home,
  {
    orgId,
    role = 'member',
    name = 'Ada Okafor',
    email = `${name.toLowerCase().replace(/\W+/g, '.')}@example.com`,
  }: { orgId: string; role?: Role; name?: string; email?: string },
): Promise<TestPerson> {
  const profileId = await server.parley.db.write(orgId, (tx) =>
    addPerson(tx, { name, email, role, status: 'Active' }),
  )
  return signInToProfile(server, { orgId, profileId })
}

/** A new session of the account behind a profile that is there already; the address counts as proven from then on. */
export async function signInToProfile(
  server: Home,
  { orgId, profileId }: { orgId: string; profileId: string },
  signedInWith: SignedInWith = 'password',
): Promise<TestPerson> {
  const { db, config, clock } = server.parley
  const [profile] = await db.query<{ accountId: string; email: string }>(sql`
    select account_id as "accountId", email from profiles where org_id = ${orgId} and id = ${profileId}`)
  if (!profile) throw new Error(`member ${profileId} does not exist`)
  const { accountId, email } = profile
  await db.transaction((open) => acceptHolder(open, accountId))
  const token = await createSession(db, clock(), accountId, { userAgent: 'Test browser', signedInWith })
  const cookies = new Map<string, string>()
  keep(cookies, sessionCookie(config, token))
  return { ...visitor(server.url, cookies), accountId, profileId, orgId, email }
}

export async function givePassword(
  { parley: { db, config } }: Home,
  { accountId }: { accountId: string },
  password: string,
): Promise<void> {
  const hash = await hashPassword(password, config.passwordCost)
  await db.query(sql`update accounts set password = ${hash} where id = ${accountId}`)
}

function keep(cookies: Map<string, string>, setCookie: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? []
  if (/;\s*Max-Age=0\b/i.test(setCookie)) cookies.delete(name)
  else cookies.set(name, value)
}
