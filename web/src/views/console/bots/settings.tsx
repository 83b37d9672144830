import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import { ALL_SCOPES } from '../../../../../contract/scopes.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/choice.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { Card, Form, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Actions, Quiet } from '../../../kit/layout.tsx'
import { named } from '../../../kit/name.tsx'
import { ErrorNotice, Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Answers } from './answers.tsx'
import { BOT_FIELDS, type Changes, useUpdateBot } from './bot-data.ts'
import { Budget } from './budget.tsx'
import { Deletion } from './deletion.tsx'
import { DeliveryFields, PermissionField, ScopesField } from './fields.tsx'
import { Owner } from './owner.tsx'
import { Photo } from './photo.tsx'
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
      <Photo bot={bot} />
      <Budget bot={bot} />
      <Answers bot={bot} />
      <Owner bot={bot} />
      <Power bot={bot} />
      <Deletion bot={bot} />
    </>
  )
}

const NO_HEADERS: HeaderDraft = {}

/** The values of a bot in the form. */
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
  opensDirectMessages: bot.opensDirectMessages,
  externalIdIsKey: bot.externalIdIsKey,
})
type Shown = ReturnType<typeof shownOf>

/** Sends only the changed fields, so that two admins do not undo each other's work. */
function SettingsForm({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts)
  const words = useTexts(common)
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
    fields: BOT_FIELDS,
    onDone: () => {
      setDraft({})
      showToast({ text: t.settings.saved })
    },
  })

  return (
    <Form
      form={form}
      actions={
        <>
          <Button look="primary" submit busy={form.busy}>
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
              <Quiet small as="span">
                {t.settings.unsaved}
              </Quiet>
            </>
          )}
        </>
      }
    >
      <Card title={t.settings.general}>
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
      </Card>
      <Card title={t.settings.rights}>
        {bot.credential === 'static' ? (
          <>
            <PermissionField value={shown.permission} onChange={(permission) => set({ permission })} />
            <Checkbox
              label={t.settings.wholeRequestsOnly}
              about={t.settings.wholeRequestsOnlyHint}
              isOn={shown.wholeRequestsOnly}
              onChange={(wholeRequestsOnly) => set({ wholeRequestsOnly })}
            />
          </>
        ) : (
          <ScopesField value={shown.scopes} onChange={(scopes) => set({ scopes })} />
        )}
        <Checkbox
          label={t.settings.opensDirectMessages}
          about={t.settings.opensDirectMessagesHint}
          isOn={shown.opensDirectMessages}
          onChange={(opensDirectMessages) => set({ opensDirectMessages })}
        />
        <Checkbox
          label={t.settings.externalIdIsKey}
          about={t.settings.externalIdIsKeyHint}
          isOn={shown.externalIdIsKey}
          onChange={(externalIdIsKey) => set({ externalIdIsKey })}
        />
      </Card>
      <Card title={t.settings.events}>
        <DeliveryFields
          delivery={shown.delivery}
          url={shown.webhookUrl}
          urlMistake={form.mistake('url')}
          onDelivery={(delivery) => set({ delivery })}
          onUrl={(webhookUrl) => set({ webhookUrl })}
        />
        {isWebhook && (
          <>
            <Checkbox
              label={t.delivery.gzip}
              about={t.delivery.gzipHint}
              isOn={shown.webhookGzip}
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
        <Checkbox
          label={t.votes.label}
          about={t.votes.hint}
          isOn={shown.pollVoteEvents}
          onChange={(pollVoteEvents) => set({ pollVoteEvents })}
        />
        {(changes.delivery !== undefined || changes.webhookUrl !== undefined) && (
          <Notice>
            <p>{t.settings.moves}</p>
          </Notice>
        )}
      </Card>
    </Form>
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
    ...(shown.opensDirectMessages !== stored.opensDirectMessages && {
      opensDirectMessages: shown.opensDirectMessages,
    }),
    ...(shown.externalIdIsKey !== stored.externalIdIsKey && { externalIdIsKey: shown.externalIdIsKey }),
    ...(shown.pollVoteEvents !== stored.pollVoteEvents && { pollVoteEvents: shown.pollVoteEvents }),
  }
}

function Power({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts)
  const update = useUpdateBot(bot.id)
  const [isAsking, setAsking] = useState(false)
  const set = (active: boolean) =>
    update.mutate(
      { active },
      {
        onSuccess: ({ name }) => {
          setAsking(false)
          showToast({ text: active ? t.power.switchedOn(named(name)) : t.power.switchedOff(named(name)) })
        },
      },
    )
  return (
    <Card title={t.power.title} about={bot.active ? t.power.offText : t.power.isOff}>
      {!bot.active && update.isError && <ErrorNotice error={update.error} />}
      <Actions>
        {bot.active ? (
          <Button look="risk" onClick={() => setAsking(true)}>
            {t.power.off}
          </Button>
        ) : (
          <Button look="primary" busy={update.isPending} onClick={() => set(true)}>
            {t.power.on}
          </Button>
        )}
      </Actions>
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
    </Card>
  )
}
