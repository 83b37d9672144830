import { type InputHTMLAttributes, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Refused } from '../api/call.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Field } from './controls.tsx'
import { useAskBeforeLeaving } from './leaving.ts'
import { ErrorState, useErrorText } from './states.tsx'

const FIRST_FIELD = ':is(input, select, textarea):not([tabindex="-1"])'

export type FormState<Name extends string> = {
  ref: RefObject<HTMLFormElement | null>
  busy: boolean
  /** A refusal that is about no field in particular. */
  error: unknown
  mistake: (name: Name) => string | undefined
  submit: () => void
  /** Somebody has put something in. */
  touch: () => void
}

/**
 * Sends a form: looks for mistakes first, sends it once, and shows what the server says no with at the field that it is
 * about.
 */
export function useForm<Name extends string, Result>({
  check,
  isSame = false,
  asksBeforeLeaving = false,
  send,
  fieldOf,
  onDone,
}: {
  check?: () => { [N in Name]?: string | false | undefined }
  /** What it holds is what is stored: nothing is sent. */
  isSame?: boolean
  /** Whether leaving with something in it that is not stored is asked about. */
  asksBeforeLeaving?: boolean
  send: () => Promise<Result>
  fieldOf?: (refusal: string) => Name | undefined
  onDone: (result: Result) => void
}): FormState<Name> {
  const ref = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<{ [N in Name]?: string | false | undefined }>({})
  const [refused, setRefused] = useState<{ error: unknown; field: Name | undefined }>()
  const errorText = useErrorText()
  const t = useTexts(common)
  const [isTouched, setTouched] = useState(false)
  const mayLeave = useAskBeforeLeaving(asksBeforeLeaving && isTouched && !isSame, t.unsaved)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each time there is something new to mend
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [found, refused])

  const submit = async () => {
    if (busy) return
    const mistakes = check?.() ?? {}
    setFound(mistakes)
    setRefused(undefined)
    if (isSame || Object.values(mistakes).some(Boolean)) return
    setBusy(true)
    const outcome = await send().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
    setBusy(false)
    if ('result' in outcome) {
      mayLeave()
      setTouched(false)
      return onDone(outcome.result)
    }
    const { error } = outcome
    setRefused({ error, field: error instanceof Refused ? fieldOf?.(error.message) : undefined })
  }

  return {
    ref,
    busy,
    error: refused?.field === undefined ? refused?.error : undefined,
    mistake: (name) =>
      found[name] || (refused?.field === name && name !== undefined ? errorText(refused.error) : undefined),
    submit: () => void submit(),
    touch: () => setTouched(true),
  }
}

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
