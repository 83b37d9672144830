import { randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import type { PeopleOperation } from '../../contract/operation.ts'
import { PEOPLE_OPERATIONS } from '../../contract/people/index.ts'
import { setBot } from '../../server/actions/bots/bots.ts'
import { createIncomingWebhook } from '../../server/actions/bots/incoming-webhooks.ts'
import { addAddress } from '../../server/actions/bots/webhook-addresses.ts'
import { createOrgUnit } from '../../server/actions/members/org-units.ts'
import { OPERATOR } from '../../server/actions/organization/audit.ts'
import { createLabel } from '../../server/actions/topics/labels.ts'
import { registerClient } from '../../server/auth/oauth-clients.ts'
import { sql } from '../../server/db/sql.ts'
import type { Transaction } from '../../server/db/transaction.ts'
import { organization, person, staticBot } from './cast.ts'
import type { Answer } from './client.ts'
import { form } from './forms.ts'
import type { TestParley } from './parley.ts'
import { signInAs, type TestPerson, type VisitOptions, type Visitor } from './people.ts'

export const ORGANIZATION_OPERATIONS = PEOPLE_OPERATIONS.filter(({ path }) =>
  path.includes('{organizationId}'),
)

export type Ids = Record<string, string>

/**
 * One thing of each kind that the path of an operation can name, new and unlike those before. Messages in a topic are
 * sent by `speaker`, or by a bot; every person of the organization is in the topic, unless others are named. `word` is in all that is said.
 */
export async function newThings(
  server: TestParley,
  orgId: string,
  speaker?: TestPerson,
  { insiders, word }: { insiders?: readonly string[]; word?: string } = {},
): Promise<Ids> {
  const said = (text: string) => (word === undefined ? text : `${text} ${word}`)
  const unique = `${orgId}-${++things}`
  const { db } = server.parley
  const bot = await staticBot(server, orgId, `Bot ${unique}`)
  const webhookUrl = 'https://example.com/hook'
  await db.write(orgId, (tx) => setBot(tx, bot.id, { delivery: 'webhook', webhookUrl }))
  const people = await db.query<{ id: string }>(sql`
    select id from profiles where org_id = ${orgId} and kind = 'user' and status = 'Active' order by created_at limit 90`)
  const members = insiders ?? people.map(({ id }) => id)
  const topicId = Object((await bot.post('/v2/topics', { name: 'Topic', members })).body).id
  await bot.post('/v2/messages', { topicId, text: said('Hello') })
  const post = async (path: string, body: unknown) => {
    const chat = `/people/organizations/${orgId}/chat/${path}`
    const answer = await (speaker ? speaker.post(chat, body) : bot.post(`/v2/${path}`, body))
    return Object(answer.body)
  }
  const messageId: string = (await post('messages', { topicId, text: said('Hello') })).id
  await speaker?.patch(`/people/organizations/${orgId}/chat/saved-messages/${messageId}`, {})
  const sendAt = server.parley.clock() + 86_400_000
  const scheduledMessageId: string = (await post('messages', { topicId, text: said('Later'), sendAt })).id
  const begun = await bot.post('/v2/messages', { topicId, streaming: true, text: said('Well') })
  const actions = { elements: [{ id: 'approve', text: 'Yes' }] }
  const asked = await bot.post('/v2/messages', { topicId, text: said(`Shall I, ${unique}?`), actions })
  const question = await bot.get(`/v2/messages/${Object(asked.body).id}`)
  const reactionId: string = (await post(`messages/${messageId}/reactions`, { reaction: '🚀' })).id
  const taskId: string = (await post('tasks', { topicId, title: said('Task') })).id
  const poll = { topicId, question: said('Now?'), options: ['yes', 'no'], selectionType: 'multiple' }
  const { id: pollId, options } = await post('polls', poll)
  const optionId: string = options[1].id
  const voteId: string = (await post(`polls/${pollId}/votes`, { optionId: options[0].id })).id
  const [delivery] = await db.query<{ id: string }>(
    sql`select id from deliveries where org_id = ${orgId} and bot_id = ${bot.id}`,
  )
  const unit = { name: 'Unit', tag: `tag-${unique}`, type: 'Team' as const }
  const memberId = await person(server, orgId, 'Pia', { status: 'Pending', email: `${unique}@things.test` })
  await db.query(sql`
    insert into second_factors (account_id, secret, started_at, enabled_at)
    select account_id, '', 0, 0 from profiles where org_id = ${orgId} and id = ${memberId}`)
  const orgUnitId = await db.write(orgId, async (tx) => (await createOrgUnit(tx, unit, OPERATOR)).id)
  // The organization restricts units to their members.
  await db.query(sql`
    insert into org_unit_members (org_id, org_unit_id, profile_id, joined_at)
    select org_id, ${orgUnitId}, id, 0 from profiles where org_id = ${orgId} and id = ${speaker?.profileId ?? null}`)
  const request = await authorizationRequest(server)
  return db.write(orgId, async (tx) => ({
    organizationId: orgId,
    memberId,
    botId: bot.id,
    topicId,
    messageId,
    scheduledMessageId,
    streamingId: Object(begun.body).id,
    actionMessageId: Object(asked.body).id,
    actionsId: Object(question.body).actions.id,
    hash: Object(question.body).actions.hash,
    reactionId,
    taskId,
    pollId,
    optionId,
    voteId,
    deliveryId: delivery?.id ?? '',
    incomingWebhookId: (
      await createIncomingWebhook(tx, server.parley, OPERATOR, bot.id, { topicId, name: 'Builds' })
    ).incomingWebhookId,
    addressId: (await addAddress(tx, server.parley, OPERATOR, bot.id, { url: 'https://example.com/further' }))
      .addressId,
    // An ended link, because the number of working ones is limited.
    joinLinkId: await endedJoinLink(tx, server),
    holdId: await standingHold(tx, { topicId, memberId }),
    readingId: await waitingReading(tx, { topicId, memberId }),
    subjectId: topicId,
    reportId: await openReport(tx, { messageId, topicId, memberId }),
    labelId: (await createLabel(tx, unique.slice(-60), OPERATOR)).id,
    orgUnitId,
    emojiName: await newEmoji(tx, speaker?.profileId ?? memberId),
    request,
    assistantId: await connectedAssistant(tx, speaker?.profileId ?? members[0] ?? memberId),
  }))
}
let things = 0

/** An emoji without a picture; no test looks at it. */
async function newEmoji(tx: Transaction, createdBy: string): Promise<string> {
  const name = `emoji_${things}_`
  await tx.query(sql`
    insert into custom_emoji (org_id, name, file_id, created_by, created_at)
    values (${tx.orgId}, ${name}, ${randomUUID()}, ${createdBy}, 0) on conflict do nothing`)
  return name
}

async function standingHold(tx: Transaction, { topicId, memberId }: Ids): Promise<string> {
  const { id, at } = tx.moment()
  await tx.query(sql`
    insert into legal_holds (org_id, id, topic_id, reason, set_by, set_at)
    values (${tx.orgId}, ${id}, ${topicId}, 'Case 12', ${memberId}, ${at})`)
  return id
}

/** A reading that a second owner has to decide on. */
async function waitingReading(tx: Transaction, { topicId, memberId }: Ids): Promise<string> {
  const { id, at } = tx.moment()
  await tx.query(sql`
    insert into content_readings (org_id, id, subject_type, subject_id, reason, asked_by, asked_at, ends_at)
    values (${tx.orgId}, ${id}, 'topic', ${topicId}, 'Case 12', ${memberId}, ${at}, ${at + 86_400_000})`)
  return id
}

async function openReport(tx: Transaction, { messageId, topicId, memberId }: Ids): Promise<string> {
  const { id, at } = tx.moment()
  await tx.query(sql`
    insert into message_reports (org_id, id, message_id, topic_id, sender_id, text, reporter_id, reason, created_at)
    values (${tx.orgId}, ${id}, ${messageId}, ${topicId}, ${memberId}, 'Hello', ${memberId}, 'Rude', ${at})`)
  return id
}

async function endedJoinLink(tx: Transaction, { parley: { secrets } }: TestParley): Promise<string> {
  const id = randomUUID()
  await tx.query(sql`
    insert into join_links (org_id, id, token_hash, token, domains, expires_at, created_by, created_at)
    values (${tx.orgId}, ${id}, ${randomBytes(32)}, ${secrets.encrypt('ended', `join link:${id}`)}, '{example.com}', 0, '', 0)`)
  return id
}

/** An assistant that acts for a member. */
async function connectedAssistant(tx: Transaction, profileId: string): Promise<string> {
  const id = randomUUID()
  await tx.query(sql`
    insert into assistants (org_id, id, profile_id, client_id, name, host, is_verified, scopes, signed_in_with, created_at,
      connected_at, expires_at)
    values (${tx.orgId}, ${id}, ${profileId}, 'c_none', 'Assistant', '127.0.0.1', false, '{message:read}', 'password', 0, 0,
      ${tx.now() + 86_400_000})`)
  return id
}

/** The query with which a registered program opens the page of consent. */
async function authorizationRequest({ parley: { db, clock } }: TestParley): Promise<string> {
  const redirectUri = 'https://assistant.example/callback'
  const { id } = await registerClient(db, clock(), { name: 'Assistant', redirectUris: [redirectUri] })
  return new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: redirectUri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }).toString()
}

