import { createECDH, createHash, randomBytes } from 'node:crypto'
import { Authenticator } from '../test/support/authenticator.ts'
import { AuthenticatorApp } from '../test/support/authenticator-app.ts'
import type { Answer } from '../test/support/client.ts'
import { form } from '../test/support/forms.ts'
import type { Caller } from './callers.ts'
import type { Fuzzer } from './fuzzer.ts'
import { PICTURES } from './media.ts'
import { accept, browser, cookieOf, idIn, PASSWORD, type Place, tokenFor } from './stage.ts'

const EMAIL = 'operator@example.com'
const NAMES = {
  organizationName: 'Harbour',
  adminName: 'Operator',
  adminEmail: EMAIL,
  botName: 'First bot',
}

/** Operations that only work with a token, a key or a code from elsewhere; once is enough to see them work. */
export async function walkThroughAccounts(place: Place, setupToken: string): Promise<void> {
  const { fuzzer } = place
  const visitor = browser(fuzzer)
  await fuzzer.ask(visitor, 'lookAtSetup', { body: { token: setupToken } })
  const setUp = await fuzzer.ask(visitor, 'setUp', {
    body: { token: setupToken, password: PASSWORD, ...NAMES },
  })
  await fuzzer.ask(visitor, 'requestPasswordReset', { body: { email: EMAIL } })
  const token = await tokenFor(place, EMAIL)
  const reset = await fuzzer.ask(visitor, 'resetPassword', { body: { token, password: PASSWORD } })
  const session = cookieOf(reset)
  const passwords = { currentPassword: PASSWORD, password: PASSWORD }
  await fuzzer.ask(browser(fuzzer, session), 'changePassword', { body: passwords })
  await walkThroughPasskeys(fuzzer, session)
  await walkThroughSecondFactor(fuzzer, session)
  const organizationId = String(Object(setUp.body).organizationId)
  await walkThroughPhoto(fuzzer, organizationId, browser(fuzzer, session))
  await walkThroughAssistant(fuzzer, organizationId, browser(fuzzer, session))
  await walkThroughPush(fuzzer, browser(fuzzer, session))
  await walkThroughTopic(fuzzer, setUp.body, browser(fuzzer, session))
  await walkThroughLists(fuzzer, setUp.body, browser(fuzzer, session))
  await walkThroughRehearsal(fuzzer, setUp.body, browser(fuzzer, session))
  await endOtherSession(fuzzer, browser(fuzzer, session))
  await resetSecondFactor(place, organizationId, browser(fuzzer, session))
  await joinByLink(place, organizationId, browser(fuzzer, session))
  await connectProvider(place, organizationId, browser(fuzzer, session))
  await openAuditLog(place, organizationId, browser(fuzzer, session))
}

/** Takes back a person's reaction, deletes their message, and removes and adds a member: ids drawn from the pool seldom name one that allows it. */
async function walkThroughTopic(fuzzer: Fuzzer, setUp: unknown, person: Caller): Promise<void> {
  const { organizationId, topicId, bot } = Object(setUp)
  const body = { topicId, text: 'Soon gone' }
  const sent = await fuzzer.ask(person, 'chatSendMessage', { path: { organizationId }, body })
  const path = { organizationId, messageId: idIn(sent.body) }
  const given = await fuzzer.ask(person, 'chatAddReaction', { path, body: { reaction: '🚀' } })
  await fuzzer.ask(person, 'chatRemoveReaction', { path: { ...path, reactionId: idIn(given.body) } })
  await fuzzer.ask(person, 'chatDeleteMessage', { path })
  const members = { path: { organizationId, topicId }, body: { memberIds: [bot.id] } }
  await fuzzer.ask(person, 'chatRemoveTopicMembers', members)
  await fuzzer.ask(person, 'chatAddTopicMembers', members)
}

/** Makes, changes and deletes what only its owner may: a section of the list of conversations, and a group. */
async function walkThroughLists(fuzzer: Fuzzer, setUp: unknown, person: Caller): Promise<void> {
  const { organizationId, topicId } = Object(setUp)
  const path = { organizationId }
  const made = await fuzzer.ask(person, 'createSection', { path, body: { name: 'Customers' } })
  const section = { ...path, sectionId: idIn(made.body) }
  await fuzzer.ask(person, 'updateSection', { path: section, body: { name: 'Partners', folded: true } })
  await fuzzer.ask(person, 'arrangeSection', { path: section, body: { topicIds: [topicId] } })
  await fuzzer.ask(person, 'deleteSection', { path: section })
  const begun = await fuzzer.ask(person, 'createGroup', { path, body: { name: 'Design', tag: 'design' } })
  const group = { ...path, groupId: idIn(begun.body) }
  await fuzzer.ask(person, 'updateGroup', { path: group, body: { name: 'Design and research' } })
  for (const change of ['addGroupMembers', 'removeGroupMembers'])
    await fuzzer.ask(person, change, { path: group, body: { memberIds: [] } })
  await fuzzer.ask(person, 'deleteGroup', { path: group })
}

