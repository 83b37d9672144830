import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES, EVENTS } from '../contract/events.ts'
import { Attachment, LinkPreview } from '../contract/message.ts'
import { ADMIN_CHANGE, type PeopleEvents } from '../contract/people/stream.ts'
import { sql } from '../server/db/sql.ts'
import { linkTarget } from '../server/files/links.ts'
import { withLinks } from '../server/presenters/event-links.ts'
import { anyText } from './support/any-text.ts'
import { connectFor } from './support/assistants.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { form } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { toolValue } from './support/mcp.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { PNG } from './support/samples.ts'
import { openStream } from './support/stream.ts'
import { countOf } from './support/thorough.ts'
import { appeared, download, sendFiles } from './support/uploads.ts'

const FOREIGN = '1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9'
const OWN = '2c3d4e5f-6071-4829-93a4-b5c6d7e8f90a'

let server: TestParley
let jobs: { stop(): Promise<void> }
let ada: TestPerson
let bot: StaticTestBot
let topicId: string
let foreignFile: string

beforeAll(async () => {
  server = await startTestParley()
  jobs = startJobs(server)
  const orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  bot = await staticBot(server, orgId)
  topicId = Object((await bot.post('/v2/topics', { name: 'Plans', members: [ada.profileId] })).body).id
  const stranger = await staticBot(server, await organization(server, 'Elsewhere'))
  const elsewhere = Object((await stranger.post('/v2/topics', { name: 'Secret', members: [] })).body).id
  const sent = await sendFiles(stranger, { topicId: elsewhere }, { content: 'private', name: 'a' })
  foreignFile = (await appeared(stranger, sent)).attachments[0]
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
})

/** Texts that look like placeholders for links, as any member can write them. */
const hostile = fc.oneof(
  fc.constantFrom(
    `parley:att_${FOREIGN}/a`,
    `parley:att_${FOREIGN}/a?99999999999999`,
    `parley:thb_${FOREIGN}/thumbnail.webp`,
    `"url":"parley:att_${FOREIGN}/a"`,
    `","url":"parley:att_${FOREIGN}/a","attachments":[{"id":"att_${FOREIGN}"`,
    'parley:',
  ),
  fc.string().map((text) => `parley:${text}`),
  anyText(),
)
const hostileKey = fc.constantFrom(
  'url',
  'thumbnailUrl',
  'attachments',
  'preview',
  'imageId',
  'message',
  '__proto__',
)

/** Fields that the server fills: the link of a file, and the id that it is made from. */
const FILLED = new Map<unknown, string>([
  [Attachment.properties.url, `parley:att_${OWN}/file`],
  [Attachment.properties.thumbnailUrl, `parley:thb_${OWN}/thumbnail.webp`],
  [LinkPreview.properties.thumbnailUrl, `parley:att_${OWN}/preview.webp`],
  [Attachment.properties.id, `att_${OWN}`],
  [LinkPreview.properties.imageId, `att_${OWN}`],
])
const isLink = (schema: unknown): boolean => FILLED.get(schema)?.startsWith('parley:') ?? false

/** Payloads as a schema of the contract allows them, with hostile texts wherever it has a text. */
function payloads(schema: TSchema): fc.Arbitrary<unknown> {
  const filled = FILLED.get(schema)
  if (filled !== undefined) return fc.constant(filled)
  const {
    type,
    properties,
    required = [],
    items,
    anyOf,
    patternProperties,
    enum: values,
    const: value,
  } = Object(schema)
  if (value !== undefined) return fc.constant(value)
  if (values) return fc.constantFrom(...values)
  if (anyOf) return fc.oneof(...anyOf.map(payloads))
  if (patternProperties) return fc.dictionary(hostileKey, hostile)
  if (type === 'array') return fc.array(payloads(items), { maxLength: 2 })
  if (type === 'object') {
    const fields: Record<string, fc.Arbitrary<unknown>> = {}
    for (const [name, field] of Object.entries<TSchema>(properties)) fields[name] = payloads(field)
    // The picture of a preview has an id and a link.
    const always = properties === LinkPreview.properties ? ['imageId', 'thumbnailUrl'] : []
    return fc.record(fields, { requiredKeys: [...required, ...always] })
  }
  if (type === 'string') return hostile
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer' || type === 'number') return fc.nat()
  throw new Error(`no payload for ${JSON.stringify(schema)}`)
}

/** The places of links in payloads of a schema, such as `message.attachments.url`. */
function linksIn(schema: TSchema, path: string[] = []): string[] {
  if (isLink(schema)) return [path.join('.')]
  const { properties = {}, items, anyOf = [] } = Object(schema)
  return [
    ...Object.entries<TSchema>(properties).flatMap(([name, field]) => linksIn(field, [...path, name])),
    ...(items ? linksIn(items, path) : []),
    ...anyOf.flatMap((one: TSchema) => linksIn(one, path)),
  ]
}

