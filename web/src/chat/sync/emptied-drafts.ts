import { keyOf } from '../model.ts'
import type { EmptiedDraft, EmptiedDrafts } from './reading.ts'

const PREFIX = 'parley.emptiedDrafts.'
/** Time within which a page writes what it keeps without the draft. */
const WRITTEN_MS = 60_000

type Entry = EmptiedDraft & { toldAt?: number }

/**
 * Local storage is written before a function returns. A write to IndexedDB or a request that begins as a page goes can get
 * lost with it, and the next page would find the first letters of a message that was sent.
 */
export function emptiedDraftsOf(accountId: string, organizationId: string): EmptiedDrafts {
  const name = `${PREFIX}${accountId}.${organizationId}`
  const read = (): Entry[] => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
      return Array.isArray(kept) ? kept.filter((entry) => typeof entry?.topicId === 'string') : []
    } catch {
      return []
    }
  }
  const change = (place: EmptiedDraft, entry: Entry | undefined) => {
    const known = read()
    const isNeeded = (one: Entry) =>
      keyOf(one) !== keyOf(place) && (one.toldAt === undefined || Date.now() - one.toldAt < WRITTEN_MS)
    const entries = known.filter(isNeeded).concat(entry ?? [])
    if (entries.length === 0 && known.length === 0) return
    try {
      if (entries.length === 0) localStorage.removeItem(name)
      else localStorage.setItem(name, JSON.stringify(entries))
    } catch {} // a browser without space still tells the server
  }
  return {
    all: read,
    add: ({ topicId, threadId }) => change({ topicId, threadId }, { topicId, threadId }),
    told({ topicId, threadId }, updatedAt) {
      const isKnown = read().some((one) => keyOf(one) === keyOf({ topicId, threadId }))
      if (isKnown) change({ topicId, threadId }, { topicId, threadId, updatedAt, toldAt: Date.now() })
    },
    remove: (place) => change(place, undefined),
    forget: () => localStorage.removeItem(name),
  }
}

/** Deletes the notes of all accounts from this browser, at sign-out. */
export function forgetEmptiedDrafts(): void {
  for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name)
}
