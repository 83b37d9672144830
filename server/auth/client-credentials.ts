export type ClientCredentials = { clientId: string; clientSecret: string }

/**
 * The ways the credentials of a token request can be read. HTTP Basic should be form-encoded before it is put
 * into Base64, and often is not: both readings are given. Undefined: there are none, or not both parts.
 */
export function readClientCredentials(
  authorization: string | undefined,
  form: URLSearchParams,
): readonly ClientCredentials[] | 'conflicting' | undefined {
  const clientId = form.get('client_id')
  const clientSecret = form.get('client_secret')
  if (authorization === undefined) return clientId && clientSecret ? [{ clientId, clientSecret }] : undefined
  if (clientSecret !== null) return 'conflicting'

  const basic = /^basic +([\w+/-]+=*) *$/i.exec(authorization)?.[1]
  if (basic === undefined) return undefined
  const [, name = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(basic, 'base64').toString('utf8')) ?? []
  if (name === '' || password === '') return undefined
  const plain = { clientId: name, clientSecret: password }
  const decoded = { clientId: formDecode(name), clientSecret: formDecode(password) }
  const readings = decoded.clientId === name && decoded.clientSecret === password ? [plain] : [plain, decoded]
  if (clientId !== null && !readings.some((reading) => reading.clientId === clientId)) return 'conflicting'
  return readings
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
