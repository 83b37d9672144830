import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'

type Entity = {
  entityMeta: { getAssertionConsumerService(binding: 'post'): unknown; getEntityID(): string }
}
/** The part of samlify that is used. */
type Samlify = {
  ServiceProvider(settings: { metadata: string }): Entity
  IdentityProvider(settings: {
    metadata: string
    privateKey: string
    requestSignatureAlgorithm: string
    isAssertionEncrypted: boolean
    messageSigningOrder: 'sign-then-encrypt'
    loginResponseTemplate: { context: string; attributes: [] }
  }): {
    createLoginResponse(
      sp: Entity,
      request: object,
      binding: 'post',
      user: object,
      fill: (template: string) => { id: string; context: string },
    ): Promise<{ context: string }>
  }
}
/** A name that the compiler does not follow: the types of samlify bring those of browsers, which differ from Node's. */
const SAMLIFY: string = 'samlify'
const loadSamlify = (): Promise<Samlify> => import(SAMLIFY)

const ENTITY_ID = 'https://login.example.com/saml'
export const SIGN_IN = 'https://login.example.com/saml/sign-in'

export type KeyPair = { certificate: string; privateKey: string }

/** A new key with a certificate that it signed itself. */
export function newKeyPair(): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'parley-saml-'))
  try {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=saml']
    execFileSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
    return { certificate: readFileSync(certificate, 'utf8'), privateKey: readFileSync(key, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const bare = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '')

/** The metadata of a provider that signs with this key. */
export const metadataOf = ({ certificate }: KeyPair): string => `<?xml version="1.0"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${ENTITY_ID}">
  <md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${bare(certificate)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>
    </md:KeyDescriptor>
    <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>
    <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${SIGN_IN}"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`

/** The person who signs in at the provider, and the faults of the assertion. */
export type Assertion = {
  nameId?: string
  email?: string
  name?: string
  requestId?: string | undefined
  /** How far the provider's clock is ahead. */
  aheadMs?: number
  audience?: string
  recipient?: string
  issuer?: string
  isEncrypted?: boolean
  key?: KeyPair
  isUnsigned?: boolean
}

const TEMPLATE = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{ID}" Version="2.0" IssueInstant="{IssueInstant}" Destination="{Destination}"><saml:Issuer>{Issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{AssertionID}" Version="2.0" IssueInstant="{IssueInstant}"><saml:Issuer>{Issuer}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">{NameID}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="{End}" Recipient="{Recipient}"{InResponse}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{IssueInstant}" NotOnOrAfter="{End}"><saml:AudienceRestriction><saml:Audience>{Audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AttributeStatement><saml:Attribute Name="email"><saml:AttributeValue>{Email}</saml:AttributeValue></saml:Attribute><saml:Attribute Name="displayName"><saml:AttributeValue>{Name}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion></samlp:Response>`

const LIFETIME_MS = 5 * 60_000

/** The other side of SAML, by samlify: `answer` is what a browser posts after signing in there. */
export function samlProvider(key: KeyPair, spMetadata: () => Promise<string>) {
  return {
    /** The request that a browser brought here. */
    requestIn(location: string): { id: string; issuer: string } {
      const encoded = new URL(location).searchParams.get('SAMLRequest') ?? ''
      const xml = inflateRawSync(Buffer.from(encoded, 'base64')).toString()
      return {
        id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '',
        issuer: /<saml:Issuer[^>]*>([^<]+)</.exec(xml)?.[1] ?? '',
      }
    },

    async answer(said: Assertion): Promise<string> {
      const samlify = await loadSamlify()
      const metadata = await spMetadata()
      const signing = said.key ?? key
      const sp = samlify.ServiceProvider({ metadata })
      const idp = samlify.IdentityProvider({
        metadata: metadataOf(signing),
        privateKey: signing.privateKey,
        requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
        isAssertionEncrypted: said.isEncrypted === true,
        messageSigningOrder: 'sign-then-encrypt',
        loginResponseTemplate: { context: TEMPLATE, attributes: [] },
      })
      const answersTo = String(sp.entityMeta.getAssertionConsumerService('post'))
      const now = Date.now() + (said.aheadMs ?? 0)
      const { requestId } = said
      const values = {
        ID: `_${crypto.randomUUID()}`,
        AssertionID: `_${crypto.randomUUID()}`,
        IssueInstant: new Date(now).toISOString(),
        End: new Date(now + LIFETIME_MS).toISOString(),
        Destination: answersTo,
        Recipient: said.recipient ?? answersTo,
        Audience: said.audience ?? sp.entityMeta.getEntityID(),
        Issuer: said.issuer ?? ENTITY_ID,
        NameID: said.nameId ?? 'ada-1',
        Email: said.email ?? 'ada@example.com',
        Name: said.name ?? 'Ada Okafor',
        InResponse: requestId === undefined ? '' : ` InResponseTo="${requestId}"`,
      }
      const fill = (template: string) =>
        template.replace(/\{(\w+)\}/g, (_, name: string) => Object(values)[name])
      if (said.isUnsigned) return Buffer.from(fill(TEMPLATE)).toString('base64')
      const made = await idp.createLoginResponse(sp, {}, 'post', {}, (template: string) => ({
        id: values.ID,
        context: fill(template),
      }))
      return made.context
    },
  }
}
