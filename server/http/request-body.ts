import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Form } from '../../contract/operation.ts'
import { badRequest } from '../errors.ts'
import { type ReceivedForm, readForm } from '../files/form.ts'
import { SpooledBody, spool } from '../files/spool.ts'
import { sha256 } from '../ids.ts'
import type { Parley } from '../parley.ts'

/** JSON and part headers around the files. */
const BESIDES_FILES_BYTES = 1024 * 1024

const NO_BODY = Buffer.alloc(0)

export function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : NO_BODY
}

export const isForm = (request: FastifyRequest): boolean => request.body instanceof SpooledBody

/** What the signature of a form was made over, digested as it came in. */
export function signedPart(request: FastifyRequest): Buffer | { digest: Buffer | undefined } {
  return request.body instanceof SpooledBody ? { digest: request.body.digests.signed } : rawBody(request)
}

export function bodyHash(request: FastifyRequest): Buffer {
  const spooled = request.body instanceof SpooledBody ? request.body.digests.hash : undefined
  return spooled ?? sha256(rawBody(request))
}

/** From here on, requests to the routes of `scope` may be forms: they go to disk as they come in. */
export function acceptForms(scope: FastifyInstance, form: Form, parley: Parley): void {
  const limit = form.files.maximum * maxBytes(form, parley) + BESIDES_FILES_BYTES
  scope.addContentTypeParser('multipart/form-data', async (request: FastifyRequest) => {
    if (Number(request.headers['content-length']) > limit) throw badRequest('file too large')
    const { raw, visit } = request
    const digests = {
      signed: request.claim?.startDigest(),
      hash: request.headers['idempotency-key'] === undefined ? undefined : createHash('sha256'),
    }
    return spool(raw, {
      folder: parley.files.incoming,
      limit,
      digests,
      isKept: request.claim?.isKnown ?? true,
      watch: (giveUp) => parley.bodies.begin(raw, visit?.network ?? '', 'progress', giveUp),
    })
  })
}

const maxBytes = ({ files }: Form, { config }: Parley): number => files.maxBytes ?? config.maxFileBytes

/** Takes the form apart for `work`; whatever is not stored by then is gone afterwards. */
export async function withForm<Result>(
  request: FastifyRequest,
  form: Form,
  parley: Parley,
  work: (received: ReceivedForm) => Promise<Result>,
): Promise<Result> {
  if (!(request.body instanceof SpooledBody)) throw new Error('not a form')
  const received = await readForm(request.body, request.headers['content-type'] ?? '', {
    folder: parley.files.incoming,
    metaParts: form.metaParts,
    files: { ...form.files, maxBytes: maxBytes(form, parley) },
  })
  try {
    return await work(received)
  } finally {
    await received.discard()
  }
}

export async function closeBody(request: FastifyRequest): Promise<void> {
  if (request.body instanceof SpooledBody) await request.body.close()
}
