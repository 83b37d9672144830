import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { openApiDocument } from '../../contract/openapi.ts'
import type { Answer } from './client.ts'

type Json = Record<string, unknown>

/** Statuses that any request can get before an operation is found. */
const UNROUTED = [400, 404]

const ofThisServer = promisesOf(JSON.parse(JSON.stringify(openApiDocument('http://parley.test'))))

/** Throws when an answer is not one that the API reference promises for this request. */
export function checkPromise(method: string, target: string, answer: Answer): void {
  const mistake = ofThisServer.mistakeIn(method, target, answer)
  if (mistake === undefined) return
  throw new Error(`not promised: ${mistake}\n${method} ${target} answered ${answer.status} ${answer.text}`)
}

/** The promises of an OpenAPI document about answers. */
export function promisesOf(document: Json) {
  // Optimizing the code of a check takes longer than the few answers that it is for.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  const checks = new Map<string, ValidateFunction>()
  const routes = routesOf(document)

  /** The operation with the fewest placeholders that fits: `/v2/members/me` before `/v2/members/{memberId}`. */
  function operationOf(method: string, path: string): { name: string; definition: Json } | undefined {
    const verb = (method === 'HEAD' ? 'GET' : method).toLowerCase()
    for (const { template, pattern, methods } of routes) {
      const definition = pattern.test(path) && part(methods, verb)
      if (definition) return { name: `${verb} ${template}`, definition }
    }
    return undefined
  }

  function checkOf(name: string, schema: Json): ValidateFunction {
    const known = checks.get(name)
    if (known) return known
    const check = ajv.compile(Object(closed(resolved(document, schema))))
    checks.set(name, check)
    return check
  }

  /** The mistake in the answer to this request; undefined if there is none, or the document does not speak of its path. */
  function mistakeIn(method: string, target: string, answer: Answer): string | undefined {
    const path = decoded(target.split('?', 1)[0] ?? '')
    if (!/^\/(v2|people|in)\/|^\/(oauth\/token|mcp)$/.test(path)) return undefined
    const { status, headers, text, body } = answer
    if (!headers.get('x-request-id')) return 'an answer without X-Request-Id'
    const operation = operationOf(method, path)
    if (!operation && path === '/mcp' && status === 405) return undefined
    if (!operation) {
      if (!UNROUTED.includes(status)) return 'an answer where there is no operation'
      if (!headers.get('x-error-code')) return 'a refusal without X-Error-Code'
      return typeof body === 'string' || method === 'HEAD' ? undefined : 'an error that is not a JSON string'
    }
    const response = part(part(operation.definition, 'responses'), String(status))
    if (!response) return 'a status that is not listed'
    if (status === 429 && !/^[1-9]\d*$/.test(headers.get('retry-after') ?? ''))
      return '429 without Retry-After'
    const unnamed = mistakenName(response, status, headers)
    if (unnamed) return unnamed
    if (method === 'HEAD') return undefined

    const content = part(response, 'content')
    if (part(content, 'text/event-stream') && !part(content, 'application/json')) return undefined
    const schema = part(part(content, 'application/json'), 'schema')
    const [type = ''] = headers.get('content-type')?.split(';') ?? []
    if (!schema) return text === '' || part(content, type) ? undefined : 'a body'
    if (type !== 'application/json') return part(content, type) ? undefined : `${type} instead of JSON`
    const check = checkOf(`${operation.name} ${status}`, schema)
    return check(body) ? undefined : ajv.errorsText(check.errors)
  }

  return { mistakeIn, operationOf }
}

/** A refusal has one of the codes that its operation names for this status. */
function mistakenName(response: Json, status: number, headers: Headers): string | undefined {
  if (status < 400) return undefined
  const code = headers.get('x-error-code') ?? ''
  const named = part(part(part(response, 'headers'), 'X-Error-Code'), 'schema')?.enum
  return Array.isArray(named) && named.includes(code) ? undefined : `the code "${code}", which is not listed`
}

/** Decodes a path as the router does: an encoded slash stays inside its segment. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function routesOf(document: Json) {
  const placeholders = (template: string): number => template.split('{').length
  return Object.keys(part(document, 'paths') ?? {})
    .sort((one, other) => placeholders(one) - placeholders(other))
    .map((template) => ({
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*')}$`),
      methods: part(part(document, 'paths'), template),
    }))
}

function part(value: Json | undefined, name: string): Json | undefined {
  const inner = value?.[name]
  return isObject(inner) ? inner : undefined
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function resolved(document: Json, schema: Json): Json {
  if (typeof schema.$ref !== 'string') return schema
  const names = schema.$ref.split('/').slice(1)
  return names.reduce<Json | undefined>(part, document) ?? schema
}

/** The schema with `additionalProperties: false` in each object. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (!isObject(schema)) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, closed(inner)]))
  return isObject(schema.properties) && schema.type === 'object'
    ? { additionalProperties: false, ...copy }
    : copy
}
