import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOrgUnit } from '../server/actions/members/org-units.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { leaveAllTopics } from '../server/actions/topics/topics.ts'
import { sql } from '../server/db/sql.ts'
import { startNotifying } from '../server/notify/start.ts'
import {
  type OAuthTestBot,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
} from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import type { Answer } from './support/client.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { openStream, type TestStream } from './support/stream.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let cy: TestPerson
let dee: TestPerson
let stranger: TestPerson
let bot: StaticTestBot
let crier: OAuthTestBot
let topicId: string
let notifying: { stop(): Promise<void> }
const streams: TestStream[] = []

/** Ada, an owner, Ben and Cy are in each topic; Dee is not. */
beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  cy = await signInAs(server, { orgId, name: 'Cy' })
  dee = await signInAs(server, { orgId, name: 'Dee' })
  stranger = await signInAs(server, { orgId: await organization(server, 'Elsewhere'), name: 'Stranger' })
  bot = await staticBot(server, orgId)
  crier = await oauthBot(server, orgId, 'Crier')
  notifying = startNotifying(server.parley, { pollMs: 60 })
})
afterAll(async () => {
  for (const stream of streams) stream.close()
  await notifying?.stop()
  await server?.close()
})
beforeEach(async () => {
  await server.parley.db.query(sql`truncate budgets`)
  topicId = await newTopic([ada, ben, cy])
})

const idsOf = (people: readonly TestPerson[]) => people.map(({ profileId }) => profileId)
async function newTopic(people: readonly TestPerson[]): Promise<string> {
  const { body } = await bot.post('/v2/topics', { name: 'Topic', members: [...idsOf(people), crier.id] })
  return Object(body).id
}

type More = { parentId?: string; alsoInTopic?: boolean; topicId?: string }
const send = (who: TestPerson, text: string, more: More = {}) =>
  chatOf(who).post('messages', { topicId, text, ...more })
async function say(who: TestPerson, text: string, more: More = {}): Promise<string> {
  const { status, body, text: answer } = await send(who, text, more)
  expect(status, answer).toBe(201)
  return Object(body).id
}

async function sendFile(who: TestPerson, caption: string, topic = topicId): Promise<Answer> {
  const { body, contentType } = form({ topicId: topic, caption }, [{ content: 'A plan', name: 'plan.txt' }])
  return chatOf(who).post('messages', body, { headers: { 'content-type': contentType } })
}

type State = { id: string; mentions: number; unread: number }
async function mentionsOf(who: TestPerson, topic = topicId): Promise<number> {
  const { topics }: { topics: State[] } = Object((await chatOf(who).get('start')).body)
  return topics.find(({ id }) => id === topic)?.mentions ?? -1
}
const counts = async () => [await mentionsOf(ada), await mentionsOf(ben), await mentionsOf(cy)]
async function mentionsPage(who: TestPerson): Promise<string[]> {
  const { messages }: { messages: { id: string; topicId: string }[] } = Object(
    (await chatOf(who).get('mentions?limit=100')).body,
  )
  return messages.filter((message) => message.topicId === topicId).map(({ id }) => id)
}
async function shown(who: TestPerson, id: string) {
  const { messages } = Object((await chatOf(who).get(`topics/${topicId}/history?limit=100`)).body)
  return messages.find((message: { id: string }) => message.id === id)
}

async function pageOf(who: TestPerson): Promise<TestStream> {
  const stream = await openStream(who, orgId)
  streams.push(stream)
  await stream.next(({ event }) => event === 'reset')
  await eventuallyHolds(async () => expect(server.parley.presence.active(orgId)).toContain(who.profileId))
  return stream
}

let tags = 0
async function newGroup(
  people: readonly TestPerson[],
  { owner = ada, tag = `group-${tags++}` }: { owner?: TestPerson; tag?: string } = {},
): Promise<{ id: string; tag: string }> {
  const { status, body, text } = await chatOf(owner).post('groups', {
    name: 'Design',
    tag,
    memberIds: idsOf(people),
  })
  expect(status, text).toBe(201)
  return Object(body)
}

