import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { PROJECT_FOLDER } from '../project.ts'

const FOLDER = join(PROJECT_FOLDER, 'server', 'pages')

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Scripts and styles of the pages, which may hold no inline ones. */
const ASSETS: Record<string, string> = {
  'style.css': 'text/css; charset=utf-8',
  'setup.js': 'text/javascript; charset=utf-8',
  'join.js': 'text/javascript; charset=utf-8',
  'form.js': 'text/javascript; charset=utf-8',
}

export const readPage = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8')

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .headers(HEADERS)
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .send(html)
}

export function pageAssets(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(ASSETS)) {
    app.get(`/pages/${name}`, async (_request, reply) =>
      reply
        .headers(HEADERS)
        .header('Content-Type', type)
        .header('Cache-Control', 'no-cache')
        .send(await readPage(name)),
    )
  }
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '')

/** Registers what the pages post to: errors are `{error}`, and only our own pages may post. */
export function formRoutes(
  app: FastifyInstance,
  baseUrl: () => string,
  register: (forms: FastifyInstance) => void,
): void {
  app.register(async (forms) => {
    forms.addHook('onRequest', async (request, reply) => {
      reply.headers(HEADERS).header('Cache-Control', 'no-store')
      refuseForeign(request, baseUrl())
    })
    forms.setErrorHandler((error, request, reply) => {
      if (error instanceof Refusal)
        return reply.code(error.status).headers(error.headers).send({ error: error.message })
      if (isTooLarge(error)) return reply.code(400).send({ error: 'This is too much text.' })
      request.log.error({ reqId: request.id, err: error, route: request.routeOptions.url }, 'request failed')
      return reply.code(500).send({ error: 'Something went wrong here. The log of the server says what.' })
    })
    register(forms)
  })
}

/** A page elsewhere can make a visitor's browser post here, but it cannot hide where it comes from. */
function refuseForeign(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers
  const isOwn =
    origin === undefined ||
    origin === new URL(baseUrl).origin ||
    (URL.canParse(origin) && new URL(origin).host === request.host)
  if (!isOwn) throw new Refusal(403, 'This must be sent from a page of this server.')
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(400, 'content type must be application/json')
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
