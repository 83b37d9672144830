import type { FastifyInstance } from 'fastify'
import { PERSON_SCOPES } from '../../../contract/scopes.ts'
import { resourceOf } from '../../auth/authorization-requests.ts'
import type { Parley } from '../../parley.ts'

/** Endpoints for people's assistants; the bots' own `/oauth/token` is beside them and promises what it always did. */
export const PATHS = {
  authorize: '/oauth/assistants/authorize',
  token: '/oauth/assistants/token',
  register: '/oauth/assistants/register',
  revoke: '/oauth/assistants/revoke',
}
const JWKS = '/.well-known/jwks.json'
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** The address that `/mcp` gives to a client without a token, so that it finds the way to one (RFC 9728). */
export const resourceMetadataUrl = (baseUrl: string): string => `${baseUrl}${RESOURCE_METADATA}/mcp`

/** Documents in which a client finds out how to get a token: RFC 8414 and RFC 9728. */
export function metadataRoutes(
  app: FastifyInstance,
  { config, tokens }: Pick<Parley, 'config' | 'tokens'>,
): void {
  /** RFC 7517: the keys to check bots' tokens with, if these are signed with the key pair. */
  app.get(JWKS, async (_request, reply) =>
    reply.header('Cache-Control', 'public, max-age=300').send({ keys: await tokens.publicKeys() }),
  )

  app.get('/.well-known/oauth-authorization-server', (_request, reply) => {
    const { baseUrl } = config
    return reply.header('Cache-Control', 'public, max-age=300').send({
      issuer: baseUrl,
      authorization_endpoint: baseUrl + PATHS.authorize,
      token_endpoint: baseUrl + PATHS.token,
      registration_endpoint: baseUrl + PATHS.register,
      revocation_endpoint: baseUrl + PATHS.revoke,
      jwks_uri: baseUrl + JWKS,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['none'],
      scopes_supported: PERSON_SCOPES,
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })

  for (const path of [RESOURCE_METADATA, `${RESOURCE_METADATA}/mcp`]) {
    app.get(path, (_request, reply) => {
      const { baseUrl } = config
      return reply.header('Cache-Control', 'public, max-age=300').send({
        resource: resourceOf(baseUrl),
        resource_name: 'Parley',
        authorization_servers: [baseUrl],
        scopes_supported: PERSON_SCOPES,
        bearer_methods_supported: ['header'],
      })
    })
  }
}
