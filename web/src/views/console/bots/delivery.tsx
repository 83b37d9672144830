import { useMutation } from '@tanstack/react-query'
import { Fragment } from 'react'
import type {
  ConsoleBot,
  ConsoleDelivery,
  DeliveryAttempt,
  DeliveryDetail,
  readDeliveryContent,
  replayBotDelivery,
} from '../../../../../contract/people/bots.ts'
import type { WebhookAddress } from '../../../../../contract/people/webhook-addresses.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Code, CopyButton, Pre } from '../../../kit/copy.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions, Facts, Quiet, Stack } from '../../../kit/layout.tsx'
import { ErrorNotice, Notice, StateMark } from '../../../kit/notice.tsx'
import { BackLink, useFocusAtFirst } from '../../../kit/page.tsx'
import { Loaded } from '../../../kit/states.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { common } from '../../../texts/common.ts'
import { deliveries as texts } from '../../../texts/deliveries.ts'
import { readingTexts } from '../../../texts/readings.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useReading } from '../readings/ask-reading.tsx'
import { useAddressPath } from './addresses.tsx'
import { stateOfAddress, useBotPath, useBotsChanged } from './bot-data.ts'
import { DELIVERY_TONES, useDelivery, useDeliveryStateName, useDuration } from './delivery-data.ts'
import { attemptAsCurl, formatted } from './snippets.ts'

/** One delivery with every attempt. */
export function Delivery({ bot, deliveryId }: { bot: ConsoleBot; deliveryId: string }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const addressPath = useAddressPath()
  const query = useDelivery(bot.id, deliveryId)
  const address = query.data?.address
  return (
    <>
      <BackLink to={address === undefined ? botPath(bot.id, 'deliveries') : addressPath(bot.id, address)}>
        {t.detail.back}
      </BackLink>
      <Loaded query={query}>{(delivery) => <Readable bot={bot} delivery={delivery} />}</Loaded>
    </>
  )
}

/** The content of a delivery, read on demand under a reading of the bot. */
function Readable({ bot, delivery }: { bot: ConsoleBot; delivery: DeliveryDetail }) {
  const r = useTexts(readingTexts)
  const { organizationId } = useMembership()
  const { read, dialog } = useReading()
  const showing = useMutation({
    mutationFn: () =>
      read({ type: 'bot', id: bot.id, name: bot.name }, () =>
        call<typeof readDeliveryContent>(
          'POST',
          '/people/organizations/{organizationId}/bots/{botId}/deliveries/{deliveryId}/content',
          { params: { organizationId, botId: bot.id, deliveryId: delivery.id } },
        ),
      ),
  })
  const shown = showing.data ?? delivery
  return (
    <>
      <Detail bot={bot} delivery={shown} />
      {shown.body === undefined && (
        <Notice>
          <p>{r.hidden}</p>
          <Button size="small" busy={showing.isPending} onClick={() => showing.mutate()}>
            {r.show}
          </Button>
        </Notice>
      )}
      {showing.error && <ErrorNotice error={showing.error} />}
      {dialog}
    </>
  )
}

function Detail({ bot, delivery }: { bot: ConsoleBot; delivery: DeliveryDetail }) {
  const t = useTexts(texts)
  const attempts = delivery.history.toReversed()
  return (
    <>
      <Summary bot={bot} delivery={delivery} />
      <Card
        title={t.detail.attempts}
        isWide
        about={attempts.length === 0 ? t.detail.none : `${t.detail.latest} ${t.detail.requestHint}`}
      >
        {attempts.map((attempt, place) => (
          <Attempt key={attempt.number} attempt={attempt} body={delivery.body} isOpen={place === 0} />
        ))}
      </Card>
      {delivery.body !== undefined && (
        <Card title={t.detail.body} isWide about={t.detail.bodyHint}>
          <Code label={`${t.detail.body} (JSON)`} text={formatted(delivery.body)} copy={delivery.body} />
        </Card>
      )}
    </>
  )
}

