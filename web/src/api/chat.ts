import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../../../contract/operation.ts'
import type { CHAT } from '../../../contract/people/chat.ts'
import { ChatError } from '../chat/model.ts'
import { refusalName } from './refusal-name.ts'

/** The path of a chat operation below the organization's: its own, or that of the mirrored bot API. */
type ChatPath<O extends Endpoint> = O['path'] extends `${typeof CHAT}${infer Rest}`
  ? Rest
  : O['path'] extends `/v2${infer Rest}`
    ? Rest
    : never

type Given<Name extends string, Value> = undefined extends Value
  ? { [N in Name]?: undefined }
  : keyof Value extends never
    ? { [N in Name]?: undefined }
    : { [N in Name]: Value }

type Input<O extends Endpoint> = Given<'params', Omit<ParamsOf<O>, 'organizationId'>> &
  (undefined extends QueryOf<O> ? { query?: undefined } : { query?: QueryOf<O> }) &
  Given<'body', BodyOf<O>> & {
    /** The request's `Idempotency-Key`. */
    key?: string
    /** Goes out even if the page is closed at this moment. */
    keepalive?: boolean
    signal?: AbortSignal
  }

type Answer<O extends Endpoint> = Extract<AnswerOf<O>, { body: unknown }>['body']

/**
 * Calls an operation of the chat, of an organization. Only the operation's type is named, never its value: the contract is
 * checked here and not shipped to browsers. Every failure is a `ChatError`.
 */
export type ChatApi = <O extends Endpoint>(
  method: O['method'],
  path: ChatPath<O>,
  input: Input<O>,
) => Promise<Answer<O>>

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** `code` of what got no answer at all. */
export const UNREACHABLE = 'unreachable'

export const chatPath = (organizationId: string, rest: string): string =>
  `/people/organizations/${organizationId}/chat${rest}`

export function chatApi(organizationId: string, fetcher: Fetch = fetch): ChatApi {
  return async (method, path, { params, query, body, key, keepalive = false, signal }) => {
    const url = chatPath(organizationId, fill(path, params, query))
    const init = {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      keepalive,
      ...(signal && { signal }),
    }
    const response = await fetcher(url, init).catch(unreachable)
    const text = await response.text().catch(unreachable)
    const value = readJson(text)
    if (!response.ok) throw refusalOf(response.status, response.headers, value)
    return value // as the contract promises, which the server's tests hold it to
  }
}

type Headed = { get(name: string): string | null }

export function refusalOf(status: number, headers: Headed, value: unknown): ChatError {
  const text = typeof value === 'string' ? value : ''
  const wait = Number(headers.get('Retry-After'))
  return new ChatError({ status, text, ...refusalName(headers) }, wait > 0 ? wait * 1000 : undefined)
}

export function unreachable(error: unknown): never {
  throw new ChatError({ status: 0, code: UNREACHABLE, text: String(error) })
}

function fill(path: string, params: unknown, query: unknown): string {
  const values: Record<string, string> = Object(params)
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''))
  const entries = Object.entries(Object(query)).filter(([, value]) => value !== undefined && value !== '')
  if (entries.length === 0) return filled
  return `${filled}?${new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))}`
}

export function readJson(text: string) {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
