import { type ButtonHTMLAttributes, type ReactNode, useId } from 'react'
import { Link } from 'wouter'

export type Look = 'primary' | 'danger' | 'plain' | 'small'

const classes = (look: Look | readonly Look[] | undefined): string => ['button', look ?? []].flat().join(' ')

/** While it is busy it does nothing, and keeps the focus: a disabled one would lose it. */
export function Button({
  look,
  busy = false,
  onClick,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  look?: Look | readonly Look[]
  busy?: boolean
}) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(look)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  )
}

export function LinkButton({
  to,
  look,
  label,
  children,
}: {
  to: string
  look?: Look | readonly Look[]
  /** Where the words alone do not say of what. */
  label?: string
  children: ReactNode
}) {
  return (
    <Link to={to} className={classes(look)} aria-label={label}>
      {children}
    </Link>
  )
}

/** What a control needs to belong to its label, hint and mistake. */
export type Wiring = {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  'aria-required'?: true
}

/** A label, a control, a hint below it, and what is wrong with it. */
export function Field({
  label,
  hint,
  mistake,
  required = false,
  children,
}: {
  label: string
  hint?: ReactNode
  mistake?: string | undefined
  required?: boolean
  children: (wiring: Wiring) => ReactNode
}) {
  const id = useId()
  const described = [hint !== undefined && `${id}-hint`, mistake && `${id}-mistake`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(mistake && { 'aria-invalid': true }),
        ...(required && { 'aria-required': true }),
      })}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {mistake && (
        <p className="mistake" id={`${id}-mistake`} role="alert">
          {mistake}
        </p>
      )}
    </div>
  )
}

export type Choice<Value extends string> = { value: Value; label: string; hint?: string }

/** One of a few, each with a word on what it means. */
export function Choices<Value extends string>({
  legend,
  name,
  choices,
  value,
  onChange,
}: {
  legend: string
  name: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label className="choice" key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <strong>{choice.label}</strong>
            {choice.hint}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** One of several, in little room: pairs of a value and what it is called. */
export function Select<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly (readonly [value: Value, name: string])[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <Field label={label}>
      {(wiring) => (
        <select
          {...wiring}
          value={value}
          onChange={(event) => {
            const chosen = options.find(([one]) => one === event.target.value)
            if (chosen) onChange(chosen[0])
          }}
        >
          {options.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function Check({
  label,
  hint,
  checked,
  onChange,
}: {
  label: ReactNode
  hint?: string
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  return (
    <label className="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label}
        {hint !== undefined && <span className="soft small"> {hint}</span>}
      </span>
    </label>
  )
}

export type Tone = 'good' | 'warn' | 'bad' | 'neutral'

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={tone === 'neutral' ? 'badge' : `badge ${tone}`}>{children}</span>
}

export function Notice({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <div className={`notice ${tone} appear`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}
