import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PeopleOperation } from '../contract/operation.ts'
import type { AuditEntry } from '../contract/people/organization.ts'
import { sql } from '../server/db/sql.ts'
import { connectFor, Keeping } from './support/assistants.ts'
import { chatOf } from './support/chat.ts'
import {
  type Ids,
  newOrganization,
  newThings,
  ORGANIZATION_OPERATIONS,
  perform,
  reusedThings,
  type TestOrganization,
} from './support/console.ts'
import { eventuallyHolds } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { allowReading, askForReadings } from './support/readings.ts'

/** A word in every text that insiders write, by any means. */
const WORD = 'quahog'
const REASON = 'Case 12/26'

/** Operations that show content to people who are not part of it, all of which need a reading. */
const SHOWN_BY_READING = [
  'readBotContent',
  'readDeliveryContent',
  'readHeld',
  'readPersonData',
  'readTopicContent',
]

type House = TestOrganization & {
  /** Two people who share a closed topic and a direct message. */
  ben: TestPerson
  cy: TestPerson
  /** An admin whom an owner allowed to read content. */
  reader: TestPerson
  second: TestPerson
  /** Things that operations read and do not change. */
  things: Ids
}

let server: TestParley
let jobs: { stop(): Promise<void> }
let plain: House
let fourEyes: House

async function newHouse(name: string): Promise<House> {
  const people = await newOrganization(server, name)
  const { orgId } = people
  const signIn = (who: string, role: 'member' | 'admin' | 'owner') =>
    signInAs(server, { orgId, role, name: who, email: `${who}@${orgId}.test` })
  const [ben, cy, reader, second] = await Promise.all([
    signIn('ben', 'member'),
    signIn('cy', 'member'),
    signIn('reader', 'admin'),
    signIn('second', 'owner'),
  ])
  await allowReading(server, reader)
  const house = { ...people, ben, cy, reader, second, things: {} }
  return { ...house, things: await newStage(house, { isWhole: true }) }
}

/** Things of insiders alone. `isWhole` adds those that take long to set up. */
async function newStage({ orgId, ben, cy }: House, { isWhole = false } = {}): Promise<Ids> {
  const { db } = server.parley
  const insiders = isWhole ? [ben.profileId, cy.profileId] : [cy.profileId]
  const ids = await newThings(server, orgId, isWhole ? ben : cy, { insiders, word: WORD })
  const topicId = ids.topicId ?? ''
  const { id: messageId } = Object((await chatOf(cy).post('messages', { topicId, text: 'Plain words' })).body)
  await chatOf(cy).post('messages', { topicId, text: `Beside it: ${WORD}` })
  const reportId = await reportOf(orgId, { messageId, topicId, senderId: cy.profileId })
  if (!isWhole) return { ...ids, reportId }

  const dm = Object((await chatOf(ben).post('direct-messages', { memberIds: [cy.profileId] })).body).id
  await chatOf(ben).post('messages', { topicId: dm, text: `Between us: ${WORD}` })
  await chatOf(ben).post('drafts', { topicId: dm, text: `Not yet: ${WORD}` })
  const edited = Object((await chatOf(ben).post('messages', { topicId, text: `First ${WORD}` })).body).id
  await chatOf(ben).patch(`messages/${edited}`, { text: `Second ${WORD}` })
  const deleted = Object((await chatOf(ben).post('messages', { topicId, text: `Gone ${WORD}` })).body).id
  await chatOf(ben).delete(`messages/${deleted}`)
  const file = form({ topicId }, [{ content: Buffer.from(`In it: ${WORD}`), name: `${WORD}.txt` }])
  const type = { headers: { 'content-type': file.contentType } }
  const sent = Object((await chatOf(ben).post('messages', file.body, type)).body).id
  await eventuallyHolds(async () => expect((await chatOf(ben).get(`messages/${sent}`)).status).toBe(200))
  const [delivery] = await db.query<{ id: string }>(sql`
    select d.id from deliveries d join events e on e.org_id = d.org_id and e.seq = d.seq
    where d.org_id = ${orgId} and d.bot_id = ${ids.botId} and e.type = 'message.created' order by d.seq limit 1`)
  return { ...ids, reportId, memberId: ben.profileId, deliveryId: delivery?.id ?? '' }
}

/** A member reported this message to the admins; one beside it has the word. */
const reportOf = (orgId: string, { messageId, topicId, senderId }: Ids): Promise<string> =>
  server.parley.db.write(orgId, async (tx) => {
    const { id, at } = tx.moment()
    await tx.query(sql`
      insert into message_reports (org_id, id, message_id, topic_id, sender_id, text, reporter_id, reason, created_at)
      values (${orgId}, ${id}, ${messageId}, ${topicId}, ${senderId}, 'Plain words', ${senderId}, 'Rude', ${at})`)
    return id
  })

beforeAll(async () => {
  server = await startTestParley()
  jobs = startJobs(server)
  plain = await newHouse('Plain')
  fourEyes = await newHouse('Four eyes')
  const set = await fourEyes.owner.patch(`/people/organizations/${fourEyes.orgId}`, { fourEyes: true })
  expect(set.status, set.text).toBe(200)
  // These wait for another owner.
  for (const who of [fourEyes.reader, fourEyes.owner]) await askForReadings(who, fourEyes.things)
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
})

const isReading = ({ id, method }: PeopleOperation) => method === 'GET' || SHOWN_BY_READING.includes(id)

/** Things that operations may change. */
const withStage = reusedThings(() => newStage(plain))

const entriesOf = async (house: House): Promise<AuditEntry[]> =>
  Object((await house.second.get(`/people/organizations/${house.orgId}/audit?limit=100`)).body).entries

