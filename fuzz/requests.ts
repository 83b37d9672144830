import type { Caller } from './callers.ts'
import type { Operation } from './document.ts'
import { type Body, formBody } from './forms.ts'
import { withBrokenHeader, withHostileHeaders } from './headers.ts'
import { hostileJson, hostileText, mutateOnce } from './hostile.ts'
import { type Known, type Pool, resourceOfField } from './pool.ts'
import { Random } from './random.ts'
import { targetOf } from './targets.ts'
import { type Hints, type Source, validValue } from './values.ts'
import type { Header, Request } from './wire.ts'

/** The material of requests: an organization, and one that is not its caller's. */
export type Material = {
  operations: readonly Operation[]
  callers: readonly Caller[]
  pool: Pool
  foreign: Pool
  /** Members who send the requests, or keep the organization: not to be removed by one of them. */
  cast: ReadonlySet<string>
  hints: Hints
}

export type Planned = Request & {
  number: number
  /** Undefined if nothing of the kind is documented. */
  operation: Operation | undefined
  caller: Caller
  /** The ids in its path. */
  asked: Known
  /** Whether nothing in it is wrong on purpose. */
  isValid: boolean
}

/** The single fault of a request, or none. */
type Twist =
  | 'none'
  | 'value'
  | 'query'
  | 'path'
  | 'text'
  | 'headers'
  | 'broken'
  | 'form'
  | 'foreign'
  | 'method'
const TWISTS: readonly [twist: Twist, weight: number][] = [
  ['none', 44],
  ['value', 18],
  ['query', 7],
  ['path', 5],
  ['text', 5],
  ['headers', 7],
  ['broken', 1],
  ['form', 4],
  ['foreign', 7],
  ['method', 2],
]

const FORM_SHARE = 0.3
/** Share of tool calls; the others are any message of JSON-RPC. */
const TOOL_CALL_SHARE = 0.8
const CHUNKED_SHARE = 0.05
const IDEMPOTENT_SHARE = 0.08
const UNROUTED_SHARE = 0.01
const DOWNLOAD_SHARE = 0.02

/** Seldom: what costs a quarter of a second of hashing, makes a whole organization, or takes a caller's session, password or topic. */
const SELDOM: Record<string, number> = {
  createOrganization: 0.3,
  signIn: 0.15,
  changePassword: 0.08,
  acceptInvitation: 0.2,
  resetPassword: 0.2,
  setUp: 0.2,
  signOut: 0.1,
  endSession: 0.6,
  readStream: 0.5,
  leaveTopic: 0.1,
}

/** Request `number` of a run; the same seed and number make the same request, but for ids, times and secrets. */
export function planRequest(seed: number, number: number, material: Material): Planned {
  const random = new Random(seed, number)
  if (random.chance(UNROUTED_SHARE)) return unrouted(random, number, material)
  if (random.chance(DOWNLOAD_SHARE)) return download(random, number, material)
  const operation = weighted(random, material.operations, ({ id }) => SELDOM[id] ?? 1)
  const twist = weighted(random, TWISTS, ([, weight]) => weight)[0]
  const caller = weighted(
    random,
    material.callers.filter(({ audience }) => audience === operation.audience),
    ({ weight }) => weight,
  )
  return planFor(operation, caller, twist, random, number, material)
}

function planFor(
  operation: Operation,
  caller: Caller,
  twist: Twist,
  random: Random,
  number: number,
  material: Material,
): Planned {
  const pool = twist === 'foreign' ? material.foreign : material.pool
  const primary = primaryResource(operation)
  const known = primary === undefined ? {} : (pick(operation, pool, primary, random, material.cast) ?? {})
  const source: Source = {
    random,
    operationId: operation.id,
    // A foreign id in the path with own ones elsewhere, or the other way round, or foreign ones everywhere.
    pool: twist === 'foreign' && random.chance(0.5) ? material.pool : pool,
    known: twist === 'foreign' && random.chance(0.3) ? {} : known,
    hints: material.hints,
  }
  const { target, asked } = targetOf(
    operation,
    source,
    twist === 'path' || twist === 'query' ? twist : undefined,
  )
  const body = bodyOf(operation, source, twist, material.operations)
  const method =
    twist === 'method' ? random.pick(['HEAD', 'PUT', 'OPTIONS', 'POST', 'DELETE', 'QUERY']) : operation.method
  return {
    number,
    operation: twist === 'method' ? undefined : operation,
    caller,
    asked,
    isValid: twist === 'none',
    ...finish({ method, target, body }, caller, random, number, twist),
  }
}

