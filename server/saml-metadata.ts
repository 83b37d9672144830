import { Parser, processors } from 'xml2js'

/** A SAML identity provider, by its metadata. */
export type SamlProvider = {
  entityId: string
  /** The address that browsers are sent to for signing in (binding HTTP-Redirect). */
  signInUrl: URL
  /** Certificates in PEM that assertions may be signed with. */
  certificates: string[]
}

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
/** The most that a metadata document, or an answer of a provider, may have. */
export const SAML_BYTES = 256 * 1024

/** Documents with a type of their own could define entities that grow without end, or name files. */
export const declaresType = (xml: string): boolean => /<!(DOCTYPE|ENTITY)/i.test(xml)

/** Reads the metadata of one provider; throws what is wrong with it, in words for the operator. */
export function readSamlMetadata(xml: string): SamlProvider {
  if (xml.length > SAML_BYTES || declaresType(xml)) throw new Error('it is too long, or has a document type')
  const root = parse(xml)
  const provider = elementsAt(root, 'EntityDescriptor', 'IDPSSODescriptor')[0]
  const entityId = attributeOf(elementsAt(root, 'EntityDescriptor')[0], 'entityID')
  if (provider === undefined || entityId === undefined)
    throw new Error('it describes no identity provider (EntityDescriptor with IDPSSODescriptor)')
  const services = elementsAt(provider, 'SingleSignOnService')
  const service = services.find((one) => attributeOf(one, 'Binding') === REDIRECT)
  const location = attributeOf(service, 'Location') ?? ''
  if (!URL.canParse(location) || !/^https?:$/.test(new URL(location).protocol))
    throw new Error('it has no SingleSignOnService with the binding HTTP-Redirect')
  const certificates = elementsAt(provider, 'KeyDescriptor')
    .filter((key) => attributeOf(key, 'use') !== 'encryption')
    .flatMap((key) => elementsAt(key, 'KeyInfo', 'X509Data', 'X509Certificate'))
    .map((certificate) => toPem(textOf(certificate)))
  if (certificates.length === 0) throw new Error('it has no certificate for signatures')
  return { entityId, signInUrl: new URL(location), certificates }
}

function parse(xml: string): unknown {
  let result: unknown
  let failure: Error | null = null
  const parser = new Parser({
    tagNameProcessors: [processors.stripPrefix],
    explicitArray: true,
    async: false,
  })
  parser.parseString(xml, (error: Error | null, parsed: unknown) => {
    failure ??= error
    result = parsed
  })
  if (failure) throw new Error('it is no XML')
  return result
}

/** Elements below `element` by their names, without prefixes. */
export const elementsAt = (element: unknown, ...names: readonly string[]): unknown[] =>
  names.reduce<unknown[]>((found, name) => found.flatMap((one) => listOf(Object(one)[name])), [element])

const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

export function attributeOf(element: unknown, name: string): string | undefined {
  const value: unknown = Object(Object(element).$)[name]
  return typeof value === 'string' ? value : undefined
}

/** The text of an element, with or without attributes. */
export function textOf(element: unknown): string {
  const text: unknown = typeof element === 'string' ? element : Object(element)._
  return typeof text === 'string' ? text.trim() : ''
}

function toPem(text: string): string {
  const lines = text.replace(/\s+/g, '').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