/** Each text of a payload, with its place. */
function textsIn(value: unknown, path: string[] = []): [string, string][] {
  if (typeof value === 'string') return [[path.join('.'), value]]
  if (Array.isArray(value)) return value.flatMap((one) => textsIn(one, path))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, [...path, name]))
}

/** Every event that only people get: one that is missing here does not compile. */
const PEOPLE_EVENTS: Record<keyof PeopleEvents, TSchema | undefined> = {
  'message.previewed': Type.Object({
    topicId: Type.String(),
    preview: Type.Union([LinkPreview, Type.Null()]),
  }),
  'topic.created': undefined,
  'message.pinned': undefined,
  'message.unpinned': undefined,
  'topic.updated': undefined,
  'poll.updated': undefined,
  'poll.voted': undefined,
  'message.answered': undefined,
  'action.noted': undefined,
  'reply.shown': undefined,
  'stream.discarded': undefined,
  'bot.reach_changed': undefined,
  'bots.stopped': undefined,
  'bots.released': undefined,
  'topic.guests_changed': undefined,
  'task.moved': undefined,
  'member.updated': undefined,
  'emoji.changed': undefined,
}

const anything = fc.dictionary(
  hostileKey,
  fc.oneof(hostile, fc.dictionary(hostileKey, hostile), fc.array(fc.dictionary(hostileKey, hostile))),
)
const link = (target: string) => `signed ${target}`
const ownLinks = [`att_${OWN}`, `thb_${OWN}`].map((id) => `signed ${id}/`)

describe('the payload of an event', () => {
  const types: [string, TSchema][] = [
    ...EVENT_TYPES.map((type): [string, TSchema] => [type, Object(EVENTS[type]).data]),
    ['message.previewed', PEOPLE_EVENTS['message.previewed'] ?? Type.Null()],
  ]
  it.each(types)(
    'of %s has links at the places of files, and every other text as it was written',
    (type, schema) => {
      const places = linksIn(schema)
      fc.assert(
        fc.property(payloads(schema), (payload) => {
          const shown: unknown = JSON.parse(withLinks({ type, data: JSON.stringify(payload) }, link))
          const before = textsIn(payload)
          const after = textsIn(shown)
          expect(after.map(([place]) => place)).toEqual(before.map(([place]) => place))
          after.forEach(([place, text], at) => {
            if (places.includes(place))
              expect(
                ownLinks.some((own) => text.startsWith(own)),
                text,
              ).toBe(true)
            else expect(text).toBe(before[at]?.[1])
          })
        }),
        { numRuns: countOf(50, 200) },
      )
    },
  )

  const plain = [...Object.keys(PEOPLE_EVENTS), ...EVENT_TYPES, ADMIN_CHANGE, 'webhook.test'].filter(
    (type) => !types.some(([known, schema]) => known === type && linksIn(schema).length > 0),
  )
  it.each(plain)('of %s is what was written, whatever its fields are called', (type) => {
    fc.assert(
      fc.property(anything, (payload) => {
        const data = JSON.stringify(payload)
        expect(withLinks({ type, data }, link)).toBe(data)
      }),
    )
  })

  it('has links in three types alone', () => {
    const withFiles = types.filter(([, schema]) => linksIn(schema).length > 0).map(([type]) => type)
    expect(withFiles).toEqual(['message.created', 'message.updated', 'message.previewed'])
  })
})

describe('texts that look like places for links', () => {
  const updates = async (): Promise<{ eventType: string; data: Record<string, unknown> }[]> =>
    Object((await bot.get('/v2/updates?offset=oldest&limit=100')).body).updates

  it('come out of the API as they went in', async () => {
    const text = `parley:${foreignFile}/a`
    const seen = await openStream(ada, ada.orgId)
    await seen.next(({ event }) => event === 'reset')
    const commands = [{ name: 'x', description: 'x', arguments: [{ name: 'url' }, { name: 'image' }] }]
    expect((await bot.put('/v2/commands', { commands })).status).toBe(200)
    const fields = [
      { id: 'url', text },
      { id: 'thumbnailUrl', text },
    ]
    const elements = [{ id: 'f', text, fields }]
    const asked = await bot.post('/v2/messages', { topicId, text, actions: { elements } })
    expect(asked.status, asked.text).toBe(201)
    const messageId = Object(asked.body).id
    const { actions } = Object((await bot.get(`/v2/messages/${messageId}`)).body)
    const chat = chatOf(ada)
    const values = { url: text, thumbnailUrl: `${text}?99999999999999` }
    const press = { actionsId: actions.id, elementId: 'f', values }
    expect((await chat.post(`actions/${messageId}/press`, press)).status).toBe(201)
    expect((await chat.post('messages', { topicId, text: `/x ${text} ${text}` })).status).toBe(201)
    const poll = { topicId, question: text, options: [text, 'no'], selectionType: 'single' }
    expect((await bot.post('/v2/polls', poll)).status).toBe(201)
    expect((await bot.post('/v2/tasks', { topicId, title: text, description: text })).status).toBe(201)
    expect((await bot.patch(`/v2/topics/${topicId}`, { description: text })).status).toBe(200)
    await seen.next(({ event }) => event === 'topic.updated')
    seen.close()

    const heard = await updates()
    const dataOf = (type: string) =>
      heard.filter(({ eventType }) => eventType === type).map(({ data }) => data)
    expect(dataOf('message.action')).toMatchObject([{ values }])
    expect(dataOf('message.command')).toMatchObject([{ arguments: { url: text, image: text } }])
    const all = JSON.stringify([heard, seen.seen])
    expect(all).not.toContain('signature=')
    expect(all.split(text).length).toBeGreaterThan(20)
  })

  it('leave the links of a file beside them alone', async () => {
    const text = `"url":"parley:${foreignFile}/a"`
    const id = await sendFiles(
      bot,
      { topicId, caption: text },
      { content: PNG, name: `parley:${foreignFile}` },
    )
    await appeared(bot, id)
    const event = (await updates()).find(({ data }) => Object(data.message).id === id)
    const { text: caption, attachments } = Object(event?.data.message)
    expect(caption).toBe(text)
    expect(attachments[0].name).toBe(`parley:${foreignFile}`)
    await download(attachments[0].url)
    await download(attachments[0].thumbnailUrl)
  })
})

