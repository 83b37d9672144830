import type { BusyOrganization, Machine } from '../queries/organization/machines.ts'
import type { Standby } from '../queries/organization/status.ts'

const KB = 1024

/** The state of a standby, and what a promotion would lose now. */
export function describeStandby({ state, sync, lagSeconds, missingBytes }: Standby): string {
  if (state === null) return 'not shown to this user: grant it pg_monitor'
  const behind = lagSeconds === null ? [] : [`${lagSeconds.toFixed(1)} s behind`]
  return [state, sync, ...behind, describeLoss(sync, missingBytes)].filter((text) => text !== null).join(', ')
}

function describeLoss(sync: string | null, missingBytes: number | null): string {
  if (sync === 'sync') return 'has all that was acknowledged'
  if (sync === 'quorum') return 'may lack what others of its group have acknowledged'
  const now = missingBytes === null ? '' : `; ${Math.ceil(missingBytes / KB)} KB of the log now`
  return `if promoted, may lose what was acknowledged last${now}`
}

export function describeMachine({ isActive, groups, sizeBytes }: Machine): string {
  const held = `${groups} groups of organizations, ${Math.round(sizeBytes / KB / KB)} MB`
  return isActive ? held : `${held}; does not answer`
}

export function describeBusy({ name, queries, cpuSeconds }: BusyOrganization): string {
  return `${name}, ${queries} statements and ${cpuSeconds.toFixed(1)} s of processor time in the last minute`
}
