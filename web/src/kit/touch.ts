import { useSyncExternalStore } from 'react'

const PHONE = window.matchMedia('(max-width: 860px) and (pointer: coarse)')

/** A narrow page under a finger: menus come from below, and the composer is one line until it is used. */
export const useIsPhone = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      PHONE.addEventListener('change', listener)
      return () => PHONE.removeEventListener('change', listener)
    },
    () => PHONE.matches,
  )
