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
export function botTokenRoute(app: FastifyInstance, parley: Parley, grant: GrantToBot): void {
  app.post('/oauth/token', oauthRoute(parley.config), (request) => {
    const form = readForm(request, PARAMETERS)
    const grantType = form.get('grant_type')
    if (!grantType) throw new OAuthRefusal(400, 'invalid_request', 'grant_type is required')
    if (grantType !== 'client_credentials') throw new OAuthRefusal(400, 'unsupported_grant_type')
    return grant(request, form, allOf)
  })
}

/** Gives a bot a token for its credentials. Failed attempts count wherever they are made. */
export type GrantToBot = ReturnType<typeof grantingToBots>
export function grantingToBots(parley: Parley) {
  const attempts = new Attempts(LIMITS.tokenFailuresPerMinute, parley.clock)
  return (request: FastifyRequest, form: URLSearchParams, choose: ChooseScopes) =>
    grantToken(request, parley, { form, attempts, choose })
}

/** Returns the requested scopes that a bot gets. */
type ChooseScopes = (identity: Identity, requested: readonly string[]) => Scope[]

async function grantToken(
  request: FastifyRequest,
  parley: Pick<Parley, 'clock' | 'db' | 'identities' | 'tokens'>,
  { form, attempts, choose }: { form: URLSearchParams; attempts: Attempts; choose: ChooseScopes },
) {
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
  const names = (form.get('scope') ?? '').split(' ').filter((name) => name !== '')
  return parley.tokens.mint(identity, names.length === 0 ? [...identity.scopes] : choose(identity, names))
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

const theirsIn = ({ scopes }: Identity, names: readonly string[]): Scope[] => [
  ...new Set(names.filter(isScope).filter((scope) => scopes.has(scope))),
]

/** All of the requested scopes, which must be the bot's. */
function allOf(identity: Identity, names: readonly string[]): Scope[] {
  const scopes = theirsIn(identity, names)
  if (scopes.length < new Set(names).size)
    throw new OAuthRefusal(400, 'invalid_grant', 'a requested scope is not configured on this client')
  return scopes
}

/** The bot's among the requested scopes: assistants ask for every scope that the metadata names. */
export function thoseOf(identity: Identity, names: readonly string[]): Scope[] {
  const scopes = theirsIn(identity, names)
  if (scopes.length === 0)
    throw new OAuthRefusal(400, 'invalid_scope', 'no requested scope is configured on this client')
  return scopes
}
