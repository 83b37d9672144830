import { Validator } from '@seriousme/openapi-schema-validator'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import { CHAT } from '../contract/people/chat.ts'
import { PEOPLE_OPERATIONS } from '../contract/people/index.ts'
import { PICTURE_PATH } from '../contract/people/profiles.ts'
import { STREAM_PATH } from '../contract/people/stream.ts'
import { SCOPES } from '../contract/scopes.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { closed } from './support/promised.ts'

type Schema = Record<string, unknown>
type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
type Response = { description: string; content?: Record<string, Media> }
type Described = {
  operationId: string
  summary: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
}
type Document = {
  openapi: string
  info: { version: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Described>>
  webhooks: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> }
}

const EVENT_TYPES = [
  'message.created',
  'message.updated',
  'message.deleted',
  'reaction.added',
  'reaction.removed',
  'member.added',
  'member.removed',
  'topic.updated',
  'poll_vote.created',
  'poll_vote.deleted',
  'message.action',
  'question.closed',
  'message.command',
  'scheduled_message.failed',
]

let server: TestParley
let text: string
let document: Document
const ajv = new Ajv2020({ strict: false, formats: { email: true }, code: { optimize: false } })
const checks = new Map<string, ValidateFunction>()

beforeAll(async () => {
  server = await startTestParley()
  text = await (await fetch(`${server.url}/openapi.json`)).text()
  document = JSON.parse(text)
})
afterAll(() => server.close())

type Entry = { name: string; described: Described }

function entries(group: Document['paths']): Entry[] {
  return Object.entries(group).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      name: `${method.toUpperCase()} ${path}`,
      described,
    })),
  )
}

/** All that is wrong with a value, when nothing is allowed beyond what the schema names. */
function mistakesIn(value: unknown, schema: Schema): string | undefined {
  const name = JSON.stringify(schema)
  const check = checks.get(name) ?? ajv.compile(Object(closed(dereferenced(schema))))
  checks.set(name, check)
  return check(value) ? undefined : `${ajv.errorsText(check.errors)} in ${JSON.stringify(value)}`
}

function dereferenced(schema: Schema): Schema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  return name === undefined ? schema : (document.components.schemas[name] ?? schema)
}

