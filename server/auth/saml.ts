import { LIMITS } from '../../contract/limits.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { randomToken, sha256 } from '../ids.ts'
import { attributeOf, declaresType, elementsAt, SAML_BYTES, textOf } from '../saml-metadata.ts'
import type { SamlSettings } from '../settings-reader.ts'
import { samlLibrary } from './saml-library.ts'
import { SamlReader } from './saml-reader.ts'
import type { ExternalIdentity } from './sign-on.ts'

const REQUEST_BITS = 160
/** Clocks may differ by so much. */
const SKEW_MS = 60_000
const MAX_AGE_MS = 10 * 60_000
/** Tags of an answer: it has some hundred, and 2200 where a person is in 1000 groups. */
const MAX_TAGS = 4000
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** Names under which providers send an address, and a name. */
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
]
const NAME_ATTRIBUTES = [
  'displayname',
  'name',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
]

export type SamlAddresses = { entityId: string; answersTo: string }

/** A person by an assertion, and the request that it answers; undefined: the provider began by itself. */
export type AssertedIdentity = ExternalIdentity & { requestId: string | undefined }

/** A provider of single sign-on by SAML 2.0: requests by redirect, answers by POST, assertions signed and perhaps encrypted. */
export class SamlSignOn {
  #settings: SamlSettings
  #addresses: () => SamlAddresses
  #reader = new SamlReader()

  /** The address of the server is known once it listens. */
  constructor(settings: SamlSettings, addresses: () => SamlAddresses) {
    this.#settings = settings
    this.#addresses = addresses
  }

  /** The address to send the browser to, and the id of the request. */
  async begin(): Promise<{ url: string; requestId: string }> {
    const requestId = `_${randomToken(REQUEST_BITS)}`
    const { SAML: Library } = await samlLibrary()
    const saml = new Library({ ...this.#options(), generateUniqueId: () => requestId })
    return { url: await saml.getAuthorizeUrlAsync('', undefined, {}), requestId }
  }

  /** The metadata of this server, for a provider. */
  async metadata(): Promise<string> {
    const { generateServiceProviderMetadata } = await samlLibrary()
    const { certificate } = this.#settings
    const { entityId, answersTo } = this.#addresses()
    return generateServiceProviderMetadata({
      issuer: entityId,
      callbackUrl: answersTo,
      wantAssertionsSigned: true,
      ...(certificate !== undefined && {
        decryptionCert: certificate,
        decryptionPvk: this.#settings.privateKey,
      }),
    })
  }

  /**
   * The person whom an answer asserts; throws what is wrong with it. The library checks signature, times and audience of the one assertion
   * that is signed; the rest is read from that assertion alone, never from the document around it.
   */
  async read(answer: string, db: Queryable, now: number): Promise<AssertedIdentity> {
    const xml = Buffer.from(answer, 'base64').toString('utf8')
    if (xml.length > SAML_BYTES || declaresType(xml))
      throw new Error('the answer is too long, or has a document type')
    if (/xmldsig#(rsa|dsa|hmac)-sha1/.test(xml)) throw new Error('the answer is signed with SHA-1')
    if (xml.split('<').length > MAX_TAGS) throw new Error('the answer has too many elements')
    const signed = await this.#reader.read({ options: this.#options(), answer })
    const assertion = elementsAt(signed, 'Assertion')[0]
    if (assertion === undefined) throw new Error('the answer has no assertion')
    this.#checkIssuer(assertion)
    const { requestId, endsAt } = this.#confirmation(assertion, now)
    await refuseReplay(
      db,
      `${this.#settings.provider.entityId} ${attributeOf(assertion, 'ID') ?? ''}`,
      endsAt,
    )
    return { ...this.#identityIn(assertion), requestId }
  }

  #checkIssuer(assertion: unknown): void {
    const issuer = textOf(elementsAt(assertion, 'Issuer')[0])
    if (issuer !== this.#settings.provider.entityId)
      throw new Error(`the assertion is of another provider: ${issuer}`)
  }

  /** The confirmation that the bearer of the assertion may use it here and now. */
  #confirmation(assertion: unknown, now: number): { requestId: string | undefined; endsAt: number } {
    const data = elementsAt(assertion, 'Subject', 'SubjectConfirmation')
      .filter((one) => attributeOf(one, 'Method') === BEARER)
      .flatMap((one) => elementsAt(one, 'SubjectConfirmationData'))
      .find((one) => attributeOf(one, 'Recipient') === this.#addresses().answersTo)
    if (data === undefined) throw new Error('the assertion is for another recipient')
    const endsAt = Date.parse(attributeOf(data, 'NotOnOrAfter') ?? '')
    if (!(now - SKEW_MS < endsAt)) throw new Error('the assertion has expired, or has no end')
    const requestId = attributeOf(data, 'InResponseTo')
    if (requestId === undefined && !this.#settings.allowsUnasked)
      throw new Error('nobody asked for the assertion: SAML_IDP_INITIATED is off')
    return { requestId, endsAt: Math.min(endsAt, now + MAX_AGE_MS) + SKEW_MS }
  }

  #identityIn(assertion: unknown): ExternalIdentity {
    const nameId = elementsAt(assertion, 'Subject', 'NameID')[0]
    const subject = textOf(nameId)
    if (subject === '') throw new Error('the assertion names nobody (NameID)')
    const attributes = elementsAt(assertion, 'AttributeStatement', 'Attribute')
    const firstOf = (names: readonly string[]) =>
      names
        .map((name) => attributes.find((one) => attributeOf(one, 'Name')?.toLowerCase() === name))
        .map((one) => textOf(elementsAt(one, 'AttributeValue')[0]))
        .find((value) => value !== '')
    const isAddress = attributeOf(nameId, 'Format')?.endsWith(':emailAddress') === true
    return {
      issuer: this.#settings.provider.entityId,
      subject,
      email: firstOf(EMAIL_ATTRIBUTES) ?? (isAddress ? subject : undefined),
      name: firstOf(NAME_ATTRIBUTES)?.slice(0, LIMITS.email),
    }
  }

  #options() {
    const { provider, privateKey } = this.#settings
    const { entityId, answersTo } = this.#addresses()
    return {
      idpCert: provider.certificates,
      idpIssuer: provider.entityId,
      entryPoint: provider.signInUrl.href,
      issuer: entityId,
      audience: entityId,
      callbackUrl: answersTo,
      identifierFormat: null,
      wantAssertionsSigned: true,
      wantAuthnResponseSigned: false,
      disableRequestedAuthnContext: true,
      acceptedClockSkewMs: SKEW_MS,
      maxAssertionAgeMs: MAX_AGE_MS,
      validateInResponseTo: 'never' as const, // compared with what this browser began, in the assertion itself
      signatureAlgorithm: 'sha256' as const,
      ...(privateKey !== undefined && { decryptionPvk: privateKey }),
    }
  }
}

/** Notes an assertion as used, for all nodes; one that comes again is refused. */
async function refuseReplay(db: Queryable, id: string, endsAt: number): Promise<void> {
  const [noted] = await db.query(sql`
    insert into one_time_tokens (token_hash, purpose, data, expires_at)
    values (${sha256(`saml assertion ${id}`)}, 'used assertion', '{}', ${Math.ceil(endsAt)})
    on conflict (token_hash) do nothing returning expires_at`)
  if (!noted) throw new Error('the assertion was used before')
}
