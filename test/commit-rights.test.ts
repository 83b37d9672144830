import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import type { Endpoint } from '../contract/operation.ts'
import { PEOPLE_OPERATIONS } from '../contract/people/index.ts'
import { textOf } from '../contract/refusals/index.ts'
import { PERSON_SCOPES } from '../contract/scopes.ts'
import { PEOPLE_TOOLS, TOOLS } from '../contract/tools.ts'
import { replaceKey, replaceSecret } from '../server/actions/bots/bot-settings.ts'
import { deactivateBot, deleteBot, revokeTokens, setBot, setPaused } from '../server/actions/bots/bots.ts'
import { endSessionsHere, setMemberStatus } from '../server/actions/members/members.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { issueAssistantToken } from '../server/auth/assistants.ts'
import { endSessions } from '../server/auth/sessions.ts'
import { Database } from '../server/db/database.ts'
import { sql, verbatim } from '../server/db/sql.ts'
import type { Transaction } from '../server/db/transaction.ts'
import { oauthBot, staticBot, type TestBot } from './support/cast.ts'
import { sign } from './support/client.ts'
import { bodyOf, type Ids, newOrganization, newThings, pathOf } from './support/console.ts'
import { form } from './support/forms.ts'
import { type HeldRequest, HeldRequests } from './support/held-requests.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { PNG } from './support/samples.ts'
import { IS_THOROUGH } from './support/thorough.ts'

/*
 * A caller who loses a right writes nothing from then on, at any point of a request. This covers each operation of the
 * contract that is no GET, by each kind of caller, at each moment of a request. All operations of a caller wait
 * together while the caller's right is taken.
 */

let server: TestParley
/** A database that takes rights as another node would, and may stop half-way. */
let other: Database
let orgId: string
let elsewhere: string
/** Things of bots, and of people, which stay as they are because all is refused. */
let ofBots: Ids
let ofPeople: Ids

beforeAll(async () => {
  // Writes beside the organization's writer hold a connection each, and wait as long as a busy machine needs.
  server = await startTestParley({}, { max: 30, lock_timeout: 20_000 })
  const { database } = server.parley.db.config
  other = new Database({ ...inject('postgres'), database, idle_in_transaction_session_timeout: 0 })
  await other.open()
  const here = await newOrganization(server, 'Here')
  orgId = here.orgId
  ofBots = await newThings(server, orgId)
  ofPeople = await newThings(server, orgId, here.owner)
  elsewhere = (await newOrganization(server, 'Elsewhere')).orgId
})
afterAll(async () => {
  await other.close()
  await server.close()
})

type Refusal = { status: number; body?: string }
/** A new person or bot, and all requests that they can make. */
type Cast = {
  requests: HeldRequest[]
  take(tx: Transaction): Promise<unknown>
  /** Undoes what was taken from everybody in the organization. */
  giveBack?(): Promise<unknown>
}
type Case = {
  right: string
  refusal: Refusal
  sendsFiles?: boolean
  /** Whether the answer does not depend on the operation: the gate sends one request of each kind. */
  isAlike?: boolean
  cast(): Promise<Cast>
}

const isWrite = ({ method }: Endpoint) => method !== 'GET'
const BOT_WRITES = OPERATIONS.filter((operation) => isWrite(operation) && operation.scope !== null)
const MEMBER_WRITES = PEOPLE_OPERATIONS.filter(
  (operation) => isWrite(operation) && operation.path.includes('{organizationId}'),
)
const ACCOUNT_WRITES = PEOPLE_OPERATIONS.filter(
  (operation) => isWrite(operation) && operation.access === 'account',
)

