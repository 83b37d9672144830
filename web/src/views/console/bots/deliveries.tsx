import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type {
  ConsoleBot,
  ConsoleDelivery,
  listBotDeliveries,
  replayBotDeliveries,
} from '../../../../../contract/people/bots.ts'
import type { retryFailedDeliveries } from '../../../../../contract/people/webhooks.ts'
import { call } from '../../../api/call.ts'
import { keys, useWatch } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { common } from '../../../texts/common.ts'
import { deliveries as texts } from '../../../texts/deliveries.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useAddressChoice, useAddressSearch, useAddressText } from '../../../ui/address.ts'
import { Badge, Button, Field, LinkButton, Notice, Select } from '../../../ui/controls.tsx'
import { CancelButton, Confirm, Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/form.tsx'
import { useNumber } from '../../../ui/number.ts'
import { useFocusAtFirst } from '../../../ui/page.tsx'
import { Empty, ErrorState, Loaded, More } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { EVENT_TYPES, TEST_EVENT, useBotPath, useBotsChanged } from './bot-data.ts'
import { Delivery, Next } from './delivery.tsx'
import { DELIVERY_TONES, deliveryPath, useDeliveryStateName } from './delivery-data.ts'
import { Health } from './health.tsx'

export function DeliveriesTab({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const [search] = useSearchParams()
  useWatch(bot.id)
  const chosen = search.get('delivery')
  if (chosen !== null) return <Delivery key={chosen} bot={bot} deliveryId={chosen} />
  return (
    <>
      {bot.delivery === 'webhook' ? (
        <Health bot={bot} />
      ) : (
        <section className="card padded" aria-labelledby="no-webhook">
          <h2 id="no-webhook">{t.polling.title}</h2>
          <p className="soft">{t.polling.text}</p>
          <div className="actions">
            <LinkButton to={botPath(bot.id, 'settings')}>{t.polling.settings}</LinkButton>
          </div>
        </section>
      )}
      <Log bot={bot} />
    </>
  )
}

const STATES = ['pending', 'failing', 'delivered', 'exhausted'] as const
const TYPES: readonly string[] = [...EVENT_TYPES, TEST_EVENT]
const ID = /^(evt_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A time of the address as a number; nothing where it is none. */
const timeOf = (text: string): number | undefined => {
  const time = new Date(text).getTime()
  return Number.isNaN(time) ? undefined : time
}

function Log({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts)
  const words = useTexts(common)
  const { organizationId } = useMembership()
  const [state, setState] = useAddressChoice('state', STATES)
  const [eventType, setEventType] = useAddressChoice('type', TYPES)
  const [isReplaying, setReplaying] = useState(false)
  const [since, setSince] = useAddressText('since')
  const [until, setUntil] = useAddressText('until')
  const id = useAddressSearch('id')
  const isId = ID.test(id.rested)
  const [from, to] = [timeOf(since), timeOf(until)]
  const wanted = {
    eventType,
    ...(state !== '' && { state }),
    ...(isId && { id: id.rested }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
  const isFiltered = Object.values(wanted).some((value) => value !== '')
  const query = useInfiniteQuery({
    queryKey: keys.of(organizationId, 'bot', bot.id, 'deliveries', wanted),
    queryFn: ({ pageParam }) =>
      call<typeof listBotDeliveries>(
        'GET',
        '/people/organizations/{organizationId}/bots/{botId}/deliveries',
        {
          params: { organizationId, botId: bot.id },
          query: { cursor: pageParam, ...wanted },
        },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  })
  return (
    <section className="card" aria-labelledby="delivery-log">
      <header>
        <h2 id="delivery-log">{t.log}</h2>
        {bot.delivery === 'webhook' && (
          <span className="row">
            <RetryFailed bot={bot} />
            <Button look="small" onClick={() => setReplaying(true)}>
              {t.replay.open}
            </Button>
          </span>
        )}
      </header>
      <div className="filters">
        <Select
          label={t.state}
          options={[['', words.all], ...STATES.map((one) => [one, t.states[one]] as const)]}
          value={state}
          onChange={setState}
        />
        <Select
          label={t.eventType}
          options={[['', words.all], ...TYPES.map((type) => [type, type] as const)]}
          value={eventType}
          onChange={setEventType}
        />
        <TimeField label={t.since} value={since} onChange={setSince} />
        <TimeField label={t.until} value={until} onChange={setUntil} />
        <TextField
          label={t.id}
          type="search"
          autoComplete="off"
          spellCheck={false}
          mistake={id.rested !== '' && !isId ? t.idMistake : undefined}
          maxLength={40}
          value={id.typed}
          onChange={id.setTyped}
        />
      </div>
      <Loaded query={query}>
        {({ pages }) => {
          const deliveries = pages.flatMap((page) => page.deliveries)
          // A page may be empty although there are more: of one type, the server looks at some thousand at a time.
          if (deliveries.length === 0 && !query.hasNextPage) {
            return isFiltered ? (
              <Empty title={t.emptyFilter}>{t.emptyFilterText}</Empty>
            ) : (
              <Empty title={t.empty}>{t.emptyText}</Empty>
            )
          }
          return (
            <>
              {deliveries.length > 0 && <DeliveryTable bot={bot} deliveries={deliveries} />}
              <More query={query} />
            </>
          )
        }}
      </Loaded>
      {isReplaying && <Replay bot={bot} onClose={() => setReplaying(false)} />}
    </section>
  )
}

function TimeField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (time: string) => void
}) {
  return (
    <Field label={label}>
      {(wiring) => (
        <input
          {...wiring}
          type="datetime-local"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Everything that failed, at once: for when a receiver is well again. */
function RetryFailed({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).retry
  const { organizationId } = useMembership()
  const number = useNumber()
  const changed = useBotsChanged()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const retry = useMutation({
    mutationFn: () =>
      call<typeof retryFailedDeliveries>(
        'POST',
        '/people/organizations/{organizationId}/bots/{botId}/deliveries/retry',
        { params: { organizationId, botId: bot.id } },
      ),
    onSuccess: ({ count }) => {
      setAsking(false)
      toast(count === 0 ? t.none : t.done(number(count)))
      void changed()
    },
  })
  return (
    <>
      <Button look="small" onClick={() => setAsking(true)}>
        {t.button}
      </Button>
      {isAsking && (
        <Confirm
          title={t.title}
          text={t.text}
          action={t.button}
          look="primary"
          busy={retry.isPending}
          error={retry.error}
          onConfirm={() => retry.mutate()}
          onClose={() => {
            retry.reset()
            setAsking(false)
          }}
        />
      )}
    </>
  )
}

function DeliveryTable({ bot, deliveries }: { bot: ConsoleBot; deliveries: readonly ConsoleDelivery[] }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const stateName = useDeliveryStateName()
  return (
    <div className="tablewrap">
      <table className="stacks">
        <thead>
          <tr>
            <th scope="col">{t.columns.event}</th>
            <th scope="col">{t.columns.state}</th>
            <th scope="col">{t.columns.attempts}</th>
            <th scope="col">{t.columns.happened}</th>
            <th scope="col">{t.columns.next}</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <td>
                <Link className="rowlink mono" to={deliveryPath(botPath(bot.id, 'deliveries'), delivery.id)}>
                  {delivery.eventType}
                </Link>
              </td>
              <td data-label={t.columns.state}>
                <Badge tone={DELIVERY_TONES[delivery.state]}>{stateName(delivery)}</Badge>
              </td>
              <td data-label={t.columns.attempts}>{delivery.attempts}</td>
              <td data-label={t.columns.happened}>
                <Time at={delivery.createdAt} />
              </td>
              <td data-label={t.columns.next}>
                <Next bot={bot} delivery={delivery} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const HOUR = 3_600_000

/** A time as a `datetime-local` field wants it: in the reader's zone, to the minute. */
function localMinute(at: number): string {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function Replay({ bot, onClose }: { bot: ConsoleBot; onClose: () => void }) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const [from, setFrom] = useState(() => localMinute(Date.now() - HOUR))
  const [wasTried, setTried] = useState(false)
  const time = new Date(from).getTime()
  const replay = useMutation({
    mutationFn: () =>
      call<typeof replayBotDeliveries>('POST', '/people/organizations/{organizationId}/bots/{botId}/replay', {
        params: { organizationId, botId: bot.id },
        body: { from: time },
      }),
    onSuccess: () => void changed(),
  })
  return (
    <Dialog title={t.replay.title} onClose={onClose} busy={replay.isPending}>
      {replay.data ? (
        <Replayed count={replay.data.count} onClose={onClose} />
      ) : (
        <form
          className="form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (!Number.isNaN(time)) replay.mutate()
          }}
        >
          <p>{t.replay.text}</p>
          <Field
            label={t.replay.from}
            hint={t.replay.fromHint}
            mistake={wasTried && Number.isNaN(time) ? t.replay.fromRequired : undefined}
            required
          >
            {(wiring) => (
              <input
                {...wiring}
                type="datetime-local"
                max={localMinute(Date.now())}
                value={from}
                onChange={(event) => setFrom(event.target.value)}
              />
            )}
          </Field>
          {replay.isError && <ErrorState error={replay.error} />}
          <div className="actions end">
            <CancelButton />
            <Button look="primary" type="submit" busy={replay.isPending}>
              {t.replay.button}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

function Replayed({ count, onClose }: { count: number; onClose: () => void }) {
  const t = useTexts(texts)
  const words = useTexts(common)
  const number = useNumber()
  const target = useFocusAtFirst<HTMLDivElement>()
  return (
    <>
      <div ref={target} tabIndex={-1}>
        <Notice tone="good">{count === 0 ? t.replay.none : t.replay.done(number(count))}</Notice>
      </div>
      <div className="actions end">
        <Button look="primary" onClick={onClose}>
          {words.close}
        </Button>
      </div>
    </>
  )
}
