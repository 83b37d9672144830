import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { PersonScope } from '../../contract/scopes.ts'
import { PERSON_SCOPES } from '../../contract/scopes.ts'
import { mcpAddress } from './mcp.ts'
import type { TestPerson } from './people.ts'

export const CALLBACK = 'http://127.0.0.1:3118/callback'

/** The official client's store for one server: its registration, its tokens, and the page that it opened. */
export class Keeping implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadataUrl?: string
  /** The toolsets that the client's address names. */
  readonly toolsets: string | undefined
  client: OAuthClientInformationMixed | undefined
  kept: OAuthTokens | undefined
  opened: URL | undefined
  verifier = ''

  constructor({ redirectUrl = CALLBACK, clientMetadataUrl = '', toolsets = '' } = {}) {
    this.redirectUrl = redirectUrl
    this.toolsets = toolsets === '' ? undefined : toolsets
    if (clientMetadataUrl !== '') this.clientMetadataUrl = clientMetadataUrl
  }
  get clientMetadata() {
    return { client_name: 'Desk assistant', redirect_uris: [this.redirectUrl] }
  }
  state = () => 'state of the client'
  clientInformation = () => this.client
  saveClientInformation = (client: OAuthClientInformationMixed) => {
    this.client = client
  }
  tokens = () => this.kept
  saveTokens = (tokens: OAuthTokens) => {
    this.kept = tokens
  }
  invalidateCredentials = () => {
    this.kept = undefined
  }
  redirectToAuthorization = (url: URL) => {
    this.opened = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
}

const transportOf = (url: string, keeping: Keeping) =>
  new StreamableHTTPClientTransport(mcpAddress(url, keeping.toolsets), { authProvider: keeping })

const newClient = () => new Client({ name: 'Desk assistant', version: '1.0.0' })

/** Tries to connect without a token: finds the server, registers, and opens the page on which the person decides. */
export async function askForAccess(url: string, keeping = new Keeping()): Promise<Keeping> {
  const refused = await newClient()
    .connect(transportOf(url, keeping))
    .then(
      () => undefined,
      (error: unknown) => error,
    )
  if (!(refused instanceof UnauthorizedError)) throw new Error(`not turned away: ${refused}`)
  if (!keeping.opened) throw new Error('no page was opened')
  return keeping
}

export const requestOf = ({ opened }: Keeping): string => opened?.search.slice(1) ?? ''

/** Decides as the person on the page. The answer has the browser's next address. */
export const decide = (
  person: TestPerson,
  request: string,
  { scopes = PERSON_SCOPES, days = 30 }: { scopes?: readonly PersonScope[]; days?: number } = {},
) => person.post(`/people/organizations/${person.orgId}/assistants`, { request, scopes, days })

/** The address with the code that the browser goes to. */
export async function allow(...given: Parameters<typeof decide>): Promise<URL> {
  const answer = await decide(...given)
  if (answer.status !== 201) throw new Error(`not allowed: ${answer.status} ${answer.text}`)
  return new URL(Object(answer.body).returnTo)
}

/** The official client with its store; connected, if that has a token. */
export async function connectWith(url: string, keeping: Keeping): Promise<Client> {
  const client = newClient()
  await client.connect(transportOf(url, keeping))
  return client
}

/** Exchanges the code that the browser brought back, and connects. */
export async function finishWith(url: string, keeping: Keeping, code: string): Promise<Client> {
  await transportOf(url, keeping).finishAuth(code)
  return connectWith(url, keeping)
}

/** The whole way: turned away, registered, allowed by the person, and connected. */
export async function connectFor(
  person: TestPerson,
  chosen: Parameters<typeof decide>[2] = {},
  keeping = new Keeping(),
): Promise<{ client: Client; keeping: Keeping }> {
  await askForAccess(person.url, keeping)
  const returned = await allow(person, requestOf(keeping), chosen)
  const code = returned.searchParams.get('code') ?? ''
  return { client: await finishWith(person.url, keeping, code), keeping }
}
