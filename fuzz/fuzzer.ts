import type { Answer } from '../test/support/client.ts'
import type { Caller } from './callers.ts'
import type { Judge } from './checks.ts'
import type { Operation } from './document.ts'
import type { Body } from './forms.ts'
import { type Known, type Pool, resourceOfField } from './pool.ts'
import type { Planned } from './requests.ts'
import { Connection, type Request, type Result } from './wire.ts'

/** Far longer than any request takes: one that exceeds it hangs. */
const LIMIT_MS = 30_000
const LINK = /\/attachments\/[^"\\\s]+/g
const KEPT_LINKS = 50

export type Finding = { planned: Planned; mistake: string; result: Result; before: Request | undefined }

/** The input of an operation that sets the stage. */
export type Asked = { path?: Known; query?: string; body?: unknown; form?: Body }

/** Sends requests, checks every answer, and counts what was reached. */
export class Fuzzer {
  readonly url: string
  readonly #port: number
  readonly #judge: Judge
  readonly #operations: readonly Operation[]
  readonly #idle: Connection[] = []
  readonly findings: Finding[] = []
  readonly statuses = new Map<number | string, number>()
  readonly succeeded = new Map<string, number>()
  sent = 0

  constructor(url: string, judge: Judge, operations: readonly Operation[]) {
    this.url = url
    this.#port = Number(new URL(url).port)
    this.#judge = judge
    this.#operations = operations
  }

  async exchange(planned: Planned, pool?: Pool): Promise<Result> {
    const connection = this.#idle.pop() ?? new Connection(this.#port)
    const result = await connection.ask(planned, LIMIT_MS)
    const { before } = connection
    connection.before = planned
    this.#idle.push(connection)
    this.sent += 1
    this.#count(planned, result)
    const mistake = this.#judge.mistakeIn(planned, result)
    if (mistake !== undefined) this.findings.push({ planned, mistake, result, before })
    if (pool && typeof result !== 'string') learn(pool, planned, result)
    return result
  }

  /** Sends a request that sets the stage, and must succeed. */
  async ask(caller: Caller, operationId: string, asked: Asked = {}, pool?: Pool): Promise<Answer> {
    const operation = this.#operations.find(({ id }) => id === operationId)
    if (!operation) throw new Error(`there is no operation ${operationId}`)
    const { path = {}, query = '', body, form } = asked
    const target =
      operation.path.replace(/\{(\w+)\}/g, (_match, name) => encodeURIComponent(path[name] ?? '')) + query
    const content = form?.content ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
    const { method } = operation
    const contentType = form?.contentType ?? (body === undefined ? undefined : 'application/json')
    const result = await this.exchange(
      {
        number: -1,
        operation,
        caller,
        asked: path,
        isValid: true,
        method,
        target,
        headers: [
          ['Host', 'localhost'],
          ...(contentType === undefined ? [] : [['Content-Type', contentType] as const]),
          ...caller.headers({ method, target, body: content }),
        ],
        body: content,
        isChunked: false,
        isBroken: false,
      },
      pool,
    )
    if (typeof result === 'string') throw new Error(`${operationId}: ${result}`)
    if (result.status >= 400) throw new Error(`${operationId} was refused: ${result.status} ${result.text}`)
    return result
  }

  end(): void {
    for (const connection of this.#idle) connection.end()
  }

  #count({ operation }: Planned, result: Result): void {
    const status = typeof result === 'string' ? result : result.status
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (operation && typeof status === 'number' && status < 400)
      this.succeeded.set(operation.id, (this.succeeded.get(operation.id) ?? 0) + 1)
  }
}

/** Keeps the ids in an answer, and forgets deleted ones. */
function learn(
  pool: Pool,
  { operation, asked, isValid, caller }: Planned,
  { status, body, text }: Answer,
): void {
  if (!operation) return
  const [name, id = ''] = Object.entries(asked).at(-1) ?? []
  const isGone =
    (status === 204 && operation.method === 'DELETE' && operation.path.endsWith('}')) ||
    (status === 404 && isValid && caller.seesAll)
  const resource = name === undefined ? undefined : resourceOfField(name)
  if (isGone && resource !== undefined && resource !== 'organization') pool.drop(resource, id)
  if (isGone && resource === 'bot') pool.drop('member', id)
  if (status >= 300) return
  pool.harvest(operation, asked, body)
  if (!text.includes('/attachments/')) return
  for (const [link] of text.matchAll(LINK)) pool.links.push(link)
  pool.links.splice(0, pool.links.length - KEPT_LINKS)
}
