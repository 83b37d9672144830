import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type {
  deleteRehearsal,
  Rehearsal,
  RehearsedEvent,
  readRehearsal,
  Saying,
} from '../../../../../contract/people/rehearsals.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions, Facts, Quiet } from '../../../kit/layout.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { BackLink, useFocusAtFirst } from '../../../kit/page.tsx'
import { Empty, Loaded } from '../../../kit/states.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { common } from '../../../texts/common.ts'
import { rehearsals as texts } from '../../../texts/rehearsals.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotPath, useBotsChanged } from './bot-data.ts'
import styles from './rehearsals.module.css'

const LOOK_AGAIN_MS = 3000

type Shown = { bot: ConsoleBot; rehearsal: Rehearsal }

/** One rehearsal: what the bot said then, and what it said in the rehearsal, side by side for each event. */
export function Comparison({ bot, rehearsal }: Shown) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  return (
    <>
      <BackLink to={botPath(bot.id, 'rehearsals')}>{t.back}</BackLink>
      <Summary bot={bot} rehearsal={rehearsal} />
      <Events bot={bot} rehearsal={rehearsal} />
    </>
  )
}

function Summary({ bot, rehearsal }: Shown) {
  const t = useTexts(texts)
  const heading = useFocusAtFirst<HTMLHeadingElement>()
  const [isRemoving, setRemoving] = useState(false)
  return (
    <Card title={rehearsal.name || t.unnamed} heading={heading} isWide>
      <Facts>
        <dt>{t.columns.state}</dt>
        <dd>{t.states[rehearsal.state]}</dd>
        <dt>{t.columns.by}</dt>
        <dd>{named(rehearsal.startedByName)}</dd>
        <dt>{t.from}</dt>
        <dd>
          <Time at={rehearsal.from} exact />
        </dd>
        <dt>{t.until}</dt>
        <dd>
          <Time at={rehearsal.heardUntil} exact />
        </dd>
        <dt>{t.eventCount}</dt>
        <dd>{rehearsal.events}</dd>
        {rehearsal.tokens > 0 && (
          <>
            <dt>{t.tokens}</dt>
            <dd>{rehearsal.tokens}</dd>
          </>
        )}
        <dt>{t.deleted}</dt>
        <dd>
          <Time at={rehearsal.deleteAt} exact />
        </dd>
      </Facts>
      <Actions>
        <Button look="risk" onClick={() => setRemoving(true)}>
          {t.remove}
        </Button>
      </Actions>
      {isRemoving && <Removal bot={bot} rehearsal={rehearsal} onClose={() => setRemoving(false)} />}
    </Card>
  )
}

function Removal({ bot, rehearsal, onClose }: Shown & { onClose: () => void }) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const botPath = useBotPath()
  const [, go] = useLocation()
  const changed = useBotsChanged()
  const removing = useMutation({
    mutationFn: () =>
      call<typeof deleteRehearsal>(
        'DELETE',
        '/people/organizations/{organizationId}/bots/{botId}/rehearsals/{rehearsalId}',
        { params: { organizationId, botId: bot.id, rehearsalId: rehearsal.id } },
      ),
    onSuccess: () => {
      showToast({ text: t.removed })
      go(botPath(bot.id, 'rehearsals'))
      void changed()
    },
  })
  return (
    <Confirm
      title={t.removeTitle}
      text={t.removeText}
      action={t.remove}
      busy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    />
  )
}

function Events({ bot, rehearsal }: Shown) {
  const t = useTexts(texts)
  const words = useTexts(common)
  const { organizationId } = useMembership()
  const query = useInfiniteQuery({
    // Read once more when it is over: the last look may be some seconds old.
    queryKey: keys.of(organizationId, 'bot', bot.id, 'rehearsals', rehearsal.id, rehearsal.state),
    queryFn: ({ pageParam }) =>
      call<typeof readRehearsal>(
        'GET',
        '/people/organizations/{organizationId}/bots/{botId}/rehearsals/{rehearsalId}',
        {
          params: { organizationId, botId: bot.id, rehearsalId: rehearsal.id },
          query: { ...(pageParam !== '' && { cursor: pageParam }) },
        },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: rehearsal.state === 'running' ? LOOK_AGAIN_MS : false,
  })
  return (
    <Card title={t.comparison} isWide>
      <Loaded query={query}>
        {({ pages }) => {
          const events = pages.flatMap((page) => page.events)
          if (events.length === 0) return <Empty title={t.nothing}>{t.nothingText}</Empty>
          return (
            <ol className={styles.events}>
              {events.map((event) => (
                <li key={event.seq} className={styles.event}>
                  <Event event={event} />
                </li>
              ))}
            </ol>
          )
        }}
      </Loaded>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </Card>
  )
}

function Event({ event }: { event: RehearsedEvent }) {
  const t = useTexts(texts)
  if (event.isHidden) return <Quiet>{t.hidden}</Quiet>
  const { actorName, createdAt, topicName, type, text } = event
  return (
    <>
      <p className={styles.heard}>
        {createdAt === undefined ? (
          <strong>{t.beginning}</strong>
        ) : (
          <>
            {actorName !== undefined && <strong>{named(actorName)}</strong>}{' '}
            <Quiet small as="span">
              {topicName} · {type} · <Time at={createdAt} exact />
            </Quiet>
          </>
        )}
      </p>
      {text !== undefined && (
        <p className={styles.text}>
          <Words text={text} />
        </p>
      )}
      <div className={styles.sides}>
        {createdAt !== undefined && (
          <div className={styles.side}>
            <h3>{t.former}</h3>
            {event.former.length === 0 && <Quiet>{t.silent}</Quiet>}
            {event.former.map((message) => (
              <p key={message.id} className={styles.text}>
                <Words text={message.text} />
              </p>
            ))}
          </div>
        )}
        <div className={styles.side}>
          <h3>{t.rehearsed}</h3>
          {event.rehearsed.length === 0 && <Quiet>{t.silent}</Quiet>}
          {event.rehearsed.map((saying, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said keeps its order, and has no id
            <Said key={place} saying={saying} />
          ))}
          {event.more !== undefined && <Quiet small>{t.more(event.more)}</Quiet>}
        </div>
      </div>
    </>
  )
}

function Said({ saying }: { saying: Saying }) {
  const t = useTexts(texts)
  const { kind, text, buttons = [], steps = [], sendAt, isEdited, isDeleted, isUnfinished } = saying
  const marks = [
    kind !== 'message' && t.kinds[kind],
    isEdited && t.edited,
    isDeleted && t.gone,
    isUnfinished && t.unfinished,
    sendAt !== undefined && t.later,
  ].filter((mark) => typeof mark === 'string')
  return (
    <div>
      {marks.length > 0 && <Quiet small>{marks.join(' · ')}</Quiet>}
      {steps.length > 0 && <Quiet small>{steps.join(' → ')}</Quiet>}
      <p className={styles.text}>
        <Words text={text} />
      </p>
      {buttons.length > 0 && <Quiet small>{buttons.map((button) => `[${button}]`).join(' ')}</Quiet>}
    </div>
  )
}
