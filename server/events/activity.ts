import type { Caller } from '../caller.ts'
import type { Clock } from '../db/database.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { EphemeralEvents } from './ephemeral.ts'

const ABOUT = 'activity'
/** Longer than the minute after which an active browser reports again. */
const ACTIVE_MS = 90_000
const ROOM = { entries: 100_000, bytes: 64 * 1024 * 1024 }

type News = {
  orgId: string
  profileId: string
  sessionId: string
  active: boolean
  /** When the browser told, by the clock that nodes share: news of two nodes come in either order. */
  at: number
}

/**
 * People who are active in a browser right now. Nodes inform each other; nothing is stored, and a new node learns it
 * within a minute.
 */
export class Activity {
  #ephemeral: EphemeralEvents
  #clock: Clock
  #onActive: (caller: Caller) => void
  /** The latest report of each session of a person, while it counts. */
  #people = new BoundedMap<Map<string, Pick<News, 'active' | 'at'>>>(ROOM, (sessions) => 100 * sessions.size)

  /** `onActive` is called for each active person on any node. */
  constructor(ephemeral: EphemeralEvents, clock: Clock, onActive: (caller: Caller) => void) {
    this.#ephemeral = ephemeral
    this.#clock = clock
    this.#onActive = onActive
    ephemeral.onNode(ABOUT, (_node, content) => this.#hear(content as News)) // written by another node of this version
  }

  tell({ orgId, profileId }: Caller, sessionId: string, active: boolean): void {
    const news: News = { orgId, profileId, sessionId, active, at: this.#clock() }
    this.#hear(news)
    this.#ephemeral.tellNodes({ about: ABOUT, content: news })
  }

  isActive(orgId: string, profileId: string): boolean {
    const since = this.#clock() - ACTIVE_MS
    const sessions = this.#people.get(`${orgId} ${profileId}`)?.values() ?? []
    return [...sessions].some(({ active, at }) => active && at > since)
  }

  #hear({ orgId, profileId, sessionId, active, at }: News): void {
    const since = this.#clock() - ACTIVE_MS
    const name = `${orgId} ${profileId}`
    const sessions = this.#people.get(name)
    if ((sessions?.get(sessionId)?.at ?? 0) > at) return
    const others = [...(sessions ?? [])].filter(([id, told]) => id !== sessionId && told.at > since)
    this.#people.set(name, new Map([...others, [sessionId, { active, at }]]))
    if (active) this.#onActive({ orgId, profileId })
  }
}
