import { ALL_SCOPES, type Scope } from '../../../../../contract/scopes.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Button, Choices, Field } from '../../../ui/controls.tsx'

const GROUPS = ['topics', 'messages', 'work', 'people', 'events', 'storage'] as const
const GROUP_OF: Record<Scope, (typeof GROUPS)[number]> = {
  'channel:list': 'topics',
  'channel:read': 'topics',
  'channel:write': 'topics',
  'message:read': 'messages',
  'message:send': 'messages',
  'message:write': 'messages',
  'reaction:write': 'messages',
  'task:read': 'work',
  'task:write': 'work',
  'poll:write': 'work',
  'member:read': 'people',
  'member:write': 'people',
  'updates:read': 'events',
  'storage:read': 'storage',
  'storage:write': 'storage',
}

export function PermissionField({
  value,
  onChange,
}: {
  value: 'read' | 'write'
  onChange: (value: 'read' | 'write') => void
}) {
  const t = useTexts(texts)
  return (
    <Choices
      legend={t.permission.legend}
      name="permission"
      value={value}
      onChange={onChange}
      choices={[
        { value: 'write', label: t.permission.write, hint: t.permission.writeHint },
        { value: 'read', label: t.permission.read, hint: t.permission.readHint },
      ]}
    />
  )
}

/** Where the bot is from the start. */
export function TopicsField({
  topics,
  value,
  onChange,
}: {
  topics: readonly { id: string; name: string }[]
  value: readonly string[]
  onChange: (value: string[]) => void
}) {
  const t = useTexts(texts).topics
  return (
    <fieldset>
      <legend>{t.legend}</legend>
      <p className="soft small">{t.hint}</p>
      {topics.map(({ id, name }) => (
        <label className="check" key={id}>
          <input
            type="checkbox"
            checked={value.includes(id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...value, id] : value.filter((other) => other !== id))
            }
          />
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}

export function ScopesField({
  value,
  onChange,
}: {
  value: readonly Scope[]
  onChange: (value: Scope[]) => void
}) {
  const t = useTexts(texts)
  const set = (scope: Scope, isOn: boolean) =>
    // In the order of the list, so that choosing back and forth ends where it began.
    onChange(ALL_SCOPES.filter((other) => (other === scope ? isOn : value.includes(other))))
  return (
    <fieldset>
      <legend>{t.scopes.legend}</legend>
      <p className="soft small">{t.scopes.hint}</p>
      <div className="actions">
        <Button look="small" onClick={() => onChange([...ALL_SCOPES])}>
          {t.scopes.all}
        </Button>
        <Button look="small" onClick={() => onChange([])}>
          {t.scopes.none}
        </Button>
        <span className="soft small" role="status">
          {t.scopeCount(value.length, ALL_SCOPES.length)}
        </span>
      </div>
      <div className="scopes">
        {GROUPS.map((group) => (
          <fieldset key={group} className="scopegroup">
            <legend>{t.scopes.groups[group]}</legend>
            {ALL_SCOPES.filter((scope) => GROUP_OF[scope] === group).map((scope) => (
              <label className="check" key={scope}>
                <input
                  type="checkbox"
                  checked={value.includes(scope)}
                  onChange={(event) => set(scope, event.target.checked)}
                />
                <span>
                  {t.scopeTexts[scope]} <code className="soft">{scope}</code>
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
      {value.length === 0 && <p className="warning small">{t.scopes.nothing}</p>}
    </fieldset>
  )
}

export function DeliveryFields({
  delivery,
  url,
  urlMistake,
  onDelivery,
  onUrl,
}: {
  delivery: 'polling' | 'webhook'
  url: string
  urlMistake: string | undefined
  onDelivery: (delivery: 'polling' | 'webhook') => void
  onUrl: (url: string) => void
}) {
  const t = useTexts(texts)
  return (
    <>
      <Choices
        legend={t.delivery.legend}
        name="delivery"
        value={delivery}
        onChange={onDelivery}
        choices={[
          { value: 'polling', label: t.delivery.polling, hint: t.delivery.pollingHint },
          { value: 'webhook', label: t.delivery.webhook, hint: t.delivery.webhookHint },
        ]}
      />
      {delivery === 'webhook' && (
        <Field label={t.delivery.url} hint={t.delivery.urlHint} mistake={urlMistake} required>
          {(wiring) => (
            <input
              {...wiring}
              type="url"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              placeholder="https://example.com/events"
              maxLength={2048}
              value={url}
              onChange={(event) => onUrl(event.target.value)}
            />
          )}
        </Field>
      )}
    </>
  )
}