/** The request of an operation as its example shows it; with a form it is sent as one, too. */
function requestsOf(operation: Endpoint, ids: Ids): Omit<HeldRequest, 'headers'>[] {
  const { id, method } = operation
  const target = pathOf(operation, {
    key: 'position',
    passkeyId: randomUUID(),
    sessionId: randomUUID(),
    ...ids,
  })
  const json = JSON.stringify(bodyOf(operation, ids) ?? {})
  const plain = operation.body || !operation.form ? [{ name: id, method, target, body: json }] : []
  if (!operation.form) return plain
  const meta = bodyOf({ bodyExample: operation.form.metaExample }, ids)
  const { body } = form(Object(meta), [{ content: PNG, name: 'a.png' }], {
    metaPart: operation.form.metaParts[0],
  })
  return [...plain, { name: `${id} with a file`, method, target, body }]
}

const typeOf = (body: string | Buffer): string =>
  typeof body === 'string' ? 'application/json' : `multipart/form-data; boundary=${boundaryOf(body)}`
const boundaryOf = (body: Buffer): string => body.subarray(2, body.indexOf('\r\n')).toString()

const botRequests = (bot: TestBot, ids: Ids): HeldRequest[] =>
  BOT_WRITES.flatMap((operation) => requestsOf(operation, ids)).map((request) => ({
    ...request,
    headers: { 'Content-Type': typeOf(request.body), ...credentialsOf(bot, request.body) },
  }))

function credentialsOf({ credentials }: TestBot, body: string | Buffer): Record<string, string> {
  if (!credentials) return {}
  if ('token' in credentials) return { Authorization: `Bearer ${credentials.token}` }
  const timestamp = String(Date.now())
  return {
    Authorization: `Bearer ${credentials.apiKey}`,
    'X-Timestamp': timestamp,
    'X-Signature': sign(credentials.apiSecret, timestamp, body),
  }
}

async function joins({ topicId }: Ids, profileId: string): Promise<void> {
  await server.parley.db.query(sql`
    insert into topic_members (org_id, topic_id, profile_id, joined_at, topic_created_at)
    select org_id, id, ${profileId}, 0, created_at from topics where org_id = ${orgId} and id = ${topicId}`)
}

/** A case for bots of either credential. */
const botCase = (
  right: string,
  make: () => Promise<TestBot>,
  refusal: Refusal,
  take: (tx: Transaction, botId: string) => Promise<unknown>,
  { isAlike = true } = {},
): Case => ({
  right,
  refusal,
  isAlike,
  async cast() {
    const bot = await make()
    await joins(ofBots, bot.id)
    return { requests: botRequests(bot, ofBots), take: (tx) => take(tx, bot.id) }
  },
})

const withKey = () => staticBot(server, orgId, 'Key bot')
const withToken = () => oauthBot(server, orgId, 'Token bot')
const PAUSED = { status: 403, body: textOf('bot_paused') }
const UNKNOWN = { status: 401, body: 'unauthorized' }
const pause = (tx: Transaction, botId: string) => setPaused(tx, botId, true)
const remove = (tx: Transaction, botId: string) => deleteBot(tx, botId, botId)
const BOTS: Case[] = [
  botCase('a key whose bot is paused', withKey, PAUSED, pause, { isAlike: false }),
  botCase('a key whose bot is switched off', withKey, UNKNOWN, deactivateBot),
  botCase('a key whose bot is deleted', withKey, UNKNOWN, remove),
  botCase('a key whose secret is replaced', withKey, UNKNOWN, (tx, botId) =>
    replaceSecret(tx, server.parley, OPERATOR, botId),
  ),
  botCase('a key that is replaced', withKey, UNKNOWN, (tx, botId) =>
    replaceKey(tx, server.parley, OPERATOR, botId),
  ),
  botCase('a token whose bot is paused', withToken, PAUSED, pause),
  botCase('a token whose bot is switched off', withToken, UNKNOWN, deactivateBot),
  botCase('a token whose bot is deleted', withToken, UNKNOWN, remove),
  botCase('a token that is revoked', withToken, UNKNOWN, revokeTokens),
  botCase(
    'a token whose scopes are taken',
    withToken,
    { status: 403 },
    (tx, botId) => setBot(tx, botId, { scopes: [] }),
    { isAlike: false },
  ),
]

