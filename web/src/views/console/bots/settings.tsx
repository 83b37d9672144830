import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import { ALL_SCOPES } from '../../../../../contract/scopes.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Button, Check, Notice } from '../../../ui/controls.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { TextField, useForm } from '../../../ui/form.tsx'
import { named } from '../../../ui/name.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { type Changes, fieldOfRefusal, useUpdateBot } from './bot-data.ts'
import { Deletion } from './deletion.tsx'
import { DeliveryFields, PermissionField, ScopesField } from './fields.tsx'
import { EventTypesField, type HeaderDraft, HeadersField } from './webhook-fields.tsx'

const RATE = { minimum: 1, maximum: 1000 }

function isRate(text: string): boolean {
  const rate = Number(text)
  return Number.isInteger(rate) && rate >= RATE.minimum && rate <= RATE.maximum
}

export function SettingsTab({ bot }: { bot: ConsoleBot }) {
  return (
    <>
      <SettingsForm bot={bot} />
      <Power bot={bot} />
      <Deletion bot={bot} />
    </>
  )
}

const NO_HEADERS: HeaderDraft = {}

/** What the form shows of a bot. */
const shownOf = (bot: ConsoleBot) => ({
  name: bot.name,
  description: bot.description,
  permission: bot.permission ?? 'write',
  wholeRequestsOnly: bot.signatureVersion === 2,
  scopes: bot.scopes ?? [],
  delivery: bot.delivery,
  webhookUrl: bot.webhook.url ?? '',
  webhookGzip: bot.webhook.gzip,
  webhookRate: String(bot.webhook.rate),
  webhookEvents: bot.webhook.events,
  webhookHeaders: NO_HEADERS,
  pollVoteEvents: bot.pollVoteEvents,
})
type Shown = ReturnType<typeof shownOf>

/** Only what was changed here is sent: two who change different things do not undo each other's work. */
function SettingsForm({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts)
  const words = useTexts(common)
  const toast = useToast()
  const update = useUpdateBot(bot.id)
  const [draft, setDraft] = useState<Partial<Shown>>({})
  const stored = shownOf(bot)
  const shown: Shown = { ...stored, ...draft }
  const set = (change: Partial<Shown>) => setDraft({ ...draft, ...change })

  const changes = changesBetween(stored, shown)
  const isChanged = Object.keys(changes).length > 0
  const isWebhook = shown.delivery === 'webhook'
  const form = useForm<'name' | 'url' | 'rate' | 'events' | 'headers', ConsoleBot>({
    check: () => ({
      name: shown.name.trim() === '' && t.create.nameRequired,
      url: isWebhook && shown.webhookUrl.trim() === '' && t.delivery.urlRequired,
      rate: isWebhook && !isRate(shown.webhookRate) && t.delivery.rateMistake,
      events: isWebhook && shown.webhookEvents?.length === 0 && t.eventTypes.none,
    }),
    isSame: !isChanged,
    asksBeforeLeaving: true,
    send: () => update.mutateAsync(changes),
    fieldOf: fieldOfRefusal,
    onDone: () => {
      setDraft({})
      toast(t.settings.saved)
    },
  })

  return (
    <form
      className="stack"
      ref={form.ref}
      noValidate
      onInput={form.touch}
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <section className="card padded" aria-labelledby="bot-general">
        <h2 id="bot-general">{t.settings.general}</h2>
        <TextField
          label={t.name.label}
          hint={t.name.hint}
          mistake={form.mistake('name')}
          required
          autoComplete="off"
          maxLength={LIMITS.botName}
          value={shown.name}
          onChange={(name) => set({ name })}
        />
        <TextField
          label={t.description.label}
          hint={t.description.hint}
          autoComplete="off"
          maxLength={LIMITS.botDescription}
          value={shown.description}
          onChange={(description) => set({ description })}
        />
      </section>
      <section className="card padded" aria-labelledby="bot-rights">
        <h2 id="bot-rights">{t.settings.rights}</h2>
        {bot.credential === 'static' ? (
          <>
            <PermissionField value={shown.permission} onChange={(permission) => set({ permission })} />
            <Check
              label={t.settings.wholeRequestsOnly}
              hint={t.settings.wholeRequestsOnlyHint}
              checked={shown.wholeRequestsOnly}
              onChange={(wholeRequestsOnly) => set({ wholeRequestsOnly })}
            />
          </>
        ) : (
          <ScopesField value={shown.scopes} onChange={(scopes) => set({ scopes })} />
        )}
      </section>
      <section className="card padded" aria-labelledby="bot-events">
        <h2 id="bot-events">{t.settings.events}</h2>
        <DeliveryFields
          delivery={shown.delivery}
          url={shown.webhookUrl}
          urlMistake={form.mistake('url')}
          onDelivery={(delivery) => set({ delivery })}
          onUrl={(webhookUrl) => set({ webhookUrl })}
        />
        {isWebhook && (
          <>
            <Check
              label={t.delivery.gzip}
              hint={t.delivery.gzipHint}
              checked={shown.webhookGzip}
              onChange={(webhookGzip) => set({ webhookGzip })}
            />
            <TextField
              label={t.delivery.rate}
              hint={t.delivery.rateHint}
              mistake={form.mistake('rate')}
              type="number"
              min={RATE.minimum}
              max={RATE.maximum}
              value={shown.webhookRate}
              onChange={(webhookRate) => set({ webhookRate })}
            />
            <EventTypesField
              value={shown.webhookEvents}
              mistake={form.mistake('events')}
              onChange={(webhookEvents) => set({ webhookEvents })}
            />
            <HeadersField
              stored={bot.webhook.headers}
              draft={shown.webhookHeaders}
              mistake={form.mistake('headers')}
              onChange={(webhookHeaders) => set({ webhookHeaders })}
            />
          </>
        )}
        <Check
          label={t.votes.label}
          hint={t.votes.hint}
          checked={shown.pollVoteEvents}
          onChange={(pollVoteEvents) => set({ pollVoteEvents })}
        />
        {(changes.delivery !== undefined || changes.webhookUrl !== undefined) && (
          <Notice>{t.settings.moves}</Notice>
        )}
      </section>
      {form.error != null && <ErrorState error={form.error} />}
      <div className="actions">
        <Button look="primary" type="submit" busy={form.busy}>
          {words.save}
        </Button>
        {isChanged && (
          <>
            <Button
              busy={form.busy}
              onClick={() => {
                setDraft({})
                // This button goes.
                form.ref.current?.querySelector<HTMLElement>('[type="submit"]')?.focus()
              }}
            >
              {t.settings.discard}
            </Button>
            <span className="soft small">{t.settings.unsaved}</span>
          </>
        )}
      </div>
    </form>
  )
}

