import { type ConversationPlace, keyOf } from '../model.ts'
import type { EmptiedDrafts } from './reading.ts'

/**
 * Local storage is written before `set` returns. A write to IndexedDB or a request that begins in that moment can get lost
 * with the page, which then would find the first letters of what was sent.
 */
export function emptiedDraftsOf(accountId: string, organizationId: string): EmptiedDrafts {
  const name = `parley.emptiedDrafts.${accountId}.${organizationId}`
  const all = (): ConversationPlace[] => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
      return Array.isArray(kept) ? kept.filter((place) => typeof place?.topicId === 'string') : []
    } catch {
      return []
    }
  }
  return {
    all,
    set(place, isEmptied) {
      const known = all()
      const others = known.filter((one) => keyOf(one) !== keyOf(place))
      const places = isEmptied ? [...others, { topicId: place.topicId, threadId: place.threadId }] : others
      if (!isEmptied && others.length === known.length) return
      try {
        if (places.length === 0) localStorage.removeItem(name)
        else localStorage.setItem(name, JSON.stringify(places))
      } catch {} // a browser without space still tells the server
    },
    forget: () => localStorage.removeItem(name),
  }
}
