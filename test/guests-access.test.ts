import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PeopleOperation } from '../contract/operation.ts'
import { PEOPLE_TOOLS } from '../contract/tools.ts'
import { createGroup } from '../server/actions/members/groups.ts'
import { findCaller, findSession } from '../server/auth/sessions.ts'
import { sql } from '../server/db/sql.ts'
import { connectFor } from './support/assistants.ts'
import { staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import {
  type Ids,
  newOrganization,
  newThings,
  ORGANIZATION_OPERATIONS,
  pathOf,
  perform,
  reusedThings,
  type TestOrganization,
  thingsIn,
} from './support/console.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { watchPool } from './support/pool-rules.ts'
import { openStream } from './support/stream.ts'

watchPool()

let server: TestParley
let here: TestOrganization
let guest: TestPerson
/** Members who share no topic with the guest. */
let hidden: TestPerson
let outside: Ids
/** Words and ids of what the guest may not see. */
let secrets: string[]

const OUTWORD = 'zzoutword'
const chat = (path: string) => `/people/organizations/${here.orgId}/chat/${path}`

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Here')
  const { db } = server.parley
  hidden = await signInAs(server, { orgId: here.orgId, name: 'Sekunda Vashti', email: 'sekunda@secret.test' })
  guest = await signInAs(server, {
    orgId: here.orgId,
    role: 'guest',
    name: 'Gil Outer',
    email: 'gil@guests.test',
  })
  outside = await newThings(server, here.orgId, hidden, { insiders: [hidden.profileId], word: OUTWORD })
  await db.query(sql`
    update topics set open = true, name = 'Zenobia plans', external_id = 'zz-external' where id = ${outside.topicId}`)
  await db.query(sql`update profiles set name = 'Zelig bot' where id = ${outside.botId}`)
  await db.query(
    sql`update labels set name = 'Zulu label' where org_id = ${here.orgId} and id = ${outside.labelId}`,
  )
  await db.query(sql`update topics set label_id = ${outside.labelId} where id = ${outside.topicId}`)
  const group = await db.write(here.orgId, async (tx) => {
    const visitor = { sessionToken: [...hidden.cookies.values()][0], knownBrowserToken: undefined }
    const signedIn = await findSession(server.parley, { ...visitor, client: { address: '', userAgent: '' } })
    const caller = signedIn && (await findCaller(tx, signedIn, here.orgId, tx.now()))
    if (!caller) throw new Error('hidden is signed in')
    return createGroup(tx, caller, { name: 'Zephyr crew', tag: 'zephyrs', memberIds: [guest.profileId] })
  })
  outside = { ...outside, groupId: group, memberId: hidden.profileId }
  const { organizationId: _here, emojiName: _shared, hash: _hash, optionId: _option, ...things } = outside
  secrets = [
    ...Object.values(things).filter((value) => value.length > 8),
    ...[OUTWORD, 'Sekunda', 'Vashti', 'Zenobia', 'Zelig', 'Zulu', 'Zephyr', 'zz-external'],
    ...[hidden, here.owner, here.admin, here.member].map(({ email }) => email),
  ]
  // Bots bring the guest into topics.
  await here.admin.patch(`/people/organizations/${here.orgId}`, { membersInviteGuests: true })
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })

/** Things in a topic of the guest and a member, said by the guest. */
const newInside = () =>
  newThings(server, here.orgId, guest, { insiders: [guest.profileId, here.member.profileId] })
const withInside = reusedThings(newInside)

const FOR_GUESTS = ORGANIZATION_OPERATIONS.filter(({ access }) => access === 'guest')
const FOR_OTHERS = ORGANIZATION_OPERATIONS.filter(({ access }) => access !== 'guest')

const shownSecrets = (text: string) => secrets.filter((secret) => text.includes(secret))

async function performInside(operation: PeopleOperation): Promise<Answer> {
  // People cannot report their own messages.
  if (operation.id === 'reportMessage') {
    const things = await newThings(server, here.orgId, here.member, {
      insiders: [guest.profileId, here.member.profileId],
    })
    return perform(guest, operation, things)
  }
  return withInside(
    // A direct message needs a member of the guest's topics.
    (things) => perform(guest, operation, { ...things, memberId: here.member.profileId }),
    ({ status }) => status < 300,
  )
}

