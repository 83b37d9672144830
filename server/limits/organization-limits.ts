import type { Config } from '../config.ts'

const DAY_MS = 86_400_000

/** The limit that an organization chose for itself, and the ceiling that an operator set instead of the server's. */
export type RateLimits = {
  /** Requests a minute; null: not set; 0: no limit. */
  rateLimit: number | null
  /** Null: the server's setting; 0: no limit. */
  rateLimitCeiling: number | null
}
export type EventRetention = { retentionDays: number | null; retentionDaysCeiling: number | null }

/** The highest limit that the organization may choose, which is also its default; 0 means no limit. */
export const rateLimitCeiling = (
  { rateLimitCeiling }: Pick<RateLimits, 'rateLimitCeiling'>,
  { rateLimitPerMinute }: Pick<Config, 'rateLimitPerMinute'>,
): number => rateLimitCeiling ?? rateLimitPerMinute

/** Requests a minute that are allowed; 0: no limit. A choice from before the ceiling was lowered counts up to it. */
export function effectiveRateLimit(limits: RateLimits, config: Pick<Config, 'rateLimitPerMinute'>): number {
  const ceiling = rateLimitCeiling(limits, config)
  const chosen = limits.rateLimit ?? 0
  if (chosen === 0 || ceiling === 0) return chosen || ceiling
  return Math.min(chosen, ceiling)
}

export const retentionDaysCeiling = (
  { retentionDaysCeiling }: Pick<EventRetention, 'retentionDaysCeiling'>,
  { updatesRetentionMs }: Pick<Config, 'updatesRetentionMs'>,
): number => retentionDaysCeiling ?? updatesRetentionMs / DAY_MS

/** The days that events are kept. */
export function effectiveEventRetentionDays(
  retention: EventRetention,
  config: Pick<Config, 'updatesRetentionMs'>,
): number {
  return Math.min(
    retention.retentionDays ?? Number.POSITIVE_INFINITY,
    retentionDaysCeiling(retention, config),
  )
}

export const effectiveEventRetentionMs = (
  retention: EventRetention,
  config: Pick<Config, 'updatesRetentionMs'>,
): number => Math.round(effectiveEventRetentionDays(retention, config) * DAY_MS)
