import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Form } from '../../contract/operation.ts'
import { refusal } from '../errors.ts'
import type { FormParts } from '../files/form.ts'
import { IncomingForm, receiveForm } from '../files/incoming-form.ts'
import { sha256 } from '../ids.ts'
import type { Parley } from '../parley.ts'

/** Room for JSON and part headers around the files. */
const BESIDES_FILES_BYTES = 1024 * 1024

const NO_BODY = Buffer.alloc(0)

export function rawBody(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : NO_BODY
}

export const isForm = (request: FastifyRequest): boolean => request.body instanceof IncomingForm

/** The signed part of a body; for a form, its digest. */
export function signedPart(request: FastifyRequest): Buffer | { digest: Buffer | undefined } {
  return request.body instanceof IncomingForm ? { digest: request.body.digests.signed } : rawBody(request)
}

export function bodyHash(request: FastifyRequest): Buffer {
  const digest = request.body instanceof IncomingForm ? request.body.digests.hash : undefined
  return digest ?? sha256(rawBody(request))
}

/** Lets the routes of `scope` take forms. Their files are written to disk as they come in. */
export function acceptForms(
  scope: FastifyInstance,
  form: Form,
  parley: Pick<Parley, 'bodies' | 'config' | 'files'>,
): void {
  const files = { ...form.files, maxBytes: form.files.maxBytes ?? parley.config.maxFileBytes }
  const limit = files.maximum * files.maxBytes + BESIDES_FILES_BYTES
  const rules = { folder: parley.files.incoming, metaParts: form.metaParts, files }
  scope.addContentTypeParser('multipart/form-data', async (request: FastifyRequest) => {
    if (Number(request.headers['content-length']) > limit) throw refusal('file_too_large')
    const { raw, visit } = request
    const digests = {
      signed: await request.claim?.startDigest(),
      hash: request.headers['idempotency-key'] === undefined ? undefined : createHash('sha256'),
    }
    return receiveForm(raw, {
      contentType: request.headers['content-type'] ?? '',
      rules,
      limit,
      digests,
      isKept: request.claim?.isKnown ?? true,
      watch: (giveUp) => {
        const body = parley.bodies.begin(raw, visit?.network ?? '', 'progress', giveUp)
        if (visit) visit.body = body // its metadata is in memory until the request is over
        return body
      },
    })
  })
}

/** The parts of the form, which are gone when the request is over unless they were stored. */
export async function formParts(request: FastifyRequest): Promise<FormParts> {
  if (!(request.body instanceof IncomingForm)) throw new Error('not a form')
  return request.body.parts()
}

/** Removes the form's files before the answer is sent, so that none are left after it. Other requests do not wait. */
export const discardForm: onSendHookHandler = (request, _reply, payload, done) => {
  if (!(request.body instanceof IncomingForm)) return done(null, payload)
  request.body.discard().then(() => done(null, payload), done)
}
