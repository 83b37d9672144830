import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../test/support/client.ts'
import {
  type Caller,
  personCaller,
  type StaticKey,
  staticKeyCaller,
  strangers,
  tokenCaller,
} from './callers.ts'
import type { Fuzzer } from './fuzzer.ts'
import { isObject, Pool } from './pool.ts'
import type { Random } from './random.ts'
import { CHECK } from './text-checks.ts'
import type { Hints } from './values.ts'

export const PASSWORD = 'slow amber lanterns over the quay'
const MAIL_LIMIT_MS = 15_000
export const ANYONE: Caller = {
  name: 'anyone',
  audience: 'anyone',
  weight: 1,
  isSound: true,
  headers: () => [],
}

/** A caller with these cookies: a passkey's challenge and the second step of a sign-in belong to one browser. */
export const browser = (fuzzer: Fuzzer, ...cookies: string[]): Caller =>
  personCaller('operator', () => cookies.join('; '), fuzzer.url, 0)

export type Place = { fuzzer: Fuzzer; dataDir: string; receiverUrl: string }

/** An organization with everything in it that the API knows, made through the API. */
export type Stage = {
  organizationId: string
  pool: Pool
  callers: Caller[]
  cast: Set<string>
  hints: Hints
  secrets: string[]
  /** Undoes what requests have set for the whole organization or have destroyed: limits, sessions, the last topic. */
  heal(): Promise<void>
}