const cookieOf = ({ cookies }: TestPerson): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

const personRequests = (who: TestPerson, operations: readonly Endpoint[], ids: Ids): HeldRequest[] =>
  operations
    .flatMap((operation) => requestsOf(operation, ids))
    .map((request) => ({
      ...request,
      headers: { 'Content-Type': typeOf(request.body), Cookie: cookieOf(who), Origin: server.url },
    }))

/** A case for an owner, who has every right. */
const personCase = (
  right: string,
  refusal: Refusal,
  take: (tx: Transaction, who: TestPerson) => Promise<unknown>,
  {
    operations = MEMBER_WRITES,
    isElsewhere = true,
    isAlike = false,
    giveBack,
  }: {
    operations?: readonly Endpoint[]
    isElsewhere?: boolean
    isAlike?: boolean
    giveBack?: () => Promise<unknown>
  } = {},
): Case => ({
  right,
  refusal,
  isAlike,
  sendsFiles: operations.some(({ form }) => form),
  async cast() {
    const email = `${randomUUID()}@people.test`
    if (isElsewhere) await signInAs(server, { orgId: elsewhere, email })
    const who = await signInAs(server, { orgId, role: 'owner', email })
    await joins(ofPeople, who.profileId)
    await who.get(`/people/organizations/${orgId}`) // noted to the hour, and not among what follows
    return {
      requests: personRequests(who, operations, ofPeople),
      take: (tx) => take(tx, who),
      ...(giveBack && { giveBack }),
    }
  },
})

const SIGN_IN = { status: 401, body: 'sign in first' }
const archive = (tx: Transaction, { profileId }: TestPerson) => setMemberStatus(tx, profileId, 'Archived')
const end = (tx: Transaction, { accountId }: TestPerson) => endSessions(tx, accountId)
const doubt = (tx: Transaction, { profileId }: TestPerson) =>
  tx.query(sql`update profiles set needs_proof = true where org_id = ${orgId} and id = ${profileId}`)

/** A setting of the organization, for everybody in it until it is given back. */
const setting = (name: 'allow_assistants' | 'require_second_factor' | 'require_sign_on') => {
  const set = (tx: Transaction, value: boolean) =>
    tx.query(sql`update organizations set ${verbatim(name)} = ${value} where org_id = ${orgId}`)
  return {
    take: (tx: Transaction) => set(tx, name !== 'allow_assistants'),
    giveBack: () => other.write(orgId, (tx) => set(tx, name === 'allow_assistants')),
  }
}
const [secondFactor, signOn, noAssistants] = [
  setting('require_second_factor'),
  setting('require_sign_on'),
  setting('allow_assistants'),
]
const PEOPLE: Case[] = [
  personCase('a session that is ended', SIGN_IN, end),
  personCase('a session that is ended, for the account', SIGN_IN, end, { operations: ACCOUNT_WRITES }),
  personCase(
    'a session that an admin ends here',
    { status: 403 },
    (tx, { profileId }) => endSessionsHere(tx, profileId),
    { isAlike: true },
  ),
  personCase('a session whose address has to be proven again', { status: 403 }, doubt, { isAlike: true }),
  personCase('a session without the second factor that is asked for', { status: 403 }, secondFactor.take, {
    isAlike: true,
    giveBack: secondFactor.giveBack,
  }),
  personCase('a session without the single sign-on that is asked for', { status: 403 }, signOn.take, {
    isAlike: true,
    giveBack: signOn.giveBack,
  }),
  personCase('a member who is archived', { status: 404, body: 'Organization not found' }, archive),
  personCase('a member who is archived and is nowhere else', SIGN_IN, archive, {
    isElsewhere: false,
    isAlike: true,
  }),
  personCase(
    'an owner who becomes a member',
    { status: 403, body: 'forbidden' },
    (tx, { profileId }) =>
      tx.query(sql`update profiles set role = 'member' where org_id = ${orgId} and id = ${profileId}`),
    {
      operations: MEMBER_WRITES.filter(({ access }) => access === 'admin' || access === 'owner'),
    },
  ),
  personCase(
    'a person who becomes a guest',
    { status: 403, body: 'forbidden' },
    (tx, { profileId }) =>
      tx.query(sql`update profiles set role = 'guest' where org_id = ${orgId} and id = ${profileId}`),
    {
      operations: MEMBER_WRITES.filter(({ access }) => access === 'member'),
    },
  ),
]

