import type { FastifyRequest } from 'fastify'
import type { Caller } from '../caller.ts'
import { refusal } from '../errors.ts'
import { type IdempotentRequest, isIdempotencyKey } from '../idempotency/kept-answers.ts'
import { sha256 } from '../ids.ts'
import { bodyHash } from './request-body.ts'

/** The `Idempotency-Key` of a caller's request, if it has one. */
export const repeatOf = (
  request: FastifyRequest,
  { orgId, profileId }: Caller,
): IdempotentRequest | undefined =>
  idempotencyOf(request, () => bodyHash(request), { orgId, owner: profileId })

/** The key that the `externalId` of a request is, with a word before it that keeps messages and tasks apart. */
export function repeatByExternalId(
  request: FastifyRequest,
  { orgId, profileId }: Caller,
  kind: string,
  externalId: string,
): IdempotentRequest {
  return {
    orgId,
    owner: profileId,
    key: `externalId of ${kind}: ${externalId}`,
    requestHash: hashOf(request, () => bodyHash(request)),
  }
}

/** The key of this request, if it has one. The hash covers the whole request: another body is another request. */
export function idempotencyOf(
  request: { method: string; url: string; headers: Record<string, string | string[] | undefined> },
  /** The body's SHA-256; asked for only where there is a key. */
  hashOfBody: () => Buffer,
  { orgId, owner }: { orgId: string; owner: string },
): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || key === undefined) return undefined
  if (!isIdempotencyKey(key)) {
    throw refusal('idempotency_key_invalid')
  }
  // Node reads header bytes as Latin-1; this cannot hold a NUL.
  return { orgId, owner, key, requestHash: hashOf(request, hashOfBody) }
}

const hashOf = ({ method, url }: { method: string; url: string }, hashOfBody: () => Buffer): Buffer =>
  sha256(Buffer.concat([Buffer.from(`${method} ${url}\n`), hashOfBody()]))