/** A topic with Ada, Ben and so many more people. */
async function largeTopic(more: number): Promise<string> {
  const topic = await newTopic([ada, ben])
  const ids: string[] = []
  for (let index = 0; index < more; index += 1) ids.push(await person(server, orgId, `Guest ${++guests}`))
  await server.parley.db.query(sql`
    insert into topic_members (org_id, topic_id, profile_id, topic_created_at, joined_at)
    select ${orgId}, ${topic}, id, 0, 0 from unnest(${ids}::text[]) as id`)
  return topic
}
let guests = 0
const TOO_LARGE = {
  status: 403,
  body: 'text mentions more people than you may mention at once',
  code: 'mention_too_large',
}

describe('@everyone', () => {
  it('counts once for each person of the topic, and not for its sender', async () => {
    const id = await say(ben, '<@everyone> lunch')
    expect(await counts()).toEqual([1, 0, 1])
    expect(await mentionsPage(ada)).toEqual([id])
    expect(await mentionsPage(ben)).toEqual([])
    const { groupMentions, mentionedPeople, mentions } = await shown(cy, id)
    expect({ groupMentions, mentionedPeople, mentions }).toEqual({
      groupMentions: { everyone: true },
      mentionedPeople: undefined,
      mentions: [],
    })
  })

  it('is read with its message', async () => {
    const id = await say(ben, '<@Everyone> lunch')
    await chatOf(ada).patch(`topics/${topicId}/state`, { readTo: id })
    expect(await counts()).toEqual([0, 0, 1])
    expect(await mentionsPage(ada)).toEqual([id])
  })

  it('is not for who joins later', async () => {
    const id = await say(ben, '<@everyone> lunch')
    await server.parley.db.query(sql`select pg_sleep(0.005)`)
    await chatOf(ada).post(`topics/${topicId}/members`, { memberIds: [dee.profileId] })
    expect(await mentionsOf(dee)).toBe(0)
    expect(await mentionsPage(dee)).toEqual([])
    await chatOf(dee).patch(`topics/${topicId}/state`, { unreadFrom: id })
    expect(await mentionsOf(dee)).toBe(0)
  })

  it('writes no rows for the people it mentions', async () => {
    const id = await say(ben, '<@everyone> lunch')
    const rows = await server.parley.db.query(
      sql`select 1 from mentions where org_id = ${orgId} and message_id = ${id}`,
    )
    expect(rows).toEqual([])
  })

  it('goes with its message', async () => {
    const id = await say(ben, '<@everyone> lunch')
    await chatOf(ben).delete(`messages/${id}`)
    expect(await counts()).toEqual([0, 0, 0])
    expect(await mentionsPage(ada)).toEqual([])
  })

  it('comes and goes with an edit, and stays what it was with the same words', async () => {
    const id = await say(ben, 'lunch')
    await chatOf(ben).patch(`messages/${id}`, { text: '<@everyone> lunch' })
    expect(await counts()).toEqual([1, 0, 1])
    await chatOf(ben).patch(`messages/${id}`, { text: '<@everyone> lunch at one' })
    expect(await counts()).toEqual([1, 0, 1])
    await chatOf(ben).patch(`messages/${id}`, { text: 'lunch at one' })
    expect(await counts()).toEqual([0, 0, 0])
    expect((await shown(ada, id)).groupMentions).toBeUndefined()
  })

  it('in a reply is for the followers of its thread', async () => {
    const parentId = await say(ada, 'Root')
    await say(ben, 'First', { parentId })
    const id = await say(ben, '<@everyone>', { parentId })
    expect((await shown(ada, id))?.mentionedPeople).toBeUndefined() // the topic does not show it
    const { threads } = Object((await chatOf(ada).get('threads')).body)
    expect(threads.find(({ parent }: { parent: { id: string } }) => parent.id === parentId).mentions).toBe(1)
    expect(await counts()).toEqual([0, 0, 0])
    expect(await mentionsPage(ada)).toEqual([id])
    expect(await mentionsPage(cy)).toEqual([])
  })

  it('in a reply that its topic shows is for everyone', async () => {
    const parentId = await say(ada, 'Root')
    await say(ben, '<@everyone>', { parentId, alsoInTopic: true })
    expect(await counts()).toEqual([1, 0, 1])
  })

  it('with files is for everyone when they appear', async () => {
    const jobs = startJobs(server)
    const { status, body, text } = await sendFile(ben, '<@everyone> the plan')
    expect(status, text).toBe(200)
    await eventuallyHolds(async () => expect(await shown(ben, Object(body).id)).toBeDefined())
    await jobs.stop()
    expect(await counts()).toEqual([1, 0, 1])
  })

  it('is refused to outsiders and strangers, like any text', async () => {
    for (const who of [dee, stranger])
      expect(refusal(await send(who, '<@everyone>'))).toMatchObject({ status: 404, body: 'Topic not found' })
    expect(await counts()).toEqual([0, 0, 0])
  })
})

