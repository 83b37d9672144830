import { LIMITS } from '../../../../../contract/limits.ts'
import { ALL_SCOPES, type Scope } from '../../../../../contract/scopes.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox, Choices } from '../../../kit/choice.tsx'
import { Combobox } from '../../../kit/combobox.tsx'
import { TopicMark } from '../../../kit/face.tsx'
import { TextField } from '../../../kit/form.tsx'
import { Actions, FieldGroup, Quiet } from '../../../kit/layout.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import styles from './bots.module.css'

const GROUPS = ['topics', 'messages', 'work', 'people', 'events', 'storage'] as const
const GROUP_OF: Record<Scope, (typeof GROUPS)[number]> = {
  'channel:list': 'topics',
  'channel:read': 'topics',
  'channel:write': 'topics',
  'direct:open': 'messages',
  'message:read': 'messages',
  'message:send': 'messages',
  'group:mention': 'messages',
  'message:write': 'messages',
  'reaction:write': 'messages',
  'task:read': 'work',
  'task:write': 'work',
  'poll:write': 'work',
  'member:read': 'people',
  'member:write': 'people',
  'search:read': 'messages',
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
      label={t.permission.legend}
      value={value}
      onChange={onChange}
      options={[
        { value: 'write', label: t.permission.write, about: t.permission.writeHint },
        { value: 'read', label: t.permission.read, about: t.permission.readHint },
      ]}
    />
  )
}

/** The topics that a bot is in from the start. */
export function TopicsField({
  topics,
  value,
  onChange,
  onSearch,
}: {
  topics: readonly NamedTopic[]
  value: readonly NamedTopic[]
  onChange: (value: NamedTopic[]) => void
  /** There are more than `topics`: they are searched for elsewhere. */
  onSearch?: ((text: string) => void) | undefined
}) {
  const t = useTexts(texts).topics
  if (!onSearch && topics.length <= MAX_BOXES) {
    return (
      <FieldGroup legend={t.legend} hint={t.hint}>
        {topics.map((topic) => (
          <Checkbox
            key={topic.id}
            label={<bdi>{topic.name}</bdi>}
            isOn={value.some(({ id }) => id === topic.id)}
            onChange={(isOn) =>
              onChange(isOn ? [...value, topic] : value.filter(({ id }) => id !== topic.id))
            }
          />
        ))}
      </FieldGroup>
    )
  }
  return (
    <Combobox
      label={t.legend}
      hint={t.hint}
      placeholder={t.placeholder}
      items={topics}
      chosen={value}
      onChange={onChange}
      max={LIMITS.topicsOfNewBot}
      mark={(topic, size) => <TopicMark topic={topic} size={size} />}
      {...(onSearch && { onSearch })}
    />
  )
}

export type NamedTopic = { id: string; name: string }
/** More topics are found by typing. */
const MAX_BOXES = 12

export function ScopesField({
  value,
  onChange,
}: {
  value: readonly Scope[]
  onChange: (value: Scope[]) => void
}) {
  const t = useTexts(texts)
  const set = (scope: Scope, isOn: boolean) =>
    // Keeps the list's order, so that toggling a scope twice restores the value.
    onChange(ALL_SCOPES.filter((other) => (other === scope ? isOn : value.includes(other))))
  return (
    <FieldGroup legend={t.scopes.legend} hint={t.scopes.hint}>
      <Actions>
        <Button size="small" onClick={() => onChange([...ALL_SCOPES])}>
          {t.scopes.all}
        </Button>
        <Button size="small" onClick={() => onChange([])}>
          {t.scopes.none}
        </Button>
        <span role="status">
          <Quiet small as="span">
            {t.scopeCount(value.length, ALL_SCOPES.length)}
          </Quiet>
        </span>
      </Actions>
      <div className={styles.scopes}>
        {GROUPS.map((group) => (
          <FieldGroup key={group} legend={t.scopes.groups[group]}>
            {ALL_SCOPES.filter((scope) => GROUP_OF[scope] === group).map((scope) => (
              <Checkbox
                key={scope}
                label={
                  <>
                    {t.scopeTexts[scope]} <code>{scope}</code>
                  </>
                }
                isOn={value.includes(scope)}
                onChange={(isOn) => set(scope, isOn)}
              />
            ))}
          </FieldGroup>
        ))}
      </div>
      {value.length === 0 && (
        <Notice tone="warn">
          <p>{t.scopes.nothing}</p>
        </Notice>
      )}
    </FieldGroup>
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
        label={t.delivery.legend}
        value={delivery}
        onChange={onDelivery}
        options={[
          { value: 'polling', label: t.delivery.polling, about: t.delivery.pollingHint },
          { value: 'webhook', label: t.delivery.webhook, about: t.delivery.webhookHint },
        ]}
      />
      {delivery === 'webhook' && (
        <TextField
          label={t.delivery.url}
          hint={t.delivery.urlHint}
          mistake={urlMistake}
          required
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://example.com/events"
          maxLength={2048}
          value={url}
          onChange={onUrl}
        />
      )}
    </>
  )
}