/** A tool call for each operation that writes. */
const toolRequests = (
  tools: typeof TOOLS,
  headersOf: (body: string) => Record<string, string>,
  ids: Ids,
): HeldRequest[] =>
  tools
    .filter(({ operation }) => isWrite(operation))
    .map(({ definition, operation, places }) => {
      const example = Object.entries({ ...ids, ...Object(bodyOf(operation, ids)) })
      const given = Object.fromEntries(
        example.filter(([name]) => places.get(name) === 'body' || places.get(name) === 'params'),
      )
      const call = { name: definition.name, arguments: given }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json', ...headersOf(body) }
      return { name: definition.name, method: 'POST', target: '/mcp', headers, body }
    })

const assistantCase = (
  right: string,
  take: (tx: Transaction, assistantId: string, who: TestPerson) => Promise<unknown>,
  giveBack?: () => Promise<unknown>,
): Case => ({
  right,
  refusal: { status: 401 },
  async cast() {
    const who = await signInAs(server, { orgId, email: `${randomUUID()}@people.test` })
    await joins(ofPeople, who.profileId)
    const { db, clock } = server.parley
    const assistantId = randomUUID()
    await db.query(sql`
      insert into assistants (org_id, id, profile_id, client_id, name, host, is_verified, scopes, signed_in_with, created_at,
        connected_at, last_used_at, expires_at)
      values (${orgId}, ${assistantId}, ${who.profileId}, 'c_none', 'Assistant', '127.0.0.1', false, ${PERSON_SCOPES}::text[], 'password',
        ${clock()}, ${clock()}, ${clock()}, ${clock() + 86_400_000})`)
    const expiresAt = clock() + 600_000
    const token = await issueAssistantToken(db, { orgId, id: assistantId }, { kind: 'access', expiresAt })
    return {
      requests: toolRequests(PEOPLE_TOOLS, () => ({ Authorization: `Bearer ${token}` }), ofPeople),
      take: (tx) => take(tx, assistantId, who),
      ...(giveBack && { giveBack }),
    }
  },
})

const ASSISTANTS: Case[] = [
  assistantCase('an assistant that is ended', (tx, id) =>
    tx.query(sql`delete from assistants where org_id = ${orgId} and id = ${id}`),
  ),
  assistantCase('an assistant whose person is archived', (tx, _id, who) => archive(tx, who)),
  assistantCase('an assistant whose person has to prove the address again', (tx, _id, who) => doubt(tx, who)),
  assistantCase('an assistant where none is allowed any more', noAssistants.take, noAssistants.giveBack),
  {
    right: 'an assistant that is a bot, which is switched off',
    refusal: { status: 401 },
    async cast() {
      const bot = await withKey()
      await joins(ofBots, bot.id)
      return {
        requests: toolRequests(TOOLS, (body) => credentialsOf(bot, body), ofBots),
        take: (tx) => deactivateBot(tx, bot.id),
      }
    },
  },
]

/** All stored rows, but for last visits, limits, and texts that bots are writing, which are saved a second later. */
const LEFT_OUT = ['sessions', 'budgets', 'streaming_messages', 'organization_storage']
async function everything(db: Pick<Database, 'query'>): Promise<Record<string, string>> {
  const tables = await other.query<{ name: string }>(sql`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname <> all(${LEFT_OUT}::text[]) order by 1`)
  const contents = tables.map(({ name }) => {
    const row = ['profiles', 'assistants'].includes(name)
      ? `(to_jsonb(t) - 'last_seen_at' - 'last_used_at')`
      : 't'
    return `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(${row}::text, 0)), 0) as content from ${name} t`
  })
  const rows = await db.query<{ name: string; content: string }>(verbatim(contents.join(' union all ')))
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]))
}

