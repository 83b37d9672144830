import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import {
  type AssistantTokens,
  exchangeCode,
  refreshTokens,
  revokeToken,
} from '../../actions/accounts/assistants.ts'
import { isOurResource, resourceOf } from '../../auth/authorization-requests.ts'
import { hostOf, isRedirectUri, nameOfClient, registerClient } from '../../auth/oauth-clients.ts'
import { hasTokenShape } from '../../auth/tokens.ts'
import { parseJsonBody } from '../../http/json-body.ts'
import { rawBody } from '../../http/request-body.ts'
import { sha256 } from '../../ids.ts'
import { Attempts } from '../../limits/attempts.ts'
import { networkKey } from '../../network/address.ts'
import type { Parley } from '../../parley.ts'
import { type GrantToBot, thoseOf } from './bots.ts'
import { PATHS } from './metadata.ts'
import { OAuthRefusal, oauthRoute, readForm } from './refusal.ts'

const PARAMETERS = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'scope',
  'resource',
  'token',
  'token_type_hint',
]
const VERIFIER = /^[\w.~-]{43,128}$/
const HOUR_MS = 3_600_000

/** Endpoints for the programs that people connect: to register, for tokens, and to give them back. */
export function assistantOAuthRoutes(app: FastifyInstance, parley: Parley, grantToBot: GrantToBot): void {
  const options = oauthRoute(parley.config)
  const failures = new Attempts(LIMITS.tokenFailuresPerMinute, parley.clock)
  const registrations = new Attempts(LIMITS.clientRegistrationsPerHour, parley.clock, HOUR_MS)

  const refuseForeignResource = (form: URLSearchParams): void => {
    const { baseUrl } = parley.config
    if (!isOurResource(baseUrl, form.get('resource')))
      throw new OAuthRefusal(400, 'invalid_target', `resource must be ${resourceOf(baseUrl)}`)
  }

  app.post(PATHS.token, options, async (request) => {
    const form = readForm(request, PARAMETERS)
    if (form.get('grant_type') === 'client_credentials') {
      refuseForeignResource(form)
      return grantToBot(request, form, thoseOf)
    }
    const clientId = required(form, 'client_id')
    refuseForeignResource(form)
    const attempt = `${networkKey(request.ip)} ${sha256(clientId).toString('base64url')}`
    refuseTooMany(failures.waitFor(attempt), 'too many failed attempts, try again later')
    const tokens = await grant(parley, form, clientId)
    if (!tokens) {
      failures.failed(attempt)
      throw new OAuthRefusal(400, 'invalid_grant', 'the code or token is unknown, used, over, or not yours')
    }
    return {
      access_token: tokens.accessToken,
      token_type: 'Bearer',
      expires_in: tokens.seconds,
      refresh_token: tokens.refreshToken,
      scope: tokens.scope,
    }
  })

  app.post(PATHS.revoke, options, async (request, reply) => {
    const form = readForm(request, PARAMETERS)
    const token = required(form, 'token')
    // Tokens of bots are not stored: an admin ends all of a bot's at once.
    if (hasTokenShape(token)) throw new OAuthRefusal(400, 'unsupported_token_type')
    if (!(await revokeToken(parley, { token, clientId: required(form, 'client_id') })))
      throw new OAuthRefusal(400, 'invalid_grant', 'the token was given to another client')
    return reply.code(200).send()
  })

  app.post(PATHS.register, options, async (request, reply) => {
    const network = networkKey(request.ip)
    refuseTooMany(registrations.waitFor(network), 'too many registrations, try again later')
    const registration = readRegistration(request)
    registrations.failed(network)
    const client = await registerClient(parley.db, parley.clock(), registration)
    return reply.code(201).send({
      client_id: client.id,
      client_id_issued_at: Math.floor(parley.clock() / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })
}

function grant(
  parley: Pick<Parley, 'db'>,
  form: URLSearchParams,
  clientId: string,
): Promise<AssistantTokens | undefined> {
  const grantType = required(form, 'grant_type')
  if (grantType === 'refresh_token')
    return refreshTokens(parley, { refreshToken: required(form, 'refresh_token'), clientId })
  if (grantType !== 'authorization_code')
    throw new OAuthRefusal(
      400,
      'unsupported_grant_type',
      'only authorization_code, refresh_token and client_credentials are supported here',
    )
  const verifier = required(form, 'code_verifier')
  if (!VERIFIER.test(verifier))
    throw new OAuthRefusal(400, 'invalid_request', 'code_verifier must have 43 to 128 characters')
  const [code, redirectUri] = [required(form, 'code'), required(form, 'redirect_uri')]
  return exchangeCode(parley, { code, redirectUri, clientId, verifier })
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name)
  if (!value) throw new OAuthRefusal(400, 'invalid_request', `${name} is required`)
  return value
}

function refuseTooMany(wait: number, description: string): void {
  if (wait > 0)
    throw new OAuthRefusal(429, 'invalid_request', description, {
      'Retry-After': String(Math.ceil(wait / 1000)),
    })
}

/** A program's name and its redirect addresses; nothing else that RFC 7591 lets it say of itself counts. */
function readRegistration(request: FastifyRequest): { name: string; redirectUris: string[] } {
  const { redirect_uris: given, client_name: name } = Object(
    parseJsonBody(rawBody(request), request.headers['content-type']),
  )
  const isList = Array.isArray(given) && given.length > 0 && given.length <= LIMITS.redirectUris
  if (!isList || !given.every(isRedirectUri)) {
    throw new OAuthRefusal(
      400,
      'invalid_redirect_uri',
      `redirect_uris must have 1 to ${LIMITS.redirectUris} addresses: https, http on the own device, or the scheme of an app such as com.example.app:`,
    )
  }
  return { name: nameOfClient(name, given.map(hostOf)[0] ?? ''), redirectUris: given }
}