describe('a mention of more than 20 people', () => {
  it('is for admins, and for all where the organization says so', async () => {
    const twenty = await largeTopic(19)
    await say(ben, '<@everyone> 20 people', { topicId: twenty })
    const more = await largeTopic(20)
    expect(refusal(await send(ben, '<@everyone>', { topicId: more }))).toEqual(TOO_LARGE)
    expect(await mentionsOf(ada, more)).toBe(0)
    await say(ada, '<@everyone>', { topicId: more })
    expect(await mentionsOf(ben, more)).toBe(1)
    const settings = `/people/organizations/${orgId}`
    expect((await ben.patch(settings, { membersMentionMany: true })).status).toBe(403)
    expect((await ada.patch(settings, { membersMentionMany: true })).body).toMatchObject({
      membersMentionMany: true,
    })
    await say(ben, '<@everyone>', { topicId: more })
    await ada.patch(settings, { membersMentionMany: false })
    expect(refusal(await send(ben, '<@everyone>', { topicId: more }))).toEqual(TOO_LARGE)
  })

  it('is refused by an edit, a scheduled message, a forward and a caption, too', async () => {
    const more = await largeTopic(20)
    const id = await say(ben, 'Hello', { topicId: more })
    const tries = [
      chatOf(ben).patch(`messages/${id}`, { text: '<@everyone>' }),
      chatOf(ben).post('messages', { topicId: more, text: '<@everyone>', sendAt: Date.now() + 3_600_000 }),
      chatOf(ben).post('messages', { topicId: more, text: '<@everyone>', forwardMessageId: id }),
      sendFile(ben, '<@everyone>', more),
    ]
    for (const tried of tries) expect(refusal(await tried)).toEqual(TOO_LARGE)
    expect(await mentionsOf(ada, more)).toBe(0)
  })

  it('is announced by numbers that count each person once', async () => {
    const group = await newGroup([ben, cy, dee])
    const preview = async (who: TestPerson, text: string, topic = topicId) =>
      await chatOf(who).post(`topics/${topic}/mentions`, { text })
    expect((await preview(ada, `<@${group.tag}> <@${ben.profileId}> <@everyone>`)).body).toEqual({
      people: 2,
      outsiders: 1,
      isAllowed: true,
    })
    expect((await preview(ada, `<@${group.tag}> <@${ben.profileId}>`)).body).toMatchObject({ people: 2 })
    expect((await preview(ada, 'Nobody')).body).toEqual({ people: 0, outsiders: 0, isAllowed: true })
    const more = await largeTopic(20)
    expect((await preview(ben, '<@everyone>', more)).body).toEqual({
      people: 21,
      outsiders: 0,
      isAllowed: false,
    })
    for (const who of [dee, stranger])
      expect(refusal(await preview(who, '<@everyone>'))).toMatchObject({ status: 404 })
  })

  it('tells nothing about a thread of a topic that the caller is not in', async () => {
    const closed = await newTopic([ada, ben])
    const secret = await say(ada, `Only for <@${ben.profileId}>`, { topicId: closed })
    const asked = { text: '<@everyone>', parentId: secret }
    expect((await chatOf(cy).post(`topics/${topicId}/mentions`, asked)).body).toMatchObject({ people: 0 })
    expect((await chatOf(ada).post(`topics/${closed}/mentions`, asked)).body).toMatchObject({ people: 1 })
  })
})

