import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { BodyOf } from '../../../../../contract/operation.ts'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type {
  IncomingWebhook,
  updateIncomingWebhook,
} from '../../../../../contract/people/incoming-webhooks.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Checkbox } from '../../../kit/choice.tsx'
import { FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { showToast } from '../../../kit/toast.tsx'
import { incoming as texts } from '../../../texts/incoming.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotsChanged } from './bot-data.ts'
import { FormatFields, fieldOfRefusal } from './incoming-address.tsx'

/** What an address takes and asks for can be changed; the address itself stays. */
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
    fieldOf: fieldOfRefusal,
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
      <TextField
        label={t.name}
        hint={t.nameHint}
        mistake={form.mistake('name')}
        required
        autoComplete="off"
        maxLength={LIMITS.incomingName}
        value={name}
        onChange={setName}
      />
      <FormatFields format={format} setFormat={setFormat} template={template} setTemplate={setTemplate} />
      {!isRemoved && (
        <TextField
          label={webhook.hasSecret ? t.secretChange : t.secret}
          hint={webhook.hasSecret ? t.secretKept : t.secretHint}
          mistake={form.mistake('secret')}
          autoComplete="off"
          spellCheck={false}
          maxLength={LIMITS.incomingSecretMax}
          value={secret}
          onChange={setSecret}
        />
      )}
      {webhook.hasSecret && <Checkbox label={t.secretRemove} isOn={isRemoved} onChange={setRemoved} />}
    </FormDialog>
  )
}
