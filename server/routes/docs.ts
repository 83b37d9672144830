import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openApiDocument } from '../../contract/openapi.ts'
import type { Parley } from '../parley.ts'
import { llmsFullText, llmsText, PLAIN_HEADERS, plainGuide } from './docs-for-readers.ts'
import { type Guides, readGuides } from './guides.ts'

/** At 5 the document of the API goes from 1.6 MB to 53 KB in 20 ms; at 11 it would be 45 KB, after two seconds. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 5 }
const JSON_TYPE = 'application/json; charset=utf-8'

/** A file of any kind is shown as text. */
const FILE_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-cache',
}

type Compressed = { plain: string; brotli: Buffer }

/** Models and their tools read these from anywhere. */
const TEXT_HEADERS = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-cache',
}
const INDEX_NAME = 'bot-api'

/**
 * `/openapi.json`, and what the pages at `/docs` show beside it: the guides, and the files that they link to. The guides are also there
 * for models (`/llms.txt`), and for browsers without scripts (`/docs/plain`).
 */
export function docsRoutes(app: FastifyInstance, { config }: Pick<Parley, 'config'>): void {
  const loadDocument = remembered(async () => compressed(JSON.stringify(openApiDocument(config.baseUrl))))
  const loadGuides = remembered(readGuides)
  const loadContent = remembered(async () => compressed(JSON.stringify(contentOf(await loadGuides()))))

  app.get('/openapi.json', async (request, reply) => {
    reply.headers({ 'Content-Type': JSON_TYPE, 'Access-Control-Allow-Origin': '*' })
    return send(request, reply, await loadDocument())
  })

  app.get('/docs/content.json', async (request, reply) => {
    reply.headers({ 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-cache' })
    return send(request, reply, await loadContent())
  })

  const loadLlms = remembered(async () => compressed(llmsText(await loadGuides(), config.baseUrl)))
  const loadLlmsFull = remembered(async () => compressed(llmsFullText(await loadGuides(), config.baseUrl)))
  app.get('/llms.txt', async (request, reply) => send(request, reply.headers(TEXT_HEADERS), await loadLlms()))
  app.get('/llms-full.txt', async (request, reply) =>
    send(request, reply.headers(TEXT_HEADERS), await loadLlmsFull()),
  )

  // Keeps each page as it was first written, since strangers may ask for them.
  const plainPages = new Map<string, Compressed>()
  const loadPlain = async (name: string): Promise<Compressed | undefined> => {
    const known = plainPages.get(name)
    const page = known ? undefined : plainGuide(await loadGuides(), name)
    if (page === undefined) return known
    const made = await compressed(page)
    plainPages.set(name, made)
    return made
  }
  const sendPlain = async (name: string, request: FastifyRequest, reply: FastifyReply) => {
    const page = await loadPlain(name)
    if (page) return send(request, reply.headers(PLAIN_HEADERS), page)
    reply.callNotFound()
    return reply
  }
  app.get('/docs/plain', (request, reply) => sendPlain(INDEX_NAME, request, reply))
  app.get('/docs/plain/:name', (request: FastifyRequest<{ Params: { name: string } }>, reply) =>
    sendPlain(request.params.name, request, reply),
  )

  app.get('/docs/raw/*', async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const text = (await loadGuides()).texts.get(request.params['*'])
    if (text !== undefined) return reply.headers(FILE_HEADERS).send(text)
    reply.callNotFound()
    return reply
  })
}

const contentOf = ({ guides, files, texts }: Guides) => ({
  guides: guides.map(({ name, path }) => ({ name, path, text: texts.get(path) ?? '' })),
  files,
})

async function compressed(plain: string): Promise<Compressed> {
  return { plain, brotli: await promisify(brotliCompress)(plain, { params: QUALITY }) }
}

function send(request: FastifyRequest, reply: FastifyReply, { plain, brotli }: Compressed): FastifyReply {
  reply.header('Vary', 'Accept-Encoding')
  const isBrotliKnown = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))
  return isBrotliKnown ? reply.header('Content-Encoding', 'br').send(brotli) : reply.send(plain)
}

/** Makes the value on first use; a failure is tried again. */
function remembered<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
