import type { Caller } from '../caller.ts'
import type { Clock } from '../db/database.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { Passing } from './passing.ts'

const ABOUT = 'activity'
/** Longer than the minute after which a browser in use tells of it again. */
const ACTIVE_MS = 90_000
const ROOM = { entries: 100_000, bytes: 64 * 1024 * 1024 }

type News = { orgId: string; profileId: string; sessionId: string; active: boolean }

/**
 * People who are at work in a browser right now. Nodes tell each other; nothing of it is kept, and a node that has just
 * started learns it within a minute.
 */
export class Activity {
  #passing: Passing
  #clock: Clock
  #onActive: (caller: Caller) => void
  /** Until when each session of a person counts as active. */
  #people = new BoundedMap<Map<string, number>>(ROOM, (sessions) => 100 * sessions.size)

  /** `onActive` hears of everybody who is at work, on whichever node. */
  constructor(passing: Passing, clock: Clock, onActive: (caller: Caller) => void) {
    this.#passing = passing
    this.#clock = clock
    this.#onActive = onActive
    passing.onNode(ABOUT, (_node, content) => this.#hear(content as News)) // written by another node of this version
  }

  tell({ orgId, profileId }: Caller, sessionId: string, active: boolean): void {
    const news: News = { orgId, profileId, sessionId, active }
    this.#hear(news)
    this.#passing.tellNodes({ about: ABOUT, content: news })
  }

  isActive(orgId: string, profileId: string): boolean {
    const now = this.#clock()
    const sessions = this.#people.get(`${orgId} ${profileId}`)?.values() ?? []
    return [...sessions].some((until) => until > now)
  }

  #hear({ orgId, profileId, sessionId, active }: News): void {
    const now = this.#clock()
    const name = `${orgId} ${profileId}`
    const known = [...(this.#people.get(name) ?? [])].filter(([id, until]) => id !== sessionId && until > now)
    const sessions = new Map(active ? [...known, [sessionId, now + ACTIVE_MS]] : known)
    if (sessions.size > 0) this.#people.set(name, sessions)
    else this.#people.delete(name)
    if (active) this.#onActive({ orgId, profileId })
  }
}
