import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type {
  ConsoleBot,
  ConsoleDelivery,
  listBotDeliveries,
  replayBotDeliveries,
} from '../../../../../contract/people/bots.ts'
import type { WebhookAddress } from '../../../../../contract/people/webhook-addresses.ts'
import type { retryFailedDeliveries } from '../../../../../contract/people/webhooks.ts'
import { call } from '../../../api/call.ts'
import { keys, useWatch } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { useAddressChoice, useAddressSearch, useAddressText } from '../../../kit/address.ts'
import { Button, ButtonLink } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../../kit/dialog.tsx'
import { FilterBar, FilterMoment, FilterPill, FilterSearch } from '../../../kit/filters.tsx'
import { Card, FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Actions } from '../../../kit/layout.tsx'
import { Notice, StateMark } from '../../../kit/notice.tsx'
import { useNumber } from '../../../kit/number.ts'
import { RowName } from '../../../kit/row-name.tsx'
import { Empty, Loaded, More } from '../../../kit/states.tsx'
import { TableRows } from '../../../kit/table-rows.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { addresses } from '../../../texts/addresses.ts'
import { common } from '../../../texts/common.ts'
import { deliveries as texts } from '../../../texts/deliveries.ts'
import { useTexts } from '../../../texts/texts.ts'
import { AddressPage } from './address-page.tsx'
import { Addresses } from './addresses.tsx'
import { EVENT_TYPES, TEST_EVENT, useBotPath, useBotsChanged } from './bot-data.ts'
import { Delivery, Next } from './delivery.tsx'
import { DELIVERY_TONES, deliveryPath, useDeliveryStateName } from './delivery-data.ts'
import { Health } from './health.tsx'

