import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Refused } from './call.ts'
import { onConnectionBack } from './connection.ts'
import { sessionState } from './session-state.ts'

/** Queries that survive a sign-in: a used link, read again, would be refused while its page is still open. */
const OF_NOBODY: readonly unknown[] = ['invitation', 'set-up link']

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

// When the server is back, all that is shown is read again.
onConnectionBack(() => void queries.invalidateQueries())
sessionState.onEntry(() =>
  queries.removeQueries({ predicate: ({ queryKey }) => !OF_NOBODY.includes(queryKey[0]) }),
)

/** Cached reads for console and account; the chat has a store of its own. */
export const QueriesProvider = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queries}>{children}</QueryClientProvider>
)
