import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Refused } from '../../api/call.ts'
import { PageHead } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Entrance, useLinkToken } from './entrance.tsx'

/** The page of a link that was opened: looks up what it leads to, or shows that it leads nowhere. */
export function OpenedLink<Found>({
  name,
  look,
  opening,
  refused,
  children,
}: {
  name: string
  look: (token: string) => Promise<Found>
  /** The heading while it is looked up. */
  opening: string
  refused: ReactNode
  children: (found: Found, token: string) => ReactNode
}) {
  const [token] = useLinkToken()
  const found = useQuery({
    queryKey: [name, token],
    queryFn: () => look(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    // The query's key holds the token, so it leaves memory with the page.
    gcTime: 0,
  })
  const isRefused = token === '' || isRefusedLink(found.error)
  return (
    <Entrance>
      {isRefused ? (
        refused
      ) : (
        <>
          {found.data === undefined && <PageHead title={opening} />}
          <Loaded query={found}>{(data) => children(data, token)}</Loaded>
        </>
      )}
    </Entrance>
  )
}

/** Whether the server said that there is no such link, or no longer. */
export const isRefusedLink = (error: unknown): boolean =>
  error instanceof Refused && [400, 403].includes(error.status)
