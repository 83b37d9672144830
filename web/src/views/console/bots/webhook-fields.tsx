import { useId, useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Button, Check } from '../../../ui/controls.tsx'
import { TextField } from '../../../ui/form.tsx'
import { EVENT_TYPES, type WebhookEvent } from './bot-data.ts'

/** Which events its webhook gets: all, or some that are ticked. */
export function EventTypesField({
  value,
  mistake,
  onChange,
}: {
  value: readonly WebhookEvent[] | null
  mistake: string | undefined
  onChange: (value: WebhookEvent[] | null) => void
}) {
  const t = useTexts(texts).eventTypes
  const id = useId()
  return (
    <fieldset aria-describedby={mistake === undefined ? undefined : id}>
      <legend>{t.legend}</legend>
      <Check
        label={t.all}
        hint={t.allHint}
        checked={value === null}
        onChange={(isAll) => onChange(isAll ? null : [...EVENT_TYPES])}
      />
      {value !== null && (
        <div className="scopes">
          {EVENT_TYPES.map((type) => (
            <Check
              key={type}
              label={<code>{type}</code>}
              checked={value.includes(type)}
              // In the order of the list, so that choosing back and forth ends where it began.
              onChange={(isOn) =>
                onChange(EVENT_TYPES.filter((one) => (one === type ? isOn : value.includes(one))))
              }
            />
          ))}
        </div>
      )}
      {mistake !== undefined && (
        <p className="mistake" id={id} role="alert">
          {mistake}
        </p>
      )}
    </fieldset>
  )
}

export type HeaderDraft = Record<string, string | null>

/** One that was never saved is only forgotten. */
function without(draft: HeaderDraft, name: string, stored: readonly string[]): HeaderDraft {
  const { [name]: _dropped, ...rest } = draft
  return stored.includes(name) ? { ...rest, [name]: null } : rest
}

/** Headers that go with each delivery. Their values are never shown again: they are set anew, or removed. */
export function HeadersField({
  stored,
  draft,
  mistake,
  onChange,
}: {
  stored: readonly string[]
  draft: HeaderDraft
  mistake: string | undefined
  onChange: (draft: HeaderDraft) => void
}) {
  const t = useTexts(texts).ownHeaders
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const names = [...new Set([...stored, ...Object.keys(draft)])].filter((one) => draft[one] !== null)
  const isFull = names.length >= LIMITS.webhookHeaders
  return (
    <fieldset>
      <legend>{t.legend}</legend>
      <p className="soft small">{t.hint}</p>
      {names.length > 0 && (
        <ul className="stack tight" aria-label={t.legend}>
          {names.map((one) => (
            <li key={one} className="row">
              <code>{one}</code>
              <span className="soft small">{one in draft ? t.unsaved : t.hidden}</span>
              <Button
                look="small"
                aria-label={t.removeOf(one)}
                onClick={() => onChange(without(draft, one, stored))}
              >
                {t.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isFull ? (
        <p className="soft small">{t.full(LIMITS.webhookHeaders)}</p>
      ) : (
        <div className="row">
          <TextField label={t.name} autoComplete="off" maxLength={64} value={name} onChange={setName} />
          <TextField
            label={t.value}
            autoComplete="off"
            maxLength={LIMITS.webhookHeaderValue}
            value={value}
            onChange={setValue}
          />
          <Button
            look="small"
            disabled={name.trim() === '' || value.trim() === ''}
            onClick={() => {
              onChange({ ...draft, [name.trim()]: value.trim() })
              setName('')
              setValue('')
            }}
          >
            {t.add}
          </Button>
        </div>
      )}
      {mistake !== undefined && (
        <p className="mistake" role="alert">
          {mistake}
        </p>
      )}
    </fieldset>
  )
}
