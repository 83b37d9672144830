import { PERSON_SCOPES, type PersonScope } from '../../contract/scopes.ts'
import { refusal } from '../errors.ts'
import type { Parley } from '../parley.ts'
import { isDocumentAddress } from './client-documents.ts'
import { findRegisteredClient, hasRedirectUri, type OAuthClient } from './oauth-clients.ts'

/** The program that asks, and the address for the answer. */
type Sender = { client: OAuthClient; redirectUri: string; state: string | undefined }
export type Asked = Sender & { scopes: PersonScope[]; codeChallenge: string }
/** A known program with a wrong request, which has to learn of it in the words of RFC 6749. */
export type Mistaken = Sender & { error: string; problem: string }

const PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
]
/** Base64url of a SHA-256. */
const CHALLENGE = /^[\w-]{43}$/

export const resourceOf = (baseUrl: string): string => `${baseUrl}/mcp`

/**
 * Whether a request is for this server's `/mcp`, with or without a slash at the end. A missing resource means it too.
 */
export const isOurResource = (baseUrl: string, resource: string | null): boolean =>
  resource === null || resource.replace(/\/$/, '') === resourceOf(baseUrl)

/**
 * Reads the address that a program opened in a browser. An unknown program or redirect address is refused here, because
 * a redirect could lead anywhere. All other mistakes are reported to the program.
 */
export async function readAuthorizationRequest(
  parley: Pick<Parley, 'db' | 'clientDocuments' | 'config' | 'log'>,
  query: string,
): Promise<Asked | Mistaken> {
  const given = new URLSearchParams(query)
  const client = await findClient(parley, given)
  const redirectUri = single(given, 'redirect_uri')
  if (redirectUri === undefined || !hasRedirectUri(client, redirectUri))
    throw refusal('assistant_redirect_foreign')
  const sender = { client, redirectUri, state: single(given, 'state') }
  const mistake = (error: string, problem: string) => ({ ...sender, error, problem })

  const repeated = PARAMETERS.find((name) => given.getAll(name).length > 1)
  if (repeated) return mistake('invalid_request', `${repeated} must not be repeated`)
  if (given.get('response_type') !== 'code')
    return mistake('unsupported_response_type', 'response_type must be code')
  const codeChallenge = given.get('code_challenge') ?? ''
  if (given.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(codeChallenge))
    return mistake('invalid_request', 'code_challenge is required, with the method S256')
  if (!isOurResource(parley.config.baseUrl, given.get('resource')))
    return mistake('invalid_target', `resource must be ${resourceOf(parley.config.baseUrl)}`)
  const wanted = (given.get('scope') ?? '').split(' ').filter((name) => name !== '')
  // Programs ask for scopes of other servers, such as `openid`; unknown ones are left out.
  const known = PERSON_SCOPES.filter((scope) => wanted.includes(scope))
  if (wanted.length > 0 && known.length === 0)
    return mistake('invalid_scope', 'none of the scopes exists here')
  return { ...sender, scopes: wanted.length === 0 ? [...PERSON_SCOPES] : known, codeChallenge }
}

const single = (given: URLSearchParams, name: string): string | undefined => {
  const values = given.getAll(name)
  return values.length === 1 ? values[0] : undefined
}

async function findClient(
  { db, clientDocuments, log }: Pick<Parley, 'db' | 'clientDocuments' | 'log'>,
  given: URLSearchParams,
): Promise<OAuthClient> {
  const id = single(given, 'client_id') ?? ''
  if (isDocumentAddress(id)) {
    return clientDocuments.read(id).catch((error: unknown) => {
      log.debug({ reason: error instanceof Error ? error.message : String(error) }, 'no client document')
      throw refusal('assistant_description_unreadable')
    })
  }
  const client = await findRegisteredClient(db, id)
  if (!client) throw refusal('assistant_unknown')
  return client
}

/** The redirect address with the answer and its issuer (RFC 9207), so that no other server can pose as this one. */
export function answerAddress(
  { redirectUri, state }: Sender,
  baseUrl: string,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri)
  const parts = { ...answer, ...(state !== undefined && { state }), iss: baseUrl }
  for (const [name, value] of Object.entries(parts)) url.searchParams.set(name, value)
  return url.href
}
