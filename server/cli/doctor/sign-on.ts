import { X509Certificate } from 'node:crypto'
import { Directory } from '../../auth/directory.ts'
import { SignOn } from '../../auth/sign-on.ts'
import type { Config } from '../../config.ts'
import type { LdapSettings, SamlSettings, SignOnSettings } from '../../settings-reader.ts'
import { type Check, fine, messageOf, problem } from './check.ts'

const NAME = 'Single sign-on'
const PATIENCE_MS = 5000
/** A certificate that ends within so many days is a problem. */
const WARNING_DAYS = 14
const DAY_MS = 86_400_000

/** Whether the provider of single sign-on can be reached, and what it says of itself is right. Empty where there is none. */
export async function checkSignOn({ signOn, saml, ldap }: Config, now = Date.now()): Promise<Check[]> {
  return [
    ...(signOn ? [await checkOpenId(signOn)] : []),
    ...(saml ? [await checkSaml(saml, now)] : []),
    ...(ldap ? [await checkDirectory(ldap)] : []),
  ]
}

async function checkDirectory(settings: LdapSettings): Promise<Check> {
  try {
    const directory = new Directory(settings)
    await directory.check()
    if (settings.syncMs > 0) await directory.listPeople()
    return fine(NAME, `${settings.url.host} answers, and people can be looked up below ${settings.baseDn}`)
  } catch (error) {
    return problem(
      NAME,
      messageOf(error),
      'Correct what is named there, or let this machine connect to the directory. Until then nobody signs in with it.',
    )
  }
}

async function checkOpenId(settings: SignOnSettings): Promise<Check> {
  try {
    await new SignOn(settings).begin('http://127.0.0.1/')
    return fine(NAME, `${settings.issuer.href} answers`)
  } catch (error) {
    return problem(
      NAME,
      `${settings.issuer.href} cannot be used: ${reasonOf(error)}`,
      'Let this machine connect to the provider, or correct OIDC_ISSUER. Until then nobody signs in with it.',
    )
  }
}

async function checkSaml({ provider }: SamlSettings, now: number): Promise<Check> {
  const ends = provider.certificates.map((certificate) =>
    Date.parse(new X509Certificate(certificate).validTo),
  )
  const end = Math.max(...ends)
  if (end < now + WARNING_DAYS * DAY_MS)
    return problem(
      NAME,
      `the certificate of ${provider.entityId} ${end < now ? 'has ended' : 'ends'} on ${new Date(end).toISOString().slice(0, 10)}`,
      'Save the new metadata of the provider in the file that SAML_METADATA names, and restart Parley.',
    )
  try {
    // Any answer means that the provider was reached.
    await fetch(provider.signInUrl, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
    return fine(
      NAME,
      `${provider.entityId} answers; its certificate is valid until ${new Date(end).toISOString().slice(0, 10)}`,
    )
  } catch (error) {
    return problem(
      NAME,
      `${provider.signInUrl.origin} is not reached from here: ${reasonOf(error)}`,
      'Browsers must reach it; from this machine it may be closed. Compare the address with the metadata of the provider.',
    )
  }
}

/** A failed connection names its reason in its cause. */
const reasonOf = (error: unknown): string =>
  messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error)