describe('a link', () => {
  const fetched = async (url: string) => {
    const response = await fetch(url)
    return [response.status, await response.text()]
  }

  it('opens no file of another organization', async () => {
    for (const profileId of [bot.id, ada.profileId]) {
      const made = server.parley.links.for({ orgId: ada.orgId, profileId })(linkTarget(foreignFile, 'a'))
      expect(await fetched(made)).toEqual([404, '"file not found"'])
    }
  })

  it.each([
    'NaN',
    '',
    '-1',
    '1e15',
    '99999999999999999999',
    '1.5',
    ' 9999999999999',
    'Infinity',
    '0x1ffffffffff',
  ])('with the expiry %j is refused, even if it is signed', async (expires) => {
    const { links, secrets } = server.parley
    const own = new URL(links.for({ orgId: bot.orgId, profileId: bot.id })(linkTarget(foreignFile, 'a')))
    const reader = own.searchParams.get('signature')?.split('.')[0]
    const signed = secrets.sign('attachment link', `${reader} ${linkTarget(foreignFile, 'a')}?${expires}`)
    own.searchParams.set('expires', expires)
    own.searchParams.set('signature', `${reader}.${signed}`)
    expect(await fetched(String(own))).toEqual([403, '"invalid link"'])
  })

  it('that a person was given ends with their membership; one of a bot stays', async () => {
    const ben = await signInAs(server, { orgId: ada.orgId, name: 'Ben' })
    const chat = chatOf(ben)
    const topic = await chatOf(ada).post('topics', { name: 'Files', members: [ben.profileId, bot.id] })
    const where = { topicId: Object(topic.body).id }
    const seen = await openStream(ben, ben.orgId)
    await seen.next(({ event }) => event === 'reset')
    const file = form(where, [{ content: PNG, name: 'logo.png' }])
    const sent = await chat.post('messages', file.body, { headers: { 'content-type': file.contentType } })
    const { id } = Object(sent.body)
    const { attachmentDetails: ofBot } = await appeared(bot, id)
    const told = await seen.next(
      ({ event, data }) => event === 'message.created' && Object(data).message.id === id,
    )
    seen.close()
    const later = await openStream(ben, ben.orgId, { query: '?after=0' })
    const again = await later.next(({ data }) => Object(Object(data).message).id === id)
    later.close()
    // Assistants read pages that are kept for a second, and shared where they hold no links.
    const [ofBens, ofAdas] = [await connectFor(ben), await connectFor(ada)]
    const pageOf = async ({ client }: typeof ofBens): Promise<string> => {
      const { value } = await toolValue(client, 'list_messages', where)
      const shown = Object(value).messages.find((message: { id: string }) => message.id === id)
      return shown.attachmentDetails[0].url
    }
    const [bens, adas, bensAgain] = [await pageOf(ofBens), await pageOf(ofAdas), await pageOf(ofBens)]
    await Promise.all([ofBens.client.close(), ofAdas.client.close()])
    const ofBen = [
      bens,
      bensAgain,
      Object((await chat.get(`messages/${id}`)).body).attachmentDetails[0].thumbnailUrl,
      Object(told.data).message.attachments[0].url,
      Object(again.data).message.attachments[0].thumbnailUrl,
    ]
    for (const url of [...ofBen, adas]) await download(url)
    await server.parley.db.query(sql`
      update profiles set status = 'Archived' where org_id = ${ben.orgId} and id = ${ben.profileId}`)
    for (const url of ofBen) expect(await fetched(url)).toEqual([403, '"invalid link"'])
    for (const url of [adas, ofBot[0].url, ofBot[0].thumbnailUrl]) await download(url)
  })
})
