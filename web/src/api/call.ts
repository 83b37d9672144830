import type { AnswerOf, BodyOf, ParamsOf, PeopleOperation, QueryOf } from '../../../contract/operation.ts'
import { connectionFailed } from './connection.ts'
import { type RefusalName, refusalName } from './refusal-name.ts'

/** A refusal by the server. Show `message` through `errorText`; it is empty if a proxy refused. */
export class Refused extends Error {
  readonly status: number
  /** Pages choose their sentence by it. It is empty if a proxy refused. */
  readonly code: RefusalName['code']
  /** The field of the request that it is about. */
  readonly field: string | undefined

  constructor(status: number, message: string, { code, field }: RefusalName) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
  }
}

/** There was no answer at all: the network, or the server, is away. */
export class Unreachable extends Error {}

type Given<Name extends string, Value> = undefined extends Value
  ? { [N in Name]?: undefined }
  : { [N in Name]: Value }
type Input<O extends PeopleOperation> = Given<'params', ParamsOf<O>> &
  (undefined extends QueryOf<O> ? { query?: undefined } : { query?: QueryOf<O> }) &
  Given<'body', BodyOf<O>>

type Answer<O extends PeopleOperation> = Extract<AnswerOf<O>, { body: unknown }>['body']

/**
 * Calls an operation of the people's API. Only the operation's type is named, never its value: the contract is checked
 * here and not shipped to browsers.
 */
export async function call<O extends PeopleOperation>(
  method: O['method'],
  path: O['path'],
  { params, query, body }: Input<O>,
): Promise<Answer<O>> {
  return request(method, fill(path, params, query), {
    ...(body !== undefined && {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
}

/** Sends a form with one file. */
export function upload<Answer>(path: string, file: File): Promise<Answer> {
  const form = new FormData()
  form.append('metadata', new Blob(['{}'], { type: 'application/json' }))
  form.append('filePart', file)
  return request('POST', path, { body: form })
}

function fill(path: string, params: unknown, query: unknown): string {
  const values: Record<string, string> = Object(params)
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''))
  const entries = Object.entries(Object(query)).filter(([, value]) => value !== undefined && value !== '')
  if (entries.length === 0) return filled
  return `${filled}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

async function request<Answer>(method: string, url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { method, ...init }).catch(unreachable)
  const text = await response.text().catch(unreachable)
  const value: unknown = text === '' ? undefined : readJson(text)
  if (!response.ok) {
    const message = typeof value === 'string' ? value : ''
    throw new Refused(response.status, message, refusalName(response.headers))
  }
  return value as Answer // as the contract promises, which the server's tests hold it to
}

function unreachable(error: unknown): never {
  void connectionFailed()
  throw new Unreachable(String(error))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
