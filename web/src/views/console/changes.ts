import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { readOrganization, updateOrganization } from '../../../../contract/people/organization.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { sessionState } from '../../api/session-state.ts'

type Kind = Parameters<typeof keys.of>[1]

/** Marks what the person has changed as stale, together with the audit log and the overview. */
export function useChanged(): (...kinds: Kind[]) => void {
  const queries = useQueryClient()
  const { organizationId } = useMembership()
  return (...kinds) => {
    for (const kind of [...kinds, 'audit', 'overview'] as const) {
      void queries.invalidateQueries({ queryKey: keys.of(organizationId, kind) })
    }
  }
}

export function useSettings() {
  const { organizationId } = useMembership()
  return useQuery({
    queryKey: keys.of(organizationId, 'organization', 'settings'),
    queryFn: () =>
      call<typeof readOrganization>('GET', '/people/organizations/{organizationId}', {
        params: { organizationId },
      }),
  })
}

type SettingsChange = Parameters<typeof call<typeof updateOrganization>>[2]['body']

/** Changes settings and shows the answer everywhere they are shown. */
export function useSettingsChange() {
  const queries = useQueryClient()
  const { organizationId } = useMembership()
  const changed = useChanged()
  return async (body: SettingsChange) => {
    const settings = await call<typeof updateOrganization>(
      'PATCH',
      '/people/organizations/{organizationId}',
      { params: { organizationId }, body },
    )
    queries.setQueryData(keys.of(organizationId, 'organization', 'settings'), settings)
    changed('organization')
    void sessionState.read()
    return settings
  }
}

const PAUSE_MS = 250

/** The value once it has rested: a server is not asked at every keystroke. */
export function useRested(value: string): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(value), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [value])
  return rested
}
