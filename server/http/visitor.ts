import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../caller.ts'
import type { Config } from '../config.ts'
import { firstCodePoints } from '../text.ts'
import { readCookie } from './cookies.ts'

const USER_AGENT_LENGTH = 300

export const visitorOf = (request: FastifyRequest, config: Pick<Config, 'baseUrl'>): Visitor => ({
  client: {
    address: request.ip,
    userAgent: firstCodePoints(request.headers['user-agent'] ?? '', USER_AGENT_LENGTH),
  },
  sessionToken: readCookie(request, config, 'session'),
  knownBrowserToken: readCookie(request, config, 'known'),
})
