import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type {
  addWebhookAddress,
  NewSecret,
  removeWebhookAddress,
  rotateAddressSecret,
  updateWebhookAddress,
  WebhookAddress,
} from '../../../../../contract/people/webhook-addresses.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Confirm } from '../../../kit/confirm.tsx'
import { FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { addresses as texts } from '../../../texts/addresses.ts'
import { bots as botTexts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotPath, useBotsChanged, type WebhookEvent } from './bot-data.ts'
import { RotationDialog } from './rotation-dialog.tsx'
import { EventTypesField, type HeaderDraft, HeadersField } from './webhook-fields.tsx'

type Closing = { onClose: () => void }
type Shown = { bot: ConsoleBot; address: WebhookAddress }

/** A new address; or, with `address`, another state of one. Only what was changed is sent. */
export function AddressDialog({
  bot,
  address,
  onMade,
  onClose,
}: Closing & { bot: ConsoleBot; address?: WebhookAddress; onMade: (made: NewSecret) => void }) {
  const t = useTexts(texts)
  const { eventTypes } = useTexts(botTexts)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const [url, setUrl] = useState(address?.url ?? '')
  const [events, setEvents] = useState<WebhookEvent[] | null>(address?.events ?? null)
  const [headers, setHeaders] = useState<HeaderDraft>({})
  const typed = url.trim()
  const others = {
    ...(String(events) !== String(address?.events ?? null) && { events }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
  const params = { organizationId, botId: bot.id }
  const form = useForm<'url' | 'events' | 'headers', NewSecret | WebhookAddress>({
    check: () => ({
      url: typed === '' && t.urlRequired,
      events: events?.length === 0 && eventTypes.none,
    }),
    fields: { url: 'url', headers: 'headers' },
    send: () =>
      address
        ? call<typeof updateWebhookAddress>(
            'PATCH',
            '/people/organizations/{organizationId}/bots/{botId}/addresses/{addressId}',
            {
              params: { ...params, addressId: address.id },
              body: { ...(typed !== address.url && { url: typed }), ...others },
            },
          )
        : call<typeof addWebhookAddress>(
            'POST',
            '/people/organizations/{organizationId}/bots/{botId}/addresses',
            {
              params,
              body: { url: typed, ...others },
            },
          ),
    onDone: (answer) => {
      if ('secret' in answer) onMade(answer)
      else {
        onClose()
        showToast({ text: t.saved })
      }
      void changed()
    },
  })
  return (
    <FormDialog
      form={form}
      title={address ? t.edit : t.add}
      action={address ? t.save : t.add}
      onClose={onClose}
    >
      <TextField
        label={t.url}
        hint={t.urlHint}
        mistake={form.mistake('url')}
        required
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://example.com/events"
        maxLength={2048}
        value={url}
        onChange={setUrl}
      />
      <EventTypesField value={events} mistake={form.mistake('events')} onChange={setEvents} />
      <HeadersField
        stored={address?.headers ?? []}
        draft={headers}
        mistake={form.mistake('headers')}
        onChange={setHeaders}
      />
      {address && typed !== address.url && (
        <Notice>
          <p>{t.moves}</p>
        </Notice>
      )}
    </FormDialog>
  )
}

export function SecretDialog({
  bot,
  address,
  onMade,
  onClose,
}: Shown & Closing & { onMade: (made: NewSecret) => void }) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  return (
    <RotationDialog
      title={t.rotateTitle}
      words={t}
      send={(overlapHours) =>
        call<typeof rotateAddressSecret>(
          'POST',
          '/people/organizations/{organizationId}/bots/{botId}/addresses/{addressId}/secret',
          { params: { organizationId, botId: bot.id, addressId: address.id }, body: { overlapHours } },
        )
      }
      onMade={onMade}
      onClose={onClose}
    />
  )
}

export function Removal({ bot, address, onClose }: Shown & Closing) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const botPath = useBotPath()
  const [, navigate] = useLocation()
  const remove = useMutation({
    mutationFn: () =>
      call<typeof removeWebhookAddress>(
        'DELETE',
        '/people/organizations/{organizationId}/bots/{botId}/addresses/{addressId}',
        { params: { organizationId, botId: bot.id, addressId: address.id } },
      ),
    onSuccess: () => {
      showToast({ text: t.removed })
      navigate(botPath(bot.id, 'deliveries'), { replace: true })
      void changed()
    },
  })
  return (
    <Confirm
      title={t.removeTitle}
      text={t.removeText}
      action={t.remove}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  )
}
