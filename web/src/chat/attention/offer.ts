import { useSyncExternalStore } from 'react'
import { readBrowserState } from './browser.ts'

/** The offer to show notifications: made once, when something came that this browser would have shown. */
const OFFER = 'parley.notifications.offer'
const CHANGED = 'parley:notifications-offer'

const put = (state: 'open' | 'answered'): void => {
  localStorage.setItem(OFFER, state)
  window.dispatchEvent(new Event(CHANGED))
}

export async function offerNotifications(): Promise<void> {
  if (localStorage.getItem(OFFER) === null && (await readBrowserState()) === 'off') put('open')
}

export const answerOffer = (): void => put('answered')

const isOpen = (): boolean => localStorage.getItem(OFFER) === 'open'

function subscribe(listener: () => void): () => void {
  const types = [CHANGED, 'storage']
  for (const type of types) window.addEventListener(type, listener)
  return () => {
    for (const type of types) window.removeEventListener(type, listener)
  }
}

export const useOffer = (): boolean => useSyncExternalStore(subscribe, isOpen)