function Summary({ bot, delivery }: { bot: ConsoleBot; delivery: DeliveryDetail }) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const stateName = useDeliveryStateName()
  const heading = useFocusAtFirst<HTMLHeadingElement>()
  const replay = useMutation({
    mutationFn: () =>
      call<typeof replayBotDelivery>(
        'POST',
        '/people/organizations/{organizationId}/bots/{botId}/deliveries/{deliveryId}/replay',
        { params: { organizationId, botId: bot.id, deliveryId: delivery.id } },
      ),
    onSuccess: () => {
      showToast({ text: t.detail.replayed })
      void changed()
    },
  })
  return (
    <Card
      title={delivery.eventType}
      heading={heading}
      isWide
      mark={<StateMark tone={DELIVERY_TONES[delivery.state]}>{stateName(delivery)}</StateMark>}
    >
      <Facts>
        <dt>{t.detail.happened}</dt>
        <dd>
          <Time at={delivery.createdAt} exact />
        </dd>
        {delivery.dueAt !== undefined && (
          <>
            <dt>{t.detail.next}</dt>
            <dd>
              <Next
                bot={bot}
                address={bot.addresses.find(({ id }) => id === delivery.address)}
                delivery={delivery}
              />
            </dd>
          </>
        )}
        <dt>{t.detail.event}</dt>
        <dd>
          <code>{delivery.eventId}</code>
          <CopyButton text={delivery.eventId} of={t.detail.event} />
        </dd>
        <dt>{t.detail.delivery}</dt>
        <dd>
          <code>{delivery.id}</code>
          <CopyButton text={delivery.id} of={t.detail.delivery} />
        </dd>
      </Facts>
      {replay.isError && <ErrorNotice error={replay.error} />}
      {bot.delivery === 'webhook' && (
        <Actions>
          <Button busy={replay.isPending} onClick={() => replay.mutate()}>
            {t.detail.replay}
          </Button>
        </Actions>
      )}
    </Card>
  )
}

/**
 * The time of the next attempt. A delivery that is already due shows "now": its past due time would say nothing. A bot
 * that is paused or switched off gets none.
 */
export function Next({
  bot,
  address = bot.webhook,
  delivery: { dueAt },
}: {
  bot: ConsoleBot
  /** The first one unless another is given. */
  address?: Pick<WebhookAddress, 'pausedAt' | 'failingSince'> | undefined
  delivery: ConsoleDelivery
}) {
  const t = useTexts(texts)
  const state = stateOfAddress(bot, address)
  if (dueAt === undefined || bot.delivery !== 'webhook') return <Quiet as="span">{t.none}</Quiet>
  if (state === 'paused' || state === 'held' || state === 'off') return t.held[state]
  return dueAt <= Date.now() ? t.due : <Time at={dueAt} />
}

function Attempt({
  attempt,
  body,
  isOpen,
}: {
  attempt: DeliveryAttempt
  body: string | undefined
  isOpen: boolean
}) {
  const t = useTexts(texts)
  const { colon } = useTexts(common)
  const duration = useDuration()
  const name = t.detail.number(attempt.number)
  const hint = t.outcomeHints[attempt.outcome]
  return (
    <Fold
      isOpen={isOpen}
      summary={
        <>
          <strong>{name}</strong>
          <StateMark tone={attempt.outcome === 'ok' ? 'good' : 'bad'}>
            {t.outcomes[attempt.outcome]}
            {attempt.status !== undefined && ` · ${attempt.status}`}
          </StateMark>
          <Quiet small as="span">
            <Time at={attempt.at} exact /> · {duration(attempt.durationMs)}
          </Quiet>
        </>
      }
    >
      {hint !== '' && <p>{hint}</p>}
      {attempt.error !== undefined && (
        <p>
          {t.detail.error}
          {colon} <code>{attempt.error}</code>
        </p>
      )}
      <Stack tight>
        <h3>{t.detail.answer}</h3>
        <Answer attempt={attempt} isShown={body !== undefined} />
      </Stack>
      <Stack tight>
        <h3>{t.detail.request}</h3>
        <Pre breaks>POST {attempt.request.url}</Pre>
        <h3>{t.detail.headers}</h3>
        <Facts>
          {Object.entries(attempt.request.headers).map(([header, value]) => (
            <Fragment key={header}>
              <dt>{header}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </Fragment>
          ))}
        </Facts>
      </Stack>
      {body !== undefined && (
        <Actions>
          <CopyButton text={attemptAsCurl(attempt.request, body)} label={t.detail.curl} of={name} />
          <Quiet small as="span">
            {t.detail.curlHint}
          </Quiet>
        </Actions>
      )}
    </Fold>
  )
}

function Answer({ attempt, isShown }: { attempt: DeliveryAttempt; isShown: boolean }) {
  const t = useTexts(texts)
  if (attempt.status === undefined) return <Quiet>{t.detail.noAnswer}</Quiet>
  return (
    <>
      <p>
        {t.detail.status} <strong>{attempt.status}</strong>
      </p>
      {!isShown ? null : attempt.answer === undefined || attempt.answer === '' ? (
        <Quiet>{t.detail.answerEmpty}</Quiet>
      ) : (
        <Code label={t.detail.answer} text={attempt.answer} />
      )}
    </>
  )
}