export function DeliveriesTab({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const [search] = useSearchParams()
  const addressTexts = useTexts(addresses)
  useWatch(bot.id)
  const chosen = search.get('delivery')
  if (chosen !== null) return <Delivery key={chosen} bot={bot} deliveryId={chosen} />
  const addressId = search.get('address')
  const address = bot.addresses.find(({ id }) => id === addressId)
  if (address) {
    return (
      <>
        <AddressPage key={address.id} bot={bot} address={address} />
        <Log key={`log of ${address.id}`} bot={bot} address={address} />
      </>
    )
  }
  return (
    <>
      {addressId !== null && <Notice tone="warn">{addressTexts.gone}</Notice>}
      {bot.delivery === 'webhook' ? (
        <>
          <Addresses bot={bot} />
          <Health bot={bot} />
        </>
      ) : (
        <Card title={t.polling.title} about={t.polling.text}>
          <Actions>
            <ButtonLink to={botPath(bot.id, 'settings')}>{t.polling.settings}</ButtonLink>
          </Actions>
        </Card>
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

const queryOf = (address: WebhookAddress | undefined) => (address ? { address: address.id } : {})

/** A bot, and the address of its webhook whose deliveries are shown: the first one unless another is given. */
type Shown = { bot: ConsoleBot; address?: WebhookAddress | undefined }

function Log({ bot, address }: Shown) {
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
  const ofAddress = queryOf(address)
  const isFiltered = Object.values(wanted).some((value) => value !== '')
  const query = useInfiniteQuery({
    queryKey: keys.of(organizationId, 'bot', bot.id, 'deliveries', { ...wanted, ...ofAddress }),
    queryFn: ({ pageParam }) =>
      call<typeof listBotDeliveries>(
        'GET',
        '/people/organizations/{organizationId}/bots/{botId}/deliveries',
        {
          params: { organizationId, botId: bot.id },
          query: { cursor: pageParam, ...wanted, ...ofAddress },
        },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  })
  return (
    <Card
      title={t.log}
      isWide
      actions={
        bot.delivery === 'webhook' && (
          <Actions>
            <RetryFailed bot={bot} address={address} />
            <Button size="small" onClick={() => setReplaying(true)}>
              {t.replay.open}
            </Button>
          </Actions>
        )
      }
    >
      <FilterBar>
        <FilterPill
          filter={{
            label: t.state,
            any: words.all,
            options: STATES.map((one) => [one, t.states[one]] as const),
          }}
          value={state}
          onChange={setState}
        />
        <FilterPill
          filter={{ label: t.eventType, any: words.all, options: TYPES.map((type) => [type, type] as const) }}
          value={eventType}
          onChange={setEventType}
        />
        <FilterMoment type="datetime-local" label={t.since} value={since} onChange={setSince} />
        <FilterMoment type="datetime-local" label={t.until} value={until} onChange={setUntil} />
        <FilterSearch
          label={t.id}
          mistake={id.rested !== '' && !isId ? t.idMistake : undefined}
          value={id.typed}
          onChange={id.setTyped}
        />
      </FilterBar>
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
              {deliveries.length > 0 && <DeliveryTable bot={bot} address={address} deliveries={deliveries} />}
              <More query={query} />
            </>
          )
        }}
      </Loaded>
      {isReplaying && <Replay bot={bot} address={address} onClose={() => setReplaying(false)} />}
    </Card>
  )
}

/** Everything that failed, at once: for when a receiver is well again. */
function RetryFailed({ bot, address }: Shown) {
  const t = useTexts(texts).retry
  const { organizationId } = useMembership()
  const number = useNumber()
  const changed = useBotsChanged()
  const [isAsking, setAsking] = useState(false)
  const retry = useMutation({
    mutationFn: () =>
      call<typeof retryFailedDeliveries>(
        'POST',
        '/people/organizations/{organizationId}/bots/{botId}/deliveries/retry',
        { params: { organizationId, botId: bot.id }, query: queryOf(address) },
      ),
    onSuccess: ({ count }) => {
      setAsking(false)
      showToast({ text: count === 0 ? t.none : t.done(number(count)) })
      void changed()
    },
  })
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
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

function DeliveryTable({ bot, address, deliveries }: Shown & { deliveries: readonly ConsoleDelivery[] }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const stateName = useDeliveryStateName()
  return (
    <TableRows
      label={t.log}
      rows={deliveries}
      nameOf={({ eventType }) => eventType}
      columns={[
        {
          label: t.columns.event,
          cell: ({ id, eventType }) => (
            <RowName name={eventType} to={deliveryPath(botPath(bot.id, 'deliveries'), id)} />
          ),
        },
        {
          label: t.columns.state,
          width: '24%',
          cell: (delivery) => (
            <StateMark tone={DELIVERY_TONES[delivery.state]}>{stateName(delivery)}</StateMark>
          ),
        },
        { label: t.columns.attempts, width: '10%', isNumber: true, cell: ({ attempts }) => attempts },
        { label: t.columns.happened, width: '17%', cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          label: t.columns.next,
          width: '20%',
          cell: (delivery) => <Next bot={bot} address={address} delivery={delivery} />,
        },
      ]}
    />
  )
}

const HOUR = 3_600_000

/** A time as a `datetime-local` field wants it: in the reader's zone, to the minute. */
function localMinute(at: number): string {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function Replay({ bot, address, onClose }: Shown & { onClose: () => void }) {
  const t = useTexts(texts).replay
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const [from, setFrom] = useState(() => localMinute(Date.now() - HOUR))
  const [count, setCount] = useState<number>()
  const time = new Date(from).getTime()
  const form = useForm<'from', { count: number }>({
    check: () => ({ from: Number.isNaN(time) && t.fromRequired }),
    send: () =>
      call<typeof replayBotDeliveries>('POST', '/people/organizations/{organizationId}/bots/{botId}/replay', {
        params: { organizationId, botId: bot.id },
        query: queryOf(address),
        body: { from: time },
      }),
    onDone: (replayed) => {
      setCount(replayed.count)
      void changed()
    },
  })
  if (count !== undefined) return <Replayed count={count} onClose={onClose} />
  return (
    <FormDialog form={form} title={t.title} action={t.button} onClose={onClose}>
      <p>{t.text}</p>
      <TextField
        label={t.from}
        hint={t.fromHint}
        mistake={form.mistake('from')}
        required
        type="datetime-local"
        max={localMinute(Date.now())}
        value={from}
        onChange={setFrom}
      />
    </FormDialog>
  )
}

function Replayed({ count, onClose }: { count: number; onClose: () => void }) {
  const t = useTexts(texts).replay
  const words = useTexts(common)
  const number = useNumber()
  return (
    <Dialog title={t.title} onClose={onClose}>
      <DialogBody>
        <Notice tone="good">
          <p>{count === 0 ? t.none : t.done(number(count))}</p>
        </Notice>
      </DialogBody>
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          {words.close}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