/** Sets up an organization. Each of its texts has `marker`, which no other organization may ever read. */
export async function setStage(place: Place, name: string, marker: string): Promise<Stage> {
  const { fuzzer, receiverUrl } = place
  const pool = new Pool()
  const email = `${name}@example.com`
  const company = {
    companyName: `${marker} Labs`,
    companySize: 3,
    industry: 'Boats',
    botName: `${marker} bot`,
  }
  const signup = contentOf(
    await fuzzer.ask(ANYONE, 'createOrganization', { body: { ...company, humanEmail: email } }),
  )
  const organizationId = textIn(signup, 'organizationId')
  const inside = { organizationId }
  pool.add('organization', inside)
  const key = keyIn(Object(signup.credentials))
  const staticBot = { ...staticKeyCaller('static bot', key, 10), seesAll: true }

  // The keeper sends no fuzzed requests, so that its account stays able to repair the organization.
  const keeper = await accept(place, email, `${marker} keeper`, 0)
  const invite = async (role: string, address = `${name}-${role}@example.com`) => {
    const body = { email: address, role }
    const invited = await fuzzer.ask(keeper.caller, 'invitePerson', { path: inside, body }, pool)
    return { address, id: idIn(invited.body) }
  }
  const invited = {
    owner: await invite('owner'),
    deputy: await invite('owner', `${name}-deputy@example.com`),
    member: await invite('member'),
    admin: await invite('admin'),
  }
  const invitation = await tokenFor(place, invited.admin.address)
  const owner = await accept(place, invited.owner.address, `${marker} owner`, 6)
  // Requests may take an owner's session and password; then the other one is left.
  const deputy = await accept(place, invited.deputy.address, `${marker} deputy`, 6)
  const owners = [owner, deputy]
  for (const { caller } of owners) caller.seesAll = true
  const member = await accept(place, invited.member.address, `${marker} member`, 3)

  const createBot = async (settings: Record<string, unknown>) => {
    const body = { name: `${marker} helper`, delivery: 'polling', ...settings }
    return contentOf(await fuzzer.ask(keeper.caller, 'createBot', { path: inside, body }, pool))
  }
  const oauth = await createBot({ credential: 'oauth' })
  const narrow = await createBot({ credential: 'oauth', scopes: ['channel:list'] })
  const reading = await createBot({ credential: 'static', permission: 'read' })
  const token = await askForToken(fuzzer, oauth)
  const oauthBot = tokenCaller('OAuth bot', token, 6)
  const bots = [textIn(signup, 'botProfileId'), textIn(oauth, 'clientId')]
  const people = [textIn(signup, 'humanProfileId'), invited.owner.id, invited.deputy.id, invited.member.id]
  for (const memberId of [...bots, ...people]) pool.add('member', { memberId })
  const cast = new Set([...bots, ...people, ...[narrow, reading].map(({ bot }) => idIn(bot))])

  let fillings = 0
  let incomingToken = ''
  const fill = async () => {
    fillings += 1
    const name = `${marker} ${fillings}`
    const webhook = { credential: 'static', delivery: 'webhook', webhookUrl: receiverUrl }
    const botId = idIn((await createBot(webhook)).bot)
    pool.add('bot', { ...inside, botId })
    pool.add('member', { memberId: botId })
    const members = [...bots, ...people, botId]
    await converse(fuzzer, { pool, bot: oauthBot, members, name })
    const topicId = await converse(fuzzer, { pool, bot: staticBot, members, name })
    const memberId = invited.member.id
    await write(fuzzer, { topicId, bot: staticBot, person: keeper.caller, inside, memberId })
    await checkMessages(fuzzer, { topicId, bot: staticBot, owner: keeper.caller, inside, receiverUrl })
    const allowed = { ...inside, botId: textIn(signup, 'botProfileId') }
    await fuzzer.ask(keeper.caller, 'updateBot', { path: allowed, body: { opensDirectMessages: true } })
    await fuzzer.ask(staticBot, 'startDirectMessage', { body: { memberId } }, pool)
    await furnish(fuzzer, { pool, admin: keeper.caller, inside, botId, name, receiverUrl })
    await openAddress(fuzzer, { topicId, admin: keeper.caller, path: { ...inside, botId } }, pool)
    if (fillings === 1) {
      const subjects = { topicId, botId, memberId: invited.member.id, other: deputy.caller }
      await readContent(fuzzer, { person: keeper.caller, inside }, subjects)
    }
    // The fuzzed callers do not know this address, so none of them removes it.
    const path = { ...inside, botId: textIn(signup, 'botProfileId') }
    incomingToken = await openAddress(fuzzer, { topicId, admin: keeper.caller, path })
  }
  await fill()
  const { body: initial } = await fuzzer.ask(keeper.caller, 'readOrganization', { path: inside })
  return {
    organizationId,
    pool,
    callers: [
      staticBot,
      oauthBot,
      staticKeyCaller('reading bot', keyIn(reading), 1),
      tokenCaller('narrow bot', await askForToken(fuzzer, narrow), 1),
      ...owners.map(({ caller }) => caller),
      member.caller,
      ...strangers(key, token, owner.cookie(), fuzzer.url),
    ],
    cast,
    hints: {
      ...hintsFor({ pool, receiverUrl, oauth, email: invited.owner.address, invitation }),
      incomingToken: () => incomingToken,
    },
    secrets: [
      key.apiSecret,
      textIn(oauth, 'clientSecret'),
      token,
      incomingToken,
      PASSWORD,
      owner.cookie().replace(/^.*=/, ''),
    ],
    heal: async () => {
      await fuzzer.ask(keeper.caller, 'updateOrganization', { path: inside, body: settingsOf(initial) })
      // Two owners have to agree to switch four eyes off.
      const second = { path: inside, body: { fourEyes: false } }
      for (const { caller } of owners)
        await fuzzer.ask(caller, 'updateOrganization', second).catch(() => undefined)
      for (const person of [...owners, member]) await person.renew()
      if (isPoor(pool, cast)) await fill()
    },
  }
}

/** A person with an account. `renew` signs in again if the session has ended. */
type Person = { caller: Caller; cookie(): string; renew(): Promise<void> }

