import { CSPProvider } from '@base-ui/react/csp-provider'
import { CloudOff } from 'lucide-react'
import { type ComponentProps, type ComponentType, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { lazyView, useConnectionLost } from './api/connection.ts'
import { homeOf, useSession } from './api/session.ts'
import { sessionState } from './api/session-state.ts'
import styles from './app.module.css'
import { CHAT_PATHS } from './chat/views/addresses.ts'
import type ChatApp from './chat/views/frame/chat-app.tsx'
import { Banner } from './kit/banner.tsx'
import { Boundary } from './kit/boundary.tsx'
import { useAskingLocation } from './kit/leaving.ts'
import { ErrorNotice } from './kit/notice.tsx'
import { PageAlone, PageStart, useFocusKept } from './kit/page.tsx'
import { PreferencesContext, useDensity, useTheme } from './kit/preferences.ts'
import { SkeletonRows } from './kit/skeleton.tsx'
import { Loaded } from './kit/states.tsx'
import { ToastHost } from './kit/toast.tsx'
import { TooltipHost } from './kit/tooltip.tsx'
import { common } from './texts/common.ts'
import { pageLanguage } from './texts/language.ts'
import { LanguageContext, useTexts } from './texts/texts.ts'
import { NotFoundPage } from './views/not-found.tsx'

/** A view that reads with queries, which are loaded with it. */
const queryView = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazyView(async () => {
    const [{ default: View }, { QueriesProvider }] = await Promise.all([load(), import('./api/queries.tsx')])
    return {
      default: (props: Props) => (
        <QueriesProvider>
          <View {...props} />
        </QueriesProvider>
      ),
    }
  })

const loadChat = () => import('./chat/views/frame/chat-app.tsx')
const LateChat = lazyView(loadChat)
let LoadedChat: typeof ChatApp | undefined
/**
 * Loads the chat beside the session, not after it, where the address is one of its own or leads there, and opens it as soon as
 * both are known: its worker and its first requests do not wait until something is drawn.
 */
export async function loadEarly(sessionKnown: Promise<void> | undefined): Promise<void> {
  if (!CHAT_PATHS.test(window.location.pathname) && !sessionState.get().data) return sessionKnown
  const loaded = loadChat().then(
    (module) => {
      LoadedChat = module.default
      return module
    },
    () => undefined, // it is loaded again when it is shown
  )
  const [module] = await Promise.all([loaded, sessionKnown])
  await module?.openEarly(sessionState.get().data)
}

/** React shows a lazy view 300 ms after what stands in its place at the earliest. A chat that is there already is no lazy view. */
function Chat(props: ComponentProps<typeof ChatApp>) {
  const [View] = useState(() => LoadedChat ?? LateChat)
  return <View {...props} />
}

const Connect = queryView(() => import('./views/account/connect.tsx'))
const Account = queryView(() => import('./views/account/account.tsx'))
const Join = queryView(() => import('./views/account/join.tsx'))
const JoinByLink = queryView(() => import('./views/account/join-by-link.tsx'))
const ConfirmAddress = queryView(() => import('./views/account/confirm-address.tsx'))
const Reset = lazyView(() => import('./views/account/reset.tsx'))
const SignIn = lazyView(() => import('./views/account/sign-in.tsx'))
const DirectorySignIn = lazyView(() => import('./views/account/directory-sign-in.tsx'))
const Console = queryView(() => import('./views/console/console.tsx'))
const Setup = queryView(() => import('./views/account/setup.tsx'))
const Docs = lazyView(() => import('./views/docs/docs.tsx'))

export function App() {
  const language = pageLanguage()
  const [theme, setTheme] = useTheme()
  const [density, setDensity] = useDensity()
  useFocusKept()
  return (
    <LanguageContext value={language}>
      <PreferencesContext value={{ theme, setTheme, density, setDensity, language }}>
        {/* The server's Content-Security-Policy refuses style elements. */}
        <CSPProvider disableStyleElements>
          <Router hook={useAskingLocation}>
            <PageStart />
            <ConnectionBanner />
            <Boundary>
              <Suspense fallback={<SkeletonRows />}>
                <Switch>
                  {/* For everybody: who is signed in does not matter there. */}
                  <Route path="/docs/*?" component={Docs} />
                  <Route component={Views} />
                </Switch>
              </Suspense>
            </Boundary>
            <ToastHost />
            <TooltipHost />
          </Router>
        </CSPProvider>
      </PreferencesContext>
    </LanguageContext>
  )
}

/** Says that the server is away. A topic says so above its messages. */
function ConnectionBanner() {
  const t = useTexts(common)
  const [location] = useLocation()
  const isLost = useConnectionLost() && !location.startsWith('/t/')
  return (
    <div className={styles.connection}>{isLost && <Banner icon={CloudOff}>{t.noConnection}</Banner>}</div>
  )
}

function Views() {
  const session = useSession()
  const [location] = useLocation()
  // A view that has to be loaded first does not take away the one that is there. Session and place change together: signing
  // in or out leads elsewhere in the same moment. The query belongs to its place: a person led on from a link still sees the
  // place that it was opened at, and must not be sent home from there.
  const now = useMemo(
    () => ({ location, search: window.location.search, session: session.data }),
    [location, session.data],
  )
  const shown = useDeferredValue(now)
  if (session.isError && !session.data) {
    return (
      <PageAlone>
        <h1>Parley</h1>
        <ErrorNotice error={session.error} onRetry={() => void session.refetch()} />
      </PageAlone>
    )
  }
  return (
    <Loaded query={{ ...session, data: shown.session }}>
      {(data) => (
        <Switch location={shown.location}>
          <Route path="/">
            {shown.search.includes('external_topic=') ? (
              <Chat session={data} shownPath={shown.location} />
            ) : (
              <Redirect to={homeOf(data) + shown.search} replace />
            )}
          </Route>
          <Route path={CHAT_PATHS}>
            <Chat session={data} shownPath={shown.location} />
          </Route>
          <Route path="/setup">
            <Setup session={data} />
          </Route>
          <Route path="/join">
            <Join session={data} />
          </Route>
          <Route path="/invite">
            <JoinByLink session={data} />
          </Route>
          <Route path="/invite/confirm">
            <ConfirmAddress />
          </Route>
          <Route path="/reset">
            <Reset session={data} />
          </Route>
          <Route path="/sign-in">
            <SignIn session={data} />
          </Route>
          <Route path="/sign-in/directory">
            <DirectorySignIn session={data} />
          </Route>
          <Route path="/account">
            <Account session={data} />
          </Route>
          <Route path="/oauth/assistants/authorize">
            <Connect session={data} />
          </Route>
          <Route path="/console">
            <Redirect to={homeOf(data)} replace />
          </Route>
          <Route path="/console/:organizationId/*?">
            {({ organizationId }) => <Console session={data} organizationId={organizationId} />}
          </Route>
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      )}
    </Loaded>
  )
}
