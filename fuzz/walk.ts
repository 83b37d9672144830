import { Authenticator } from '../test/support/authenticator.ts'
import type { Answer } from '../test/support/client.ts'
import { personCaller } from './callers.ts'
import { cookieOf, idIn, PASSWORD, type Place, tokenFor } from './stage.ts'

/** What only works with a token from elsewhere; once is enough to see it work. */
export async function walkThroughAccounts(place: Place, setupToken: string): Promise<void> {
  const { fuzzer } = place
  const email = 'operator@example.com'
  const visitor = personCaller('visitor', () => '', fuzzer.url, 0)
  const names = {
    organizationName: 'Harbour',
    adminName: 'Operator',
    adminEmail: email,
    botName: 'First bot',
  }
  await fuzzer.ask(visitor, 'lookAtSetup', { body: { token: setupToken } })
  await fuzzer.ask(visitor, 'setUp', { body: { token: setupToken, password: PASSWORD, ...names } })
  await fuzzer.ask(visitor, 'requestPasswordReset', { body: { email } })
  const token = await tokenFor(place, email)
  const reset = await fuzzer.ask(visitor, 'resetPassword', { body: { token, password: PASSWORD } })
  const session = cookieOf(reset)
  // The challenge of a passkey is for this browser alone: a cookie finds it again.
  const browser = (...cookies: string[]) => personCaller('operator', () => cookies.join('; '), fuzzer.url, 0)
  const passkey = new Authenticator()
  const started = await fuzzer.ask(browser(session), 'startPasskey')
  const userHandle = Buffer.from(String(Object(started.body).user?.id), 'base64url').toString()
  const created = passkey.create({ origin: fuzzer.url, challenge: challengeOf(started) })
  const added = await fuzzer.ask(browser(session, cookieOf(started)), 'addPasskey', {
    body: { name: 'Key', response: created },
  })
  const again = await fuzzer.ask(visitor, 'startPasskeySignIn')
  const proof = passkey.get({ origin: fuzzer.url, challenge: challengeOf(again), userHandle })
  const signedIn = await fuzzer.ask(browser(cookieOf(again)), 'signInWithPasskey', {
    body: { response: proof },
  })
  await fuzzer.ask(browser(cookieOf(signedIn)), 'removePasskey', { path: { passkeyId: idIn(added.body) } })
}

const challengeOf = ({ body }: Answer): string => String(Object(body).challenge)
