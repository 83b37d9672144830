import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

/**
 * Whether this request comes from a person or program on this machine. One that was passed on by a proxy does
 * not count, unless the proxy is trusted and names a local address; nor does one that a foreign page sends
 * under a name of its own (DNS rebinding).
 */
export function isLocalVisitor(request: FastifyRequest): boolean {
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded
  const passedOn = forwarded !== undefined && request.ip === request.socket.remoteAddress
  return LOOPBACK.test(request.ip) && !passedOn && LOCAL_HOST.test(request.headers.host ?? '')
}

/**
 * Whether people come to this server from its own machine, as far as BASE_URL tells. Where they come from elsewhere, a
 * proxy on this machine that adds no headers makes everybody look like a local visitor.
 */
export function isLocalServer({ baseUrl, baseUrlGiven }: Pick<Config, 'baseUrl' | 'baseUrlGiven'>): boolean {
  return !baseUrlGiven || LOCAL_HOST.test(new URL(baseUrl).host)
}
