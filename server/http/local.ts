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
 * Whether this request comes from a person or program on this machine. Requests through a proxy, trusted or not, do not
 * count, nor do those of a foreign page under its own name (DNS rebinding).
 */
export function isLocalVisitor(request: FastifyRequest): boolean {
  const passedOn = Object.keys(request.headers).some((name) =>
    SIGNS_OF_A_PROXY.some((sign) => sign.test(name)),
  )
  return LOOPBACK.test(request.ip) && !passedOn && LOCAL_HOST.test(request.headers.host ?? '')
}

/**
 * Whether people use this server from its own machine, according to BASE_URL. Otherwise a proxy on this machine that
 * adds no headers would make all visitors look local.
 */
export function isLocalServer({ baseUrl, baseUrlGiven }: Pick<Config, 'baseUrl' | 'baseUrlGiven'>): boolean {
  return !baseUrlGiven || LOCAL_HOST.test(new URL(baseUrl).host)
}
