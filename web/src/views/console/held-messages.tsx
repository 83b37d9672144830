import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  decideHeldMessage,
  HeldMessage,
  listHeldMessages,
  readHeldMessage,
} from '../../../../contract/people/message-check.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../kit/dialog.tsx'
import { Card } from '../../kit/form.tsx'
import { Actions, Lines, Quiet, Stack } from '../../kit/layout.tsx'
import { Name, named, Words } from '../../kit/name.tsx'
import { ErrorNotice } from '../../kit/notice.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { messageCheckTexts } from '../../texts/message-check.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged } from './changes.ts'

const HELD = '/people/organizations/{organizationId}/held-messages'

/** Messages that wait for a review, the oldest first. */
export function HeldMessages() {
  const t = useTexts(messageCheckTexts).held
  const { organizationId } = useMembership()
  const [opened, setOpened] = useState<HeldMessage>()
  const query = useInfiniteQuery({
    queryKey: keys.of(organizationId, 'held_message', 'list'),
    queryFn: ({ pageParam }) =>
      call<typeof listHeldMessages>('GET', HELD, {
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
          const messages = pages.flatMap((page) => page.heldMessages)
          return messages.length === 0 ? (
            <p>{t.none}</p>
          ) : (
            <>
              <Lines>
                {messages.map((message) => (
                  <li key={message.id}>
                    <Stack tight>
                      <strong>
                        <Name text={message.sender.name} />
                      </strong>
                      <Quiet small>
                        <Words
                          text={message.topic.name === '' ? t.direct : t.inTopic(named(message.topic.name))}
                        />{' '}
                        · <Time at={message.heldAt} />
                      </Quiet>
                      <bdi>{message.reason}</bdi>
                      <Actions>
                        <Button
                          size="small"
                          aria-label={t.readOne(message.sender.name)}
                          onClick={() => setOpened(message)}
                        >
                          {t.read}
                        </Button>
                      </Actions>
                    </Stack>
                  </li>
                ))}
              </Lines>
              {query.hasNextPage && (
                <Actions>
                  <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    {t.more}
                  </Button>
                </Actions>
              )}
            </>
          )
        }}
      </Loaded>
      {opened && <Opened message={opened} onClose={() => setOpened(undefined)} />}
    </Card>
  )
}

/** The text is read once, on opening: each reading is in the audit log. */
function Opened({ message, onClose }: { message: HeldMessage; onClose: () => void }) {
  const t = useTexts(messageCheckTexts).held
  const changed = useChanged()
  const { organizationId, profileId } = useMembership()
  const params = { organizationId, heldMessageId: message.id }
  const content = useQuery({
    // This key is not marked stale by changes: reading it again would be a change itself.
    queryKey: ['held message', organizationId, message.id],
    queryFn: () => call<typeof readHeldMessage>('POST', `${HELD}/{heldMessageId}/content`, { params }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const decide = useMutation({
    mutationFn: (outcome: 'released' | 'rejected') =>
      call<typeof decideHeldMessage>('POST', `${HELD}/{heldMessageId}/decision`, {
        params,
        body: { outcome },
      }),
    onSuccess: (_answer, outcome) => {
      changed('held_message')
      showToast({ text: t[outcome] })
      onClose()
    },
  })
  return (
    <Dialog
      title={t.message(named(message.sender.name))}
      size="wide"
      busy={decide.isPending}
      onClose={onClose}
    >
      <DialogBody>
        <Quiet>
          <bdi>{message.reason}</bdi>
        </Quiet>
        <Loaded query={content}>{({ text }) => <bdi style={{ whiteSpace: 'pre-wrap' }}>{text}</bdi>}</Loaded>
        {decide.error && <ErrorNotice error={decide.error} />}
      </DialogBody>
      {message.sender.id !== profileId && (
        <DialogFoot>
          <Button look="quiet" busy={decide.isPending} onClick={() => decide.mutate('rejected')}>
            {t.reject}
          </Button>
          <Button look="primary" busy={decide.isPending} onClick={() => decide.mutate('released')}>
            {t.release}
          </Button>
        </DialogFoot>
      )}
    </Dialog>
  )
}
