import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import type { Operation } from '../contract/operation.ts'
import { createOrgUnit } from '../server/actions/members/org-units.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { newUuid } from '../server/ids.ts'
import { anyText } from './support/any-text.ts'
import {
  type OAuthTestBot,
  oauthBot,
  organization,
  person,
  type StaticTestBot,
  staticBot,
} from './support/cast.ts'
import { type Answer, sign } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { countOf } from './support/thorough.ts'
import { send } from './support/wire.ts'

/** Runs of each operation, with two requests each: one with a static key, one with a token. */
const RUNS = countOf(3, 10)

let server: TestParley
let deploy: StaticTestBot
let calendar: OAuthTestBot
/** Ids of things that exist, by their names in requests: they lead past the first refusal. */
const real: Record<string, unknown> = {}

beforeAll(async () => {
  server = await startTestParley({ orgUnitChangesPerMinute: 0 })
  const orgId = await organization(server)
  deploy = await staticBot(server, orgId, 'Deploy bot')
  calendar = await oauthBot(server, orgId, 'Calendar bot')
  const ada = await person(server, orgId, 'Ada Okafor')
  const unit = await server.parley.db.write(orgId, (tx) =>
    createOrgUnit(tx, { name: 'Berlin', tag: 'berlin', type: 'Location', members: [ada] }, OPERATOR),
  )
  Object.assign(real, { memberId: ada, assignee: ada, members: [ada], memberIds: [ada], orgUnitId: unit.id })
  Object.assign(real, { senderId: deploy.id, voteId: newUuid() })
})

/** Creates new things for each test, because earlier input may have deleted or left them. */
beforeEach(async () => {
  const make = async (path: string, body: unknown) => Object((await deploy.post(path, body)).body)
  const names = { name: newUuid(), externalId: newUuid() }
  const topic = await make('/v2/topics', { ...names, members: [calendar.id, real.memberId] })
  const topicId = topic.id
  const message = await make('/v2/messages', { topicId, text: 'The release is out.' })
  const reaction = await make(`/v2/messages/${message.id}/reactions`, { reaction: '🎉' })
  const task = await make('/v2/tasks', { topicId, title: 'Celebrate' })
  const label = await make('/v2/organization/labels', { name: newUuid() })
  const question = { question: 'Cake?', options: ['Yes', 'No'], selectionType: 'single' }
  const poll = await make('/v2/polls', { topicId, ...question })
  for (const [name, { id }] of Object.entries({ topic, message, reaction, task, label, poll })) {
    expect(id).toEqual(expect.any(String))
    real[`${name}Id`] = id
  }
  Object.assign(real, { optionId: poll.options[0].id, externalId: names.externalId })
})
afterAll(() => server.close())

const namesOf = (schema: unknown): string[] => Object.keys(Object(Object(schema).properties))
const unique = (names: string[]): string[] => [...new Set(names)]

const FIELDS = unique([
  ...OPERATIONS.flatMap(({ body }) => namesOf(body)),
  '__proto__',
  'constructor',
  'toString',
  'metaPart',
  '',
])
/** Leaves out `timeout`, because a valid one would make the test wait. */
const PARAMETERS = unique([...OPERATIONS.flatMap(({ query }) => namesOf(query)), '__proto__', 'x']).filter(
  (name) => name !== 'timeout',
)

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00',
  '🚀',
  '👩‍👩‍👧',
  '\u202e',
  'x'.repeat(300),
  '🚀'.repeat(10_001),
  '<@',
  '<@b@>',
  'b@',
  "'; drop table topics --",
  '../../etc/passwd',
  '{"a":1}',
  '1e5',
  '-1',
  '9007199254740993',
  'true',
  'null',
  'undefined',
  'a,b,,c',
  '%00%ff',
]
const ODD_NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 8_640_000_000_000_001, 1e308, 5e-324]

const text = fc.oneof(anyText({ maxLength: 20 }), fc.constantFrom(...ODD_TEXTS))
const realId = fc.nat().map((number) => String(Object.values(real)[number % Object.values(real).length]))
const id = fc.oneof(realId, realId, fc.uuid(), text)
const leaf = fc.oneof(
  text,
  id,
  fc.integer(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(null, true, false, ...ODD_NUMBERS),
)
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    leaf,
    fc.array(fc.oneof(id, tie('value')), { maxLength: 7 }),
    fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 4 }),
  ),
}))
const fields = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 5 })