describe('the API reference', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(document.openapi).toMatch(/^3\.1\./)
    const broken = JSON.parse(text)
    delete broken.info.title
    expect((await new Validator().validate(broken)).valid).toBe(false)
  })

  it('is served as JSON, readable from any page, with the address of this server', async () => {
    const { status, headers } = await fetch(`${server.url}/openapi.json`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(document.servers).toEqual([{ url: server.url }])
    expect(document.info.version).toBe('2.0.0')
  })

  it('describes every operation of bots and people, and what is not one', () => {
    const promised = [...OPERATIONS, ...PEOPLE_OPERATIONS].map(({ method, path }) => `${method} ${path}`)
    const others = [
      'POST /oauth/token',
      'POST /in/{incomingToken}',
      'POST /mcp',
      `GET ${STREAM_PATH}`,
      `GET ${PICTURE_PATH}`,
      'GET /people/sso',
      'GET /people/sso/callback',
      'POST /people/sso/saml',
      'GET /people/sso/saml/finish',
    ]
    expect(
      entries(document.paths)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([...promised, ...others].toSorted())
  })

  it('names every operation once, and sums it up', () => {
    const described = [...entries(document.paths), ...entries(document.webhooks)].map(
      (entry) => entry.described,
    )
    const names = described.map(({ operationId }) => operationId)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z][\w-]+$/)
    expect(new Set(names).size).toBe(names.length)
    for (const { summary } of described) expect(summary).toMatch(/^[A-Z].{8,}[^.]$/)
    const tags = document.tags.map(({ name }) => name)
    for (const one of described) expect(one.tags.filter((tag) => !tags.includes(tag))).toEqual([])
  })

  it('describes every placeholder of a path', () => {
    for (const { name, described } of entries(document.paths)) {
      const placeholders = [...name.matchAll(/\{(\w+)\}/g)].map(([, placeholder]) => placeholder)
      const parameters = described.parameters ?? []
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      expect(inPath.map((parameter) => parameter.name)).toEqual(placeholders)
      expect(inPath.every(({ required }) => required)).toBe(true)
      const hasKey = parameters.some((parameter) => parameter.name === 'Idempotency-Key')
      const isChat = name.startsWith(`POST ${CHAT}/`) && !/\/(typing|active|drafts|read-all)$/.test(name)
      expect([name, hasKey]).toEqual([name, /^POST \/((v2|in)\/|mcp)/.test(name) || isChat])
    }
  })

  it('has all ways to authenticate, with every scope', () => {
    expect(document.components.securitySchemes).toMatchObject({
      staticKey: { type: 'http', scheme: 'bearer', description: expect.stringContaining('X-Signature') },
      oauth: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: `${server.url}/oauth/token`, scopes: SCOPES } },
      },
      session: { type: 'apiKey', in: 'cookie', name: 'parley_session' },
    })
  })

  it('says plainly what the first version of signatures does not protect, and that 401 tells why', () => {
    const { description = '' }: { description?: string } = Object(
      document.components.securitySchemes.staticKey,
    )
    expect(description).toContain('covers neither its method nor its path')
    expect(description).toContain('X-Signature-Version: 2')
    const refused = Object(document.paths['/v2/members/me']?.get?.responses['401'])
    expect(Object.keys(refused.headers)).toContain('X-Auth-Error')
  })

  it.each(OPERATIONS)('says who may call $method $path', ({ method, path, scope }) => {
    const described = document.paths[path]?.[method.toLowerCase()]
    expect(described?.security).toEqual(scope === null ? [] : [{ staticKey: [] }, { oauth: [scope] }])
    const headers = described?.parameters?.filter((parameter) => parameter.in === 'header') ?? []
    const names = headers.map(({ name }) => name).filter((name) => name !== 'Idempotency-Key')
    expect(names).toEqual(
      scope === null ? [] : ['X-Timestamp', 'X-Signature', 'X-Signature-Version', 'X-Nonce'],
    )
  })

  it.each(PEOPLE_OPERATIONS)('says who may call $method $path', ({ id, method, path, access, tag }) => {
    const { security, responses, tags } = document.paths[path]?.[method.toLowerCase()] ?? {}
    expect(tags).toEqual([expect.stringMatching(/^People: /)])
    expect(tags).toEqual([tag])
    expect(security).toEqual(access === 'anyone' ? [] : [{ session: [] }])
    const textsOf = (status: number) =>
      Object.values(responses?.[status]?.content?.['application/json']?.examples ?? {}).map(
        ({ value }) => value,
      )
    expect(textsOf(403)).toContain('this must be sent from a page of this server')
    expect(textsOf(401).includes('sign in first')).toBe(access !== 'anyone')
    const isMirroredWrite = method !== 'GET' && id.startsWith('chat')
    const isChatWrite = [
      'createChatTopic',
      'updateChatTopic',
      'setBotReach',
      'pinMessage',
      'unpinMessage',
      'removePreview',
      'sendLocation',
      'sendContact',
      'closePoll',
      'stopStreaming',
      'pressAction',
      'sendCommandForm',
      'updateGroup',
      'deleteGroup',
      'addGroupMembers',
      'removeGroupMembers',
    ].includes(id)
    expect(textsOf(403).includes('forbidden')).toBe(
      access === 'member' || access === 'admin' || access === 'owner' || isMirroredWrite || isChatWrite,
    )
    expect(Object.keys(Object(responses?.['401'] ?? responses?.['403']).headers)).toContain('X-Error-Code')
    expect(textsOf(404).includes('Organization not found')).toBe(path.includes('{organizationId}'))
  })
})

