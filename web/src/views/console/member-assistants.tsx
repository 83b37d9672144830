import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  endMemberAssistant,
  listMemberAssistants,
  MemberAssistant,
} from '../../../../contract/people/assistants.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { Fold } from '../../kit/fold.tsx'
import { Card } from '../../kit/form.tsx'
import { Actions, Lines, Quiet } from '../../kit/layout.tsx'
import { Name, named, Words } from '../../kit/name.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { assistants as assistantTexts } from '../../texts/assistants.ts'
import { settings as texts } from '../../texts/settings.ts'
import { useTexts } from '../../texts/texts.ts'

const ASSISTANTS = '/people/organizations/{organizationId}/assistants'

/** The programs that act for members, and the end of each. */
export function MemberAssistants() {
  const t = useTexts(texts).memberAssistants
  const { organizationId } = useMembership()
  const [ending, setEnding] = useState<MemberAssistant>()
  const query = useInfiniteQuery({
    queryKey: keys.of(organizationId, 'assistant'),
    queryFn: ({ pageParam }) =>
      call<typeof listMemberAssistants>('GET', ASSISTANTS, {
        params: { organizationId },
        query: pageParam === '' ? {} : { cursor: pageParam },
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return (
    <Card title={t.title} about={t.about}>
      <Loaded query={query}>
        {({ pages }) => {
          const all = pages.flatMap(({ assistants }) => assistants)
          return all.length === 0 ? (
            <p>{t.none}</p>
          ) : (
            <Lines>
              {all.map((assistant) => (
                <Line key={assistant.id} assistant={assistant} onEnd={() => setEnding(assistant)} />
              ))}
            </Lines>
          )
        }}
      </Loaded>
      {query.hasNextPage && (
        <Actions>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.more}
          </Button>
        </Actions>
      )}
      {ending && <Disconnect assistant={ending} onClose={() => setEnding(undefined)} />}
    </Card>
  )
}

function Line({ assistant, onEnd }: { assistant: MemberAssistant; onEnd: () => void }) {
  const t = useTexts(texts).memberAssistants
  const { list: words, scopes } = useTexts(assistantTexts)
  const { name, memberName, host, lastUsedAt, expiresAt } = assistant
  return (
    <li>
      <div>
        <strong>
          <Name text={name} />
        </strong>
        <Quiet small>
          <Words text={t.actsFor(named(memberName), host)} />
        </Quiet>
        <Quiet small>
          {lastUsedAt === undefined ? (
            words.neverUsed
          ) : (
            <>
              {words.used} <Time at={lastUsedAt} />
            </>
          )}
          {' · '}
          {words.ends} <Time at={expiresAt} />
        </Quiet>
        <Fold summary={words.scopes}>
          <ul>
            {assistant.scopes.map((scope) => (
              <li key={scope}>{scopes[scope]}</li>
            ))}
          </ul>
        </Fold>
      </div>
      <Button look="risk" size="small" aria-label={words.disconnectOne(name)} onClick={onEnd}>
        {words.disconnect}
      </Button>
    </li>
  )
}

function Disconnect({ assistant, onClose }: { assistant: MemberAssistant; onClose: () => void }) {
  const t = useTexts(texts).memberAssistants.confirm
  const words = useTexts(assistantTexts).list
  const { organizationId } = useMembership()
  const queries = useQueryClient()
  const ending = useMutation({
    mutationFn: () =>
      call<typeof endMemberAssistant>('DELETE', `${ASSISTANTS}/{assistantId}`, {
        params: { organizationId, assistantId: assistant.id },
      }),
    onSuccess: () => {
      showToast({ text: words.disconnected })
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.of(organizationId, 'assistant') }),
  })
  return (
    <Confirm
      title={t.title(named(assistant.name), named(assistant.memberName))}
      text={t.text}
      action={words.disconnect}
      busy={ending.isPending}
      error={ending.error}
      onConfirm={() => ending.mutate()}
      onClose={onClose}
    />
  )
}