function finish(
  { method, target, body }: { method: string; target: string; body: Body | undefined },
  caller: Caller,
  random: Random,
  number: number,
  twist: Twist,
): Request {
  const content = body?.content
  const plain: Header[] = [
    ['Host', 'localhost'],
    ['X-Forwarded-For', addressOf(number)],
    ...(body?.contentType === undefined ? [] : [['Content-Type', body.contentType] as const]),
    ...(method === 'POST' && random.chance(IDEMPOTENT_SHARE)
      ? [['Idempotency-Key', `key-${random.integer(1, 50)}`] as const]
      : []),
    ...caller.headers({ method, target, body: content }),
  ]
  const isBroken = twist === 'broken'
  const hostile = twist === 'headers' ? withHostileHeaders(plain, random) : plain
  return {
    method,
    target,
    headers: isBroken ? withBrokenHeader(hostile, random) : hostile,
    body: content,
    isChunked: content !== undefined && random.chance(CHUNKED_SHARE),
    isBroken,
  }
}

/** A different sender address for each request, because attempts are limited by address. */
const addressOf = (number: number): string =>
  `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`

/** The resource of a request: the last id in its path, or the topic that its body names. */
function primaryResource({ path, json }: Operation): string | undefined {
  if (path.includes('{externalId}')) return 'topic'
  const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1]
  const resource = last === undefined ? undefined : resourceOfField(last)
  if (resource !== undefined && resource !== 'organization') return resource
  return json?.properties?.topicId ? 'topic' : undefined
}

/**
 * Picks a resource. Members and bots that send the requests are never picked for a person's writes, so that the run can
 * go on.
 */
function pick(
  { method, audience }: Operation,
  pool: Pool,
  resource: string,
  random: Random,
  cast: ReadonlySet<string>,
): Known | undefined {
  const mayLose = audience === 'person' && method !== 'GET'
  const candidates = pool.all(resource)
  const others = mayLose ? candidates.filter((slot) => !cast.has(slot[`${resource}Id`] ?? '')) : candidates
  return random.maybePick(others) ?? (mayLose ? { [`${resource}Id`]: random.uuid() } : undefined)
}

function bodyOf(
  operation: Operation,
  source: Source,
  twist: Twist,
  operations: readonly Operation[],
): Body | undefined {
  const { random } = source
  const { form, json, urlEncoded } = operation
  if (form && (twist === 'form' || random.chance(FORM_SHARE)))
    return formBody(form, source, twist === 'form' || twist === 'value')
  if (urlEncoded) return urlEncodedBody(validValue(urlEncoded, '', source), random, twist)
  if (!json) return bodyWhereNoneIsDue(operation, random)
  const isToolCall = operation.path === '/mcp' && random.chance(TOOL_CALL_SHARE)
  const value = isToolCall ? toolCall(source, twist, operations) : validValue(json, '', source)
  if (twist === 'value' && !isToolCall) return jsonBody(mutateOnce(value, json, random))
  if (twist === 'text') return { ...jsonBody(value), content: hostileJson(JSON.stringify(value), random) }
  return jsonBody(value)
}

