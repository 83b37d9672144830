import type { CredentialProof, NewCredential } from '../../contract/people/session.ts'
import type { Config } from '../config.ts'

/** Long enough to find a key, short enough that challenges do not pile up. */
export const CHALLENGE_MS = 5 * 60_000
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

/** Loaded when the first passkey is used: most of it is for certificates, and no start should wait for it. */
const library = () => import('@simplewebauthn/server')

type Address = Pick<Config, 'baseUrl'>

export type StoredPasskey = {
  credentialId: string
  accountId: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

/** A passkey belongs to this server's host, and answers only its pages. */
const place = ({ baseUrl }: Address) => {
  const { hostname, origin } = new URL(baseUrl)
  return { rpID: hostname, origin }
}

/**
 * Passkeys that can be found without a name, so that signing in takes nothing else. They stand for both factors: the
 * device, and the person who unlocks it (`userVerification`). A passkey without that check is refused.
 */
export async function creationOptions(
  config: Address,
  account: { id: string; email: string },
  existing: readonly { credentialId: string; transports: string[] }[],
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Parley',
    rpID: place(config).rpID,
    userID: new TextEncoder().encode(account.id),
    userName: account.email,
    attestationType: 'none',
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: CHALLENGE_MS,
  })
}

export async function requestOptions(config: Address) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: place(config).rpID,
    userVerification: 'required',
    timeout: CHALLENGE_MS,
  })
}

/** The new passkey; undefined when it does not answer this challenge on a page of this server. */
export async function verifyNewPasskey(
  config: Address,
  challenge: string,
  response: NewCredential,
): Promise<Omit<StoredPasskey, 'accountId'> | undefined> {
  const { rpID, origin } = place(config)
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(refused)
  if (!verified?.verified) return undefined
  const { id, publicKey, counter } = verified.registrationInfo.credential
  return {
    credentialId: id,
    publicKey: Buffer.from(publicKey),
    counter,
    transports: (response.response.transports ?? []).filter((transport) => TRANSPORTS.includes(transport)),
  }
}

/** The use count of the passkey, if the answer is right. A copy would count on from where it was made. */
export async function verifyPasskey(
  config: Address,
  challenge: string,
  passkey: StoredPasskey,
  response: CredentialProof,
): Promise<number | undefined> {
  const { rpID, origin } = place(config)
  const { userHandle } = response.response
  const isTheirs =
    userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === passkey.accountId
  if (!isTheirs) return undefined
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: passkey.transports,
    },
    requireUserVerification: true,
  }).catch(refused)
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}

/** The library throws for every invalid answer. The client learns only that it is wrong. */
const refused = () => undefined