describe('a sender', () => {
  it('mentions groups ten times a minute; other texts go on', async () => {
    for (let index = 0; index < 10; index += 1) await say(ben, `<@everyone> ${index}`)
    expect(await send(ben, '<@everyone> once more')).toMatchObject({ status: 429 })
    await say(ben, 'A plain text')
    await say(cy, '<@everyone>')
    expect(await mentionsOf(ada)).toBe(11)
  })
})

describe('@here', () => {
  it('is for people of the topic who are present, and who chose to be seen', async () => {
    const page = await pageOf(ada)
    const outside = await pageOf(dee)
    const id = await say(ben, '<@here> coffee')
    expect(await counts()).toEqual([1, 0, 0])
    expect(await shown(cy, id)).toMatchObject({
      groupMentions: { here: true },
      mentionedPeople: [ada.profileId],
    })
    expect(await mentionsPage(dee)).toEqual([])
    const event = await page.next(
      ({ event, data }) => event === 'message.created' && Object(data).message.id === id,
    )
    expect(event.data).toMatchObject({ mentionedPeople: [ada.profileId] })
    page.close()
    outside.close()
  })

  it('is text where the organization does not show who is present', async () => {
    const page = await pageOf(ada)
    const settings = `/people/organizations/${orgId}`
    await ada.patch(settings, { showPresence: false })
    const id = await say(ben, '<@here> coffee')
    expect((await shown(ada, id)).groupMentions).toBeUndefined()
    expect(await counts()).toEqual([0, 0, 0])
    await ada.patch(settings, { showPresence: true })
    page.close()
  })
})

describe('a group', () => {
  it('mentions those of its members who are in the topic', async () => {
    const group = await newGroup([ben, dee])
    const id = await say(cy, `<@${group.tag}> look`)
    expect(await counts()).toEqual([1, 1, 0])
    expect(await mentionsPage(dee)).toEqual([])
    expect(await shown(ben, id)).toMatchObject({
      groupMentions: { groups: [{ id: group.id, tag: group.tag }] },
      mentionedPeople: idsOf([ada, ben]).sort(),
    })
  })

  it('may be an org unit, by its tag in any case', async () => {
    const unit = { name: 'Field', tag: 'Field-Team', type: 'Team' as const, members: [cy.profileId, bot.id] }
    await server.parley.db.write(orgId, (tx) => createOrgUnit(tx, unit, OPERATOR))
    const id = await say(ada, '<@field-team> look')
    expect(await counts()).toEqual([0, 0, 1])
    expect(await shown(ben, id)).toMatchObject({
      groupMentions: { groups: [{ tag: 'Field-Team' }] },
      mentionedPeople: [cy.profileId],
    })
  })

  it('counts once beside everyone, names and other groups', async () => {
    const [one, other] = [await newGroup([ben]), await newGroup([ben])]
    await say(cy, `<@everyone> <@${one.tag}> <@${other.tag}> <@${ben.profileId}> <@here>`)
    expect(await counts()).toEqual([1, 1, 0])
    expect((await mentionsPage(ben)).length).toBe(1)
  })

  it('stays in a message as it was when it was sent', async () => {
    const group = await newGroup([ben])
    const id = await say(cy, `<@${group.tag}> look`)
    await chatOf(ada).delete(`groups/${group.id}/members`, { memberIds: [ben.profileId] })
    expect(await mentionsOf(ben)).toBe(1)
    await chatOf(ada).delete(`groups/${group.id}`)
    expect(await mentionsOf(ben)).toBe(1)
    expect((await shown(ben, id)).groupMentions.groups).toEqual([{ id: group.id, tag: group.tag }])
    const after = await say(cy, `<@${group.tag}> again`)
    expect((await shown(ben, after)).groupMentions).toBeUndefined()
    expect(await mentionsOf(ben)).toBe(1)
  })

  it('in a thread lets the people it mentions follow', async () => {
    const group = await newGroup([ben])
    const parentId = await say(cy, 'Root')
    await say(cy, 'Earlier', { parentId })
    const id = await say(cy, `<@${group.tag}> look`, { parentId })
    const state = Object((await chatOf(ben).get(`messages/${parentId}/thread`)).body)
    expect(state).toMatchObject({ following: true, unread: 1, mentions: 1 })
    expect(await mentionsPage(ben)).toEqual([id])
    expect(await counts()).toEqual([0, 0, 0])
  })

  it('forwarded mentions nobody', async () => {
    const group = await newGroup([ben])
    const id = await say(cy, `<@${group.tag}> <@everyone> look`)
    const { body } = await chatOf(cy).post('messages', { topicId, forwardMessageId: id })
    expect(await shown(ben, Object(body).id)).toMatchObject({
      forwarded: { text: `@${group.tag} @everyone look` },
    })
    expect(await mentionsOf(ben)).toBe(1)
  })

  it('of people who left the topic at the same moment mentions them or not, but never without the topic', async () => {
    const group = await newGroup([ben])
    const [sent] = await Promise.all([
      say(cy, `<@${group.tag}> look`),
      server.parley.db.write(orgId, (tx) => leaveAllTopics(tx, ben.profileId, ada.profileId)),
    ])
    expect(await mentionsPage(ben)).toEqual([])
    expect((await shown(cy, sent)).groupMentions.groups).toHaveLength(1)
    expect(await mentionsOf(ben)).toBe(-1)
  })
})

