import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import type {
  ConsoleBot,
  ConsoleDelivery,
  DeliveryAttempt,
  DeliveryDetail,
  replayBotDelivery,
} from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { deliveries as texts } from '../../../texts/deliveries.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Badge, Button } from '../../../ui/controls.tsx'
import { Code, CopyButton } from '../../../ui/copy.tsx'
import { useFocusAtFirst } from '../../../ui/page.tsx'
import { ErrorState, Loaded } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { stateOf, useBotPath, useBotsChanged } from './bot-data.ts'
import { DELIVERY_TONES, useDelivery, useDeliveryStateName, useDuration } from './delivery-data.ts'
import { attemptAsCurl, formatted } from './snippets.ts'

/** One delivery with every attempt. */
export function Delivery({ bot, deliveryId }: { bot: ConsoleBot; deliveryId: string }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const query = useDelivery(bot.id, deliveryId)
  return (
    <>
      <nav aria-label={t.detail.back}>
        <Link className="back" to={botPath(bot.id, 'deliveries')}>
          ← {t.detail.back}
        </Link>
      </nav>
      <Loaded query={query}>{(delivery) => <Detail bot={bot} delivery={delivery} />}</Loaded>
    </>
  )
}

function Detail({ bot, delivery }: { bot: ConsoleBot; delivery: DeliveryDetail }) {
  const t = useTexts(texts)
  const attempts = delivery.history.toReversed()
  return (
    <>
      <Summary bot={bot} delivery={delivery} />
      <section className="card padded" aria-labelledby="delivery-attempts">
        <div className="stack tight">
          <h2 id="delivery-attempts">{t.detail.attempts}</h2>
          <p className="soft small">
            {attempts.length === 0 ? t.detail.none : `${t.detail.latest} ${t.detail.requestHint}`}
          </p>
        </div>
        {attempts.map((attempt, place) => (
          <Attempt key={attempt.number} attempt={attempt} body={delivery.body} isOpen={place === 0} />
        ))}
      </section>
      <section className="card padded" aria-labelledby="delivery-body">
        <div className="stack tight">
          <h2 id="delivery-body">{t.detail.body}</h2>
          <p className="soft small">{t.detail.bodyHint}</p>
        </div>
        <Code label={`${t.detail.body} (JSON)`} text={formatted(delivery.body)} copy={delivery.body} />
      </section>
    </>
  )
}

function Summary({ bot, delivery }: { bot: ConsoleBot; delivery: DeliveryDetail }) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const toast = useToast()
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
      toast(t.detail.replayed)
      void changed()
    },
  })
  return (
    <section className="card padded" aria-labelledby="delivery-event">
      <div className="row">
        <h2 id="delivery-event" className="mono" ref={heading} tabIndex={-1}>
          {delivery.eventType}
        </h2>
        <Badge tone={DELIVERY_TONES[delivery.state]}>{stateName(delivery)}</Badge>
      </div>
      <dl className="facts">
        <dt>{t.detail.happened}</dt>
        <dd>
          <Time at={delivery.createdAt} exact />
        </dd>
        {delivery.dueAt !== undefined && (
          <>
            <dt>{t.detail.next}</dt>
            <dd>
              <Next bot={bot} delivery={delivery} />
            </dd>
          </>
        )}
        <dt>{t.detail.event}</dt>
        <dd className="copied">
          <code>{delivery.eventId}</code>
          <CopyButton text={delivery.eventId} of={t.detail.event} />
        </dd>
        <dt>{t.detail.delivery}</dt>
        <dd className="copied">
          <code>{delivery.id}</code>
          <CopyButton text={delivery.id} of={t.detail.delivery} />
        </dd>
      </dl>
      {replay.isError && <ErrorState error={replay.error} />}
      {bot.delivery === 'webhook' && (
        <div className="actions">
          <Button busy={replay.isPending} onClick={() => replay.mutate()}>
            {t.detail.replay}
          </Button>
        </div>
      )}
    </section>
  )
}

/**
 * When it is tried again. What is due already waits for its turn only: that it was due long ago tells nobody anything. And
 * nothing goes out to a bot that is paused or switched off.
 */
export function Next({ bot, delivery: { dueAt } }: { bot: ConsoleBot; delivery: ConsoleDelivery }) {
  const t = useTexts(texts)
  const state = stateOf(bot)
  if (dueAt === undefined || bot.delivery !== 'webhook') return <span className="soft">{t.none}</span>
  if (state === 'paused' || state === 'off') return t.held[state]
  return dueAt <= Date.now() ? t.due : <Time at={dueAt} />
}

function Attempt({ attempt, body, isOpen }: { attempt: DeliveryAttempt; body: string; isOpen: boolean }) {
  const t = useTexts(texts)
  const duration = useDuration()
  const name = t.detail.number(attempt.number)
  const hint = t.outcomeHints[attempt.outcome]
  return (
    <details className="fold" open={isOpen}>
      <summary>
        <strong>{name}</strong>
        <Badge tone={attempt.outcome === 'ok' ? 'good' : 'bad'}>
          {t.outcomes[attempt.outcome]}
          {attempt.status !== undefined && ` · ${attempt.status}`}
        </Badge>
        <span className="soft small">
          <Time at={attempt.at} exact /> · {duration(attempt.durationMs)}
        </span>
      </summary>
      <div className="form">
        {hint !== '' && <p>{hint}</p>}
        {attempt.error !== undefined && (
          <p>
            {t.detail.error}: <code>{attempt.error}</code>
          </p>
        )}
        <div className="stack tight">
          <h3>{t.detail.answer}</h3>
          <Answer attempt={attempt} />
        </div>
        <div className="stack tight">
          <h3>{t.detail.request}</h3>
          <p>
            <code className="breaks">POST {attempt.request.url}</code>
          </p>
          <div className="tablewrap">
            <table className="plain">
              <caption className="hidden">{t.detail.headers}</caption>
              <thead className="hidden">
                <tr>
                  <th scope="col">{t.detail.header}</th>
                  <th scope="col">{t.detail.value}</th>
                </tr>
              </thead>
              <tbody>
                {Object.entries(attempt.request.headers).map(([header, value]) => (
                  <tr key={header}>
                    <th scope="row">{header}</th>
                    <td>
                      <code className="breaks">{value}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
        <div className="actions">
          <CopyButton text={attemptAsCurl(attempt.request, body)} label={t.detail.curl} of={name} />
          <span className="soft small">{t.detail.curlHint}</span>
        </div>
      </div>
    </details>
  )
}

function Answer({ attempt }: { attempt: DeliveryAttempt }) {
  const t = useTexts(texts)
  if (attempt.status === undefined) return <p className="soft">{t.detail.noAnswer}</p>
  return (
    <>
      <p>
        {t.detail.status} <strong>{attempt.status}</strong>
      </p>
      {attempt.answer === undefined || attempt.answer === '' ? (
        <p className="soft">{t.detail.answerEmpty}</p>
      ) : (
        <Code label={t.detail.answer} text={attempt.answer} />
      )}
    </>
  )
}
