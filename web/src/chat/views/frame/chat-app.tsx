import { Suspense, useEffect, useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import type { Session } from '../../../../../contract/people/session.ts'
import { lazyView } from '../../../api/connection.ts'
import { chatOrganizationOf, rememberOrganization } from '../../../api/remembered.ts'
import { ChatProvider, openChatEarly } from '../../store/context.tsx'
import { CHAT_PATHS, SETTINGS } from '../addresses.ts'
import type { LinkQuery } from './link-place.tsx'
import { type Covering, PLACES, type Place, Shell } from './shell.tsx'

const LinkPlace = lazyView(() => import('./link-place.tsx'))

/** Begins to read what was kept of the chat that will be shown, for the person who was here last. */
export async function openEarly(session: Session | undefined): Promise<void> {
  const address = addressOf(window.location.pathname, window.location.search)
  const named = address.kind === 'organization' ? address.organizationId : undefined
  const organizationId = session && (named ?? chatOrganizationOf(session))
  const { id = '', memberships = [] } = session?.account ?? {}
  const isMine = memberships.some((one) => one.organizationId === organizationId && one.needs === undefined)
  if (isMine && organizationId !== undefined) await openChatEarly(id, organizationId)
}

/** Everything of the chat: `/o/…`, `/t/…`, `/m/…`, and links from elsewhere. */
export default function ChatApp({
  session,
  shownPath,
}: {
  session: Session
  /**
   * The path on the screen. When the chat is left, it stays until the next view has loaded, and must not redirect
   * until then.
   */
  shownPath: string
}) {
  const [location] = useLocation()
  const address = addressOf(CHAT_PATHS.test(location) ? location : shownPath, window.location.search)
  const named = address.kind === 'organization' ? address.organizationId : undefined
  const [chosen, setChosen] = useState(named)
  if (named !== undefined && named !== chosen) setChosen(named)
  const organizationId = named ?? chosen ?? chatOrganizationOf(session)
  const membership = session.account?.memberships.find((one) => one.organizationId === organizationId)
  useEffect(() => {
    if (membership?.needs === undefined && membership) rememberOrganization(membership.organizationId)
  }, [membership])
  if (!session.account) {
    const { pathname, search } = window.location
    const to = pathname === '/' && search === '' ? '' : `?to=${encodeURIComponent(pathname + search)}`
    return <Redirect to={`/sign-in${to}`} replace />
  }
  // The account page explains why this session may not open an organization.
  if (!membership || membership.needs !== undefined) return <Redirect to="/account" replace />
  if (address.kind === 'link') {
    return (
      <Suspense>
        <LinkPlace query={address.query} onFound={setChosen} />
      </Suspense>
    )
  }
  return (
    <ChatProvider key={membership.organizationId} organizationId={membership.organizationId}>
      <Shell
        session={session}
        organizationId={membership.organizationId}
        place={placeOf(address)}
        onElsewhere={setChosen}
      />
    </ChatProvider>
  )
}

type Address =
  | { kind: 'organization'; organizationId: string; rest: string; section: string }
  | { kind: 'topic'; topicId: string; threadId: string | undefined }
  | { kind: 'link'; query: LinkQuery }
  | { kind: 'start' }

function addressOf(path: string, search: string): Address {
  const [, first = '', second = '', third = '', fourth = ''] = path.split('/')
  if (first === 'o' && second !== '')
    return { kind: 'organization', organizationId: second, rest: third, section: fourth }
  if (first === 't' && second !== '') {
    const threadId = third === 'thread' && fourth !== '' ? fourth : undefined
    return { kind: 'topic', topicId: second, threadId }
  }
  if (first === 'm' && second !== '') return { kind: 'link', query: { messageId: second } }
  const externalTopic = new URLSearchParams(search).get('external_topic')
  if (first === '' && externalTopic) return { kind: 'link', query: { externalTopic } }
  return { kind: 'start' }
}

function placeOf(address: Address): Place | Covering {
  if (address.kind === 'topic') return address
  if (address.kind === 'organization') {
    const { rest, section } = address
    // The address of the notifications before there was one place for all settings: mails lead to it.
    if (rest === 'notifications') return { kind: 'settings', section: rest }
    if (rest === 'settings') return { kind: 'settings', section: SETTINGS.find((one) => one === section) }
  }
  const kind = address.kind === 'organization' && PLACES.find((place) => place === address.rest)
  return { kind: kind || 'start' }
}
