/** The part of JSON Schema that describes requests. */
export type Schema = {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }

type Described = {
  operationId: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
}

export type OpenApi = { paths: Record<string, Record<string, Described>> }

/** The callers of an operation: a bot, a signed-in person, a client that asks for a token, or anyone. */
export type Audience = 'bot' | 'person' | 'client' | 'anyone'

export type Operation = {
  id: string
  method: string
  path: string
  audience: Audience
  parameters: Parameter[]
  json: Schema | undefined
  form: Schema | undefined
  urlEncoded: Schema | undefined
  /** The resource of ids in answers: `topic` for `/v2/topics`. */
  resource: string
}

export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const content = described.requestBody?.content ?? {}
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        audience: audienceOf(path, described),
        parameters: described.parameters ?? [],
        json: content['application/json']?.schema,
        form: content['multipart/form-data']?.schema,
        urlEncoded: content['application/x-www-form-urlencoded']?.schema,
        resource: resourceOf(path),
      }
    }),
  )
}

function audienceOf(path: string, { security = [] }: Described): Audience {
  if (path.startsWith('/oauth/')) return 'client'
  if (path.startsWith('/people/')) return 'person'
  return security.length === 0 ? 'anyone' : 'bot'
}

/** Turns `/v2/org-units/{orgUnitId}/members` into `member`. */
function resourceOf(path: string): string {
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? ''
  return singular(last.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase()))
}

/** `deliveries` → `delivery`, `topics` → `topic`, `addresses` and `address` → `address`. */
export const singular = (plural: string): string =>
  plural
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/([^s])s$/, '$1')