export const pathOf = ({ path }: Pick<PeopleOperation, 'path'>, ids: Ids): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `unknown-${name}`)

/** The parameters in an operation's path besides the organization. */
export const thingsIn = ({ path }: PeopleOperation): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (name === 'organizationId' ? [] : [name]))

/** The body of its example, with existing things. */
export function bodyOf({ bodyExample }: Pick<PeopleOperation, 'bodyExample'>, ids: Ids): unknown {
  if (bodyExample === undefined) return undefined
  const { assignee: _assignee, ...example }: Record<string, unknown> = Object(bodyExample)
  const { memberId } = ids
  const named = Object.keys(example).flatMap((name) => {
    if (name === 'memberIds') return [[name, [memberId]]]
    return ids[name] === undefined ? [] : [[name, ids[name]]]
  })
  return { ...example, ...Object.fromEntries(named) }
}

/** Calls an operation as in its example, with existing members. */
export async function perform(
  who: Visitor,
  operation: PeopleOperation,
  ids: Ids,
  options: VisitOptions = {},
): Promise<Answer> {
  const path = pathOf(operation, ids)
  const body = bodyOf(operation, ids)
  if (operation.method === 'GET') return who.get(`${path}${queryOf(operation)}`, options)
  if (operation.method === 'PATCH') return who.patch(path, body, options)
  if (operation.method === 'DELETE') return who.delete(path, body, options)
  // A message needs no files.
  if (!operation.form || operation.path.endsWith('/chat/messages')) return who.post(path, body, options)
  const content = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  const logo = form(Object(operation.form.metaExample), [{ content, name: 'logo.png' }], {
    metaPart: operation.form.metaParts[0],
  })
  const headers = { ...options.headers, 'content-type': logo.contentType }
  return who.post(path, logo.body, { ...options, headers })
}

/** A query with a value for each required parameter. */
const queryOf = ({ query }: PeopleOperation): string => {
  const { required = [], properties } = Object(query) as { required?: string[]; properties: object }
  const anyOf = (name: string) => (Object(properties)[name].type === 'integer' ? '7' : 'anything')
  return required.length === 0 ? '' : `?${required.map((name) => `${name}=${anyOf(name)}`).join('&')}`
}

/** An organization with one person of each role. */
export async function newOrganization(server: TestParley, name: string) {
  const orgId = await organization(server, name)
  const member = (role: TestRole) =>
    signInAs(server, { orgId, role, name: `The ${role}`, email: `${role}@${orgId}.test` })
  return { orgId, owner: await member('owner'), admin: await member('admin'), member: await member('member') }
}
type TestRole = 'owner' | 'admin' | 'member'
export type TestOrganization = { orgId: string } & Record<TestRole, TestPerson>