describe('the word is there', () => {
  it('for those who are part of it', async () => {
    const { ben, things } = plain
    expect((await chatOf(ben).get(`topics/${things.topicId}/history`)).text).toContain(WORD)
    expect((await chatOf(ben).get(`messages/${things.messageId}`)).text).toContain(WORD)
    expect((await chatOf(ben).get('start')).text).toContain(WORD)
  })
})

describe.each(ORGANIZATION_OPERATIONS)('$id', (operation) => {
  /** Calls the operation as each outsider, none of whom may read the word. Returns whether one of them succeeded. */
  const isAllowed = async (house: House, things: Ids): Promise<boolean> => {
    let isDone = false
    for (const who of ['member', 'admin', 'reader', 'owner'] as const) {
      const { text, status } = await perform(house[who], operation, things)
      isDone ||= status < 300
      expect(text.includes(WORD), `${who} in ${house === plain ? 'plain' : 'four eyes'}: ${text}`).toBe(false)
    }
    return isDone
  }

  it('says nothing to people who are not part of it', async () => {
    if (!isReading(operation)) {
      await withStage(
        (things) => isAllowed(plain, things),
        (isDone) => isDone,
      )
      return
    }
    // Four eyes concern readings alone.
    for (const house of [plain, fourEyes]) await isAllowed(house, house.things)
  })
})

describe('with readings of everything', () => {
  it.each(ORGANIZATION_OPERATIONS.filter(({ method }) => method === 'GET'))(
    '$id still says nothing',
    async (operation) => {
      await askOnce()
      for (const who of [plain.reader, plain.owner]) {
        const { text } = await perform(who, operation, plain.things)
        expect(text).not.toContain(WORD)
      }
    },
  )

  it.each(ORGANIZATION_OPERATIONS.filter(({ id }) => SHOWN_BY_READING.includes(id)))(
    '$id shows it, and the audit log says to whom and why',
    async (operation) => {
      await askOnce()
      for (const [house, who] of [
        [plain, plain.reader],
        [plain, plain.owner],
        [fourEyes, fourEyes.reader],
        [fourEyes, fourEyes.owner],
      ] as const) {
        const before = (await entriesOf(house))[0]?.id
        const answer = await perform(who, operation, house.things)
        expect(answer.status, answer.text).toBe(200)
        expect(answer.text).toContain(WORD)
        const entries = await entriesOf(house)
        expect(
          entries.findIndex(({ id }) => id === before),
          'one entry',
        ).toBe(1)
        expect(entries[0]?.actor.id).toBe(who.profileId)
        expect(entries[0]?.changes).toContainEqual({ field: 'reason', to: REASON })
      }
    },
  )

  let others: Ids | undefined
  it.each(ORGANIZATION_OPERATIONS.filter(({ id }) => SHOWN_BY_READING.includes(id)))(
    '$id says nothing of other things',
    async (operation) => {
      await askOnce()
      others ??= await newStage(plain)
      for (const who of [plain.reader, plain.owner]) {
        const { text } = await perform(who, operation, others)
        expect(text).not.toContain(WORD)
      }
    },
  )

  it('is of no use where the right was taken back, or another owner did not say yes', async () => {
    await askOnce()
    const { owner, reader, orgId, things } = plain
    const member = `/people/organizations/${orgId}/members/${reader.profileId}`
    const read = ORGANIZATION_OPERATIONS.filter(({ id }) => SHOWN_BY_READING.includes(id))
    expect((await owner.patch(member, { mayReadContent: false })).status).toBe(200)
    const refuses = async (body: string) => {
      for (const operation of read)
        expect(await perform(reader, operation, things)).toMatchObject({ status: 403, body })
    }
    await refuses('an owner must allow you to read content first')
    expect((await owner.patch(member, { mayReadContent: true })).status).toBe(200)
    await refuses('open a reading first, with a reason')
    await askForReadings(reader, things, REASON)
    const settings = `/people/organizations/${orgId}`
    expect((await owner.patch(settings, { fourEyes: true })).status).toBe(200)
    await refuses('open a reading first, with a reason')
    for (const who of [owner, plain.second]) await who.patch(settings, { fourEyes: false })
    for (const operation of read) expect((await perform(reader, operation, things)).status).toBe(200)
  })
})

let asked: Promise<void> | undefined
/** Opens readings of everything; where four eyes are set, the second owner says yes. */
const askOnce = (): Promise<void> => {
  asked ??= (async () => {
    for (const who of [plain.reader, plain.owner]) await askForReadings(who, plain.things, REASON)
    for (const who of [fourEyes.reader, fourEyes.owner])
      for (const id of await askForReadings(who, fourEyes.things, REASON)) {
        const path = `/people/organizations/${fourEyes.orgId}/readings/${id}/decision`
        const granted = await fourEyes.second.post(path, { outcome: 'granted' })
        expect(granted.status, granted.text).toBe(200)
      }
  })()
  return asked
}

describe('tools of an assistant', () => {
  let client: Client
  beforeAll(async () => {
    await askOnce()
    client = (await connectFor(plain.owner, {}, new Keeping({ toolsets: 'all' }))).client
  })
  afterAll(() => client?.close())

  it('say nothing to an owner who is not part of it, in any operation', async () => {
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(20)
    const things: Record<string, unknown> = { ...plain.things }
    for (const { name, inputSchema } of tools) {
      const given = Object.keys(inputSchema.properties ?? {}).flatMap((field) =>
        things[field] === undefined ? [] : [[field, things[field]]],
      )
      const query = 'query' in (inputSchema.properties ?? {}) ? { query: 'Hello' } : {}
      const answer = await client.callTool({ name, arguments: { ...Object.fromEntries(given), ...query } })
      expect(JSON.stringify(answer), name).not.toContain(WORD)
    }
  })
})
