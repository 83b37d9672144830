import { randomBytes, randomUUID } from 'node:crypto'
import type { PeopleOperation } from '../../contract/operation.ts'
import { PEOPLE_OPERATIONS } from '../../contract/people/index.ts'
import { setBot } from '../../server/actions/bots/bots.ts'
import { createIncomingWebhook } from '../../server/actions/bots/incoming-webhooks.ts'
import { addAddress } from '../../server/actions/bots/webhook-addresses.ts'
import { createOrgUnit } from '../../server/actions/members/org-units.ts'
import { OPERATOR } from '../../server/actions/organization/audit.ts'
import { startRehearsal } from '../../server/actions/rehearsals/rehearsals.ts'
import { createLabel } from '../../server/actions/topics/labels.ts'
import { registerClient } from '../../server/auth/oauth-clients.ts'
import type { ServiceTokenKind } from '../../server/auth/service-tokens.ts'
import { sql } from '../../server/db/sql.ts'
import type { Transaction } from '../../server/db/transaction.ts'
import { organization, person, staticBot } from './cast.ts'
import type { Answer } from './client.ts'
import { form } from './forms.ts'
import type { TestParley } from './parley.ts'
import { signInAs, type TestPerson, type VisitOptions, type Visitor } from './people.ts'
import { PNG } from './samples.ts'

const depthOf = ({ path }: PeopleOperation): number => path.split('/').length

/** Operations of an organization. Those that delete come last, parts before the whole, so that the others find their things. */
export const ORGANIZATION_OPERATIONS = [
  ...PEOPLE_OPERATIONS.filter(({ method }) => method !== 'DELETE'),
  ...PEOPLE_OPERATIONS.filter(({ method }) => method === 'DELETE').toSorted(
    (one, other) => depthOf(other) - depthOf(one),
  ),
].filter(({ path }) => path.includes('{organizationId}'))

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
  const number = ++things
  const unique = `${orgId}-${number}`
  const { db } = server.parley
  const bot = await staticBot(server, orgId, `Bot ${unique}`)
  const webhookUrl = 'https://example.com/hook'
  const [people] = await Promise.all([
    db.query<{ id: string }>(sql`
      select id from profiles where org_id = ${orgId} and kind = 'user' and status = 'Active' order by created_at limit 90`),
    db.write(orgId, (tx) => setBot(tx, bot.id, { delivery: 'webhook', webhookUrl })),
  ])
  const members = insiders ?? people.map(({ id }) => id)
  const topicId: string = Object((await bot.post('/v2/topics', { name: 'Topic', members })).body).id
  const postAsBot = async (body: object) =>
    Object((await bot.post('/v2/messages', { topicId, ...body })).body).id
  const post = async (path: string, body: unknown) => {
    const chat = `/people/organizations/${orgId}/chat/${path}`
    const answer = await (speaker ? speaker.post(chat, body) : bot.post(`/v2/${path}`, body))
    return Object(answer.body)
  }
  const sendMessage = async () => {
    const { id: messageId } = await post('messages', { topicId, text: said('Hello') })
    const [{ id: reactionId }] = await Promise.all([
      post(`messages/${messageId}/reactions`, { reaction: '🚀' }),
      speaker?.patch(`/people/organizations/${orgId}/chat/saved-messages/${messageId}`, {}),
    ])
    return { messageId, reactionId }
  }
  const ask = async () => {
    const actions = { elements: [{ id: 'approve', text: 'Yes' }] }
    const actionMessageId = await postAsBot({ text: said(`Shall I, ${unique}?`), actions })
    const question = await bot.get(`/v2/messages/${actionMessageId}`)
    const { id: actionsId, hash } = Object(question.body).actions
    return { actionMessageId, actionsId, hash }
  }
  const openPoll = async () => {
    const poll = { topicId, question: said('Now?'), options: ['yes', 'no'], selectionType: 'multiple' }
    const { id: pollId, options } = await post('polls', poll)
    const { id: voteId } = await post(`polls/${pollId}/votes`, { optionId: options[0].id })
    return { pollId, optionId: options[1].id, voteId }
  }
  const sendAt = server.parley.clock() + 86_400_000
  const vacation = {
    name: 'vacation',
    description: 'Ask for days off',
    fields: [{ id: 'from', text: 'From', type: 'date' }],
  }
  const [, message, scheduled, streamingId, question, task, poll, memberId, orgUnitId, request] =
    await Promise.all([
      postAsBot({ text: said('Hello') }),
      sendMessage(),
      post('messages', { topicId, text: said('Later'), sendAt }),
      postAsBot({ streaming: true, text: said('Well') }),
      ask(),
      post('tasks', { topicId, title: said('Task') }),
      openPoll(),
      invitedMember(server, orgId, `${unique}@things.test`),
      unitWith(server, orgId, `tag-${unique}`, speaker),
      authorizationRequest(server),
      bot.put('/v2/commands', { commands: [vacation] }),
    ])
  const { messageId } = message
  const [delivery] = await db.query<{ id: string }>(
    sql`select id from deliveries where org_id = ${orgId} and bot_id = ${bot.id} order by seq limit 1`,
  )
  return db.write(orgId, async (tx) => ({
    organizationId: orgId,
    memberId,
    botId: bot.id,
    topicId,
    ...message,
    scheduledMessageId: scheduled.id,
    streamingId,
    ...question,
    taskId: task.id,
    ...poll,
    deliveryId: delivery?.id ?? '',
    incomingWebhookId: (
      await createIncomingWebhook(tx, server.parley, OPERATOR, bot.id, { topicId, name: 'Builds' })
    ).incomingWebhookId,
    rehearsalId: await begunRehearsal(tx, bot.id, speaker?.profileId ?? members[0] ?? memberId),
    addressId: (await addAddress(tx, server.parley, OPERATOR, bot.id, { url: 'https://example.com/further' }))
      .addressId,
    // An ended link, because the number of working ones is limited.
    joinLinkId: await endedJoinLink(tx, server),
    scimTokenId: await replacedToken(tx, 'scim'),
    auditTokenId: await replacedToken(tx, 'audit'),
    destinationId: await blockedDestination(tx),
    holdId: await standingHold(tx, { topicId, memberId }),
    readingId: await waitingReading(tx, { topicId, memberId }),
    subjectId: topicId,
    reportId: await openReport(tx, { messageId, topicId, memberId }),
    heldMessageId: await heldMessage(tx, { botId: bot.id, topicId }),
    labelId: (await createLabel(tx, unique.slice(-60), OPERATOR)).id,
    orgUnitId,
    groupId: await groupOf(tx, unique, speaker?.profileId ?? members[0] ?? memberId),
    sectionId: await sectionOf(tx, unique, speaker?.profileId ?? members[0] ?? memberId),
    emojiName: await newEmoji(tx, `emoji_${number}_`, speaker?.profileId ?? memberId),
    request,
    assistantId: await connectedAssistant(tx, speaker?.profileId ?? members[0] ?? memberId),
  }))
}
let things = 0

