import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '../secrets.ts'
import type { Payload } from './payload.ts'

/** Lifetime of a signature that names its time. */
const MAX_AGE_SECONDS = 300
/** At least 24 bytes. */
const WHSEC = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

type Call = Pick<Payload, 'header'> & { raw: Buffer; now: number }

/**
 * Whether a call proves that its sender knows the secret, in any of the ways in which senders do. Each of them takes the
 * secret, so it does not matter which one a sender chose.
 */
export function isProven(secret: string, call: Call): boolean {
  return PROOFS.some((proves) => proves(secret, call))
}

const digest = (key: string | Buffer, ...parts: (string | Buffer)[]): Buffer => {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}

const isSame = (given: string, expected: string): boolean =>
  given !== '' && equalInConstantTime(given, expected)

const isRecent = (seconds: string, now: number): boolean =>
  /^\d{1,12}$/.test(seconds) && Math.abs(Number(seconds) - now / 1000) <= MAX_AGE_SECONDS

/** The key of a signature by Standard Webhooks; undefined: a secret in their form that is too short for a key, and so proves nothing. */
export function keyOf(secret: string): string | Buffer | undefined {
  if (!secret.startsWith('whsec_')) return secret
  return WHSEC.test(secret) ? Buffer.from(secret.slice('whsec_'.length), 'base64') : undefined
}

const PROOFS: readonly ((secret: string, call: Call) => boolean)[] = [
  // GitHub, and senders that follow it.
  (secret, { header, raw }) =>
    isSame(header('x-hub-signature-256'), `sha256=${digest(secret, raw).toString('hex')}`),
  // Sentry.
  (secret, { header, raw }) => isSame(header('sentry-hook-signature'), digest(secret, raw).toString('hex')),
  // Grafana, with a time or without one.
  (secret, { header, raw, now }) => {
    const time = header('x-grafana-alerting-timestamp')
    const given = header('x-grafana-alerting-signature')
    if (time === '') return isSame(given, digest(secret, raw).toString('hex'))
    return isRecent(time, now) && isSame(given, digest(secret, `${time}:`, raw).toString('hex'))
  },
  // GitLab's secret token.
  (secret, { header }) => isSame(header('x-gitlab-token'), secret),
  // Alertmanager, Grafana and other senders that can set a header.
  (secret, { header }) => isSame(/^bearer +(\S+)$/i.exec(header('authorization'))?.[1] ?? '', secret),
  // Standard Webhooks, which GitLab's signing token follows.
  (secret, { header, raw, now }) => {
    const [id, time] = [header('webhook-id'), header('webhook-timestamp')]
    if (id === '' || !isRecent(time, now)) return false
    const key = keyOf(secret)
    if (key === undefined) return false
    const expected = `v1,${digest(key, `${id}.${time}.`, raw).toString('base64')}`
    return header('webhook-signature')
      .split(' ')
      .slice(0, 10)
      .some((given) => isSame(given, expected))
  },
]
