import type { StaticKey } from './signing.ts'

/** A bot's key or its client id, each with the secret. What is left out comes from the environment. */
export type Credentials = {
  /** `PARLEY_API_KEY` unless given. */
  apiKey?: string | undefined
  /** `PARLEY_API_SECRET` unless given. */
  apiSecret?: string | undefined
  /** 2 signs the whole request and prevents replays; 1 works with every server of this API. Default: 2. */
  signatureVersion?: 1 | 2 | undefined
  /** `PARLEY_CLIENT_ID` unless given. */
  clientId?: string | undefined
  /** `PARLEY_CLIENT_SECRET` unless given. */
  clientSecret?: string | undefined
  /**
   * The token of a rehearsal, `PARLEY_REHEARSAL` unless given. With one the bot rehearses, whatever else is given: it hears past
   * events, and what it does is kept and not sent.
   */
  rehearsal?: string | undefined
}
export type Address = {
  /** The address of the server, such as `https://chat.example.com`. `PARLEY_URL` unless given. */
  url?: string | undefined
}

export type KnownCredentials = StaticKey | { clientId: string; clientSecret: string } | { rehearsal: string }

const VARIABLES = {
  url: 'PARLEY_URL',
  apiKey: 'PARLEY_API_KEY',
  apiSecret: 'PARLEY_API_SECRET',
  clientId: 'PARLEY_CLIENT_ID',
  clientSecret: 'PARLEY_CLIENT_SECRET',
  rehearsal: 'PARLEY_REHEARSAL',
} as const
type Name = keyof typeof VARIABLES
type Given = { [N in Name]?: string | undefined }

/** Browsers and workers have no `process`. */
const environment = (): Record<string, string | undefined> =>
  Object(Reflect.get(globalThis, 'process')).env ?? {}

/** The server's address without a slash at its end. Throws where it is missing or none. */
export function addressIn(given: Address): string {
  const text = settingOf('url', given)
  const isAddress = /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(text) && URL.canParse(text)
  if (!isAddress) throw new TypeError(`url (${VARIABLES.url}) must look like https://chat.example.com`)
  return text.replace(/\/+$/, '')
}

/** The credentials, given or from the environment. Throws with the name of what is missing or cannot be right. */
export function credentialsIn(given: Credentials): KnownCredentials {
  if (isRehearsal(given)) return { rehearsal: settingOf('rehearsal', given) }
  const isToken = usesTokens(given)
  if (isToken)
    return { clientId: settingOf('clientId', given), clientSecret: settingOf('clientSecret', given) }
  const { signatureVersion = 2 } = given
  if (signatureVersion !== 1 && signatureVersion !== 2) throw new TypeError('signatureVersion is 1 or 2')
  return {
    apiKey: settingOf('apiKey', given),
    apiSecret: settingOf('apiSecret', given),
    signatureVersion,
  }
}

/** Whether the bot rehearses. A variable that is there, but empty, is a mistake: the bot would work instead. */
export const isRehearsal = ({ rehearsal }: Credentials): boolean =>
  rehearsal !== undefined || environment()[VARIABLES.rehearsal] !== undefined

/** Whether the credentials are a client id and a secret. What was given decides, then the environment. */
function usesTokens(given: Given): boolean {
  const has = (name: Name) => Boolean(given[name])
  const [byKey, byToken] = [has('apiKey') || has('apiSecret'), has('clientId') || has('clientSecret')]
  if (byKey && byToken)
    throw new TypeError('give apiKey and apiSecret, or clientId and clientSecret, not both')
  if (byKey || byToken) return byToken
  const { PARLEY_API_KEY, PARLEY_CLIENT_ID } = environment()
  return !PARLEY_API_KEY && Boolean(PARLEY_CLIENT_ID)
}

function settingOf(name: Name, given: Given): string {
  return checked(name, given[name] || environment()[VARIABLES[name]], VARIABLES[name])
}

/** Returns the text if it can be a key, a secret or an address. Never repeats it in an error. */
export function checked(name: string, text: string | undefined, variable?: string): string {
  const [label, hint] =
    variable === undefined ? [name, ''] : [`${name} (${variable})`, `: give it, or set ${variable}`]
  if (!text) throw new TypeError(`${name} is missing${hint}`)
  if (/[\r\n]/.test(text)) throw new TypeError(`${label} contains a line break: it was pasted with one`)
  if (/\s/.test(text)) throw new TypeError(`${label} contains a space`)
  if (name !== 'url' && !/^[\x21-\x7e]+$/.test(text))
    throw new TypeError(`${label} contains a character that no key or secret has`)
  return text
}

export function secretOf(credentials: KnownCredentials): string {
  if ('rehearsal' in credentials) return credentials.rehearsal
  return 'clientId' in credentials ? credentials.clientSecret : credentials.apiSecret
}
