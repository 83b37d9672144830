import { useSyncExternalStore } from 'react'

/** The key that sends; the other makes a new line. Kept for this browser. */
export type SendKey = 'enter' | 'ctrl-enter'

const STORED = 'parley.sendKey'
const listeners = new Set<() => void>()

const sendKey = (): SendKey => (localStorage.getItem(STORED) === 'ctrl-enter' ? 'ctrl-enter' : 'enter')

export function setSendKey(key: SendKey): void {
  localStorage.setItem(STORED, key)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSendKey = (): SendKey => useSyncExternalStore(subscribe, sendKey)

type Press = { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

/** On a keyboard of glass Enter makes a new line: the button is near, Shift is not. */
const hasKeys = (): boolean => !window.matchMedia('(pointer: coarse)').matches

export function sends(press: Press, setting: SendKey): boolean {
  if (press.key !== 'Enter' || press.shiftKey || press.altKey) return false
  if (press.ctrlKey || press.metaKey) return true
  return setting === 'enter' && hasKeys()
}
