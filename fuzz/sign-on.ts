import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Answer } from '../test/support/client.ts'
import { startIdentityProvider } from '../test/support/identity-provider.ts'
import { metadataOf, newKeyPair, samlProvider } from '../test/support/saml-provider.ts'
import { SLAPD, startSlapd } from '../test/support/slapd.ts'
import type { Fuzzer } from './fuzzer.ts'
import { ANYONE, browser, cookieOf } from './stage.ts'

const NEWCOMER = { subject: 'newcomer-1', email: 'newcomer@sign-on.example', name: 'Newcomer' }
const DOMAIN = 'sign-on.example'

/** A provider of single sign-on; a server has one. */
export type SignOnProvider = {
  /** The server's settings. */
  settings: Record<string, string>
  /** Operations that a server with this provider does not have. */
  absent: readonly string[]
  /** Brings a newcomer from the provider's page to their session. */
  signIn(fuzzer: Fuzzer): Promise<void>
  close(): Promise<void>
}

/** A seed that 3 divides has a directory, where slapd is installed; an even one a provider of SAML, an odd one of OpenID Connect. */
export async function chooseSignOn(seed: number, folder: string): Promise<SignOnProvider> {
  if (seed % 3 === 0 && SLAPD !== undefined) return directoryProvider(SLAPD)
  return seed % 2 === 0 ? samlSignOnProvider(folder) : openIdProvider()
}

async function openIdProvider(): Promise<SignOnProvider> {
  const provider = await startIdentityProvider()
  const { subject: sub, ...claims } = NEWCOMER
  provider.claims = { sub, email_verified: true, ...claims }
  return {
    settings: {
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_DOMAINS: DOMAIN,
    },
    absent: ['receiveSamlAnswer', 'finishSaml', 'signInWithDirectory'],
    async signIn(fuzzer) {
      const begun = await fuzzer.ask(ANYONE, 'startSignOn')
      const { search } = await provider.visit(leadsTo(begun))
      await finish(fuzzer, begun, 'finishSignOn', search)
    },
    close: () => provider.close(),
  }
}

/** Keeps its metadata in `folder`. */
async function samlSignOnProvider(folder: string): Promise<SignOnProvider> {
  const key = newKeyPair()
  const path = join(folder, 'saml.xml')
  await writeFile(path, metadataOf(key))
  return {
    settings: { SAML_METADATA: path, SAML_DOMAINS: DOMAIN },
    absent: ['finishSignOn', 'signInWithDirectory'],
    async signIn(fuzzer) {
      const metadata = async () => (await fetch(`${fuzzer.url}/people/sso/saml/metadata`)).text()
      const provider = samlProvider(key, metadata)
      const begun = await fuzzer.ask(ANYONE, 'startSignOn')
      const { id: requestId } = provider.requestIn(leadsTo(begun))
      const { subject: nameId, ...person } = NEWCOMER
      const SAMLResponse = await provider.answer({ requestId, nameId, ...person })
      const content = Buffer.from(new URLSearchParams({ SAMLResponse }).toString())
      const form = { content, contentType: 'application/x-www-form-urlencoded' }
      const answered = await fuzzer.ask(ANYONE, 'receiveSamlAnswer', { form })
      await finish(fuzzer, begun, 'finishSaml', new URL(leadsTo(answered), fuzzer.url).search)
    },
    close: async () => {},
  }
}

async function directoryProvider(program: string): Promise<SignOnProvider> {
  const slapd = await startSlapd(program)
  const { subject: uid, email: mail, name } = NEWCOMER
  const password = 'a password of the directory'
  await slapd.addPerson({ uid, mail, name, password })
  return {
    settings: { ...slapd.environment, LDAP_DOMAINS: DOMAIN },
    absent: ['finishSignOn', 'receiveSamlAnswer', 'finishSaml'],
    async signIn(fuzzer) {
      await fuzzer.ask(ANYONE, 'startSignOn')
      const { body } = await fuzzer.ask(browser(fuzzer), 'signInWithDirectory', {
        body: { login: uid, password },
      })
      if (Object(body).account?.email !== mail) throw new Error('signInWithDirectory signed nobody in')
    },
    close: () => slapd.close(),
  }
}

const leadsTo = ({ headers }: Answer): string => headers.get('location') ?? ''

async function finish(fuzzer: Fuzzer, begun: Answer, operation: string, query: string): Promise<void> {
  const ended = await fuzzer.ask(browser(fuzzer, cookieOf(begun)), operation, { query })
  const session = await fuzzer.ask(browser(fuzzer, cookieOf(ended)), 'readSession')
  if (Object(session.body).account?.email !== NEWCOMER.email)
    throw new Error(`${operation} signed nobody in; it led to ${leadsTo(ended)}`)
}