/** Texts that are almost JSON, or huge JSON. */
const ODD_BODIES = [
  '',
  '{',
  '{}}',
  'null',
  '"text"',
  '[1,2',
  '{"text":',
  '{"text":1e999}',
  `{"text":${'9'.repeat(400)}}`,
  '{"__proto__":{"text":"x"},"constructor":{"prototype":{"text":"x"}}}',
  '{"text":"a","text":null}',
  '\ufeff{}',
  '['.repeat(20_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  `{"text":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
]

function bodyFor({ bodyExample }: Operation): fc.Arbitrary<string | Buffer> {
  const example: Record<string, unknown> = Object(bodyExample)
  const fresh = () => ({ name: newUuid(), externalId: newUuid(), humanEmail: `${newUuid()}@example.com` })
  const valid = () => {
    const known: Record<string, unknown> = { ...real, ...fresh() }
    return Object.fromEntries(Object.entries(example).map(([name, given]) => [name, known[name] ?? given]))
  }
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('').map(() => JSON.stringify(valid())) },
    { weight: 5, arbitrary: fields.map((changes) => JSON.stringify({ ...valid(), ...changes })) },
    { weight: 3, arbitrary: fields.map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: value.map((body) => JSON.stringify(body) ?? '') },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_BODIES) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  )
}

/** Percent-encodes every byte that is not plainly allowed; a half of a character becomes a replacement. */
function encode(part: string): string {
  return encodeURIComponent(part.toWellFormed())
}

const part = anyText({ maxLength: 20 })
const pathPart = fc
  .oneof(part, fc.constantFrom(...ODD_TEXTS.filter(({ length }) => length <= 300)))
  .map(encode)

function targetFor({ path }: Operation): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const ids = fc.tuple(
    ...names.map((name) =>
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(name).map((known) => encode(String(real[known]))) },
        { weight: 1, arbitrary: fc.uuid() },
        { weight: 2, arbitrary: pathPart },
      ),
    ),
  )
  const parameter = fc.tuple(
    fc.oneof(fc.constantFrom(...PARAMETERS), text),
    fc.oneof(text, id, fc.integer().map(String), fc.constantFrom('%', '%zz', '%ff', '%00')),
  )
  const query = fc.array(parameter, { maxLength: 4 })
  return fc.tuple(ids, query).map(([chosen, pairs]) => {
    let next = 0
    const filled = path.replace(/\{\w+\}/g, () => chosen[next++] ?? '')
    const search = pairs.map(
      ([name, given]) => `${encode(name)}=${given.startsWith('%') ? given : encode(given)}`,
    )
    return search.length > 0 ? `${filled}?${search.slice(0, 3).join('&').slice(0, 8000)}` : filled
  })
}

const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=latin1',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'nonsense',
      '',
    ),
  },
)
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
})
const headers = fc
  .dictionary(
    fc.constantFrom(
      'Idempotency-Key',
      'X-Forwarded-For',
      'Forwarded',
      'Accept',
      'Accept-Encoding',
      'Content-Encoding',
      'Cookie',
      'Origin',
      'Range',
      'If-None-Match',
      'X-HTTP-Method-Override',
      'X-Request-Id',
      'Traceparent',
    ),
    headerText,
    { maxKeys: 3 },
  )
  .map((given) => ({ ...given }))

type Request = { target: string; body: string | Buffer; type: string; more: Record<string, string> }

function requestFor(operation: Operation): fc.Arbitrary<Request> {
  const body = operation.method === 'GET' ? fc.constant('') : bodyFor(operation)
  return fc.record({ target: targetFor(operation), body, type: contentType, more: headers })
}

function sendAs(
  bot: 'key' | 'token',
  method: string,
  { target, body, type, more }: Request,
): Promise<Answer> {
  const timestamp = String(Date.now())
  const { apiKey, apiSecret } = deploy.credentials
  const credentials =
    bot === 'token'
      ? { Authorization: `Bearer ${calendar.credentials.token}` }
      : {
          Authorization: `Bearer ${apiKey}`,
          'X-Timestamp': timestamp,
          'X-Signature': sign(apiSecret, timestamp, method === 'GET' ? target : body),
        }
  const described = method === 'GET' ? {} : { 'Content-Type': type }
  return send(server.url, {
    method,
    target,
    headers: { ...more, ...described, ...credentials },
    ...(method !== 'GET' && { body }),
  })
}

// `send` checks each answer against the API reference: its status is listed there, and an error is a JSON string.
describe('whatever is sent to', () => {
  it.each(OPERATIONS)('$method $path, the answer is a promised one', async (operation) => {
    await fc.assert(
      fc.asyncProperty(requestFor(operation), async (request) => {
        for (const bot of ['key', 'token'] as const) {
          const { status } = await sendAs(bot, operation.method, request)
          expect(status).toBeLessThan(500)
          expect(status).not.toBe(401)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('POST /oauth/token, the answer is a promised one', async () => {
    const names = ['grant_type', 'client_id', 'client_secret', 'scope', 'x', '__proto__']
    const pair = fc.tuple(
      fc.constantFrom(...names),
      fc.oneof(fc.constantFrom('client_credentials', 'member:read', ' '), text, id),
    )
    const form = fc
      .array(pair, { maxLength: 5 })
      .map((pairs) => pairs.map(([name, given]) => `${name}=${encode(given)}`).join('&'))
    const authorization = fc.option(
      fc.oneof(
        fc
          .tuple(id, text)
          .map((pair) => `Basic ${Buffer.from(pair.join(':').slice(0, 300)).toString('base64')}`),
        fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
      ),
    )
    const type = fc.oneof(fc.constant('application/x-www-form-urlencoded'), contentType)
    const body = fc.oneof(
      form,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    )
    await fc.assert(
      fc.asyncProperty(body, authorization, type, async (body, authorization, type) => {
        const { status } = await send(server.url, {
          method: 'POST',
          target: '/oauth/token',
          headers: { 'Content-Type': type, ...(authorization !== null && { Authorization: authorization }) },
          body,
        })
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 15 * RUNS },
    )
  })

  it('any path under /v2, the answer is a promised one', async () => {
    const path = fc
      .array(fc.oneof(pathPart, fc.constantFrom('members', 'topics', 'me', '', '.', '..')), { maxLength: 5 })
      .map((parts) => ['/v2', ...parts].join('/'))
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')
    await fc.assert(
      fc.asyncProperty(path, method, async (target, method) => {
        const { status } = await sendAs('key', method, {
          target,
          body: '{}',
          type: 'application/json',
          more: {},
        })
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 15 * RUNS },
    )
  })
})

describe('afterwards', () => {
  it('the server has logged no failure, and still works', async () => {
    expect(server.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
    expect((await deploy.get('/v2/members/me')).status).toBe(200)
  })
})
