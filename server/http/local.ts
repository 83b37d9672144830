import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

/**
 * Headers that proxies and content networks add to a request that they pass on. A proxy on this machine comes from
 * loopback, so these are all that tells its visitors from local ones.
 */
const SIGNS_OF_A_PROXY = [
  /^(via|forwarded|forwarded-for|x-forwarded|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip)$/,
  /^(x-forwarded|x-original|x-remote|x-proxy|x-envoy|cf|cdn|fastly|fly|x-azure|x-amzn|x-amz-cf|x-appengine)-/,
  /^(x-varnish|x-cloud-trace-context|wl-proxy-client-ip|proxy-client-ip)$/,
]

/**
 * Whether this request comes from a person or program on this machine. One that was passed on by a proxy does not count,
 * trusted or not; nor does one that a foreign page sends under a name of its own (DNS rebinding).
 */
export function isLocalVisitor(request: FastifyRequest): boolean {
  const passedOn = Object.keys(request.headers).some((name) =>
    SIGNS_OF_A_PROXY.some((sign) => sign.test(name)),
  )
  return LOOPBACK.test(request.ip) && !passedOn && LOCAL_HOST.test(request.headers.host ?? '')
}

/**
 * Whether people come to this server from its own machine, as far as BASE_URL tells. If they come from elsewhere, a
 * proxy on this machine that adds no headers makes everybody look like a local visitor.
 */
export function isLocalServer({ baseUrl, baseUrlGiven }: Pick<Config, 'baseUrl' | 'baseUrlGiven'>): boolean {
  return !baseUrlGiven || LOCAL_HOST.test(new URL(baseUrl).host)
}
