import { basename, dirname } from 'node:path'
import send from '@fastify/send'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal } from '../errors.ts'
import { findFile, thumbnailKey } from '../files/files.ts'
import { isShown } from '../files/kinds.ts'
import { linkTarget } from '../files/links.ts'
import { NoSuchFile } from '../files/storage/storage.ts'
import type { Parley } from '../parley.ts'

const FILE_ID = /^(att|thb)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

type Link = { Params: { id: string; name: string }; Querystring: { expires?: unknown; signature?: unknown } }

/**
 * Files behind signed links. A link opens files of the organization that it was made in, and no others; one that a person was given
 * opens nothing once that person is no longer a member.
 */
export function attachmentRoutes(
  app: FastifyInstance,
  { clock, db, files, links, members }: Pick<Parley, 'clock' | 'db' | 'files' | 'links' | 'members'>,
): void {
  app.get<Link>('/attachments/:id/:name', async (request, reply) => {
    const { id, name } = request.params
    const { expires, signature } = request.query
    const [, kind, fileId] = FILE_ID.exec(id) ?? []
    const link = links.read(linkTarget(id, name), expires, signature)
    if (!link || fileId === undefined) throw refusal('link_invalid')
    if (link.timeLeft === 0) throw refusal('link_expired')

    const { personId, orgId } = link
    const person = personId === undefined ? undefined : await members.read({ orgId }, personId)
    const isOver = person?.status !== 'Active' || (person.guest_until ?? Number.POSITIVE_INFINITY) <= clock()
    if (personId !== undefined && isOver) throw refusal('link_invalid')
    const file = await findFile(db, orgId, fileId)
    if (!file) throw refusal('file_not_found')
    const isThumbnail = kind === 'thb'
    const contentType = isThumbnail ? 'image/webp' : file.contentType
    const seconds = Math.ceil(link.timeLeft / 1000)
    const download = {
      contentType,
      disposition: contentDisposition(name, { type: isShown(contentType) ? 'inline' : 'attachment' }),
      seconds,
    }
    const place = await files.storage
      .locate(isThumbnail ? thumbnailKey(fileId) : fileId, download)
      .catch((error: unknown) => {
        throw error instanceof NoSuchFile ? refusal('file_not_found') : error
      })
    reply.header('Cache-Control', `private, max-age=${seconds}`).header('Referrer-Policy', 'no-referrer')
    if ('url' in place) return reply.redirect(place.url, 302)
    return serve(request, reply, place.path, download)
  })
}

/** Headers that keep content from running in a browser. */
const SAFE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // Anyone with the link may read it anyway: pages preview files that are kept under another address.
  'Access-Control-Allow-Origin': '*',
}

const REASONS: Record<number, string> = { 412: 'precondition failed', 416: 'range not satisfiable' }

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  { contentType, disposition }: { contentType: string; disposition: string },
): Promise<FastifyReply> {
  const { statusCode, headers, stream, type } = await send(request.raw, basename(path), {
    root: dirname(path),
    cacheControl: false,
    contentType: false,
    dotfiles: 'deny',
    index: false,
  })
  if (type !== 'file') {
    if (statusCode === 404) throw refusal('file_not_found')
    const range = headers['Content-Range']
    if (range !== undefined) reply.header('Content-Range', range)
    return reply
      .code(statusCode)
      .type('application/json')
      .send(JSON.stringify(REASONS[statusCode] ?? 'refused'))
  }
  return reply
    .code(statusCode)
    .headers({ ...headers, ...SAFE_HEADERS, 'Content-Disposition': disposition })
    .type(contentType)
    .send(stream)
}
