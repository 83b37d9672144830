/* The document at /openapi.json as the pages show it. */

export type Schema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  description?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
  examples?: unknown[]
  contentMediaType?: string
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
type Described = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}
type Paths = Record<string, Record<string, Described>>
export type OpenApi = { paths: Paths; webhooks: Paths }

export type Body = { type: string; schema: Schema; example?: unknown }

/** The caller: a bot, a page of a person who has signed in, or the server itself, to tell a bot of an event. */
export type OperationKind = 'bot' | 'people' | 'event'

export type Operation = {
  id: string
  kind: OperationKind
  /** `EVENT` where the server is the one that calls. */
  method: string
  path: string
  tag: string
  summary: string
  description: string
  /** The authentication of a request: a bot's credentials, a person's session, or nothing. */
  access: 'bot' | 'session' | 'none'
  scope: string | undefined
  parameters: Parameter[]
  bodies: Body[]
  answers: { status: string; description: string; bodies: Body[] }[]
  refusals: { status: string; description: string; texts: string[] }[]
}

/** Headers that libraries and examples set. The guide about authentication explains them once. */
const SIGNATURE_HEADERS = /^X-(Timestamp|Signature|Signature-Version|Nonce)$/
const PEOPLE_TAG = /^People: /

export function operationsOf({ paths, webhooks }: OpenApi): Operation[] {
  const called = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      operationOf(
        described,
        PEOPLE_TAG.test(described.tags[0] ?? '') ? 'people' : 'bot',
        method.toUpperCase(),
        path,
      ),
    ),
  )
  const told = Object.entries(webhooks).flatMap(([type, methods]) =>
    Object.values(methods).map((described) => operationOf(described, 'event', 'EVENT', type)),
  )
  return [...called, ...told]
}

function operationOf(described: Described, kind: OperationKind, method: string, path: string): Operation {
  const { operationId, tags, summary, description = '', security = [], parameters = [] } = described
  const answers = Object.entries(described.responses)
  const isRefusal = (status: string) => /^[45]/.test(status)
  const tag = (tags[0] ?? '').replace(PEOPLE_TAG, '')
  return {
    id: operationId,
    kind,
    method,
    path,
    tag: tag.charAt(0).toUpperCase() + tag.slice(1),
    summary,
    description,
    access: security.some(({ session }) => session) ? 'session' : security.length > 0 ? 'bot' : 'none',
    scope: security.flatMap(({ oauth }) => oauth ?? [])[0],
    parameters: parameters.filter(({ name }) => kind === 'event' || !SIGNATURE_HEADERS.test(name)),
    bodies: bodiesOf(described.requestBody?.content),
    answers: answers
      .filter(([status]) => !isRefusal(status))
      .map(([status, answer]) => ({
        status,
        description: answer.description,
        bodies: bodiesOf(answer.content),
      })),
    refusals: answers
      .filter(([status]) => isRefusal(status))
      .map(([status, answer]) => ({
        status,
        description: answer.description,
        texts: textsOf(answer.content),
      })),
  }
}

const bodiesOf = (content: Record<string, Media> = {}): Body[] =>
  Object.entries(content).map(([type, { schema = {}, example, examples }]) => {
    const shown = example ?? Object.values(examples ?? {})[0]?.value
    return { type, schema, ...(shown !== undefined && { example: shown }) }
  })

/** Texts of refusals; those of tokens are objects with a code. */
const textsOf = (content: Record<string, Media> = {}): string[] =>
  Object.values(content)
    .flatMap(({ examples = {} }) => Object.values(examples))
    .map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)))

/** Subjects that are for few, or that one reads about when the rest is known. */
const LAST_TAGS = ['Events', 'Tokens', 'Incoming webhooks', 'Organizations']

export function byTag(operations: readonly Operation[]): [tag: string, operations: Operation[]][] {
  const all = new Set(operations.map(({ tag }) => tag))
  const last = LAST_TAGS.filter((tag) => all.has(tag))
  const tags = [...[...all].filter((tag) => !last.includes(tag)), ...last]
  return tags.map((tag) => [tag, operations.filter((operation) => operation.tag === tag)])
}
