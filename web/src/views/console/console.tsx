import { Suspense, useDeferredValue, useState } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { Session } from '../../../../contract/people/session.ts'
import { lazyView } from '../../api/connection.ts'
import { useLive, WatchContext } from '../../api/live.ts'
import { isAdmin, MembershipContext } from '../../api/session.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button, Select } from '../../ui/controls.tsx'
import { Name } from '../../ui/name.tsx'
import { PreferenceFields } from '../../ui/settings.tsx'
import { Loading } from '../../ui/states.tsx'
import { isBlocked, NeedsPage } from '../account/needs.tsx'
import { NotFound, NotFoundPage } from '../not-found.tsx'
import { SignOutButton } from '../sign-out.tsx'
import { Overview } from './overview.tsx'

const Members = lazyView(() => import('./members/members.tsx'))
const Topics = lazyView(() => import('./topics/topics.tsx'))
const Topic = lazyView(() => import('./topics/topic.tsx'))
const Bots = lazyView(() => import('./bots/bots.tsx'))
const NewBot = lazyView(() => import('./bots/new-bot.tsx'))
const Bot = lazyView(() => import('./bots/bot.tsx'))
const Labels = lazyView(() => import('./labels.tsx'))
const OrgUnits = lazyView(() => import('./org-units.tsx'))
const Settings = lazyView(() => import('./settings.tsx'))
const Audit = lazyView(() => import('./audit.tsx'))

/** Everything below `/console/{organizationId}`: for admins of that organization. */
export default function Console({ session, organizationId }: { session: Session; organizationId: string }) {
  if (!session.account) {
    const { pathname, search } = window.location
    return <Redirect to={`/sign-in?to=${encodeURIComponent(pathname + search)}`} replace />
  }
  const memberships = session.account.memberships.filter(isAdmin)
  const membership = memberships.find((candidate) => candidate.organizationId === organizationId)
  if (!membership) return <NotFoundPage />
  if (isBlocked(membership)) return <NeedsPage membership={membership} />
  return (
    <MembershipContext value={membership}>
      <Shell memberships={memberships} organizationId={organizationId} />
    </MembershipContext>
  )
}

type Memberships = NonNullable<Session['account']>['memberships']

function Shell({ memberships, organizationId }: { memberships: Memberships; organizationId: string }) {
  const t = useTexts(common)
  const [isOpen, setOpen] = useState(false)
  const base = `/console/${organizationId}`
  const brand = (
    <Brand membership={memberships.find((one) => one.organizationId === organizationId)} base={base} />
  )
  const [watched, setWatched] = useState<string>()
  useLive(organizationId, { watch: watched })
  const [location] = useLocation()
  // A view that has to be loaded first does not take away the one that is there.
  const shown = useDeferredValue(location)
  return (
    <div className="shell">
      <header className="topbar">
        {brand}
        <Button look="small" aria-expanded={isOpen} aria-controls="side" onClick={() => setOpen(!isOpen)}>
          {t.menu}
        </Button>
      </header>
      <Side
        brand={brand}
        base={base}
        isOpen={isOpen}
        onChosen={() => setOpen(false)}
        memberships={memberships}
        organizationId={organizationId}
      />
      <main className="content" id="content" tabIndex={-1}>
        <WatchContext value={setWatched}>
          <Suspense key={organizationId} fallback={<Loading />}>
            <Switch location={shown}>
              <Route path={base} component={Overview} />
              <Route path={`${base}/members`} component={Members} />
              <Route path={`${base}/topics`} component={Topics} />
              <Route path={`${base}/topics/:topicId`}>
                {({ topicId }) => <Topic key={topicId} topicId={topicId} />}
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
              <Route path={`${base}/settings`} component={Settings} />
              <Route path={`${base}/audit`} component={Audit} />
              <Route component={NotFound} />
            </Switch>
          </Suspense>
        </WatchContext>
      </main>
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

function Brand({ membership, base }: { membership: Memberships[number] | undefined; base: string }) {
  return (
    <Link to={base} className="brand">
      <img src={membership?.logoUrl ?? '/icon.svg'} alt="" />
      <Name text={membership?.organizationName ?? ''} />
    </Link>
  )
}

function Side({
  brand,
  base,
  isOpen,
  onChosen,
  memberships,
  organizationId,
}: {
  brand: React.ReactNode
  base: string
  isOpen: boolean
  onChosen: () => void
  memberships: Memberships
  organizationId: string
}) {
  const t = useTexts(common)
  const [location, navigate] = useLocation()
  const places: [path: string, name: string][] = [
    ['', t.nav.overview],
    ['/members', t.nav.members],
    ['/topics', t.nav.topics],
    ['/bots', t.nav.bots],
    ['/labels', t.nav.labels],
    ['/org-units', t.nav.orgUnits],
    ['/settings', t.nav.settings],
    ['/audit', t.nav.audit],
  ]
  const isAt = (path: string) =>
    path === '' ? location === base : location === base + path || location.startsWith(`${base}${path}/`)
  return (
    <aside className={isOpen ? 'side open' : 'side'} id="side" aria-label={t.console}>
      {brand}
      {memberships.length > 1 && (
        <Select
          label={t.organization}
          options={memberships.map((one) => [one.organizationId, one.organizationName] as const)}
          value={organizationId}
          onChange={(chosen) => navigate(`/console/${chosen}`)}
        />
      )}
      <nav aria-label={t.console}>
        <ul>
          {places.map(([path, name]) => (
            <li key={path}>
              <Link to={base + path} aria-current={isAt(path) ? 'page' : undefined} onClick={onChosen}>
                {name}
              </Link>
            </li>
          ))}
          <li>
            <a href="/docs" target="_blank" rel="noreferrer">
              {t.nav.reference}
            </a>
          </li>
        </ul>
      </nav>
      <div className="bottom">
        <PreferenceFields />
        <nav aria-label={t.account}>
          <ul>
            <li>
              <Link to="/account">{t.account}</Link>
            </li>
          </ul>
        </nav>
        <SignOutButton />
      </div>
    </aside>
  )
}
