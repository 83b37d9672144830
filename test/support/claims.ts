import { expect } from 'vitest'
import type { Person } from '../../contract/people/members.ts'
import type { Home } from './cast.ts'
import type { TestOrganization } from './console.ts'
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts'
import { lastMail } from './mails.ts'
import { startTestParley, type TestParley } from './parley.ts'
import { type Visitor, visitor } from './people.ts'

/** A server where people also sign in by a provider, which vouches for their addresses. */
export async function startWithProvider(): Promise<{ server: TestParley; provider: IdentityProvider }> {
  const provider = await startIdentityProvider()
  const { url, clientId, clientSecret } = provider
  const settings = { name: 'Login', organizationId: undefined, domains: [] }
  const server = await startTestParley({
    signOn: { issuer: new URL(url), clientId, clientSecret, ...settings },
  })
  return { server, provider }
}

const membersOf = ({ orgId }: Pick<TestOrganization, 'orgId'>) => `/people/organizations/${orgId}/members`

/** Invites an address, as the owner of an organization does; the mail holds the link. */
export async function invite(org: TestOrganization, email: string, role = 'member'): Promise<Person> {
  const { status, body, text } = await org.owner.post(membersOf(org), { email, role })
  expect(status, text).toBe(201)
  return Object(body)
}

/** The token of a link that the owner passes on by hand. */
export async function handLink(org: TestOrganization, { id }: Pick<Person, 'id'>): Promise<string> {
  const { status, body, text } = await org.owner.post(`${membersOf(org)}/${id}/invitation-link`)
  expect(status, text).toBe(200)
  return new URL(Object(body).url).hash.slice(1)
}

/** The token of the link in the newest mail to this address: its reader alone has it. */
export const mailedToken = async (server: Home, email: string): Promise<string> =>
  /#(\S+)/.exec((await lastMail(server, email)).text)?.[1] ?? ''

export const accept = (by: Visitor, token: string, password?: string) =>
  by.post('/people/invitations/accept', { token, name: 'Carla', ...(password !== undefined && { password }) })

export const setStatus = (org: TestOrganization, memberId: string, status: string) =>
  org.owner.patch(`${membersOf(org)}/${memberId}`, { status })

/** Asks for a new password and sets it with the link in the mail. */
export async function resetByMail(server: Home, by: Visitor, email: string, password: string) {
  expect((await by.post('/people/password-reset', { email })).status).toBe(204)
  const token = await mailedToken(server, email)
  return by.post('/people/password-reset/finish', { token, password })
}

export async function signInWith(server: Home, email: string, password: string): Promise<Visitor> {
  const by = visitor(server.url)
  await by.post('/people/sign-in', { email, password })
  return by
}

/** Signs in at the provider and comes back. */
export async function signOn(server: Home, provider: IdentityProvider): Promise<Visitor> {
  const by = visitor(server.url)
  const from = {
    headers: { origin: undefined, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  }
  const begun = await by.get('/people/sso', from)
  const back = await provider.visit(begun.headers.get('location') ?? '')
  await by.get(back.pathname + back.search, from)
  return by
}

/** Whether a browser can read an organization's content. */
export const opens = async (by: Visitor, orgId: string): Promise<boolean> =>
  (await by.get(`/people/organizations/${orgId}/chat/start`)).status === 200

/** Organizations in a browser's list, with what keeps it out. */
export async function listed(by: Visitor): Promise<Record<string, string | undefined>> {
  const { account } = Object((await by.get('/people/session')).body)
  const memberships: { organizationId: string; needs?: string }[] = account?.memberships ?? []
  return Object.fromEntries(memberships.map(({ organizationId, needs }) => [organizationId, needs]))
}