describe('an example', () => {
  it('stands with every success, and is what its schema says', () => {
    const mistakes = []
    for (const { name, described } of entries(document.paths)) {
      const successes = Object.entries(described.responses).filter(([status]) => status < '400')
      expect(successes.length, name).toBeGreaterThan(0)
      for (const [status, { content }] of successes) {
        const isEmpty = ['204', '302'].includes(status) || (status === '202' && !content)
        if (isEmpty) expect(content).toBeUndefined()
        const media =
          content?.['application/json'] ?? content?.['text/event-stream'] ?? content?.['text/plain']
        if (!isEmpty && media?.example === undefined) mistakes.push(`${name} ${status} has none`)
        const mistake = media && mistakesIn(media.example, media.schema)
        if (mistake !== undefined) mistakes.push(`${name} ${status}: ${mistake}`)
      }
    }
    expect(mistakes).toEqual([])
  })

  it('stands with every body that is asked for', () => {
    const mistakes = []
    for (const { name, described } of entries(document.paths)) {
      for (const [type, media] of Object.entries(described.requestBody?.content ?? {})) {
        if (media.example === undefined) mistakes.push(`${name} ${type} has none`)
        const mistake = type.startsWith('multipart/') ? undefined : mistakesIn(media.example, media.schema)
        if (mistake !== undefined) mistakes.push(`${name} ${type}: ${mistake}`)
      }
    }
    expect(mistakes).toEqual([])
  })

  it('stands with every refusal', () => {
    const mistakes = []
    for (const { name, described } of entries(document.paths)) {
      const refusals = Object.entries(described.responses).filter(([status]) => status >= '400')
      const statuses = refusals.map(([status]) => status)
      expect(statuses).toEqual(expect.arrayContaining(['500', '503']))
      const guarded = name.includes(' /v2/') ? ['401', '403', '429'] : ['401', '403']
      if (described.security?.length) expect(statuses).toEqual(expect.arrayContaining(guarded))
      for (const [status, { content }] of refusals) {
        const media = content?.['application/json']
        const examples = Object.values(media?.examples ?? {})
        if (examples.length === 0) mistakes.push(`${name} ${status} has none`)
        for (const { value } of examples) {
          const mistake = mistakesIn(value, media?.schema ?? {})
          if (mistake !== undefined) mistakes.push(`${name} ${status}: ${mistake}`)
        }
      }
    }
    expect(mistakes).toEqual([])
  })
})

describe('the texts of refusals', () => {
  const textsOf = ({ described }: Entry) =>
    Object.values(described.responses[400]?.content?.['application/json']?.examples ?? {}).map(
      ({ value }) => value,
    )

  it('speak of a body only where there is one', () => {
    for (const entry of entries(document.paths).filter(({ name }) => name.includes(' /v2/'))) {
      const { name, described } = entry
      expect([name, textsOf(entry).includes('malformed JSON')]).toEqual([
        name,
        described.requestBody !== undefined,
      ])
    }
  })

  it('name what each part of the path can have wrong', () => {
    for (const entry of entries(document.paths)) {
      // An organization with an invalid id is not found, and neither is an address.
      const placeholders = [...entry.name.matchAll(/\{(\w+)\}/g)]
        .map(([, placeholder]) => placeholder)
        .filter((placeholder) => placeholder !== 'organizationId' && placeholder !== 'incomingToken')
      const texts = textsOf(entry)
      for (const placeholder of placeholders) {
        expect(texts).toContain(`Invalid ${placeholder}`)
        // An address that ends before its last part leads elsewhere, but for ids that are any text.
        const isAnyText = placeholder === 'externalId'
        expect(texts.includes(`${placeholder} is required`), `${entry.name} ${placeholder}`).toBe(isAnyText)
      }
    }
  })
})

describe('webhooks', () => {
  it('are described for every type of event', () => {
    expect(Object.keys(document.webhooks).toSorted()).toEqual(EVENT_TYPES.toSorted())
  })

  it.each(EVENT_TYPES)('%s has an example that is what its schema says', (type) => {
    const described = document.webhooks[type]?.post
    const media = described?.requestBody?.content['application/json']
    expect(media?.example).toMatchObject({ type, eventVersion: 1, id: expect.stringMatching(/^evt_/) })
    expect(media && mistakesIn(media.example, media.schema)).toBeUndefined()
    expect(described?.parameters?.map(({ name }) => name)).toEqual([
      'X-Service-Event',
      'X-Service-Delivery-Id',
      'X-Service-Timestamp',
      'X-Service-Signature',
    ])
  })
})
