import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { Refused } from './api/call.ts'
import { homeOf, useSession } from './api/session.ts'
import { preferredLanguage } from './texts/language.ts'
import { LanguageContext } from './texts/texts.ts'
import { Boundary } from './ui/boundary.tsx'
import { useFocusKept } from './ui/page.tsx'
import { PreferencesContext, useTheme } from './ui/settings.tsx'
import { Loaded, Loading } from './ui/states.tsx'
import { Toasts } from './ui/toast.tsx'
import { Account } from './views/account/account.tsx'
import { Join } from './views/account/join.tsx'
import { Reset } from './views/account/reset.tsx'
import { SignIn } from './views/account/sign-in.tsx'
import { NotFoundPage } from './views/not-found.tsx'

const Console = lazy(() => import('./views/console/console.tsx'))
const Setup = lazy(() => import('./views/account/setup.tsx'))

const queries = new QueryClient({
  defaultOptions: {
    // A server of one's own may well be reachable where a browser believes itself offline.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 30_000,
      // A refusal stays one; only a server that is away is asked again.
      retry: (failures, error) => !(error instanceof Refused && error.status < 500) && failures < 2,
    },
  },
})

export function App() {
  const [language, setLanguage] = useState(preferredLanguage)
  const [theme, setTheme] = useTheme()
  useFocusKept()
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  return (
    <QueryClientProvider client={queries}>
      <LanguageContext value={language}>
        <PreferencesContext value={{ theme, setTheme, language, setLanguage }}>
          <Toasts>
            <Boundary>
              <Suspense fallback={<Loading />}>
                <Views />
              </Suspense>
            </Boundary>
          </Toasts>
        </PreferencesContext>
      </LanguageContext>
    </QueryClientProvider>
  )
}

function Views() {
  const session = useSession()
  // Who signs in or out goes elsewhere in the same moment: then the views must see the session as it is by now.
  useLocation()
  return (
    <Loaded query={session}>
      {(data) => (
        <Switch>
          <Route path="/">
            <Redirect to={homeOf(data)} replace />
          </Route>
          <Route path="/setup">
            <Setup session={data} />
          </Route>
          <Route path="/join">
            <Join session={data} />
          </Route>
          <Route path="/reset">
            <Reset />
          </Route>
          <Route path="/sign-in">
            <SignIn session={data} />
          </Route>
          <Route path="/account">
            <Account session={data} />
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
