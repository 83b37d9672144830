import type { Static, TSchema } from 'typebox'
import type { RefusalKey } from './refusals/index.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type SuccessStatus = 200 | 201 | 204

export type Success = {
  description: string
  schema?: TSchema
  example?: unknown
  /** Examples of this answer as text, by content type, for clients that ask for one. */
  texts?: Record<string, string>
}

/** The form part with a file; repeated for several files. */
export const FILE_PART = 'filePart'

/** `multipart/form-data` form of an operation: JSON in one part, files in others. */
export type Form = {
  /** Names of the JSON part; use the first. */
  metaParts: readonly [string, ...string[]]
  meta: TSchema
  metaExample: unknown
  description: string
  /** `maxBytes` of each file; the server's setting by default. */
  files: { minimum: 0 | 1; maximum: number; maxBytes?: number }
}

/** Plain-text form of an operation. The text is processed while it arrives, so requests cannot be signed. */
export type StreamedText = { query: TSchema; description: string; example: string }

/** One endpoint as it is promised: everything that travels, and every way it can be refused. */
export type Endpoint = {
  id: string
  method: Method
  /** Placeholders are written as in OpenAPI: `/v2/members/{memberId}`. */
  path: `/${string}`
  tag: string
  summary: string
  description?: string
  params?: TSchema
  query?: TSchema
  body?: TSchema
  bodyExample?: unknown
  /** Bytes that its JSON may have, where that is not what others of its kind may have. */
  bodyBytes?: number | 'small'
  form?: Form
  streamedText?: StreamedText
  success: { [Status in SuccessStatus]?: Success }
  /** Refusals beyond the ones that every operation shares. */
  refusals?: readonly RefusalKey[]
}

/** An endpoint for bots. */
export type Operation = Endpoint & {
  /** The required OAuth scope; `null` if no authentication is needed. */
  scope: Scope | null
  /** A static key with `read` permission may call it although it is not a GET. */
  readPermissionSuffices?: boolean
  /** An operation with a limit of its own, which is not counted among the requests of the organization. */
  isUncounted?: boolean
  /** Counted in a budget of its own beside the organization's other requests, so that these never keep a bot from hearing. */
  isCountedApart?: boolean
  /** Each call counts among the messages that the bot may send in a day: it sends one, or makes a topic. */
  countsInBudget?: boolean
  /** Whether bots get an event of it: it is refused while bots only answer bots. */
  isHeardByBots?: boolean
  /** Whether a paused bot may call it; all other operations are refused. */
  worksWhilePaused?: boolean
  /** Whether `externalId` in its body counts as its `Idempotency-Key`, for bots whose setting says so. */
  mayRepeatByExternalId?: boolean
  /** Whether the same call again changes nothing more. PUT, PATCH and DELETE are like that unless they say otherwise, POST is not. */
  isIdempotent?: boolean
}

export function operation<const Definition extends Operation>(definition: Definition): Definition {
  return definition
}

/** The callers of an endpoint for people: anyone, anyone signed in, or those with at least this role in the organization. */
export type Access = 'anyone' | 'account' | Role
export const ROLES = ['guest', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** Whether this is a role of people who run the organization. */
export const isAdminRole = (role: Role | null | undefined): boolean => role === 'admin' || role === 'owner'

/** An endpoint for people, who sign in. Those of an organization have its id as `organizationId` in their path. */
export type PeopleOperation = Endpoint & { access: Access }

export function peopleOperation<const Definition extends PeopleOperation>(
  definition: Definition,
): Definition {
  return definition
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined

export type ParamsOf<O extends Endpoint> = StaticOf<O['params']>
export type QueryOf<O extends Endpoint> = StaticOf<O['query']>
export type BodyOf<O extends Endpoint> = StaticOf<O['body']>
export type MetaOf<O extends Endpoint> = O['form'] extends { meta: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined

export type TextQueryOf<O extends Endpoint> = O['streamedText'] extends {
  query: infer Schema extends TSchema
}
  ? Static<Schema>
  : undefined

/** Answers that a handler of this operation may give: one of its success statuses with that status's body. */
export type AnswerOf<O extends Endpoint> = {
  [Status in keyof O['success'] & SuccessStatus]: O['success'][Status] extends {
    schema: infer Schema extends TSchema
  }
    ? { status: Status; body: Static<Schema> }
    : { status: Status; body?: undefined }
}[keyof O['success'] & SuccessStatus]