describe('a text', () => {
  it('with words that are nothing stays text', async () => {
    const id = await say(ada, '<@nobody-here> <@> <@ everyone> &lt;@x&gt;')
    expect((await shown(ben, id)).groupMentions).toBeUndefined()
    expect(await counts()).toEqual([0, 0, 0])
  })
})

describe('a bot', () => {
  const crying = (who: StaticTestBot | OAuthTestBot, text = '<@everyone> deploy') =>
    who.post('/v2/messages', { topicId, text })

  async function endOfUpdates(): Promise<string> {
    for (let offset = ''; ; ) {
      const { updates, nextOffset } = Object(
        (await crier.get(`/v2/updates?limit=100${offset && `&offset=${offset}`}`)).body,
      )
      if (updates.length === 0) return nextOffset
      offset = nextOffset
    }
  }

  it('mentions groups by the scope; for others the words are text', async () => {
    expect((await crying(crier)).status).toBe(201)
    expect(await counts()).toEqual([1, 1, 1])
    const mute = await oauthBot(server, orgId, 'Mute', ['message:send', 'message:read'])
    await chatOf(ada).post(`topics/${topicId}/members`, { memberIds: [mute.id] })
    for (const who of [mute, bot]) {
      const { status, body } = await crying(who)
      expect(status).toBe(201)
      const { groupMentions, text } = Object((await who.get(`/v2/messages/${Object(body).id}`)).body)
      expect({ groupMentions, text }).toEqual({ groupMentions: undefined, text: '<@everyone> deploy' })
    }
    expect(await counts()).toEqual([1, 1, 1])
  })

  it('mentions no more than 20 people, unless members may', async () => {
    const more = await largeTopic(20)
    const tried = await crier.post('/v2/messages', { topicId: more, text: '<@everyone>' })
    expect(refusal(tried)).toEqual(TOO_LARGE)
    expect(await mentionsOf(ada, more)).toBe(0)
  })

  it('hears of what it heard before, and is not told who was present', async () => {
    const page = await pageOf(ada)
    const offset = await endOfUpdates()
    const group = await newGroup([ada])
    const id = await say(ben, `<@here> <@${group.tag}>`)
    const { updates } = Object((await crier.get(`/v2/updates?limit=100&offset=${offset}`)).body)
    const told = updates
      .map(({ data }: { data: unknown }) => data)
      .find((data: unknown) => Object(data).message?.id === id)
    expect(told).toMatchObject({
      message: {
        mentions: [],
        mentionedProfiles: [],
        groupMentions: { here: true, groups: [{ tag: group.tag }] },
      },
    })
    expect(JSON.stringify(told)).not.toContain(ada.profileId)
    const read = await crier.get(`/v2/messages/${id}`)
    expect(read.text).not.toContain(ada.profileId)
    const list = await crier.get(`/v2/topics/${topicId}/messages`)
    expect(list.text).not.toContain(ada.profileId)
    page.close()
  })

  it('that hears mentions alone hears nothing of groups', async () => {
    await chatOf(ada).patch(`topics/${topicId}/members/${crier.id}`, { reach: 'mentions' })
    const offset = await endOfUpdates()
    await say(ben, '<@everyone> lunch')
    const mention = await say(ben, `<@${crier.id}> lunch`)
    const { updates } = Object((await crier.get(`/v2/updates?limit=100&offset=${offset}`)).body)
    expect(
      updates.flatMap(({ data }: { data: { message?: { id: string } } }) => data.message?.id ?? []),
    ).toEqual([mention])
  })

  it('sees groups, and who is in them', async () => {
    const group = await newGroup([ben])
    expect((await crier.get(`/v2/groups/${group.id}`)).body).toMatchObject({
      kind: 'group',
      tag: group.tag,
      ownerId: ada.profileId,
      memberCount: 2,
      isMember: false,
    })
    const { members } = Object((await crier.get(`/v2/groups/${group.id}/members`)).body)
    expect(members.map(({ id }: { id: string }) => id).sort()).toEqual(idsOf([ada, ben]).sort())
    const found = Object((await crier.get(`/v2/groups?search=${group.tag}`)).body)
    expect(found).toMatchObject({ groups: [{ id: group.id }], hasMore: false })
    const elsewhere = await staticBot(server, stranger.orgId)
    expect(refusal(await elsewhere.get(`/v2/groups/${group.id}`))).toMatchObject({
      status: 404,
      body: 'Group not found',
    })
  })
})

