import { useSyncExternalStore } from 'react'

const NARROW = window.matchMedia('(max-width: 860px)')
const OVERLAID = window.matchMedia('(max-width: 1180px)')

const useMatches = (query: MediaQueryList): boolean =>
  useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )

/** One column at a time. */
export const useIsNarrow = (): boolean => useMatches(NARROW)
/** The pane lies over the conversation. */
export const usePaneLiesOver = (): boolean => useMatches(OVERLAID)
