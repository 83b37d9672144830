import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'

const PAUSE_MS = 250

/** A query parameter with one of these values: Back and a reload find it again. */
export function useAddressChoice<Value extends string>(
  name: string,
  values: readonly Value[],
): [value: Value | '', set: (value: Value | '') => void] {
  const [text, setText] = useAddressText(name)
  return [values.find((value) => value === text) ?? '', setText]
}

/** A text to search for, as it is typed and, once it has rested, in the address: a server is not asked at every keystroke. */
export function useAddressSearch(name: string): {
  typed: string
  setTyped: (text: string) => void
  rested: string
} {
  const [rested, setRested] = useAddressText(name)
  const [typed, setTyped] = useState(rested)
  const wanted = typed.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed moves the address
  useEffect(() => {
    if (wanted === rested) return
    const timer = window.setTimeout(() => setRested(wanted), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [wanted])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the address, by Back for example, moves what is typed
  useEffect(() => {
    if (wanted !== rested) setTyped(rested)
  }, [rested])
  return { typed, setTyped, rested }
}

export function useAddressText(name: string): [text: string, set: (text: string) => void] {
  const [params, setParams] = useSearchParams()
  const set = (text: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (text === '') after.delete(name)
        else after.set(name, text)
        return after
      },
      { replace: true },
    )
  return [params.get(name) ?? '', set]
}
