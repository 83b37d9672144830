import type { Static, TSchema } from 'typebox'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type SuccessStatus = 200 | 201 | 204
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 429

export type Success = { description: string; schema?: TSchema; example?: unknown }

/** One endpoint as it is promised: everything that travels, and every way it can be refused. */
export type Operation = {
  id: string
  method: Method
  /** With placeholders as in OpenAPI: `/v2/members/{memberId}`. */
  path: `/${string}`
  tag: string
  summary: string
  description?: string
  /** The OAuth scope it needs; `null` where no authentication is asked for. */
  scope: Scope | null
  /** A static key with `read` permission may call it although it is not a GET. */
  readPermissionSuffices?: boolean
  params?: TSchema
  query?: TSchema
  body?: TSchema
  bodyExample?: unknown
  success: { [Status in SuccessStatus]?: Success }
  /** Refusals beyond the ones that every operation shares, with their texts. */
  refusals?: { [Status in RefusalStatus]?: string[] }
}

export function operation<const Definition extends Operation>(definition: Definition): Definition {
  return definition
}

type StaticOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined

export type ParamsOf<O extends Operation> = StaticOf<O['params']>
export type QueryOf<O extends Operation> = StaticOf<O['query']>
export type BodyOf<O extends Operation> = StaticOf<O['body']>

/** What a handler of this operation may answer: one of its success statuses with that status's body. */
export type AnswerOf<O extends Operation> = {
  [Status in keyof O['success'] & SuccessStatus]: O['success'][Status] extends {
    schema: infer Schema extends TSchema
  }
    ? { status: Status; body: Static<Schema> }
    : { status: Status; body?: undefined }
}[keyof O['success'] & SuccessStatus]