/** Begins, reads and deletes a rehearsal: a drawn id names a rehearsal of another bot. */
async function walkThroughRehearsal(fuzzer: Fuzzer, setUp: unknown, person: Caller): Promise<void> {
  const { organizationId, bot } = Object(setUp)
  const path = { organizationId, botId: bot.id }
  const begun = await fuzzer.ask(person, 'startRehearsal', { path, body: { days: 1 } })
  const rehearsal = { ...path, rehearsalId: Object(begun.body).rehearsal.id }
  await fuzzer.ask(person, 'readRehearsal', { path: rehearsal })
  await fuzzer.ask(person, 'deleteRehearsal', { path: rehearsal })
}

/** Signs in a second time, and ends that session from the first. */
async function endOtherSession(fuzzer: Fuzzer, person: Caller): Promise<void> {
  await fuzzer.ask(browser(fuzzer), 'signIn', { body: { email: EMAIL, password: PASSWORD } })
  const { body } = await fuzzer.ask(person, 'readAccount')
  const sessions: { id: string; isThis: boolean }[] = Object(body).sessions
  const other = sessions.find(({ isThis }) => !isThis)
  await fuzzer.ask(person, 'endSession', { path: { sessionId: String(other?.id) } })
}

/** Subscribes a browser with a valid key. */
async function walkThroughPush(fuzzer: Fuzzer, person: Caller): Promise<void> {
  const p256dh = createECDH('prime256v1').generateKeys('base64url')
  const keys = { p256dh, auth: randomBytes(16).toString('base64url') }
  await fuzzer.ask(person, 'subscribeToPush', { body: { endpoint: 'https://push.example.com/send', keys } })
  await fuzzer.ask(person, 'unsubscribeFromPush')
}

/** A program registers, and the person lets it in twice: they disconnect it once themselves, and once for the organization. */
async function walkThroughAssistant(fuzzer: Fuzzer, organizationId: string, person: Caller): Promise<void> {
  const redirectUri = 'http://127.0.0.1/callback'
  const client = await post(`${fuzzer.url}/oauth/assistants/register`, 'application/json', {
    redirect_uris: [redirectUri],
  })
  const verifier = 'v'.repeat(64)
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: String(client.client_id),
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  await fuzzer.ask(person, 'lookAtAssistant', { body: { request } })
  const connect = async () => {
    const allowed = await fuzzer.ask(person, 'connectAssistant', {
      path: { organizationId },
      body: { request, scopes: ['message:read'], days: 1 },
    })
    await post(`${fuzzer.url}/oauth/assistants/token`, 'application/x-www-form-urlencoded', {
      grant_type: 'authorization_code',
      code: new URL(String(Object(allowed.body).returnTo)).searchParams.get('code') ?? '',
      client_id: String(client.client_id),
      redirect_uri: redirectUri,
      code_verifier: verifier,
    })
  }
  const firstIn = ({ body }: { body?: unknown }) => String(Object(body).assistants?.[0]?.id)
  await connect()
  const own = await fuzzer.ask(person, 'listAssistants')
  await fuzzer.ask(person, 'endAssistant', { path: { assistantId: firstIn(own) } })
  await connect()
  const all = await fuzzer.ask(person, 'listMemberAssistants', { path: { organizationId } })
  await fuzzer.ask(person, 'endMemberAssistant', { path: { organizationId, assistantId: firstIn(all) } })
}

