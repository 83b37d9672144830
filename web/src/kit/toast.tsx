import { lazy, Suspense, useSyncExternalStore } from 'react'

const ToastList = lazy(() => import('./toast-list.tsx'))

export type ToastOrder = {
  text: string
  tone?: 'plain' | 'bad'
  /** An action in the toast, such as undoing. */
  action?: { label: string; onAct: () => void }
}

/** Toasts that no list has taken over yet: its code is loaded with the first. */
let waiting: readonly ToastOrder[] = []
let wasNeeded = false
const listeners = new Set<() => void>()

const tell = () => {
  for (const listener of listeners) listener()
}
export const subscribeToToasts = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Says in a corner, for a moment, that something was done or was not. */
export function showToast(order: ToastOrder): void {
  waiting = [...waiting, order]
  wasNeeded = true
  tell()
}

export function takeToasts(): readonly ToastOrder[] {
  const taken = waiting
  waiting = []
  return taken
}

export function ToastHost() {
  const isNeeded = useSyncExternalStore(subscribeToToasts, () => wasNeeded)
  if (!isNeeded) return null
  return (
    <Suspense>
      <ToastList />
    </Suspense>
  )
}
