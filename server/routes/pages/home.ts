import type { FastifyInstance } from 'fastify'
import { readPage, sendPage } from '../../http/pages.ts'
import type { Parley } from '../../parley.ts'
import { hasOrganization } from '../../queries/installation.ts'

const NOTICE = '<!-- notice -->'
const FIRST_RUN =
  '<p class="notice"><strong>There is no organization yet.</strong> Open the set-up link that Parley printed in the terminal when it started. A restart prints a new one.</p>'

/** What somebody sees who comes to the bare address. */
export function homeRoute(app: FastifyInstance, { db }: Parley): void {
  let isSetUp = false
  app.get('/', async (_request, reply) => {
    isSetUp ||= await hasOrganization(db)
    return sendPage(reply, (await readPage('home.html')).replace(NOTICE, isSetUp ? '' : FIRST_RUN))
  })
}
