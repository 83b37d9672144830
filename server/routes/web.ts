import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readCookie } from '../http/cookies.ts'
import { languageOf } from '../http/language.ts'
import type { Parley } from '../parley.ts'
import { BUILD_FOLDER } from '../project.ts'

const FOLDER = join(BUILD_FOLDER, 'web')
/** Paths that the page handles itself. */
const PATHS = [
  '/setup',
  '/join',
  '/invite',
  '/invite/confirm',
  '/reset',
  '/sign-in',
  '/sign-in/directory',
  '/account',
  '/console',
  '/console/*',
  '/oauth/assistants/authorize',
  '/docs',
  '/docs/*',
]
/** Paths of the chat for signed-in people. */
const CHAT_PATHS = ['/', '/o/*', '/t/*', '/m/*']
/** Files whose names do not change with their content. */
const FIXED_FILES = ['icon.svg', 'icon-192.png', 'icon-512.png', 'icon-maskable.png', 'manifest.webmanifest']
/** Asked for by browsers at each start, which compare it with the one that they have. */
const SERVICE_WORKER = 'service-worker.js'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

type WebFile = { type: string; plain: Buffer; brotli: Buffer | undefined }

/** The pages for people: one document, and files whose names change with their content. */
export function webRoutes(
  app: FastifyInstance,
  { config, files: { storage } }: Pick<Parley, 'config' | 'files'>,
): void {
  let files: ReadonlyMap<string, WebFile> = new Map()
  const load = async () => {
    // A load that failed, or found nothing, is not remembered: a build may just be putting the files in place.
    if (files.size === 0) files = await loadFiles()
    return files
  }

  let headers: ReturnType<typeof pageHeaders> | undefined
  const sendPage = async (name: 'index' | 'chat', request: FastifyRequest, reply: FastifyReply) => {
    headers ??= pageHeaders([config.storageUrl, await storage.pageSource()])
    reply.headers(headers).header('Cache-Control', 'no-cache')
    const page = (await load()).get(`${name}.${languageOf(request)}.html`)
    return sendFile(request, reply, page, 'Accept-Encoding, Accept-Language, Cookie')
  }
  for (const path of PATHS) app.get(path, (request, reply) => sendPage('index', request, reply))
  for (const path of CHAT_PATHS) {
    app.get(path, (request, reply) => {
      const isSignedIn = readCookie(request, config, 'session') !== undefined
      return sendPage(isSignedIn ? 'chat' : 'index', request, reply)
    })
  }
  // A browser without the service worker posts here what another app shares. The chat says that it is to be shared again.
  app.post('/share', {
    onRequest: async (_request, reply) => reply.header('Cache-Control', 'no-store').redirect('/?shared', 303),
    handler: async () => {},
  })
  app.get('/assets/:name', async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    reply.header('Cache-Control', 'public, max-age=31536000, immutable')
    return sendFile(request, reply, (await load()).get(`assets/${request.params.name}`))
  })
  app.get(`/${SERVICE_WORKER}`, async (request, reply) => {
    reply.header('Cache-Control', 'no-cache').header('Content-Security-Policy', "default-src 'self'")
    return sendFile(request, reply, (await load()).get(SERVICE_WORKER))
  })
  for (const name of FIXED_FILES) {
    app.get(`/${name}`, async (request, reply) => {
      reply.header('Cache-Control', 'public, max-age=86400')
      return sendFile(request, reply, (await load()).get(name))
    })
  }
}

function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile | undefined,
  vary = 'Accept-Encoding',
): FastifyReply {
  if (!file) {
    reply.header('Cache-Control', 'no-store')
    reply.callNotFound()
    return reply
  }
  reply.headers({ 'Content-Type': file.type, Vary: vary })
  const isBrotliKnown = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (!file.brotli || !isBrotliKnown) return reply.send(file.plain)
  return reply.header('Content-Encoding', 'br').send(file.brotli)
}

/** Loads the files into memory: they are small and never change. */
async function loadFiles(): Promise<ReadonlyMap<string, WebFile>> {
  const names = await readdir(FOLDER, { recursive: true }).catch(() => [])
  const files = new Map<string, WebFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const [plain, brotli] = await Promise.all([
      readFile(join(FOLDER, name)),
      readFile(join(FOLDER, `${name}.br`)).catch(() => undefined), // a font is compressed in itself
    ])
    files.set(name.replaceAll('\\', '/'), { type, plain, brotli })
  }
  return files
}

/**
 * Scripts, styles and fonts come from here alone, pictures and previews from where files are kept. Frames show what the page
 * itself has made: a PDF that was read, in the browser's own viewer.
 */
function pageHeaders([storageUrl, bucket]: readonly (string | undefined)[]) {
  const stores = [storageUrl && new URL(storageUrl).origin, bucket].filter((store) => store !== undefined)
  const files = ["'self'", ...stores].join(' ')
  const media = `${files} data: blob:`
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    `connect-src ${files}`,
    'frame-src blob:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}