function changesBetween(stored: Shown, shown: Shown): Changes {
  const isWebhook = shown.delivery === 'webhook'
  const url = shown.webhookUrl.trim()
  const sameScopes = ALL_SCOPES.every(
    (scope) => stored.scopes.includes(scope) === shown.scopes.includes(scope),
  )
  return {
    ...(shown.name.trim() !== stored.name && { name: shown.name.trim() }),
    ...(shown.description.trim() !== stored.description && { description: shown.description.trim() }),
    ...(shown.permission !== stored.permission && { permission: shown.permission }),
    ...(shown.wholeRequestsOnly !== stored.wholeRequestsOnly && {
      signatureVersion: shown.wholeRequestsOnly ? 2 : 1,
    }),
    ...(!sameScopes && { scopes: shown.scopes }),
    ...(shown.delivery !== stored.delivery && { delivery: shown.delivery }),
    ...(isWebhook && url !== stored.webhookUrl && { webhookUrl: url }),
    ...(isWebhook && shown.webhookGzip !== stored.webhookGzip && { webhookGzip: shown.webhookGzip }),
    ...(isWebhook && shown.webhookRate !== stored.webhookRate && { webhookRate: Number(shown.webhookRate) }),
    ...(isWebhook &&
      String(shown.webhookEvents) !== String(stored.webhookEvents) && {
        webhookEvents: shown.webhookEvents,
      }),
    ...(isWebhook &&
      Object.keys(shown.webhookHeaders).length > 0 && { webhookHeaders: shown.webhookHeaders }),
    ...(shown.pollVoteEvents !== stored.pollVoteEvents && { pollVoteEvents: shown.pollVoteEvents }),
  }
}

function Power({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts)
  const toast = useToast()
  const update = useUpdateBot(bot.id)
  const [isAsking, setAsking] = useState(false)
  const set = (active: boolean) =>
    update.mutate(
      { active },
      {
        onSuccess: ({ name }) => {
          setAsking(false)
          toast(active ? t.power.switchedOn(named(name)) : t.power.switchedOff(named(name)))
        },
      },
    )
  return (
    <section className="card padded" aria-labelledby="bot-power">
      <h2 id="bot-power">{t.power.title}</h2>
      <p className="soft">{bot.active ? t.power.offText : t.power.isOff}</p>
      {!bot.active && update.isError && <ErrorState error={update.error} />}
      <div className="actions">
        {bot.active ? (
          <Button look="danger" onClick={() => setAsking(true)}>
            {t.power.off}
          </Button>
        ) : (
          <Button look="primary" busy={update.isPending} onClick={() => set(true)}>
            {t.power.on}
          </Button>
        )}
      </div>
      {isAsking && (
        <Confirm
          title={t.power.confirmTitle(named(bot.name))}
          text={bot.credential === 'static' ? t.power.confirmStatic : t.power.confirmOAuth}
          action={t.power.off}
          busy={update.isPending}
          error={update.error}
          onConfirm={() => set(false)}
          onClose={() => {
            update.reset()
            setAsking(false)
          }}
        />
      )}
    </section>
  )
}