const begunRehearsal = async (tx: Transaction, botId: string, profileId: string): Promise<string> =>
  (await startRehearsal(tx, OPERATOR, { profileId }, botId, {})).id

/**
 * Lets operations use the same things in turn. If things that an earlier operation changed no longer serve, the operation is done again
 * with new ones.
 */
export function reusedThings(make: () => Promise<Ids>) {
  let current: Ids | undefined
  let isChanged = false
  return async <Result>(
    use: (ids: Ids) => Promise<Result>,
    isServed: (result: Result) => boolean,
  ): Promise<Result> => {
    if (current) {
      const result = await use(current)
      if (isServed(result)) isChanged = true
      if (!isChanged || isServed(result)) return result
    }
    current = await make()
    const result = await use(current)
    isChanged = isServed(result)
    return result
  }
}

async function sectionOf(tx: Transaction, name: string, profileId: string): Promise<string> {
  const id = randomUUID()
  await tx.query(sql`
    insert into sidebar_sections (org_id, profile_id, id, name)
    values (${tx.orgId}, ${profileId}, ${id}, ${name.slice(-40)})`)
  return id
}

/** A member who has not accepted their invitation yet, and has a second factor. */
async function invitedMember(server: TestParley, orgId: string, email: string): Promise<string> {
  const memberId = await person(server, orgId, 'Pia', { status: 'Pending', email })
  await server.parley.db.query(sql`
    insert into second_factors (account_id, secret, started_at, enabled_at)
    select account_id, '', 0, 0 from profiles where org_id = ${orgId} and id = ${memberId}`)
  return memberId
}

