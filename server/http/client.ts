import type { FastifyRequest } from 'fastify'
import { firstCodePoints } from '../text.ts'

const USER_AGENT_LENGTH = 300

/** Where a request comes from: its network address, and what the browser calls itself. */
export type Client = { address: string; userAgent: string }

export const clientOf = ({ ip, headers }: FastifyRequest): Client => ({
  address: ip,
  userAgent: firstCodePoints(headers['user-agent'] ?? '', USER_AGENT_LENGTH),
})
