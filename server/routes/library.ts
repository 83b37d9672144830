import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { BUILD_FOLDER } from '../project.ts'

const TYPES = {
  'parley.mjs': 'text/javascript; charset=utf-8',
  'parley.d.mts': 'text/plain; charset=utf-8',
  'parley.zip': 'application/zip',
}

/** The libraries for bots, of the very version of the server: a module with its types, and an archive that Python imports from. */
export function libraryRoutes(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(TYPES)) {
    app.get(`/sdk/${name}`, async (_request, reply) => {
      const file = await readFile(join(BUILD_FOLDER, 'sdk', name)).catch(() => undefined)
      if (file) return reply.headers({ 'Content-Type': type, 'Cache-Control': 'no-cache' }).send(file)
      reply.callNotFound()
      return reply
    })
  }
}