export async function accept(place: Place, email: string, name: string, weight: number): Promise<Person> {
  const { fuzzer } = place
  const visitor = personCaller('visitor', () => '', fuzzer.url, 0)
  const token = await tokenFor(place, email)
  await fuzzer.ask(visitor, 'lookAtInvitation', { body: { token } })
  const accepted = await fuzzer.ask(visitor, 'acceptInvitation', {
    body: { token, name, password: PASSWORD },
  })
  let cookie = cookieOf(accepted)
  const caller = personCaller(name, () => cookie, fuzzer.url, weight)
  return {
    caller,
    cookie: () => cookie,
    renew: async () => {
      const session = await fuzzer.ask(caller, 'readSession')
      if (Object(session.body).account !== null) return
      // Refused where a request has changed the password as well: then this person is gone until the next act.
      const signedIn = await fuzzer
        .ask(visitor, 'signIn', { body: { email, password: PASSWORD } })
        .catch(() => undefined)
      if (signedIn) cookie = cookieOf(signedIn)
      else caller.weight = 0
    },
  }
}

/** Whether requests have destroyed so much that the next ones would find nothing. */
const isPoor = (pool: Pool, cast: ReadonlySet<string>): boolean =>
  pool.all('bot').filter(({ botId = '' }) => !cast.has(botId)).length < 2 ||
  ['topic', 'message', 'task', 'poll', 'vote', 'reaction', 'label', 'orgUnit', 'delivery'].some(
    (resource) => pool.all(resource).length < 2,
  )

type Conversation = { pool: Pool; bot: Caller; members: string[]; name: string }

/** Topics of everybody, with a message, a reaction, a task and a poll in each; gives the last one. */
async function converse(fuzzer: Fuzzer, { pool, bot, members, name }: Conversation): Promise<string> {
  let topicId = ''
  await fuzzer.ask(bot, 'createLabel', { body: { name: `${name} of ${bot.name}` } }, pool)
  for (const externalId of [`${name}-first`, `${name}-second`]) {
    const topic = await fuzzer.ask(bot, 'createTopic', { body: { name, members, externalId } }, pool)
    topicId = idIn(topic.body)
    const said = await fuzzer.ask(bot, 'sendMessage', { body: { topicId, text: `${name} says` } }, pool)
    const path = { messageId: idIn(said.body) }
    await fuzzer.ask(bot, 'addReaction', { path, body: { reaction: '🚀' } }, pool)
    await fuzzer.ask(bot, 'createTask', { body: { topicId, title: `${name} task` } }, pool)
    const question = {
      topicId,
      question: `${name}?`,
      options: [`${name} yes`, 'no'],
      selectionType: 'multiple',
    }
    const poll = await fuzzer.ask(bot, 'createPoll', { body: question }, pool)
    const optionId = idIn(Object(poll.body).options?.[0])
    await fuzzer.ask(bot, 'castVote', { path: { pollId: idIn(poll.body) }, body: { optionId } }, pool)
  }
  return topicId
}

type Reader = { person: Caller; inside: { organizationId: string } }

const askToRead = (fuzzer: Fuzzer, { person, inside }: Reader, subjectType: string, subjectId: string) =>
  fuzzer.ask(person, 'askForReading', { path: inside, body: { subjectType, subjectId, reason: 'Case 12' } })

