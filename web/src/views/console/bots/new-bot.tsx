import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { Credentials, createBot } from '../../../../../contract/people/bots.ts'
import { ALL_SCOPES, type Scope } from '../../../../../contract/scopes.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Button, Check, Choices, LinkButton } from '../../../ui/controls.tsx'
import { Form, TextField, useForm } from '../../../ui/form.tsx'
import { named } from '../../../ui/name.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { fieldOfRefusal, useBotPath, useBotsChanged } from './bot-data.ts'
import { DeliveryFields, PermissionField, ScopesField } from './fields.tsx'
import { Handover } from './handover.tsx'
import '../../../styles/bots.css'

export default function View() {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const [made, setMade] = useState<Credentials>()
  if (!made) {
    return (
      <>
        <PageHead key="new" title={t.create.title} about={t.create.about} />
        <NewBotForm onDone={setMade} />
      </>
    )
  }
  return (
    <>
      <PageHead key="done" title={t.create.done(named(made.bot.name))} about={t.create.doneAbout} />
      <section className="card padded" aria-label={t.handover.title}>
        <Handover credentials={made} />
        <div className="actions">
          <LinkButton to={botPath(made.bot.id)} look="primary">
            {t.handover.toBot}
          </LinkButton>
        </div>
      </section>
    </>
  )
}

function NewBotForm({ onDone }: { onDone: (made: Credentials) => void }) {
  const t = useTexts(texts)
  const words = useTexts(common)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const [name, setName] = useState('')
  const [credential, setCredential] = useState<'static' | 'oauth'>('static')
  const [permission, setPermission] = useState<'read' | 'write'>('write')
  const [scopes, setScopes] = useState<Scope[]>([...ALL_SCOPES])
  const [delivery, setDelivery] = useState<'polling' | 'webhook'>('polling')
  const [url, setUrl] = useState('')
  const [pollVoteEvents, setPollVoteEvents] = useState(false)

  const form = useForm({
    asksBeforeLeaving: true,
    check: () => ({
      name: name.trim() === '' && t.create.nameRequired,
      url: delivery === 'webhook' && url.trim() === '' && t.delivery.urlRequired,
    }),
    send: () =>
      call<typeof createBot>('POST', '/people/organizations/{organizationId}/bots', {
        params: { organizationId },
        body: {
          name: name.trim(),
          credential,
          ...(credential === 'static' ? { permission } : { scopes }),
          delivery,
          ...(delivery === 'webhook' && { webhookUrl: url.trim() }),
          pollVoteEvents,
        },
      }),
    fieldOf: fieldOfRefusal,
    onDone: (made) => {
      void changed()
      onDone(made)
    },
  })
  return (
    <div className="card padded">
      <Form
        form={form}
        actions={
          <>
            <Button look="primary" type="submit" busy={form.busy}>
              {t.create.button}
            </Button>
            <LinkButton to={`/console/${organizationId}/bots`}>{words.cancel}</LinkButton>
          </>
        }
      >
        <TextField
          label={t.name.label}
          hint={t.name.hint}
          mistake={form.mistake('name')}
          required
          autoComplete="off"
          maxLength={LIMITS.botName}
          value={name}
          onChange={setName}
        />
        <Choices
          legend={t.credential.legend}
          name="credential"
          value={credential}
          onChange={setCredential}
          choices={[
            { value: 'static', label: t.credential.static, hint: t.credential.staticHint },
            { value: 'oauth', label: t.credential.oauth, hint: t.credential.oauthHint },
          ]}
        />
        {credential === 'static' ? (
          <PermissionField value={permission} onChange={setPermission} />
        ) : (
          <ScopesField value={scopes} onChange={setScopes} />
        )}
        <DeliveryFields
          delivery={delivery}
          url={url}
          urlMistake={form.mistake('url')}
          onDelivery={setDelivery}
          onUrl={setUrl}
        />
        <Check
          label={t.votes.label}
          hint={t.votes.hint}
          checked={pollVoteEvents}
          onChange={setPollVoteEvents}
        />
      </Form>
    </div>
  )
}
