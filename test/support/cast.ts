import type { Scope } from '../../contract/scopes.ts'
import { createOAuthBot, createStaticBot, setBot } from '../../server/actions/bots/bots.ts'
import { addPerson } from '../../server/actions/members/members.ts'
import { makeHomeIfFirst } from '../../server/actions/organization/installation.ts'
import { foundOrganization } from '../../server/actions/organization/organizations.ts'
import { type Answer, type Credentials, call, type RequestOptions } from './client.ts'
import type { TestParley } from './parley.ts'

/** The parts of a server that making people and bots takes. */
export type Home = Pick<TestParley, 'parley' | 'url'>

/** A bot that can speak: `bot.get('/v2/members')`. */
export type TestBot = {
  id: string
  orgId: string
  url: string
  credentials: Credentials
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  delete(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
}

export type StaticTestBot = TestBot & { credentials: { apiKey: string; apiSecret: string } }
export type OAuthTestBot = TestBot & {
  credentials: { token: string }
  clientId: string
  clientSecret: string
}

/** Creates an organization as an operator does: the first is the home organization of the server. */
export async function organization(server: Home, name = 'Lighthouse Labs'): Promise<string> {
  return server.parley.db.transaction(async (open) => {
    const tx = await foundOrganization(open, { name })
    await makeHomeIfFirst(tx)
    return tx.orgId
  })
}

export async function person(
  server: Home,
  orgId: string,
  name: string,
  {
    status = 'Active' as const,
    email = `${name.toLowerCase().replace(/\W+/g, '.')}@example.com`,
  }: {
    status?: 'Pending' | 'Active'
    email?: string
  } = {},
): Promise<string> {
  return server.parley.db.write(orgId, (tx) => addPerson(tx, { name, email, status }))
}

export async function staticBot(
  server: Home,
  orgId: string,
  name = 'Deploy bot',
  {
    permission = 'write' as const,
    pollVoteEvents = false,
    opensDirectMessages = false,
  }: { permission?: 'read' | 'write'; pollVoteEvents?: boolean; opensDirectMessages?: boolean } = {},
): Promise<StaticTestBot> {
  const { botId, apiKey, apiSecret } = await server.parley.db.write(orgId, async (tx) => {
    const wanted = { name, permission, delivery: 'polling' as const, pollVoteEvents }
    const made = await createStaticBot(tx, server.parley.secrets, wanted)
    if (opensDirectMessages) await setBot(tx, made.botId, { opensDirectMessages })
    return made
  })
  return speaking(server.url, { id: botId, orgId, credentials: { apiKey, apiSecret } })
}

export async function oauthBot(
  server: Home,
  orgId: string,
  name = 'Calendar bot',
  scopes?: readonly Scope[],
): Promise<OAuthTestBot> {
  const { botId, clientId, clientSecret } = await server.parley.db.write(orgId, (tx) =>
    createOAuthBot(tx, server.parley.secrets, { name, delivery: 'polling', ...(scopes && { scopes }) }),
  )
  const token = await tokenFor(server.url, clientId, clientSecret)
  return speaking(server.url, { id: botId, orgId, credentials: { token }, clientId, clientSecret })
}

export async function tokenFor(
  url: string,
  clientId: string,
  clientSecret: string,
  scope?: string,
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, ...(scope !== undefined && { scope }) }),
  })
  const body: unknown = await response.json()
  if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token)
  throw new Error(`no token: ${JSON.stringify(body)}`)
}

/** Lets the same bot speak to another node. */
export function at<Bot extends TestBot>(url: string, bot: Bot): Bot {
  return speaking(url, bot)
}

/** Lets the bot's signatures follow the clock of a server that a test has moved. */
export function inTimeOf<Bot extends TestBot>({ parley }: Home, bot: Bot): Bot {
  const stamped = (options: RequestOptions = {}) => ({ timestamp: String(parley.clock()), ...options })
  return {
    ...bot,
    get: (path, options) => bot.get(path, stamped(options)),
    post: (path, body, options) => bot.post(path, body, stamped(options)),
    put: (path, body, options) => bot.put(path, body, stamped(options)),
    patch: (path, body, options) => bot.patch(path, body, stamped(options)),
    delete: (path, body, options) => bot.delete(path, body, stamped(options)),
  }
}

function speaking<Bot extends { credentials: Credentials }>(
  url: string,
  bot: Bot,
): Bot & Pick<TestBot, 'url' | 'get' | 'post' | 'put' | 'patch' | 'delete'> {
  const { credentials } = bot
  return {
    ...bot,
    url,
    get: (path, options) => call(url, credentials, 'GET', path, options),
    post: (path, body, options) => call(url, credentials, 'POST', path, { ...options, body }),
    put: (path, body, options) => call(url, credentials, 'PUT', path, { ...options, body }),
    patch: (path, body, options) => call(url, credentials, 'PATCH', path, { ...options, body }),
    delete: (path, body, options) => call(url, credentials, 'DELETE', path, { ...options, body }),
  }
}
