import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type { createIncomingWebhook, MadeAddress } from '../../../../../contract/people/incoming-webhooks.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Code, Secret } from '../../../kit/copy.tsx'
import { Field, SelectField, TextArea } from '../../../kit/field.tsx'
import { Card, FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Actions, Stack } from '../../../kit/layout.tsx'
import { useAskBeforeLeaving } from '../../../kit/leaving.ts'
import { named } from '../../../kit/name.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { useFocusAtFirst } from '../../../kit/page.tsx'
import { incoming as texts } from '../../../texts/incoming.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotsChanged } from './bot-data.ts'
import { INCOMING_FORMATS } from './incoming-data.ts'
import { shellQuoted } from './snippets.ts'

export function NewAddress({
  bot,
  topics,
  onMade,
  onClose,
}: {
  bot: ConsoleBot
  topics: readonly { id: string; name: string }[]
  onMade: (made: MadeAddress) => void
  onClose: () => void
}) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const [name, setName] = useState('')
  const [topicId, setTopicId] = useState(topics[0]?.id ?? '')
  const [format, setFormat] = useState<(typeof INCOMING_FORMATS)[number]>('auto')
  const [template, setTemplate] = useState('')
  const [secret, setSecret] = useState('')
  const form = useForm<'name' | 'secret', MadeAddress>({
    check: () => ({ name: name.trim() === '' && t.nameRequired }),
    fields: INCOMING_FIELDS,
    send: () =>
      call<typeof createIncomingWebhook>(
        'POST',
        '/people/organizations/{organizationId}/bots/{botId}/incoming-webhooks',
        {
          params: { organizationId, botId: bot.id },
          body: {
            name,
            topicId,
            format,
            ...(format === 'generic' && template.trim() !== '' && { template }),
            ...(secret !== '' && { secret }),
          },
        },
      ),
    onDone: (made) => {
      onMade(made)
      void changed()
    },
  })
  return (
    <FormDialog form={form} title={t.add} action={t.create} onClose={onClose}>
      <NameField mistake={form.mistake('name')} value={name} onChange={setName} />
      <SelectField
        label={t.topic}
        options={topics.map((topic) => [topic.id, topic.name] as const)}
        value={topicId}
        onChange={setTopicId}
      />
      <FormatFields format={format} setFormat={setFormat} template={template} setTemplate={setTemplate} />
      <SecretField mistake={form.mistake('secret')} value={secret} onChange={setSecret} />
    </FormDialog>
  )
}

export const INCOMING_FIELDS = { name: 'name', secret: 'secret' } as const

type TextInput = { mistake: string | undefined; value: string; onChange: (value: string) => void }

export function NameField(input: TextInput) {
  const t = useTexts(texts)
  return (
    <TextField
      label={t.name}
      hint={t.nameHint}
      required
      autoComplete="off"
      maxLength={LIMITS.incomingName}
      {...input}
    />
  )
}

/** `isKnown`: there is a secret already, which stays unless another is given. */
export function SecretField({ isKnown = false, ...input }: TextInput & { isKnown?: boolean }) {
  const t = useTexts(texts)
  return (
    <TextField
      label={isKnown ? t.secretChange : t.secret}
      hint={isKnown ? t.secretKept : t.secretHint}
      autoComplete="off"
      spellCheck={false}
      maxLength={LIMITS.incomingSecretMax}
      {...input}
    />
  )
}

type Format = (typeof INCOMING_FORMATS)[number]

export function FormatFields({
  format,
  setFormat,
  template,
  setTemplate,
}: {
  format: Format
  setFormat: (format: Format) => void
  template: string
  setTemplate: (template: string) => void
}) {
  const t = useTexts(texts)
  return (
    <>
      <SelectField
        label={t.format}
        options={INCOMING_FORMATS.map((one) => [one, t.formats[one]] as const)}
        value={format}
        onChange={setFormat}
      />
      {format === 'generic' && (
        <Field label={t.template} hint={t.templateHint}>
          {(wiring) => (
            <TextArea
              {...wiring}
              maxLength={LIMITS.incomingTemplate}
              value={template}
              onChange={(event) => setTemplate(event.target.value)}
            />
          )}
        </Field>
      )}
    </>
  )
}

/** The only sight of an address. */
export function ShownAddress({ made, onClose }: { made: MadeAddress; onClose: () => void }) {
  const t = useTexts(texts)
  const heading = useFocusAtFirst<HTMLHeadingElement>()
  const [isCopied, setCopied] = useState(false)
  const copied = () => setCopied(true)
  useAskBeforeLeaving(!isCopied, t.leave)
  const text = shellQuoted(JSON.stringify({ text: t.tryText }))
  const example = `curl ${shellQuoted(made.url)} \\
  -H 'Content-Type: application/json' \\
  -d ${text}`
  return (
    <Card title={t.done(named(made.incomingWebhook.name))} heading={heading}>
      <Stack>
        <Notice tone="warn">
          <strong>{t.once}</strong>
          <p>{t.onceMore}</p>
        </Notice>
        <Secret label={t.address} value={made.url} onCopied={copied} />
        {!made.incomingWebhook.hasSecret && (
          <Stack tight>
            <h2>{t.try}</h2>
            <Code label={t.try} text={example} onCopied={copied} />
          </Stack>
        )}
        <Actions>
          <Button look="primary" onClick={onClose}>
            {t.stored}
          </Button>
        </Actions>
      </Stack>
    </Card>
  )
}