/** Reads content as only people with a reading may, and lets one wait for another owner. */
async function readContent(
  fuzzer: Fuzzer,
  reader: Reader,
  { topicId, botId, memberId, other }: { topicId: string; botId: string; memberId: string; other: Caller },
): Promise<void> {
  const { person, inside } = reader
  const opened = await askToRead(fuzzer, reader, 'topic', topicId)
  await fuzzer.ask(person, 'readTopicContent', { path: { ...inside, topicId }, body: {} })
  await fuzzer.ask(person, 'endReading', { path: { ...inside, readingId: idIn(opened.body) } })
  await askToRead(fuzzer, reader, 'member', memberId)
  await fuzzer.ask(person, 'readPersonData', { path: { ...inside, memberId }, body: {} })
  await askToRead(fuzzer, reader, 'bot', botId)
  const bot = { ...inside, botId }
  await fuzzer.ask(person, 'readBotContent', { path: bot, body: {} })
  const { body: listed } = await fuzzer.ask(person, 'listBotDeliveries', { path: bot })
  const deliveryId = String(Object(listed).deliveries?.[0]?.id)
  await fuzzer.ask(person, 'readDeliveryContent', { path: { ...bot, deliveryId } })
  const setFourEyes = (who: Caller, fourEyes: boolean) =>
    fuzzer.ask(who, 'updateOrganization', { path: inside, body: { fourEyes } })
  await setFourEyes(person, true)
  const waiting = await askToRead(fuzzer, reader, 'topic', topicId)
  const readingId = idIn(waiting.body)
  await fuzzer.ask(other, 'decideReading', { path: { ...inside, readingId }, body: { outcome: 'refused' } })
  for (const who of [person, other]) await setFourEyes(who, false)
}

type Writers = {
  topicId: string
  bot: Caller
  person: Caller
  inside: { organizationId: string }
  memberId: string
}

type Checking = Pick<Writers, 'topicId' | 'bot' | 'inside'> & { owner: Caller; receiverUrl: string }

/** Has a program asked about texts for a while, and decides about a message that it holds. */
async function checkMessages(
  fuzzer: Fuzzer,
  { topicId, bot, owner, inside, receiverUrl }: Checking,
): Promise<void> {
  const program = { address: new URL(CHECK, receiverUrl).href, whenAway: 'send' }
  await fuzzer.ask(owner, 'setMessageCheck', { path: inside, body: program })
  await fuzzer.ask(owner, 'testMessageCheck', { path: inside, body: { text: 'Fine?' } })
  const held = await fuzzer.ask(bot, 'sendMessage', { body: { topicId, text: 'odd' } })
  const path = { ...inside, heldMessageId: idIn(held.body) }
  await fuzzer.ask(owner, 'listHeldMessages', { path: inside })
  await fuzzer.ask(owner, 'readHeldMessage', { path, body: {} })
  await fuzzer.ask(owner, 'decideHeldMessage', { path, body: { outcome: 'released' } })
  await fuzzer.ask(owner, 'removeMessageCheck', { path: inside })
}