describe('a guest', () => {
  it.each(FOR_OTHERS)('is refused $id', async (operation) => {
    const { memberId: _member, ...things } = await withInside(
      async (ids) => ids,
      () => false,
    )
    const forbidden = { status: 403, body: 'forbidden' }
    expect(refusal(await perform(guest, operation, { ...things, memberId: guest.profileId }))).toEqual(
      forbidden,
    )
    expect(refusal(await perform(guest, operation, outside))).toEqual(forbidden)
  })

  it.each(FOR_GUESTS)('has $id in their topics, and sees nothing else there', async (operation) => {
    const { status, text } = await performInside(operation)
    expect(status, text).toBeLessThan(300)
    expect(shownSecrets(text)).toEqual([])
  })

  it.each(FOR_GUESTS.filter((operation) => thingsIn(operation).length > 0))(
    'finds nothing outside of their topics by $id',
    async (operation) => {
      const things = await withInside(
        async (ids) => ids,
        () => false,
      )
      for (const name of thingsIn(operation)) {
        const isBot = outside[name]?.startsWith('b@')
        const unknown = `${isBot ? 'b@' : ''}${randomUUID()}`
        if (operation.id === 'pressAction' || name === 'emojiName') continue
        const foreign = await perform(guest, operation, { ...things, [name]: outside[name] ?? '' })
        const nothing = await perform(guest, operation, { ...things, [name]: unknown })
        expect([name, refusal(foreign)]).toEqual([name, refusal(nothing)])
        if (foreign.status < 300) expect(shownSecrets(foreign.text)).toEqual([])
        else expect([400, 404]).toContain(foreign.status)
      }
    },
  )

  it.each(FOR_GUESTS.filter(({ bodyExample }) => bodyExample !== undefined))(
    'reaches nothing outside of their topics by the body of $id',
    async (operation) => {
      const things = await withInside(
        async (ids) => ids,
        () => false,
      )
      const inPath = new Set(thingsIn(operation))
      for (const name of ['topicId', 'messageId', 'memberId', 'memberIds', 'parentId', 'actionMessageId']) {
        const value =
          outside[name === 'memberIds' ? 'memberId' : name === 'parentId' ? 'messageId' : name] ?? ''
        const example = Object(operation.bodyExample)
        if (!(name in example) || inPath.has(name)) continue
        const send = (id: string) => {
          const body = { ...example, [name]: name === 'memberIds' ? [id] : id }
          if (name !== 'topicId' && 'topicId' in body) body.topicId = things.topicId
          return sendBody(operation, things, body)
        }
        const foreign = await send(value)
        expect([name, refusal(foreign)]).toEqual([name, refusal(await send(randomUUID()))])
        expect(foreign.status).toBeGreaterThanOrEqual(400)
      }
    },
  )
})

const sendBody = (operation: PeopleOperation, things: Ids, body: unknown): Promise<Answer> => {
  const path = pathOf(operation, things)
  return operation.method === 'PATCH' ? guest.patch(path, body) : guest.post(path, body)
}

