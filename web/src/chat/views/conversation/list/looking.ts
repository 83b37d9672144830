import { useEffect } from 'react'

/** Whether the page can be read: it is visible and has the focus. */
export const isLooking = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** Calls `onReturn` when the person comes back to the page. */
export function useReturn(onReturn: () => void): void {
  useEffect(() => {
    const look = () => isLooking() && onReturn()
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
    }
  }, [onReturn])
}