describe('a notification', () => {
  it('comes once to each person, however they were mentioned', async () => {
    const page = await pageOf(ben)
    const group = await newGroup([ben])
    const id = await say(cy, `<@everyone> <@${group.tag}> <@${ben.profileId}>`)
    const last = await say(cy, `<@${ben.profileId}> last`)
    const noticesOf = (messageId: string) =>
      page.seen.filter(({ event, data }) => event === 'notification' && Object(data).messageId === messageId)
    await eventuallyHolds(async () => expect(noticesOf(last)).toHaveLength(1))
    expect(noticesOf(id)).toHaveLength(1)
    expect(noticesOf(id)[0]?.data).toMatchObject({
      body: expect.stringContaining(`@everyone @${group.tag} @Ben`),
    })
    page.close()
  })

  it('comes not to members of a group who are outside, nor where the level is nothing', async () => {
    const [outside, deaf] = [await pageOf(dee), await pageOf(ben)]
    await chatOf(ben).patch(`topics/${topicId}/state`, { level: 'nothing' })
    const group = await newGroup([ben, dee])
    const id = await say(cy, `<@${group.tag}> <@everyone>`)
    const other = await newTopic([cy, dee, ben])
    const last = await say(cy, '<@everyone>', { topicId: other })
    const idsIn = (page: TestStream) =>
      page.seen.flatMap(({ event, data }) => (event === 'notification' ? [Object(data).messageId] : []))
    await eventuallyHolds(async () => {
      for (const page of [outside, deaf]) expect(idsIn(page)).toContain(last)
    })
    for (const page of [outside, deaf]) expect(idsIn(page)).not.toContain(id)
    for (const page of [outside, deaf]) page.close()
  })
})
