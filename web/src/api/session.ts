import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Membership, readSession, Session, signOut } from '../../../contract/people/session.ts'
import { call } from './call.ts'
import { keys } from './live.ts'
import { chatOrganizationOf } from './remembered.ts'

/** What the chat keeps in this browser goes with who signs out. */
async function forgetChats(): Promise<void> {
  const kept = await import('../chat/sync/kept.ts').catch(() => undefined)
  await kept?.forgetChats()
}

export function useSession() {
  return useQuery({
    queryKey: keys.session,
    queryFn: () => call<typeof readSession>('GET', '/people/session', {}),
  })
}

/** Reads of links belong to nobody: read again, a link that was just used would be refused while its page is still there. */
const OF_NOBODY: readonly unknown[] = [keys.session[0], 'invitation', 'set-up link']

const forgetFormer = (queries: QueryClient) =>
  queries.removeQueries({ predicate: ({ queryKey }) => !OF_NOBODY.includes(queryKey[0]) })

/** After signing in or out: what was kept belongs to somebody else now. */
export function useEnter(): (session: Session) => void {
  const queries = useQueryClient()
  return (session) => {
    forgetFormer(queries)
    queries.setQueryData(keys.session, session)
  }
}

export function useSignOut({
  onSuccess,
  onError,
}: {
  onSuccess: () => void
  onError: (error: unknown) => void
}) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await call<typeof signOut>('POST', '/people/sign-out', {})
      await forgetChats()
    },
    onSuccess: () => {
      forgetFormer(queries)
      queries.setQueryData<Session>(keys.session, (before) => before && { ...before, account: null })
      onSuccess()
    },
    onError,
  })
}

/** The organization that is being looked at, and who one is there. */
export const MembershipContext = createContext<Membership | undefined>(undefined)

export function useMembership(): Membership {
  const membership = useContext(MembershipContext)
  if (!membership) throw new Error('not inside of an organization')
  return membership
}

export const isAdmin = ({ role }: Membership): boolean => role !== 'member'

/** Where somebody goes who has just come in: the chat of the organization that they were in last. */
export function homeOf(session: Session): string {
  if (!session.account) return '/sign-in'
  const organizationId = chatOrganizationOf(session)
  return organizationId === undefined ? '/account' : `/o/${organizationId}`
}