describe('a guest who tries', () => {
  const search = (q: string) => guest.get(chat(`search?q=${encodeURIComponent(q)}`))

  it.each([
    OUTWORD,
    'zzoutward',
    'Sekunda',
    'sekunda@secret.test',
    'Zenobia',
    'from:Sekunda',
    `from:${OUTWORD}`,
    'in:Zenobia',
    `in:Zenobia ${OUTWORD}`,
    `-nothing ${OUTWORD}`,
    'has:file',
    'Zelig',
  ])('finds nothing by searching for %s', async (q) => {
    const { status, text } = await search(q)
    expect(status).toBeLessThan(500)
    expect(shownSecrets(text.replaceAll(JSON.stringify(q).slice(1, -1), ''))).toEqual([])
  })

  it('finds no stranger among members', async () => {
    const queries = [
      '',
      '?limit=100',
      '?search=Sekunda',
      '?search=sekunda%40secret.test',
      '?type=bot',
      '?type=user&search=V',
      `?ids=${[hidden, here.owner, here.admin].map(({ profileId }) => profileId).join(',')}`,
      `?ids=${outside.botId}`,
    ]
    for (const query of queries) {
      const { status, text } = await guest.get(chat(`members${query}`))
      expect([query, status, shownSecrets(text)]).toEqual([query, 200, []])
      expect(text).not.toContain('The owner')
    }
    for (const query of [`?topicId=${outside.topicId}`, `?near=${outside.topicId}`])
      expect((await guest.get(chat(`members${query}`))).status).toBe(404)
    // Addresses find no members, not even known ones.
    const { body } = await guest.get(chat(`members?search=${encodeURIComponent(here.member.email)}`))
    expect(Object(body).members).toEqual([])
    const known = await guest.get(chat('members?search=member'))
    expect(Object(known.body).members).toEqual([
      expect.objectContaining({ id: here.member.profileId, email: '', role: 'member' }),
    ])
  })

  it('opens nothing by a link to it', async () => {
    for (const query of [
      `topicId=${outside.topicId}`,
      `messageId=${outside.messageId}`,
      'externalTopic=zz-external',
      `externalTopic=${encodeURIComponent(`${outside.botId}:zz-external`)}`,
    ])
      expect((await guest.get(`/people/locate?${query}`)).status).toBe(404)
    const start = await guest.get(chat(`start?topicId=${outside.topicId}`))
    expect([start.status, shownSecrets(start.text)]).toEqual([200, []])
    const topics = await guest.get(chat('topics?search=Zenobia'))
    expect(Object(topics.body)).toMatchObject({ topics: [], members: [] })
  })

  it('sees no picture of a stranger', async () => {
    const fileId = randomUUID()
    const { db } = server.parley
    const setPhoto = (id: string) =>
      db.query(sql`update profiles set photo_file_id = ${fileId} where org_id = ${here.orgId} and id = ${id}`)
    await setPhoto(hidden.profileId)
    expect((await guest.get(chat(`pictures/${fileId}`))).status).toBe(404)
    expect((await here.member.get(chat(`pictures/${fileId}`))).status).toBe(302)
    await db.query(sql`update profiles set photo_file_id = null where photo_file_id = ${fileId}`)
    await setPhoto(here.member.profileId)
    expect((await guest.get(chat(`pictures/${fileId}`))).status).toBe(302)
    await db.query(sql`update profiles set photo_file_id = null where photo_file_id = ${fileId}`)
  })

  it('learns nothing of groups and strangers by mentioning them', async () => {
    const { topicId } = await newInside()
    const preview = async (text: string) =>
      (await guest.post(chat(`topics/${topicId}/mentions`), { text })).body
    expect(await preview('<@zephyrs> hello')).toEqual(await preview('<@nothings> hello'))
    const send = (text: string) => guest.post(chat('messages'), { topicId, text }).then(refusal)
    expect((await send(`<@${hidden.profileId}>`)).body).toEqual((await send(`<@${randomUUID()}>`)).body)
    const sent = await guest.post(chat('messages'), { topicId, text: 'dear <@zephyrs>' })
    const { text } = await guest.get(chat(`messages/${Object(sent.body).id}`))
    expect(text).not.toContain('groupMentions')
  })

  it('writes directly only to members of their topics', async () => {
    const open = (...memberIds: string[]) => guest.post(chat('direct-messages'), { memberIds })
    const invalid = { status: 400, body: 'Invalid member' }
    expect(refusal(await open(hidden.profileId))).toEqual(invalid)
    expect(refusal(await open(randomUUID()))).toEqual(invalid)
    expect(refusal(await open(here.member.profileId, hidden.profileId))).toEqual(invalid)
    expect(refusal(await open(outside.botId ?? ''))).toEqual(invalid)
    expect((await open(here.member.profileId)).status).toBe(200)
  })

  it('makes nobody share what they do not know', async () => {
    const { topicId } = await newInside()
    const send = (profileId: string) => guest.post(chat('contacts'), { topicId, name: 'A', profileId })
    expect(refusal(await send(hidden.profileId))).toEqual(refusal(await send(randomUUID())))
    const { messageId } = outside
    const forward = { topicId, text: '', forward: { messageId } }
    const unknown = { topicId, text: '', forward: { messageId: randomUUID() } }
    expect(refusal(await guest.post(chat('messages'), forward))).toEqual(
      refusal(await guest.post(chat('messages'), unknown)),
    )
  })

  it('has no rights of an admin in their topics', async () => {
    const { topicId, pollId } = await newThings(server, here.orgId, here.member, {
      insiders: [guest.profileId, here.member.profileId],
    })
    expect((await guest.post(chat(`polls/${pollId}/close`))).status).toBe(403)
    await server.parley.db.query(sql`update topics set announcement = true where id = ${topicId}`)
    expect((await guest.post(chat('messages'), { topicId, text: 'Hi' })).status).toBe(403)
    const { body } = await guest.get(chat(`topics/${topicId}`))
    expect(body).toMatchObject({ mayWrite: false, maySet: false })
  })
})

