import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import type {
  addPasskey,
  Passkey,
  Session,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'

// Loaded at the first use of a passkey: most visits need none.
const library = () => import('@simplewebauthn/browser')

export type Support = 'yes' | 'no' | 'needs a name'

/** Browsers know passkeys on secure pages only, and tie them to a domain name: an IP address has none. */
export function passkeySupport(): Support {
  const { hostname } = window.location
  if (!window.isSecureContext || /^[\d.]+$|:/.test(hostname)) return 'needs a name'
  return typeof window.PublicKeyCredential === 'function' ? 'yes' : 'no'
}

export async function enterWithPasskey(): Promise<Session> {
  const { startAuthentication } = await library()
  const options: unknown = await call<typeof startPasskeySignIn>(
    'POST',
    '/people/passkeys/sign-in/options',
    {},
  )
  const response = await startAuthentication({
    // The contract leaves what is in it to WebAuthn.
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
  })
  return call<typeof signInWithPasskey>('POST', '/people/passkeys/sign-in', { body: { response } })
}

export async function createPasskey(name: string): Promise<Passkey> {
  const { startRegistration } = await library()
  const options: unknown = await call<typeof startPasskey>('POST', '/people/passkeys/options', {})
  const response = await startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  })
  return call<typeof addPasskey>('POST', '/people/passkeys', { body: { name, response } })
}