async function post(url: string, type: string, content: Record<string, string | string[]>) {
  const isJson = type === 'application/json'
  const body = isJson ? JSON.stringify(content) : new URLSearchParams(content).toString()
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })
  const read: Record<string, unknown> = Object(await answer.json())
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${JSON.stringify(read)}`)
  return read
}

async function walkThroughPhoto(fuzzer: Fuzzer, organizationId: string, person: Caller): Promise<void> {
  const { body: content, contentType } = form({}, PICTURES.slice(0, 1), { metaPart: 'metadata' })
  const { body } = await fuzzer.ask(person, 'setPhoto', {
    path: { organizationId },
    form: { content, contentType },
  })
  const path = { organizationId, fileId: String(Object(body).photoId) }
  await fuzzer.ask(person, 'showPicture', { path })
  const emoji = form({ name: 'parrot' }, PICTURES.slice(0, 1), { metaPart: 'metadata' })
  await fuzzer.ask(person, 'addCustomEmoji', {
    path: { organizationId },
    form: { content: emoji.body, contentType: emoji.contentType },
  })
  await fuzzer.ask(person, 'removeCustomEmoji', { path: { organizationId, emojiName: 'parrot' } })
}

async function walkThroughPasskeys(fuzzer: Fuzzer, session: string): Promise<void> {
  const passkey = new Authenticator()
  const started = await fuzzer.ask(browser(fuzzer, session), 'startPasskey')
  const userHandle = Buffer.from(String(Object(started.body).user?.id), 'base64url').toString()
  const response = passkey.create({ origin: fuzzer.url, challenge: challengeOf(started) })
  const added = await fuzzer.ask(browser(fuzzer, session, cookieOf(started)), 'addPasskey', {
    body: { name: 'Key', response },
  })
  const again = await fuzzer.ask(browser(fuzzer), 'startPasskeySignIn')
  const proof = passkey.get({ origin: fuzzer.url, challenge: challengeOf(again), userHandle })
  const signedIn = await fuzzer.ask(browser(fuzzer, cookieOf(again)), 'signInWithPasskey', {
    body: { response: proof },
  })
  const path = { passkeyId: idIn(added.body) }
  await fuzzer.ask(browser(fuzzer, cookieOf(signedIn)), 'removePasskey', { path })
}

async function walkThroughSecondFactor(fuzzer: Fuzzer, session: string): Promise<void> {
  const person = browser(fuzzer, session)
  await enableSecondFactor(fuzzer, person)
  const renewed = await fuzzer.ask(person, 'renewRecoveryCodes', { body: {} })
  const [code] = Object(renewed.body).recoveryCodes ?? []
  const halfway = await fuzzer.ask(browser(fuzzer), 'signIn', { body: { email: EMAIL, password: PASSWORD } })
  await fuzzer.ask(browser(fuzzer, cookieOf(halfway)), 'finishSignIn', { body: { code } })
  await fuzzer.ask(person, 'disableSecondFactor', { body: {} })
}

async function enableSecondFactor(fuzzer: Fuzzer, person: Caller): Promise<void> {
  const begun = await fuzzer.ask(person, 'startSecondFactor', { body: {} })
  const app = new AuthenticatorApp(String(Object(begun.body).secret))
  await fuzzer.ask(person, 'enableSecondFactor', { body: { code: app.code(Date.now()) } })
}

/** An admin removes the second factor of a person who lost it. */
async function resetSecondFactor(place: Place, organizationId: string, admin: Caller): Promise<void> {
  const { fuzzer } = place
  const email = 'forgetful@example.com'
  const invited = await fuzzer.ask(admin, 'invitePerson', { path: { organizationId }, body: { email } })
  const { caller } = await accept(place, email, 'Forgetful', 0)
  await enableSecondFactor(fuzzer, caller)
  const path = { organizationId, memberId: idIn(invited.body) }
  await fuzzer.ask(admin, 'resetSecondFactor', { path })
  await fuzzer.ask(admin, 'erasePerson', { path, body: { withMessages: true } })
  await fuzzer.ask(admin, 'listErasures', { path: { organizationId } })
}

/** A person joins by a link for their domain, up to the invitation; other steps accept invitations. */
async function joinByLink(place: Place, organizationId: string, admin: Caller): Promise<void> {
  const { fuzzer } = place
  const made = await fuzzer.ask(admin, 'createJoinLink', {
    path: { organizationId },
    body: { domains: ['walk.example'] },
  })
  const token = new URL(String(Object(made.body).url)).hash.slice(1)
  const email = 'newcomer@walk.example'
  const visitor = browser(fuzzer)
  await fuzzer.ask(visitor, 'lookAtJoinLink', { body: { token } })
  await fuzzer.ask(visitor, 'askToJoin', { body: { token, email } })
  await fuzzer.ask(visitor, 'confirmAddress', { body: { token: await tokenFor(place, email) } })
  const path = { organizationId, joinLinkId: idIn(made.body) }
  await fuzzer.ask(admin, 'revokeJoinLink', { path })
}

/** An owner connects an identity provider, and ends that. */
async function connectProvider({ fuzzer }: Place, organizationId: string, owner: Caller): Promise<void> {
  const path = { organizationId }
  const made = await fuzzer.ask(owner, 'makeScimToken', { path, body: {} })
  await fuzzer.ask(owner, 'readScim', { path })
  await fuzzer.ask(owner, 'revokeScimToken', { path: { ...path, scimTokenId: idIn(made.body) } })
}

/** An admin lets a program read the audit log, and ends that. */
async function openAuditLog({ fuzzer }: Place, organizationId: string, admin: Caller): Promise<void> {
  const path = { organizationId }
  const made = await fuzzer.ask(admin, 'makeAuditToken', { path, body: {} })
  await fuzzer.ask(admin, 'readAuditAccess', { path })
  await fuzzer.ask(admin, 'revokeAuditToken', { path: { ...path, auditTokenId: idIn(made.body) } })
  const body = { kind: 'webhook', address: 'https://siem.example.com/parley' }
  const added = await fuzzer.ask(admin, 'addAuditDestination', { path, body })
  await fuzzer.ask(admin, 'listAuditDestinations', { path })
  const destination = { ...path, destinationId: idIn(Object(added.body).destination) }
  await fuzzer.ask(admin, 'testAuditDestination', { path: destination })
  await fuzzer.ask(admin, 'removeAuditDestination', { path: destination })
}

const challengeOf = ({ body }: Answer): string => String(Object(body).challenge)
