/** The part of @node-saml/node-saml that is used. */
export type SamlLibrary = {
  SAML: new (config: SamlConfig) => Saml
  generateServiceProviderMetadata(of: {
    issuer: string
    callbackUrl: string
    wantAssertionsSigned: boolean
    decryptionCert?: string
    decryptionPvk?: string | undefined
  }): string
}

export type Saml = {
  getAuthorizeUrlAsync(relayState: string, host: string | undefined, options: object): Promise<string>
  /** Throws where signature, times or audience are wrong. `getAssertion` gives what was signed, as xml2js reads it. */
  validatePostResponseAsync(answer: {
    SAMLResponse: string
  }): Promise<{ profile: { getAssertion?: () => unknown } | null }>
}

export type SamlConfig = {
  idpCert: string[]
  idpIssuer: string
  entryPoint: string
  issuer: string
  audience: string
  callbackUrl: string
  identifierFormat: null
  wantAssertionsSigned: boolean
  wantAuthnResponseSigned: boolean
  disableRequestedAuthnContext: boolean
  acceptedClockSkewMs: number
  maxAssertionAgeMs: number
  validateInResponseTo: 'never'
  signatureAlgorithm: 'sha256'
  decryptionPvk?: string
  generateUniqueId?: () => string
}

/** A name that the compiler does not follow: the library's own types bring those of browsers, which differ from Node's. */
const NAME: string = '@node-saml/node-saml'

/** Loads the library on first use. */
export const samlLibrary = (): Promise<SamlLibrary> => import(NAME)
