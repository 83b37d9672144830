import { type InputHTMLAttributes, type ReactNode, useEffect } from 'react'
import { type FormState, useForm } from '../kit/form-state.ts'
import { Field } from './controls.tsx'
import { ErrorState } from './states.tsx'

const FIRST_FIELD = ':is(input, select, textarea):not([tabindex="-1"])'

export { type FormState, useForm }

/** The fields, what went wrong, and what can be done, in this order. */
export function Form<Name extends string>({
  form,
  actions,
  align,
  inline = false,
  startsHere = false,
  children,
}: {
  form: FormState<Name>
  actions: ReactNode
  align?: 'end'
  /** One field with its button beside it. */
  inline?: boolean
  /** The first field gets the focus: for pages that are nothing but this form. */
  startsHere?: boolean
  children: ReactNode
}) {
  useEffect(() => {
    if (startsHere) form.ref.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
  }, [startsHere, form.ref])
  return (
    <form
      className={inline ? 'form inline' : 'form'}
      ref={form.ref}
      noValidate
      aria-busy={form.busy || undefined}
      onInput={form.touch}
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      {children}
      {form.error != null && <ErrorState error={form.error} />}
      <div className={align === 'end' ? 'actions end' : 'actions'}>{actions}</div>
    </form>
  )
}

export function TextField({
  label,
  hint,
  mistake,
  required = false,
  value,
  onChange,
  ...input
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'id' | 'className'> & {
  label: string
  hint?: ReactNode
  mistake?: string | undefined
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Field label={label} hint={hint} mistake={mistake} required={required}>
      {(wiring) => (
        <input
          type="text"
          {...input}
          {...wiring}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
