import { Suspense, useDeferredValue, useEffect, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { Membership, Session } from '../../../../contract/people/session.ts'
import { chatPath } from '../../api/chat.ts'
import { lazyView } from '../../api/connection.ts'
import { useLive, WatchContext } from '../../api/live.ts'
import { isAdmin, MembershipContext } from '../../api/session.ts'
import { useIsNarrow } from '../../chat/views/frame/narrow.ts'
import { isPaletteKey } from '../../chat/views/frame/shell-keys.ts'
import { Button } from '../../kit/button.tsx'
import { Name } from '../../kit/name.tsx'
import { PicturesContext } from '../../kit/pictures.ts'
import { SkeletonRows } from '../../kit/skeleton.tsx'
import '../../texts/account-errors.ts'
import '../../texts/console-errors.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/texts.ts'
import { isBlocked, NeedsPage } from '../account/needs.tsx'
import { NotFound, NotFoundPage } from '../not-found.tsx'
import styles from './console.module.css'
import { ConsoleSidebar } from './console-sidebar.tsx'
import { Overview } from './overview.tsx'

const Members = lazyView(() => import('./members/members.tsx'))
const JoinLinks = lazyView(() => import('./members/join-links.tsx'))
const Topics = lazyView(() => import('./topics/topics.tsx'))
const Topic = lazyView(() => import('./topics/topic.tsx'))
const TopicContent = lazyView(() => import('./topics/content.tsx'))
const Bots = lazyView(() => import('./bots/bots.tsx'))
const NewBot = lazyView(() => import('./bots/new-bot.tsx'))
const Bot = lazyView(() => import('./bots/bot.tsx'))
const Labels = lazyView(() => import('./labels.tsx'))
const Groups = lazyView(() => import('./groups.tsx'))
const OrgUnits = lazyView(() => import('./org-units.tsx'))
const Readings = lazyView(() => import('./readings/readings.tsx'))
const Records = lazyView(() => import('./records/records.tsx'))
const Reports = lazyView(() => import('./reports.tsx'))
const MessageCheck = lazyView(() => import('./message-check.tsx'))
const Identity = lazyView(() => import('./identity/identity.tsx'))
const Settings = lazyView(() => import('./settings.tsx'))
const Audit = lazyView(() => import('./audit.tsx'))
const AuditDelivery = lazyView(() => import('./audit-delivery.tsx'))
const ConsolePalette = lazyView(() => import('./console-palette.tsx'))

/** Everything below `/console/{organizationId}`: for admins of that organization. */
export default function Console({ session, organizationId }: { session: Session; organizationId: string }) {
  if (!session.account) {
    const { pathname, search } = window.location
    return <Redirect to={`/sign-in?to=${encodeURIComponent(pathname + search)}`} replace />
  }
  const membership = session.account.memberships.find((one) => one.organizationId === organizationId)
  if (!membership || !isAdmin(membership)) return <NotFoundPage />
  if (isBlocked(membership)) return <NeedsPage membership={membership} />
  return (
    <MembershipContext value={membership}>
      <PicturesContext value={(fileId) => chatPath(organizationId, `/pictures/${fileId}`)}>
        <Shell session={session} membership={membership} />
      </PicturesContext>
    </MembershipContext>
  )
}

/** The chat's shell: a sidebar and a page; below 860 px one of them at a time. */
function Shell({ session, membership }: { session: Session; membership: Membership }) {
  const t = useTexts(common)
  const isNarrow = useIsNarrow()
  // The only column: then it is the page itself.
  const Side = isNarrow ? 'main' : 'aside'
  const [isOpen, setOpen] = useState(false)
  const [isSearching, setSearching] = useState(false)
  const { organizationId, organizationName, logoUrl } = membership
  const base = `/console/${organizationId}`
  const [watched, setWatched] = useState<string>()
  useLive(organizationId, { watch: watched })
  const [location] = useLocation()
  // A view that has to be loaded first does not take away the one that is there.
  const shown = useDeferredValue(location)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return
      event.preventDefault()
      setSearching(true)
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
  return (
    <div className={styles.shell}>
      {isNarrow && (
        <header className={styles.topbar}>
          <Link to={base} className={styles.brand} onClick={() => setOpen(false)}>
            <img src={logoUrl ?? '/icon.svg'} alt="" />
            <Name text={organizationName} />
          </Link>
          <Button size="small" aria-expanded={isOpen} aria-controls="side" onClick={() => setOpen(!isOpen)}>
            {t.menu}
          </Button>
        </header>
      )}
      {(!isNarrow || isOpen) && (
        <Side className={styles.side} id="side" tabIndex={isNarrow ? -1 : undefined} aria-label={t.console}>
          <ConsoleSidebar
            session={session}
            isWhole={isNarrow}
            onSearch={() => setSearching(true)}
            onChosen={() => setOpen(false)}
          />
        </Side>
      )}
      <main className={styles.content} id="content" tabIndex={-1} hidden={isNarrow && isOpen}>
        <WatchContext value={setWatched}>
          <Suspense key={organizationId} fallback={<SkeletonRows />}>
            <Switch location={shown}>
              <Route path={base} component={Overview} />
              <Route path={`${base}/members`} component={Members} />
              <Route path={`${base}/members/links`} component={JoinLinks} />
              <Route path={`${base}/topics`} component={Topics} />
              <Route path={`${base}/topics/:topicId`}>
                {({ topicId }) => <Topic key={topicId} topicId={topicId} />}
              </Route>
              <Route path={`${base}/topics/:topicId/content`}>
                {({ topicId }) => <TopicContent key={topicId} topicId={topicId} />}
              </Route>
              <Route path={`${base}/bots`} component={Bots} />
              <Route path={`${base}/bots/new`} component={NewBot} />
              <Route path={`${base}/bots/:botId/:tab?`}>
                {({ botId, tab }) => {
                  const id = decoded(botId)
                  return id === undefined ? <NotFound /> : <Bot key={id} botId={id} tab={tab} />
                }}
              </Route>
              <Route path={`${base}/labels`} component={Labels} />
              <Route path={`${base}/org-units`} component={OrgUnits} />
              <Route path={`${base}/groups`} component={Groups} />
              <Route path={`${base}/settings`} component={Settings} />
              <Route path={`${base}/identity`} component={Identity} />
              <Route path={`${base}/readings`} component={Readings} />
              <Route path={`${base}/records`} component={Records} />
              <Route path={`${base}/reports`} component={Reports} />
              <Route path={`${base}/message-check`} component={MessageCheck} />
              <Route path={`${base}/audit`} component={Audit} />
              <Route path={`${base}/audit/delivery`} component={AuditDelivery} />
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </WatchContext>
      </main>
      {isSearching && (
        <Suspense>
          <ConsolePalette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  )
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