/** Resolves when the server has read this many heads, or bodies, since it was made. */
function counting() {
  const seen = { heads: 0, bodies: 0 }
  const onRequest = (request: IncomingMessage) => {
    seen.heads += 1
    request.once('end', () => {
      seen.bodies += 1
    })
  }
  server.app.server.prependListener('request', onRequest)
  return { seen, stop: () => server.app.server.off('request', onRequest) }
}

const isAwaited = async () =>
  (
    await other.query(sql`
      select 1 as one from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).length > 0

type Run = { requests: HeldRequests; early: Set<string>; expected: Record<string, string> }

const MOMENTS: Record<string, (cast: Cast) => Promise<Run>> = {
  async 'before it is sent'({ requests, take }) {
    const held = new HeldRequests()
    const expected = await taken(take)
    await held.sendHeads(server.url, requests)
    held.sendBodies()
    return { requests: held, early: new Set(), expected }
  },
  async 'while its body is held back'({ requests, take }) {
    const held = new HeldRequests()
    const { seen, stop } = counting()
    await held.sendHeads(server.url, requests)
    await expect.poll(() => seen.heads).toBe(requests.length)
    stop()
    const expected = await taken(take)
    held.sendBodies()
    return { requests: held, early: new Set(), expected }
  },
  async 'while it waits for its commit'({ requests, take }) {
    const held = new HeldRequests()
    const { seen, stop } = counting()
    await held.sendHeads(server.url, requests)
    await expect.poll(() => seen.heads).toBe(requests.length)
    const before = await everything(other)
    const run = await other.transaction(async (open) => {
      const tx = await open.enter(orgId)
      await take(tx)
      await tx.storeNumbers()
      held.sendBodies()
      await expect.poll(() => seen.bodies).toBe(requests.length)
      stop()
      await expect.poll(isAwaited).toBe(true)
      const early = await held.answeredEarly()
      // An answer that came although the right is being taken is one for which nothing was written.
      const { stored_files = '' } = before // stored before their transaction, and removed where it is refused
      expect({ ...(await everything(other)), stored_files }, [...early].join(' ')).toEqual(before)
      return { requests: held, early, expected: { ...(await everything(open)), stored_files } }
    })
    return run
  },
}

/** Sends the forms, and takes the right after their callers were let in, while the files are looked at. */
async function takenBeforeFilesAreSeen({ requests, take }: Cast): Promise<Run> {
  const forms = requests.filter(({ body }) => Buffer.isBuffer(body))
  const { images } = server.parley
  let looks = 0
  let goOn = () => {}
  const isTaken = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const wait = () => {
    looks += 1
    return isTaken
  }
  const { sniff, makePicture } = images
  const spies = [
    vi.spyOn(images, 'sniff').mockImplementation((...given) => wait().then(() => sniff.apply(images, given))),
    vi
      .spyOn(images, 'makePicture')
      .mockImplementation((...given) => wait().then(() => makePicture.apply(images, given))),
  ]
  const held = new HeldRequests()
  await held.sendHeads(server.url, forms)
  held.sendBodies()
  expect(forms).not.toEqual([])
  await expect.poll(() => looks).toBe(forms.length)
  const expected = await taken(take)
  for (const spy of spies) spy.mockRestore()
  goOn()
  return { requests: held, early: new Set(), expected }
}

/** Takes the right, as the server itself would be done with it; all that is stored then. */
async function taken(take: Cast['take']): Promise<Record<string, string>> {
  await other.write(orgId, take)
  await server.parley.notifications.caughtUp()
  return everything(other)
}

async function expectRefused(run: Run, refusal: Refusal): Promise<void> {
  const answers = await run.requests.answers()
  const wrong = [...answers].filter(
    ([name, { status, body }]) =>
      !run.early.has(name) &&
      (status !== refusal.status || (refusal.body !== undefined && body !== refusal.body)),
  )
  expect(Object.fromEntries(wrong), `${wrong.length} of ${answers.size} operations`).toEqual({})
  expect(await everything(other)).toEqual(run.expected)
}

/** One request of each method, as JSON and with a file. */
function oneOfEachKind(requests: readonly HeldRequest[]): HeldRequest[] {
  const kinds = new Map(requests.map((request) => [`${request.method} ${typeof request.body}`, request]))
  return [...kinds.values()]
}

describe.each([...BOTS, ...PEOPLE, ...ASSISTANTS])('$right', ({ refusal, isAlike, cast }) => {
  it.each(Object.keys(MOMENTS))(
    'gives no write from then on: taken %s',
    { timeout: 60_000 },
    async (moment) => {
      const { requests, take, giveBack } = await cast()
      if (giveBack) onTestFinished(() => giveBack().then(() => {}))
      const isWhole = IS_THOROUGH || !isAlike
      const run = await MOMENTS[moment]?.({ requests: isWhole ? requests : oneOfEachKind(requests), take })
      if (!run) throw new Error('there is such a moment')
      await expectRefused(run, refusal)
    },
  )
})

it.each([...BOTS, ...PEOPLE.filter(({ sendsFiles }) => sendsFiles)])(
  'gives no write of files: $right, taken while they are looked at',
  { timeout: 60_000 },
  async ({ refusal, cast }) => {
    const whole = await cast()
    const { giveBack } = whole
    if (giveBack) onTestFinished(() => giveBack().then(() => {}))
    await expectRefused(await takenBeforeFilesAreSeen(whole), refusal)
  },
)

it('costs no statement while no right is taken: a text of a bot or a person asks for neither', async () => {
  const bot = await withKey()
  await joins(ofBots, bot.id)
  const who = await signInAs(server, { orgId, email: `${randomUUID()}@people.test` })
  await joins(ofBots, who.profileId)
  const text = { topicId: ofBots.topicId, text: 'Hello' }
  const send = async () => [
    (await bot.post('/v2/messages', text)).status,
    (await who.post(`/people/organizations/${orgId}/chat/messages`, text)).status,
  ]
  expect(await send()).toEqual([201, 201])
  const { identities, db } = server.parley
  const looks = [vi.spyOn(identities, 'renewed'), vi.spyOn(identities, 'renewedIn')]
  const asked = vi.spyOn(db.pool, 'query')
  for (let count = 0; count < 10; count++) expect(await send()).toEqual([201, 201])
  const texts = asked.mock.calls.map(([statement]) => String(Object(statement).text))
  for (const spy of [...looks, asked]) spy.mockRestore()
  expect(looks.map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  expect(texts.filter((one) => /\b(bots|profiles|sessions|assistants)\b/.test(one))).toEqual([])
})

/** Routes for callers without rights, who get one by a link or a token. */
const WITHOUT_RIGHTS = [
  'invitations.ts',
  'joining.ts',
  'directory-sign-in.ts',
  'sessions.ts',
  'setup.ts',
  'saml.ts',
  'sign-on.ts',
  'passwords.ts',
  'passkeys.ts',
  'second-factor.ts',
  'start.ts',
  'bot-api.ts',
  'people-api.ts',
]

it('is compared by every route that writes: none opens a transaction without its caller', async () => {
  const opening = /\bdb\s*\.(write|transaction)\(/
  const files = await readdir('server', { recursive: true })
  const routes = files.filter((file) => /^(routes|http)\/.*\.ts$/.test(file))
  const found: string[] = []
  for (const file of routes) if (opening.test(await readFile(join('server', file), 'utf8'))) found.push(file)
  expect(routes.length).toBeGreaterThan(100)
  expect(found.filter((file) => !WITHOUT_RIGHTS.includes(basename(file)))).toEqual([])
})
