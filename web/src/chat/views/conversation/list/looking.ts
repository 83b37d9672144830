import { useEffect } from 'react'

/** Somebody can be reading: the page is in front, and has the focus. */
export const isLooking = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** Tells when somebody comes back to the page. */
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
