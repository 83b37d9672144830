import type { Schedule } from './store.ts'

/** In a tab that nobody sees no frame is drawn: there events are applied after so long. */
const HIDDEN_MS = 100

export const beforeNextFrame: Schedule = (work) => {
  if (typeof requestAnimationFrame === 'function' && document.visibilityState === 'visible') {
    const frame = requestAnimationFrame(work)
    // A tab that is hidden right now draws no frame any more.
    const timer = setTimeout(work, HIDDEN_MS)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }
  const timer = setTimeout(work, HIDDEN_MS)
  return () => clearTimeout(timer)
}
