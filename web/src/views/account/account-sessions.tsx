import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { endOtherSessions, endSession, OpenSession } from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { Lines, Quiet, Row } from '../../kit/layout.tsx'
import { ErrorNotice, StateMark } from '../../kit/notice.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { browserOf } from './browsers.ts'

export function SessionList({ sessions }: { sessions: readonly OpenSession[] }) {
  const t = useTexts(account).account.sessions
  const queries = useQueryClient()
  const [isEndingOthers, setEndingOthers] = useState(false)
  const ending = useMutation({
    mutationFn: (sessionId: string) =>
      call<typeof endSession>('DELETE', '/people/account/sessions/{sessionId}', { params: { sessionId } }),
    onSuccess: () => showToast({ text: t.ended }),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.account }),
  })
  const nameOf = ({ userAgent }: OpenSession) => {
    const { browser, system } = browserOf(userAgent)
    if (browser !== undefined && system !== undefined) return t.on(browser, system)
    return browser ?? system ?? (userAgent.slice(0, 60) || t.unknown)
  }
  return (
    <>
      <Lines>
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <Row>
                <strong>{nameOf(session)}</strong>
                {session.isThis && <StateMark tone="good">{t.isThis}</StateMark>}
              </Row>
              <Quiet small>
                {t.began} <Time at={session.createdAt} />
                {!session.isThis && (
                  <>
                    {' · '}
                    {t.seen} <Time at={session.lastSeenAt} />
                  </>
                )}
              </Quiet>
            </div>
            {!session.isThis && (
              <Button
                size="small"
                busy={ending.isPending && ending.variables === session.id}
                aria-label={t.endOne(nameOf(session))}
                onClick={() => ending.mutate(session.id)}
              >
                {t.end}
              </Button>
            )}
          </li>
        ))}
      </Lines>
      {ending.isError && <ErrorNotice error={ending.error} />}
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
  const queries = useQueryClient()
  const ending = useMutation({
    mutationFn: () => call<typeof endOtherSessions>('DELETE', '/people/account/sessions', {}),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.account })
      showToast({ text: t.endedOthers })
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
