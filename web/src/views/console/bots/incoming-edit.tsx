import { useState } from 'react'
import type { BodyOf } from '../../../../../contract/operation.ts'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type {
  IncomingWebhook,
  updateIncomingWebhook,
} from '../../../../../contract/people/incoming-webhooks.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Checkbox } from '../../../kit/choice.tsx'
import { FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { showToast } from '../../../kit/toast.tsx'
import { incoming as texts } from '../../../texts/incoming.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotsChanged } from './bot-data.ts'
import { FormatFields, INCOMING_FIELDS, NameField, SecretField } from './incoming-address.tsx'

/** Settings of an incoming address; the address itself stays. */
export function EditAddress({
  bot,
  webhook,
  onClose,
}: {
  bot: ConsoleBot
  webhook: IncomingWebhook
  onClose: () => void
}) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const [name, setName] = useState(webhook.name)
  const [format, setFormat] = useState(webhook.format)
  const [template, setTemplate] = useState(webhook.template ?? '')
  const [secret, setSecret] = useState('')
  const [isRemoved, setRemoved] = useState(false)
  const body: BodyOf<typeof updateIncomingWebhook> = {
    name,
    format,
    ...(format === 'generic' && { template: template.trim() === '' ? null : template }),
    ...(secret !== '' && { secret }),
    ...(isRemoved && { secret: null }),
  }
  const form = useForm<'name' | 'secret', IncomingWebhook>({
    check: () => ({ name: name.trim() === '' && t.nameRequired }),
    fields: INCOMING_FIELDS,
    send: () =>
      call<typeof updateIncomingWebhook>(
        'PATCH',
        '/people/organizations/{organizationId}/bots/{botId}/incoming-webhooks/{incomingWebhookId}',
        { params: { organizationId, botId: bot.id, incomingWebhookId: webhook.id }, body },
      ),
    onDone: () => {
      onClose()
      showToast({ text: t.saved })
      void changed()
    },
  })
  return (
    <FormDialog form={form} title={t.edit} action={t.save} onClose={onClose}>
      <NameField mistake={form.mistake('name')} value={name} onChange={setName} />
      <FormatFields format={format} setFormat={setFormat} template={template} setTemplate={setTemplate} />
      {!isRemoved && (
        <SecretField
          isKnown={webhook.hasSecret}
          mistake={form.mistake('secret')}
          value={secret}
          onChange={setSecret}
        />
      )}
      {webhook.hasSecret && <Checkbox label={t.secretRemove} isOn={isRemoved} onChange={setRemoved} />}
    </FormDialog>
  )
}
