import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/choice.tsx'
import { TextField } from '../../../kit/form.tsx'
import { FieldGroup, Lines, Quiet, Row } from '../../../kit/layout.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { EVENT_TYPES, type WebhookEvent } from './bot-data.ts'
import styles from './bots.module.css'

/** Event types that a webhook gets: all, or those that are ticked. */
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
  return (
    <FieldGroup legend={t.legend} mistake={mistake}>
      <Checkbox
        label={t.all}
        about={t.allHint}
        isOn={value === null}
        onChange={(isAll) => onChange(isAll ? null : [...EVENT_TYPES])}
      />
      {value !== null && (
        <div className={styles.scopes}>
          {EVENT_TYPES.map((type) => (
            <Checkbox
              key={type}
              label={<code>{type}</code>}
              isOn={value.includes(type)}
              // Keeps the list's order, so that toggling an event twice restores the value.
              onChange={(isOn) =>
                onChange(EVENT_TYPES.filter((one) => (one === type ? isOn : value.includes(one))))
              }
            />
          ))}
        </div>
      )}
    </FieldGroup>
  )
}

export type HeaderDraft = Record<string, string | null>

/** One that was never saved is only forgotten. */
function without(draft: HeaderDraft, name: string, stored: readonly string[]): HeaderDraft {
  const { [name]: _dropped, ...rest } = draft
  return stored.includes(name) ? { ...rest, [name]: null } : rest
}

/** Headers of each delivery. Stored values are never shown: they can be replaced or removed. */
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
    <FieldGroup legend={t.legend} hint={t.hint} mistake={mistake}>
      {names.length > 0 && (
        <Lines label={t.legend}>
          {names.map((one) => (
            <li key={one}>
              <Row>
                <code>{one}</code>
                <Quiet small as="span">
                  {one in draft ? t.unsaved : t.hidden}
                </Quiet>
              </Row>
              <Button
                size="small"
                aria-label={t.removeOf(one)}
                onClick={() => onChange(without(draft, one, stored))}
              >
                {t.remove}
              </Button>
            </li>
          ))}
        </Lines>
      )}
      {isFull ? (
        <Quiet small>{t.full(LIMITS.webhookHeaders)}</Quiet>
      ) : (
        <div className={styles.pair}>
          <TextField label={t.name} autoComplete="off" maxLength={64} value={name} onChange={setName} />
          <TextField
            label={t.value}
            autoComplete="off"
            maxLength={LIMITS.webhookHeaderValue}
            value={value}
            onChange={setValue}
          />
          <Button
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
    </FieldGroup>
  )
}
