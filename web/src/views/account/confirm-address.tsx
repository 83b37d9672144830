import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { confirmAddress } from '../../../../contract/people/join-links.ts'
import { call } from '../../api/call.ts'
import { ErrorNotice } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { SkeletonRows } from '../../kit/skeleton.tsx'
import { joinLinks } from '../../texts/join-links.ts'
import { useTexts } from '../../texts/texts.ts'
import { Entrance, useLinkToken } from './entrance.tsx'
import { RefusedLink } from './join-by-link.tsx'
import { isRefusedLink } from './opened-link.tsx'

/** Turns the link of a mail that was opened into an invitation, and goes to the page that accepts invitations. */
export default function ConfirmAddress() {
  const t = useTexts(joinLinks).join
  const [token] = useLinkToken()
  const [, navigate] = useLocation()
  const confirming = useMutation({
    mutationFn: () => call<typeof confirmAddress>('POST', '/people/join-links/confirm', { body: { token } }),
    onSuccess: ({ url }) => {
      const { pathname, hash } = new URL(url)
      navigate(pathname + hash, { replace: true })
    },
    // The answer holds the invitation, so it leaves memory with the page.
    gcTime: 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link that is opened
  useEffect(() => {
    if (token !== '') confirming.mutate()
  }, [token])
  const { error } = confirming
  const isRefused = token === '' || isRefusedLink(error)
  return (
    <Entrance>
      {isRefused ? (
        <RefusedLink />
      ) : (
        <>
          <PageHead title={t.confirming} />
          {error ? <ErrorNotice error={error} onRetry={() => confirming.mutate()} /> : <SkeletonRows />}
        </>
      )}
    </Entrance>
  )
}
