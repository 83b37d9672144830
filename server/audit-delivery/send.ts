import type { TLSSocket } from 'node:tls'
import type { AuditDestination } from '../../contract/people/audit-destinations.ts'
import { auditSecretContext } from '../actions/organization/audit-destinations.ts'
import { ConnectionFailure, connectGuardedTls, nameTlsFailure } from '../network/guard.ts'
import type { Parley } from '../parley.ts'
import { presentAuditEvent } from '../presenters/audit-events.ts'
import { buildRequest } from '../presenters/webhook-requests.ts'
import { readVersion } from '../project.ts'
import { readWebhookReach } from '../queries/bots/webhook-reach.ts'
import type { AuditRow } from '../queries/organization/audit.ts'
import type { AuditDestinationRow } from '../queries/organization/audit-destinations.ts'
import { type Attempt, post, STOPPING } from '../webhooks/call.ts'
import type { WaysOut } from '../webhooks/ways-out.ts'
import { syslogFrames } from './syslog.ts'

export type Fault = NonNullable<AuditDestination['fault']>
/** An attempt: arrived, or what went wrong. */
export type Sent = { fault?: Fault }

export type SendParts = Pick<Parley, 'clock' | 'config' | 'db' | 'secrets'>
export type Target = Pick<AuditDestinationRow, 'id' | 'kind' | 'address' | 'caCertificate' | 'secret'> & {
  orgId: string
}

export const ATTEMPT_LIMIT_MS = 10_000
/** The longest text of a fault that is kept. */
const MAX_DETAIL = 500

/** Sends entries to a destination once; undefined when `call` was aborted because the server stops. */
export async function sendEntries(
  parts: SendParts,
  waysOut: WaysOut,
  target: Target,
  rows: readonly AuditRow[],
  call: AbortController,
): Promise<Sent | undefined> {
  const about = { orgId: target.orgId, version: await readVersion() }
  const events = rows.map((row) => presentAuditEvent(row, about))
  const last = rows.at(-1)
  if (!last) return {}
  if (target.kind === 'syslog') {
    const reach = (await readWebhookReach(parts.db, parts.config))(target.orgId)
    const frames = syslogFrames(events, new URL(parts.config.baseUrl).hostname)
    return sendSyslog(target, reach, frames, call)
  }
  const wayOut = (await waysOut.read(parts.db))(target.orgId)
  const mistake = wayOut.mistakeIn(target.address)
  if (mistake !== undefined) return faultOf('blocked', mistake)
  if (!target.secret) throw new Error('a webhook has a secret')
  const event = {
    eventId: last.id,
    type: 'audit.entries',
    createdAt: last.at,
    data: JSON.stringify({ events }),
  }
  const request = await buildRequest(event, {
    deliveryId: last.id,
    secret: parts.secrets.decrypt(target.secret, auditSecretContext(target.id)),
    sentAt: parts.clock(),
    gzip: false,
    headerPrefix: parts.config.webhookHeaderPrefix,
  })
  const url = new URL(target.address)
  const attempt = await post(wayOut.agent, url, request, { limitMs: ATTEMPT_LIMIT_MS, call })
  return attempt && resultOf(attempt)
}

function resultOf({ outcome, status, error }: Attempt): Sent {
  if (outcome === 'ok') return {}
  return faultOf(outcome, error ?? `the answer was ${status}`)
}

const faultOf = (kind: Fault['kind'], detail: string): Sent => ({
  fault: { kind, detail: detail.slice(0, MAX_DETAIL) },
})

/**
 * Time between the last frame and our end of the connection. A receiver that closes unread, as one that restarts does, is heard of in it; one
 * that ends in answer to our end has read what came before.
 */
const QUIET_MS = 250

/**
 * Sends frames on a connection of their own. Syslog has no answers: they have arrived when the receiver ended the connection after we did,
 * without a reset. One that leaves it open has not shown that it read them.
 */
async function sendSyslog(
  { address, caCertificate }: Target,
  allowedNetworks: readonly string[],
  frames: Buffer,
  call: AbortController,
): Promise<Sent | undefined> {
  const { hostname: host, port } = new URL(`syslog://${address}`)
  const ca = caCertificate !== null && { ca: caCertificate }
  try {
    const socket = connectGuardedTls(allowedNetworks, { host, port: Number(port) }, { ...ca })
    const stop = () => socket.destroy(STOPPING)
    call.signal.addEventListener('abort', stop, { once: true })
    try {
      await sendAll(socket, frames)
      return {}
    } finally {
      call.signal.removeEventListener('abort', stop)
      socket.destroy()
    }
  } catch (error) {
    return call.signal.reason === STOPPING ? undefined : describe(error)
  }
}

async function sendAll(socket: TLSSocket, frames: Buffer): Promise<void> {
  let isEnding = false
  let quiet: NodeJS.Timeout | undefined
  const limit = setTimeout(
    () => socket.destroy(isEnding ? new EarlyEnd(LEFT_OPEN) : tooSlow()),
    ATTEMPT_LIMIT_MS,
  )
  const end = () => {
    isEnding = true
    socket.end()
  }
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.once('secureConnect', () =>
        socket.write(frames, () => {
          quiet = setTimeout(end, QUIET_MS)
        }),
      )
      // Data would keep the end of the other side from being seen.
      socket.resume()
      socket.once('end', () => {
        if (!isEnding) reject(new EarlyEnd(HUNG_UP))
      })
      socket.once('close', () => (isEnding ? resolve() : reject(new EarlyEnd(HUNG_UP))))
    })
  } finally {
    clearTimeout(limit)
    clearTimeout(quiet)
  }
}

/** The receiver hung up before it had everything, or does not hang up. */
class EarlyEnd extends Error {}

const LIMIT = `${ATTEMPT_LIMIT_MS / 1000} s`
const HUNG_UP = 'the receiver ended the connection before it had everything'
const LEFT_OPEN = `the receiver did not end the connection within ${LIMIT}, so that nobody knows whether it read the entries`
const tooSlow = (): Error => Object.assign(new Error(`not taken within ${LIMIT}`), { code: 'ETIMEDOUT' })

function describe(error: unknown): Sent {
  if (!(error instanceof Error)) return faultOf('refused', String(error))
  if (error instanceof EarlyEnd) return faultOf('closed', error.message)
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ETIMEDOUT') return faultOf('timeout', error.message)
  if (code === 'ECONNRESET' || code === 'EPIPE') return faultOf('closed', error.message)
  const named = nameTlsFailure(error)
  return named instanceof ConnectionFailure
    ? faultOf(named.outcome, named.message)
    : faultOf('refused', error.message || code)
}
