import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { PROJECT_FOLDER } from '../project.ts'

const FOLDER = join(PROJECT_FOLDER, 'server', 'pages')

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'no-referrer',
}

/** Stylesheets of the pages, whose policy forbids inline styles. */
const ASSETS: Record<string, string> = {
  'style.css': 'text/css; charset=utf-8',
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
