import { createContext, useContext, useSyncExternalStore } from 'react'
import { isAdminRole } from '../../../contract/operation.ts'
import type { Membership, Session } from '../../../contract/people/session.ts'
import { chatOrganizationOf } from './remembered.ts'
import { sessionState } from './session-state.ts'

/** Signing out deletes the chat data in this browser. */
async function forgetChats(): Promise<void> {
  const kept = await import('../chat/sync/kept.ts').catch(() => undefined)
  await kept?.forgetChats()
}

/** Shown notifications and shared content are not for the next user of this browser. */
async function clearWorker(): Promise<void> {
  await window.caches?.delete('parley-shared')
  const registration = await navigator.serviceWorker?.getRegistration('/')
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close()
}

export function useSession() {
  const state = useSyncExternalStore(sessionState.subscribe, sessionState.get)
  return { ...state, refetch: sessionState.read }
}

/** Stores the session after a sign-in. */
export const enter = (session: Session): void => sessionState.set(session)

/** Clears this browser at once. The session itself ends when the server is reachable again. */
export async function signOut(): Promise<void> {
  await sessionState.leave()
  await Promise.all([forgetChats(), clearWorker()])
  const { data } = sessionState.get()
  if (data) sessionState.set({ ...data, account: null })
}

/** The organization on the screen, and one's own profile there. */
export const MembershipContext = createContext<Membership | undefined>(undefined)

export function useMembership(): Membership {
  const membership = useContext(MembershipContext)
  if (!membership) throw new Error('not inside of an organization')
  return membership
}

export const isAdmin = ({ role }: Membership): boolean => isAdminRole(role)

/** The first page after signing in: the chat of the organization that was open last. */
export function homeOf(session: Session): string {
  if (!session.account) return '/sign-in'
  const organizationId = chatOrganizationOf(session)
  return organizationId === undefined ? '/account' : `/o/${organizationId}`
}
