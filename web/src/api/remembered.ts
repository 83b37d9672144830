import type { Session } from '../../../contract/people/session.ts'

const ORGANIZATION = 'parley.organization'
const PLACES = 'parley.places'
const KEPT_PLACES = 12

/** The organization that was last looked at here, if the person is still in it; otherwise their first. */
export function chatOrganizationOf(session: Session): string | undefined {
  const open = session.account?.memberships.filter(({ needs }) => needs === undefined) ?? []
  const last = localStorage.getItem(ORGANIZATION)
  return (open.find(({ organizationId }) => organizationId === last) ?? open[0])?.organizationId
}

export const rememberOrganization = (organizationId: string): void =>
  localStorage.setItem(ORGANIZATION, organizationId)

/** The topics that were last open here, the latest first. */
export function recentTopics(organizationId: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(`${PLACES}.${organizationId}`) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function rememberTopic(organizationId: string, topicId: string): void {
  const others = recentTopics(organizationId).filter((id) => id !== topicId)
  const kept = [topicId, ...others].slice(0, KEPT_PLACES)
  localStorage.setItem(`${PLACES}.${organizationId}`, JSON.stringify(kept))
}
