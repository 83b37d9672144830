import { type RefObject, useEffect, useRef, useState } from 'react'
import { Refused } from '../api/call.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { useErrorText } from './error-text.ts'
import { useAskBeforeLeaving } from './leaving.ts'

export type FormState<Name extends string> = {
  ref: RefObject<HTMLFormElement | null>
  busy: boolean
  /** A refusal that is about no field in particular. */
  error: unknown
  mistake: (name: Name) => string | undefined
  submit: () => void
  /** Marks the form as edited. */
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
  fields = {},
  onField,
  onDone,
}: {
  check?: () => { [N in Name]?: string | false | undefined }
  /** Whether the values are the stored ones: then nothing is sent. */
  isSame?: boolean
  /** Whether leaving with something in it that is not stored is asked about. */
  asksBeforeLeaving?: boolean
  send: () => Promise<Result>
  /** The fields of the form by the names that requests give them, which refusals name. */
  fields?: { [field: string]: Name }
  /** Hears of the field that a refusal is about, before it is shown there. */
  onField?: (name: Name) => void
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
    const field = error instanceof Refused && error.field !== undefined ? fields[error.field] : undefined
    if (field !== undefined) onField?.(field)
    setRefused({ error, field })
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