/** An org unit that `speaker` is in, because the organization restricts units to their members. */
async function unitWith(
  { parley: { db } }: TestParley,
  orgId: string,
  tag: string,
  speaker: TestPerson | undefined,
): Promise<string> {
  const unit = { name: 'Unit', tag, type: 'Team' as const }
  const { id } = await db.write(orgId, (tx) => createOrgUnit(tx, unit, OPERATOR))
  await db.query(sql`
    insert into org_unit_members (org_id, org_unit_id, profile_id, joined_at)
    select org_id, ${id}, id, 0 from profiles where org_id = ${orgId} and id = ${speaker?.profileId ?? null}`)
  return id
}

/** A group whose owner is its one member. */
async function groupOf(tx: Transaction, tag: string, ownerId: string): Promise<string> {
  const id = randomUUID()
  await tx.query(sql`
    insert into member_groups (org_id, id, name, tag, tag_key, owner_id, created_at, updated_at)
    values (${tx.orgId}, ${id}, 'Group', ${tag}, ${tag}, ${ownerId}, 0, 0)`)
  await tx.query(sql`
    insert into member_group_members (org_id, group_id, profile_id, joined_at)
    values (${tx.orgId}, ${id}, ${ownerId}, 0)`)
  return id
}

/** An emoji without a picture; no test looks at it. */
async function newEmoji(tx: Transaction, name: string, createdBy: string): Promise<string> {
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

/** A message of a bot that waits for a review. The program of its organization has an address that is not public, and is switched off. */
async function heldMessage(tx: Transaction, { botId = '', topicId }: Ids): Promise<string> {
  await tx.query(sql`update organizations set message_check = null where org_id = ${tx.orgId}`)
  await tx.query(sql`
    insert into message_checks (org_id, address, secret, when_away, set_by, set_at)
    values (${tx.orgId}, 'http://127.0.0.1/', '', 'send', '', 0)
    on conflict (org_id) do update set address = excluded.address, set_at = 0`)
  const { id, at } = tx.moment()
  await tx.query(sql`
    insert into scheduled_messages (org_id, id, profile_id, topic_id, text, send_at, state, held_reason, created_at, updated_at)
    values (${tx.orgId}, ${id}, ${botId}, ${topicId}, 'Hello', ${at}, 'held', 'odd', ${at}, ${at})`)
  return id
}

async function endedJoinLink(tx: Transaction, { parley: { secrets } }: TestParley): Promise<string> {
  const id = randomUUID()
  await tx.query(sql`
    insert into join_links (org_id, id, token_hash, token, domains, expires_at, created_by, created_at)
    values (${tx.orgId}, ${id}, ${randomBytes(32)}, ${secrets.encrypt('ended', `join link:${id}`)}, '{example.com}', 0, '', 0)`)
  return id
}

/** A token that was replaced and has not ended: an organization has one of a kind at most. */
async function replacedToken(tx: Transaction, kind: ServiceTokenKind): Promise<string> {
  const id = randomUUID()
  await tx.query(sql`
    delete from scim_tokens where org_id = ${tx.orgId} and kind = ${kind} and valid_until is not null`)
  await tx.query(sql`
    insert into scim_tokens (token_hash, org_id, kind, id, valid_until, created_by, created_at)
    values (${randomBytes(32)}, ${tx.orgId}, ${kind}, ${id}, ${tx.now() + 86_400_000}, '', 0)`)
  return id
}

/** A destination of the audit log that nothing is sent to: its address is not public. It is not due either. */
async function blockedDestination(tx: Transaction): Promise<string> {
  const id = randomUUID()
  await tx.query(sql`delete from audit_destinations where org_id = ${tx.orgId}`)
  await tx.query(sql`
    insert into audit_destinations (org_id, id, kind, address, created_by, created_at, sent_to, due_at)
    values (${tx.orgId}, ${id}, 'syslog', '127.0.0.1:6514', '', 0, ${randomUUID()}, ${Number.MAX_SAFE_INTEGER})`)
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
  const { memberId, topicId } = ids
  const named = Object.keys(example).flatMap((name) => {
    if (name === 'memberIds') return [[name, [memberId]]]
    if (name === 'topicIds') return [[name, [topicId]]]
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
  const logo = form(Object(operation.form.metaExample), [{ content: PNG, name: 'logo.png' }], {
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