describe('the stream of a guest', () => {
  it('tells of their topics and the members of those, and of nothing else', async () => {
    const things = await newInside()
    const stream = await openStream(guest, here.orgId)
    await stream.next(({ event }) => event === 'reset')
    const admins = await openStream(here.admin, here.orgId)
    await hidden.patch(chat('me'), { title: 'Chief of secrets' })
    await hidden.post(chat('messages'), { topicId: outside.topicId, text: OUTWORD })
    await hidden.post(chat('typing'), { topicId: outside.topicId })
    const other = await openStream(hidden, here.orgId)
    await here.member.patch(chat('me'), { title: 'Colleague' })
    await here.member.post(chat('messages'), { topicId: things.topicId, text: 'The last word' })
    const { data } = await stream.next(({ event }) => event === 'member.updated')
    expect(Object(data).member).toMatchObject({ id: here.member.profileId, title: 'Colleague', email: '' })
    await stream.next(({ data }) => JSON.stringify(data).includes('The last word'))
    expect(shownSecrets(JSON.stringify(stream.seen))).toEqual([])
    expect(JSON.stringify(stream.seen)).not.toContain('Chief')

    // A browser that was away reads the same from the log.
    const again = await openStream(guest, here.orgId, { lastId: '1' })
    await again.next(({ data }) => JSON.stringify(data).includes('The last word'))
    expect(shownSecrets(JSON.stringify(again.seen))).toEqual([])

    // Presence comes from those who are known.
    const member = await openStream(here.member, here.orgId)
    await stream.next(
      ({ event, data }) => event === 'presence' && Object(data).profileId === here.member.profileId,
    )
    expect(JSON.stringify(stream.seen)).not.toContain(hidden.profileId)
    for (const open of [stream, admins, other, again, member]) open.close()
  })

  it('ends when they become a guest, and begins anew as one', async () => {
    const person = await signInAs(server, { orgId: here.orgId, name: 'Turned', email: 'turned@secret.test' })
    const stream = await openStream(person, here.orgId)
    const members = `/people/organizations/${here.orgId}/members/${person.profileId}`
    expect((await here.admin.patch(members, { role: 'guest' })).body).toMatchObject({ role: 'guest' })
    await stream.ended()
    expect((await person.get(chat('open-topics'))).status).toBe(403)
    expect((await here.admin.patch(members, { role: 'member' })).status).toBe(200)
    expect((await person.get(chat('open-topics'))).status).toBe(200)
  })
})

describe('the assistant of a guest', () => {
  it('has their tools, and reaches no further than they do', async () => {
    const things = await newInside()
    const { client } = await connectFor(guest)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    for (const name of ['create_topic', 'list_groups', 'list_org_units', 'add_topic_members'])
      expect(names).not.toContain(name)
    const callTool = async (name: string, given: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name, arguments: given }))
    const all: Ids = { ...things, memberId: here.member.profileId }
    for (const { definition, places } of PEOPLE_TOOLS) {
      if (definition.name === 'read_updates') continue
      const given = (ids: Ids) =>
        Object.fromEntries([...places.keys()].flatMap((name) => (ids[name] ? [[name, ids[name]]] : [])))
      expect(shownSecrets(await callTool(definition.name, given(all)))).toEqual([])
      const foreign = await callTool(definition.name, given(outside))
      const echoed = Object.values(outside)
      expect(shownSecrets(foreign).filter((secret) => !echoed.includes(secret))).toEqual([])
    }
    const members = await callTool('list_members', {})
    expect(members).toContain(here.member.profileId)
    expect(members).not.toContain(hidden.profileId)
    expect(await callTool('list_members', { emails: here.member.email })).not.toContain(here.member.profileId)
    expect(await callTool('create_topic', { name: 'Mine', members: [] })).toContain('forbidden')
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: Object((await client.listPrompts()).prompts[0]).name },
      argument: { name: 'topic', value: 'Z' },
    })
    expect(shownSecrets(JSON.stringify(completed))).toEqual([])
    await client.close()
  })
})

it('bots see who is a guest', async () => {
  const bot = await staticBot(server, here.orgId, 'Watcher')
  const { body } = await bot.get(`/v2/members/${guest.profileId}`)
  expect(body).toMatchObject({ guest: true, email: guest.email })
  expect(Object((await bot.get(`/v2/members/${here.member.profileId}`)).body)).not.toHaveProperty('guest')
})