/** A bot operation, called as a tool of assistants. */
function toolCall(source: Source, twist: Twist, operations: readonly Operation[]): unknown {
  const { random } = source
  const called = random.maybePick(operations.filter(({ path }) => path.startsWith('/v2/')))
  if (!called) return { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const of = { ...source, operationId: called.id }
  const given = called.parameters
    .filter(
      ({ in: place, required }) =>
        place === 'path' || (place === 'query' && (required || random.chance(0.3))),
    )
    .map(({ name, schema }) => [name, validValue(schema, name, of)])
  const body = called.json ? validValue(called.json, '', of) : {}
  const wrong = twist === 'value' && called.json ? mutateOnce(body, called.json, random) : body
  return {
    jsonrpc: '2.0',
    id: random.integer(1, 1000),
    method: 'tools/call',
    params: {
      name: called.id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      arguments: { ...Object.fromEntries(given), ...Object(wrong) },
    },
  }
}

const jsonBody = (value: unknown): Body => ({
  content: Buffer.from(JSON.stringify(value) ?? ''),
  contentType: 'application/json',
})

function bodyWhereNoneIsDue({ method }: Operation, random: Random): Body | undefined {
  if (method === 'GET' || random.chance(0.7)) return undefined
  return random.chance(0.7)
    ? { content: Buffer.from('{}'), contentType: 'application/json' }
    : {
        content: Buffer.from(hostileText(random)),
        contentType: random.pick(['application/json', 'text/plain']),
      }
}

function urlEncodedBody(value: unknown, random: Random, twist: Twist): Body {
  const entries = Object.entries(Object(value)).map(([name, text]): [string, string] => [name, String(text)])
  const place = random.maybePick(entries)
  if (twist === 'value' && place) place[1] = hostileText(random)
  if (twist === 'form' && place) entries.push(place)
  const form = new URLSearchParams(entries).toString()
  const content = Buffer.from(twist === 'text' ? `${form}&%zz=%&scope=${'x '.repeat(500)}` : form)
  return { content, contentType: 'application/x-www-form-urlencoded' }
}

const ODD_TARGETS: readonly string[] = [
  '/',
  '//',
  '/v2',
  '/v2/',
  '/v2/nothing',
  '/V2/topics',
  '/v2//topics',
  '/v2/topics/',
  '/v2/topics/../members',
  '/v2/%74opics',
  '/v2/topics%00',
  '/people',
  '/people/organizations',
  '/people/nothing',
  '/oauth/token/',
  '/oauth',
  '/attachments/x/y',
  '/attachments/..%2f..%2fetc/passwd?expires=1&signature=x',
  '/openapi.json?x',
  '/health/live',
  '/health/ready',
  '/docs/../../package.json',
  '/outbox',
  '/metrics',
  '/assets/..%2f..%2fserver%2fmain.js',
  '/.env',
  'http://attacker.example/v2/topics',
  '*',
  '/v2/topics?%',
]

function unrouted(random: Random, number: number, material: Material): Planned {
  const caller = random.pick(material.callers.filter(({ audience }) => audience === 'bot'))
  const method = random.pick(['GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH'])
  const request = { method, target: random.pick(ODD_TARGETS), body: undefined }
  return {
    number,
    operation: undefined,
    caller,
    asked: {},
    isValid: false,
    ...finish(request, caller, random, number, random.chance(0.3) ? 'headers' : 'none'),
  }
}

/** A link to a file from an answer, perhaps changed in one place. */
function download(random: Random, number: number, { callers, pool }: Material): Planned {
  const caller = random.pick(callers.filter(({ audience }) => audience === 'anyone'))
  const link = random.maybePick(pool.links) ?? '/attachments/att_x/y?expires=1&signature=z'
  const isChanged = random.chance(0.5)
  const spellings = [
    link.replace(/expires=\d/, 'expires=9'),
    link.replace(/signature=./, 'signature='),
    link.replace(/\/[^/?]*\?/, '/other.html?'),
    link.replace(/&signature=.*/, ''),
    link.replace('att_', 'thb_'),
    `${link}&expires=0`,
    link.replace('?', '%3f'),
  ]
  const target = isChanged ? random.pick(spellings) : link
  return {
    number,
    operation: undefined,
    caller,
    asked: {},
    isValid: !isChanged,
    ...finish(
      { method: random.chance(0.9) ? 'GET' : 'HEAD', target, body: undefined },
      caller,
      random,
      number,
      random.chance(0.5) ? 'headers' : 'none',
    ),
  }
}

function weighted<Item>(random: Random, items: readonly Item[], weightOf: (item: Item) => number): Item {
  let left = random.fraction() * items.reduce((sum, item) => sum + weightOf(item), 0)
  for (const item of items) {
    left -= weightOf(item)
    if (left < 0) return item
  }
  return random.pick(items)
}
