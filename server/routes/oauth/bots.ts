import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { isScope, type Scope } from '../../../contract/scopes.ts'
import { type ClientCredentials, readClientCredentials } from '../../auth/client-credentials.ts'
import { type Identity, secretsOf, wasRotatedAway } from '../../auth/identity.ts'
import { sha256 } from '../../ids.ts'
import { Attempts } from '../../limits/attempts.ts'
import { networkKey } from '../../network/address.ts'
import type { Parley } from '../../parley.ts'
import { equalInConstantTime } from '../../secrets.ts'
import { OAuthRefusal, oauthRoute, readForm } from './refusal.ts'

const PARAMETERS = ['grant_type', 'client_id', 'client_secret', 'scope']

/** Issues tokens to bots. */
export function botTokenRoute(app: FastifyInstance, parley: Parley): void {
  const attempts = new Attempts(LIMITS.tokenFailuresPerMinute, parley.clock)
  app.post('/oauth/token', oauthRoute(parley.config), (request) => grantToken(request, parley, attempts))
}

async function grantToken(
  request: FastifyRequest,
  parley: Pick<Parley, 'clock' | 'db' | 'identities' | 'tokens'>,
  attempts: Attempts,
) {
  const form = readForm(request, PARAMETERS)
  const grantType = form.get('grant_type')
  if (!grantType) throw new OAuthRefusal(400, 'invalid_request', 'grant_type is required')
  if (grantType !== 'client_credentials') throw new OAuthRefusal(400, 'unsupported_grant_type')

  const credentials = readClientCredentials(request.headers.authorization, form)
  if (credentials === 'conflicting') {
    throw new OAuthRefusal(
      400,
      'invalid_request',
      'credentials must be sent either by HTTP Basic or in the form',
    )
  }
  if (!credentials) throw new OAuthRefusal(401, 'invalid_client')
  const attempt = `${networkKey(request.ip)} ${nameOf(credentials)}`
  const wait = attempts.waitFor(attempt)
  if (wait > 0) {
    throw new OAuthRefusal(429, 'invalid_request', 'too many failed attempts, try again later', {
      'Retry-After': String(Math.ceil(wait / 1000)),
    })
  }
  const identity = await identify(parley, credentials).catch((error) => {
    if (error instanceof OAuthRefusal) attempts.failed(attempt)
    throw error
  })
  return parley.tokens.mint(identity, grantedScopes(identity, form.get('scope')))
}

/**
 * The name under which attempts of a client count: the last, decoded reading of its id, so that each encoding does not
 * get its own attempts. It is hashed, so that a long id takes no room.
 */
function nameOf(readings: readonly ClientCredentials[]): string {
  return sha256(readings.at(-1)?.clientId ?? '').toString('base64url')
}

/** Each of the readings of the credentials is tried: Basic may come plain or form-encoded. */
async function identify(
  { identities, db, clock }: Pick<Parley, 'clock' | 'db' | 'identities'>,
  readings: readonly ClientCredentials[],
): Promise<Identity> {
  let former = false
  for (const { clientId, clientSecret } of readings) {
    const isTheirs = (bot: Identity) =>
      bot.active &&
      bot.credential === 'oauth' &&
      secretsOf(bot, clock())
        .map((secret) => equalInConstantTime(clientSecret, secret.export()))
        .includes(true)
    const known = clientId.includes('\0') ? undefined : await identities.byBotId(clientId)
    // A token says what its bot was when it was made, so that memory is not enough.
    const bot = known && (await identities.renewed(known))
    if (bot && isTheirs(bot)) return bot
    if (bot?.credential === 'oauth') former ||= await wasRotatedAway(db, bot, clientSecret)
  }
  if (former) throw new OAuthRefusal(400, 'invalid_grant', 'the client secret was replaced by a newer one')
  throw new OAuthRefusal(401, 'invalid_client')
}

function grantedScopes(identity: Identity, requested: string | null): Scope[] {
  const names = (requested ?? '').split(' ').filter((name) => name !== '')
  if (names.length === 0) return [...identity.scopes]
  const scopes = names.filter(isScope).filter((scope) => identity.scopes.has(scope))
  if (scopes.length < names.length) {
    throw new OAuthRefusal(400, 'invalid_grant', 'a requested scope is not configured on this client')
  }
  return [...new Set(scopes)]
}
