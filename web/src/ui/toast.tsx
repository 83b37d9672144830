import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import { Notice } from './controls.tsx'

const SHOWN_MS = 5000

const ToastContext = createContext<(text: string) => void>(() => {})

/** Says that something was done, in a corner, for a moment. */
export const useToast = (): ((text: string) => void) => useContext(ToastContext)

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { id: number; text: string }[]>([])
  const add = useCallback((text: string) => {
    const id = Math.random()
    setToasts((shown) => [...shown, { id, text }])
    window.setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), SHOWN_MS)
  }, [])
  return (
    <ToastContext value={add}>
      {children}
      <div className="toasts" aria-live="polite">
        {toasts.map(({ id, text }) => (
          <Notice key={id} tone="good">
            {text}
          </Notice>
        ))}
      </div>
    </ToastContext>
  )
}
