import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import type { Tone } from './controls.tsx'
import { Words } from './name.tsx'

const SHOWN_MS = 5000

type Add = (text: string, tone?: Tone) => void

const ToastContext = createContext<Add>(() => {})

/** Says that something was done, or was not, in a corner, for a moment. */
export const useToast = (): Add => useContext(ToastContext)

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { id: number; text: string; tone: Tone }[]>([])
  const add = useCallback<Add>((text, tone = 'good') => {
    const id = Math.random()
    setToasts((shown) => [...shown, { id, text, tone }])
    window.setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), SHOWN_MS)
  }, [])
  return (
    <ToastContext value={add}>
      {children}
      <div className="toasts" aria-live="polite">
        {toasts.map(({ id, text, tone }) => (
          <div key={id} className={`notice ${tone} appear`}>
            <p>
              <Words text={text} />
            </p>
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
