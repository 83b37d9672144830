import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { endOtherSessions, endSession, OpenSession } from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { Badge, Button } from '../../ui/controls.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { browserOf } from './browsers.ts'

export function SessionList({ sessions }: { sessions: readonly OpenSession[] }) {
  const t = useTexts(account).account.sessions
  const toast = useToast()
  const queries = useQueryClient()
  const [isEndingOthers, setEndingOthers] = useState(false)
  const ending = useMutation({
    mutationFn: (sessionId: string) =>
      call<typeof endSession>('DELETE', '/people/account/sessions/{sessionId}', { params: { sessionId } }),
    onSuccess: () => toast(t.ended),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.account }),
  })
  const nameOf = ({ userAgent }: OpenSession) => {
    const { browser, system } = browserOf(userAgent)
    if (browser !== undefined && system !== undefined) return t.on(browser, system)
    return browser ?? system ?? (userAgent.slice(0, 60) || t.unknown)
  }
  return (
    <>
      <ul className="lines">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <span className="row">
                <strong>{nameOf(session)}</strong>
                {session.isThis && <Badge tone="good">{t.isThis}</Badge>}
              </span>
              <p className="soft small">
                {t.began} <Time at={session.createdAt} />
                {!session.isThis && (
                  <>
                    {' · '}
                    {t.seen} <Time at={session.lastSeenAt} />
                  </>
                )}
              </p>
            </div>
            {!session.isThis && (
              <Button
                look="small"
                busy={ending.isPending && ending.variables === session.id}
                aria-label={t.endOne(nameOf(session))}
                onClick={() => ending.mutate(session.id)}
              >
                {t.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {ending.isError && <ErrorState error={ending.error} />}
      {sessions.length > 1 && (
        <div>
          <Button onClick={() => setEndingOthers(true)}>{t.endOthers}</Button>
        </div>
      )}
      {isEndingOthers && <EndOthers onClose={() => setEndingOthers(false)} />}
    </>
  )
}

function EndOthers({ onClose }: { onClose: () => void }) {
  const t = useTexts(account).account.sessions
  const toast = useToast()
  const queries = useQueryClient()
  const ending = useMutation({
    mutationFn: () => call<typeof endOtherSessions>('DELETE', '/people/account/sessions', {}),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.account })
      toast(t.endedOthers)
      onClose()
    },
  })
  return (
    <Confirm
      title={t.endOthers}
      text={t.endOthersText}
      action={t.endOthers}
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    />
  )
}
