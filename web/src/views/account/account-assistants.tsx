import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Assistant, endAssistant, listAssistants } from '../../../../contract/people/assistants.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { Fold } from '../../kit/fold.tsx'
import { Lines, Quiet } from '../../kit/layout.tsx'
import { Name, named, Words } from '../../kit/name.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { assistants as texts } from '../../texts/assistants.ts'
import { useTexts } from '../../texts/texts.ts'

const KEY = [...keys.account, 'assistants']

export function AssistantList() {
  const t = useTexts(texts).list
  const words = useTexts(texts).scopes
  const [ending, setEnding] = useState<Assistant>()
  const assistants = useQuery({
    queryKey: KEY,
    queryFn: () => call<typeof listAssistants>('GET', '/people/account/assistants', {}),
  })
  return (
    <Loaded query={assistants}>
      {({ assistants: all }) => (
        <>
          {all.length === 0 && <p>{t.none}</p>}
          {all.length > 0 && (
            <Lines>
              {all.map((assistant) => (
                <li key={assistant.id}>
                  <div>
                    <strong>
                      <Name text={assistant.name} />
                    </strong>
                    <Quiet small>
                      <Words text={t.inOrganization(named(assistant.organizationName), assistant.host)} />
                    </Quiet>
                    <Quiet small>
                      {assistant.lastUsedAt === undefined ? (
                        t.neverUsed
                      ) : (
                        <>
                          {t.used} <Time at={assistant.lastUsedAt} />
                        </>
                      )}
                      {' · '}
                      {t.ends} <Time at={assistant.expiresAt} />
                    </Quiet>
                    <Fold summary={t.scopes}>
                      <ul>
                        {assistant.scopes.map((scope) => (
                          <li key={scope}>{words[scope]}</li>
                        ))}
                      </ul>
                    </Fold>
                  </div>
                  <Button
                    look="risk"
                    size="small"
                    aria-label={t.disconnectOne(assistant.name)}
                    onClick={() => setEnding(assistant)}
                  >
                    {t.disconnect}
                  </Button>
                </li>
              ))}
            </Lines>
          )}
          {ending && <Disconnect assistant={ending} onClose={() => setEnding(undefined)} />}
        </>
      )}
    </Loaded>
  )
}

function Disconnect({ assistant, onClose }: { assistant: Assistant; onClose: () => void }) {
  const t = useTexts(texts).list
  const queries = useQueryClient()
  const ending = useMutation({
    mutationFn: () =>
      call<typeof endAssistant>('DELETE', '/people/account/assistants/{assistantId}', {
        params: { assistantId: assistant.id },
      }),
    onSuccess: () => {
      showToast({ text: t.disconnected })
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
  return (
    <Confirm
      title={t.confirm.title(named(assistant.name))}
      text={t.confirm.text}
      action={t.disconnect}
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    />
  )
}
