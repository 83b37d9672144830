import type { Configuration } from 'openid-client'
import type { SignOnSettings } from '../settings-reader.ts'

const SCOPE = 'openid email profile'
const TIMEOUT_SECONDS = 10

/** Values that finish a sign-in which was begun. */
export type PendingSignOn = { state: string; nonce: string; verifier: string }

export type ExternalIdentity = {
  issuer: string
  subject: string
  /** An address that the provider has verified. */
  email: string | undefined
  name: string | undefined
}

/** Loaded on first use. */
const library = () => import('openid-client')

/** A provider of single sign-on: OpenID Connect, with a code, PKCE and a nonce. */
export class SignOn {
  #settings: SignOnSettings
  #configuration: Promise<Configuration> | undefined

  constructor(settings: SignOnSettings) {
    this.#settings = settings
  }

  /** The address to send the browser to, and the values to keep until it comes back. */
  async begin(redirectUri: string): Promise<{ url: URL; pending: PendingSignOn }> {
    const client = await library()
    const pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    }
    const url = client.buildAuthorizationUrl(await this.#discover(), {
      redirect_uri: redirectUri,
      scope: SCOPE,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    })
    return { url, pending }
  }

  /** The person who came back to `address`; throws if anything about it is wrong. */
  async finish(address: URL, { state, nonce, verifier }: PendingSignOn): Promise<ExternalIdentity> {
    const client = await library()
    const configuration = await this.#discover()
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('the provider sent no ID token')
    const { userinfo_endpoint: hasMore } = configuration.serverMetadata()
    // Some providers put no more than the subject into the token, or an address without a word on who verified it.
    const tellsAll = claims.email !== undefined && claims.email_verified !== undefined
    const about =
      !tellsAll && hasMore !== undefined
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims
    const name = about.name ?? claims.name
    const isVerified = about.email_verified === true || about.email_verified === 'true'
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: isVerified && typeof about.email === 'string' ? about.email : undefined,
      name: typeof name === 'string' ? name : undefined,
    }
  }

  /** Read once; a provider that could not be reached is asked again at the next sign-in. */
  #discover(): Promise<Configuration> {
    this.#configuration ??= this.#readDiscovery().catch((error: unknown) => {
      this.#configuration = undefined
      throw error
    })
    return this.#configuration
  }

  async #readDiscovery(): Promise<Configuration> {
    const { discovery, allowInsecureRequests, enableNonRepudiationChecks } = await library()
    const { issuer, clientId, clientSecret } = this.#settings
    // The settings allow http on this machine only. The signature counts, not only the connection it came by.
    const execute = [
      enableNonRepudiationChecks,
      ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : []),
    ]
    return discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS })
  }
}