/** Changes messages as only their writers may: a person edits one, a bot streams one to its end and one until it is stopped, and asks with a button. */
async function write(fuzzer: Fuzzer, { topicId, bot, person, inside, memberId }: Writers): Promise<void> {
  const said = await fuzzer.ask(person, 'chatSendMessage', { path: inside, body: { topicId, text: 'Hello' } })
  const path = { ...inside, messageId: idIn(said.body) }
  await fuzzer.ask(person, 'chatEditMessage', { path, body: { text: 'Good morning' } })
  await fuzzer.ask(person, 'removePreview', { path })
  const loud = await fuzzer.ask(bot, 'sendMessage', { body: { topicId, text: 'LOUD' } })
  const reported = { ...inside, messageId: idIn(loud.body) }
  await fuzzer.ask(person, 'reportMessage', { path: reported, body: { reason: 'Too loud' } })
  const open = await fuzzer.ask(person, 'listReports', { path: inside })
  const report = { ...inside, reportId: String(Object(open.body).reports?.[0]?.id) }
  await fuzzer.ask(person, 'readReport', { path: report })
  await fuzzer.ask(person, 'decideReport', { path: report, body: { outcome: 'dismissed' } })
  const held = await fuzzer.ask(person, 'setHold', { path: inside, body: { topicId, reason: 'Case 12' } })
  const hold = { ...inside, holdId: idIn(held.body) }
  await askToRead(fuzzer, { person, inside }, 'hold', hold.holdId)
  await fuzzer.ask(person, 'readHeld', { path: hold, body: {} })
  await fuzzer.ask(person, 'endHold', { path: hold })
  await fuzzer.ask(person, 'saveMessage', { path, body: {} })
  await fuzzer.ask(person, 'unsaveMessage', { path })
  const question = { topicId, question: 'Now?', options: ['yes', 'no'], selectionType: 'multiple' }
  const poll = await fuzzer.ask(person, 'chatCreatePoll', { path: inside, body: question })
  const pollPath = { ...inside, pollId: idIn(poll.body) }
  const optionId = idIn(Object(poll.body).options?.[0])
  const vote = await fuzzer.ask(person, 'chatCastVote', { path: pollPath, body: { optionId } })
  await fuzzer.ask(person, 'chatRetractVote', { path: { ...pollPath, voteId: idIn(vote.body) } })
  const laterOf = async (who: Caller, send: string, at: Record<string, string>) => {
    const sendAt = Date.now() + 86_400_000
    const later = await fuzzer.ask(who, send, { path: at, body: { topicId, text: 'Later', sendAt } })
    return { ...at, scheduledMessageId: idIn(later.body) }
  }
  for (const [who, send, at, named] of [
    [bot, 'sendMessage', {}, (name: string) => name],
    [
      person,
      'chatSendMessage',
      inside,
      (name: string) => `chat${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    ],
  ] as const) {
    const changed = await laterOf(who, send, at)
    await fuzzer.ask(who, named('updateScheduledMessage'), { path: changed, body: { text: 'Then' } })
    await fuzzer.ask(who, named('sendScheduledMessage'), { path: changed })
    await fuzzer.ask(who, named('cancelScheduledMessage'), { path: await laterOf(who, send, at) })
  }
  const begin = async () => {
    const begun = await fuzzer.ask(bot, 'sendMessage', { body: { topicId, text: 'Well', streaming: true } })
    return idIn(begun.body)
  }
  const messageId = await begin()
  await fuzzer.ask(bot, 'setProgress', { path: { messageId }, body: { activity: 'searches the handbook' } })
  await fuzzer.ask(bot, 'appendToMessage', { path: { messageId }, body: { text: ' done' } })
  await fuzzer.ask(bot, 'tellWorking', { path: { topicId }, body: {} })
  await fuzzer.ask(bot, 'finishMessage', { path: { messageId }, body: {} })
  await fuzzer.ask(person, 'stopStreaming', { path: { ...inside, streamingId: await begin() } })
  const fields = [{ id: 'from', text: 'From', type: 'date' }]
  const commands = [
    { name: 'deploy', description: 'Deploy', arguments: [{ name: 'version' }] },
    { name: 'vacation', description: 'Ask for days off', fields },
  ]
  await fuzzer.ask(bot, 'setCommands', { body: { commands } })
  await fuzzer.ask(person, 'chatSendMessage', { path: inside, body: { topicId, text: '/deploy 1.4' } })
  await fuzzer.ask(person, 'sendCommandForm', {
    path: { ...inside, topicId },
    body: { text: '/vacation', values: { from: '2027-01-31' } },
  })
  const actions = { elements: [{ id: 'yes', text: 'Yes' }], use: 'always' }
  const asked = await fuzzer.ask(bot, 'sendMessage', { body: { topicId, text: 'Shall I?', actions } })
  const asking = await fuzzer.ask(bot, 'readMessage', { path: { messageId: idIn(asked.body) } })
  const pressed = await fuzzer.ask(person, 'pressAction', {
    path: { ...inside, actionMessageId: idIn(asked.body) },
    body: { actionsId: idIn(Object(asking.body).actions), elementId: 'yes' },
  })
  await fuzzer.ask(bot, 'noteAction', {
    path: { actionId: idIn(pressed.body) },
    body: { text: 'Thank you.' },
  })
  const openQuestion = { topicId, text: 'Deploy?', elements: [{ id: 'yes', text: 'Yes' }] }
  const { body: deploys } = await fuzzer.ask(bot, 'askQuestion', { body: openQuestion })
  await fuzzer.ask(bot, 'readQuestion', { path: { questionId: idIn(deploys) } })
  await fuzzer.ask(bot, 'withdrawQuestion', { path: { questionId: idIn(deploys) } })
  const note = { path: { key: 'note' } }
  await fuzzer.ask(bot, 'writeStorage', { ...note, body: { value: 'Well' } })
  await fuzzer.ask(bot, 'readStorage', note)
  await fuzzer.ask(bot, 'deleteStorage', note)
  const answered = { messageId: idIn(said.body), memberId }
  await fuzzer.ask(bot, 'answerPrivately', { path: answered, body: { text: 'Only for you.' } })
  await fuzzer.ask(bot, 'withdrawPrivateAnswer', { path: answered })
}

type Furniture = {
  pool: Pool
  admin: Caller
  inside: { organizationId: string }
  botId: string
  name: string
  receiverUrl: string
}

/** Makes things that need an admin: org units, a label, a webhook delivery. */
async function furnish(fuzzer: Fuzzer, furniture: Furniture): Promise<void> {
  const { pool, admin, inside, botId, name, receiverUrl } = furniture
  await fuzzer.ask(admin, 'createConsoleLabel', { path: inside, body: { name: `${name} label` } }, pool)
  for (const type of ['Team', 'Location']) {
    const unit = { name: `${name} ${type}`, tag: `${name}-${type}`.replaceAll(' ', '-'), type }
    await fuzzer.ask(admin, 'createConsoleOrgUnit', { path: inside, body: unit }, pool)
  }
  const group = { name: `${name} group`, tag: `${name}-group`.replaceAll(' ', '-') }
  await fuzzer.ask(admin, 'createGroup', { path: inside, body: group }, pool)
  await fuzzer.ask(admin, 'testWebhook', { path: { ...inside, botId } }, pool)
  await fuzzer.ask(admin, 'listBotDeliveries', { path: { ...inside, botId } }, pool)
  const further = { url: `${receiverUrl}further` }
  await fuzzer.ask(admin, 'addWebhookAddress', { path: { ...inside, botId }, body: further }, pool)
  await fuzzer.ask(admin, 'readAccount', {}, pool)
}

type Address = { topicId: string; admin: Caller; path: Record<string, string> }

/** Makes an address that other programs post to, posts to it, and gives its secret part. */
async function openAddress(fuzzer: Fuzzer, { topicId, admin, path }: Address, pool?: Pool): Promise<string> {
  const body = { topicId, name: 'Builds' }
  const made = await fuzzer.ask(admin, 'createIncomingWebhook', { path, body }, pool)
  const incomingToken = String(Object(made.body).url).replace(/^.*\//, '')
  const hello = { path: { incomingToken }, body: { text: 'Hello' } }
  await fuzzer.ask(ANYONE, 'receiveWebhook', hello)
  return incomingToken
}

type Given = {
  pool: Pool
  receiverUrl: string
  oauth: Record<string, unknown>
  email: string
  /** The token of an invitation that is never accepted. */
  invitation: string
}

function hintsFor({ pool, receiverUrl, oauth, email, invitation }: Given): Hints {
  const soon = (random: Random) => Date.now() + random.integer(60_000, 86_400_000)
  return {
    password: () => PASSWORD,
    currentPassword: () => PASSWORD,
    'signIn.email': () => email,
    'lookAtInvitation.token': () => invitation,
    webhookUrl: () => receiverUrl,
    // Uses a new URL each time, because a bot has an address once.
    'addWebhookAddress.url': (random) => `${receiverUrl}${random.next().toString(36)}`,
    'updateWebhookAddress.url': (random) => `${receiverUrl}${random.next().toString(36)}`,
    reaction: (random) => random.pick(['👍', '🚀', '❤️', '👩‍🚀', '🇩🇪', '1️⃣']),
    expiresAt: soon,
    tag: (random) => `tag-${random.next().toString(36)}`,
    timeout: (random) => random.integer(0, 1),
    rateLimit: () => null,
    messagesPerDay: () => null,
    tokensPerDay: () => null,
    retentionDays: () => null,
    // An archived topic takes no messages, and the next requests want to write.
    'updateChatTopic.archived': (random) => random.chance(0.05),
    // A program that is away must not keep the next requests from writing.
    'setMessageCheck.address': () => new URL(CHECK, receiverUrl).href,
    'setMessageCheck.whenAway': () => 'send',
    'readUpdates.offset': (random) => pool.pick(random, 'offset')?.offsetId ?? 'oldest',
    'listBotEvents.after': () => '0',
    'readStream.after': () => '0',
    // Few, so that what one request writes another one reads, writes over or deletes.
    'readStorage.key': storageKey,
    'writeStorage.key': storageKey,
    'deleteStorage.key': storageKey,
    'readTopicByExternalId.externalId': (random) => pool.pick(random, 'topic')?.externalId ?? 'first',
    grant_type: () => 'client_credentials',
    client_id: () => textIn(oauth, 'clientId'),
    client_secret: () => textIn(oauth, 'clientSecret'),
    scope: () => 'channel:list message:read',
  }
}

const storageKey = (random: Random) => random.pick(['settings', 'user:ada', 'count'])

/** Settings that an organization is put back to: some as it was read with, the others fixed. */
function settingsOf(organization: unknown): Record<string, unknown> {
  const { rateLimit = null, retentionDays = null, restrictToOrgUnits = false } = Object(organization)
  return {
    rateLimit,
    retentionDays,
    restrictToOrgUnits,
    requireSecondFactor: false,
    requireSignOn: false,
    signInDays: null,
    fourEyes: false,
    showPresence: true,
  }
}

async function askForToken(fuzzer: Fuzzer, bot: Record<string, unknown>): Promise<string> {
  const credentials = { client_id: textIn(bot, 'clientId'), client_secret: textIn(bot, 'clientSecret') }
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...credentials }).toString()
  const contentType = 'application/x-www-form-urlencoded'
  const answer = await fuzzer.ask(ANYONE, 'createToken', {
    form: { content: Buffer.from(form), contentType },
  })
  return textIn(contentOf(answer), 'access_token')
}

/** The token of the last link that was mailed to this address; mail goes to a folder here. */
export async function tokenFor({ dataDir }: Place, address: string): Promise<string> {
  const folder = join(dataDir, 'outbox')
  const deadline = Date.now() + MAIL_LIMIT_MS
  while (Date.now() < deadline) {
    const names = (await readdir(folder).catch(() => []))
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse()
    for (const name of names.slice(0, 20)) {
      const mail = (await readFile(join(folder, name), 'utf8')).replace(/=\n/g, '')
      const token = /#(?:token=)?(?:3D)?([\w-]{16,})/.exec(mail)?.[1]
      if (token !== undefined && mail.includes(`To: ${address}`)) return token
    }
    await sleep(20)
  }
  throw new Error(`no mail to ${address}`)
}

const contentOf = ({ body }: Answer): Record<string, unknown> => (isObject(body) ? body : {})
const textIn = (body: Record<string, unknown>, name: string): string => String(body[name])
export const idIn = (body: unknown): string => String(Object(body).id)
const keyIn = ({ apiKey, apiSecret }: Record<string, unknown>): StaticKey => ({
  apiKey: String(apiKey),
  apiSecret: String(apiSecret),
})
/** Cookies set by an answer, without removed ones. */
export const cookieOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .filter((cookie) => !/;\s*Max-Age=0\b/i.test(cookie))
    .map((cookie) => cookie.replace(/;.*/, ''))
    .join('; ')
