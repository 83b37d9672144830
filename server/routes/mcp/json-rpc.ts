import { isUtf8 } from 'node:buffer'
import type { FastifyReply } from 'fastify'

/** Codes of JSON-RPC 2.0, and of the Model Context Protocol. */
export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
  /** Any other refusal; its HTTP status is in `data`. */
  refused: -32000,
} as const

export class RpcError extends Error {
  readonly code: number
  readonly data: object | undefined

  constructor(code: number, message: string, data?: object) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.data = data
  }
}

export type RpcRequest = { id: string | number; method: string; params: Record<string, unknown> }

/** Returns the request in a body; undefined for a notification or a response, which need no answer. */
export function readMessage(raw: Buffer): RpcRequest | undefined {
  const message = parse(raw)
  if (Array.isArray(message)) throw new RpcError(CODES.invalidRequest, 'send one message in each request')
  if (!isObject(message) || message.jsonrpc !== '2.0')
    throw new RpcError(CODES.invalidRequest, 'the body must be a message of JSON-RPC 2.0')
  const { id, method, params = {} } = message
  if (method === undefined && ('result' in message || 'error' in message)) return undefined
  if (typeof method !== 'string') throw new RpcError(CODES.invalidRequest, 'method must be a string')
  if (id === undefined) return undefined
  if (typeof id !== 'string' && !Number.isSafeInteger(id))
    throw new RpcError(CODES.invalidRequest, 'id must be a string or an integer')
  if (!isObject(params)) throw new RpcError(CODES.invalidRequest, 'params must be an object')
  return { id: typeof id === 'string' ? id : Number(id), method, params }
}

function parse(raw: Buffer): unknown {
  try {
    if (isUtf8(raw)) return JSON.parse(raw.toString('utf8'))
  } catch {
    // reported below, as for bytes that are no text
  }
  throw new RpcError(CODES.parseError, 'the body must be JSON in UTF-8')
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const resultOf = ({ id }: RpcRequest, result: object): object => ({ jsonrpc: '2.0', id, result })

/** The error as JSON-RPC. Without a request it has no `id`. */
export const errorOf = (error: RpcError, request?: RpcRequest): object => ({
  jsonrpc: '2.0',
  ...(request && { id: request.id }),
  error: { code: error.code, message: error.message, ...(error.data && { data: error.data }) },
})

export const sendMessage = (reply: FastifyReply, message: object): FastifyReply =>
  reply.header('Content-Type', 'application/json; charset=utf-8').send(JSON.stringify(message))
