import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { openApiDocument } from '../../contract/openapi.ts'
import type { Parley } from '../parley.ts'

const FILES = dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/static/index.html'))

/** What the page needs from the package; nothing else of it is served. */
const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Parley API reference</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null,
  defaultModelsExpandDepth: 0, docExpansion: 'list', tryItOutEnabled: false, supportedSubmitMethods: [] })
`

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

/** `/openapi.json`, and a page at `/docs` that shows it. */
export function docsRoutes(app: FastifyInstance, { config }: Parley): void {
  let document: string | undefined

  app.get('/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(config.baseUrl))
    return reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .header('Access-Control-Allow-Origin', '*')
      .send(document)
  })

  app.get('/docs', async (_request, reply) =>
    reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .headers({ 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' })
      .send(PAGE),
  )
  app.get('/docs/start.js', async (_request, reply) =>
    reply.header('Content-Type', 'text/javascript; charset=utf-8').send(START),
  )
  for (const [name, type] of Object.entries(ASSETS)) {
    app.get(`/docs/${name}`, async (_request, reply) =>
      reply
        .header('Content-Type', type)
        .header('Cache-Control', 'public, max-age=86400')
        .send(createReadStream(join(FILES, name))),
    )
  }
}
