import type { Caller } from '../caller.ts'
import type { Clock } from '../db/database.ts'
import type { Notifications } from '../db/notifications.ts'
import { addTo } from '../limits/ceilings.ts'
import type { EphemeralEvents } from './ephemeral.ts'

const ABOUT = 'presence'
/** A page that reloads is back within this time, so the person is not shown as gone. */
const GRACE_MS = 5000
const ALIVE_MS = 10_000
/** A node without a sign of life for this time is gone, and so are the people who were online through it alone. */
const GONE_AFTER_MS = 3 * ALIVE_MS
/** Time without use after which a person is away. */
export const AWAY_AFTER_MS = 10 * 60_000
const PEOPLE_AT_ONCE = 100

/**
 * A node that begins to listen says `hello` and sends its `list`, then the people who are `here`, and `alive` at the
 * end. People known before and not in the list have left. `hello` and `ask` are answered with such a list.
 */
type Message =
  | { kind: 'hello' | 'ask' | 'list' | 'alive' | 'bye' }
  | { kind: 'here'; orgId: string; profileIds: string[]; idleIds?: string[] }
  | { kind: 'left'; orgId: string; profileId: string }

type People = Map<string, Set<string>>
type Elsewhere = {
  heardAt: number
  people: People
  /** The list being received; undefined if none. */
  list: People | undefined
}

/**
 * People count as present while they have a live stream open, at any node, and have used a page in the last ten
 * minutes. Nodes tell each other who comes and goes, and now and then that they are still alive. All nodes hear who is
 * active (`Activity`), and each finds by itself who no longer is.
 */
export class Presence {
  #ephemeral: EphemeralEvents
  /** Streams at this node, by organization and person. */
  #here = new Map<string, Map<string, number>>()
  #elsewhere = new Map<string, Elsewhere>()
  #leaving = new Map<string, NodeJS.Timeout>()
  /** The last use of a page by each online person, on any node. */
  #activeAt = new Map<string, number>()
  #idle = new Set<string>()
  #clock: Clock
  #timer: NodeJS.Timeout

  constructor(ephemeral: EphemeralEvents, notifications: Pick<Notifications, 'onConnect'>, clock: Clock) {
    this.#ephemeral = ephemeral
    this.#clock = clock
    ephemeral.onNode(ABOUT, (node, content) => this.#hear(node, content as Message)) // written by another node of this version
    notifications.onConnect(() => {
      this.#tell({ kind: 'hello' })
      this.#tellAll()
    })
    this.#timer = setInterval(() => this.#beat(), ALIVE_MS).unref()
  }

  /** Online people who used a page in the last ten minutes. */
  active(orgId: string): string[] {
    return this.online(orgId).filter((profileId) => !this.#idle.has(`${orgId} ${profileId}`))
  }

  /** Filters active people out of `profileIds`. */
  activeAmong(orgId: string, profileIds: readonly string[]): string[] {
    const here = this.#here.get(orgId)
    const elsewhere = [...this.#elsewhere.values()].map(({ people }) => people.get(orgId))
    const isOnline = (id: string) => here?.has(id) || elsewhere.some((people) => people?.has(id))
    return profileIds.filter((id) => isOnline(id) && !this.#idle.has(`${orgId} ${id}`))
  }

  /** People with an open page of this organization. */
  online(orgId: string): string[] {
    const people = new Set(this.#here.get(orgId)?.keys())
    for (const other of this.#elsewhere.values())
      for (const id of other.people.get(orgId) ?? []) people.add(id)
    return [...people]
  }

  came({ orgId, profileId }: Caller): void {
    const name = `${orgId} ${profileId}`
    const leaving = this.#leaving.get(name)
    clearTimeout(leaving)
    this.#leaving.delete(name)
    const people = this.#here.get(orgId) ?? new Map<string, number>()
    const wasHere = people.has(profileId)
    const wasOnline = wasHere || this.#isElsewhere(orgId, profileId)
    this.#here.set(orgId, people)
    people.set(profileId, (people.get(profileId) ?? 0) + 1)
    if (!wasHere) this.#tellHere(orgId, [profileId])
    if (!wasOnline) this.#appear(orgId, profileId)
  }

  /** A person used a page, on any node. */
  used({ orgId, profileId }: Caller): void {
    const name = `${orgId} ${profileId}`
    if (!this.#activeAt.has(name)) return // a page that is about to open its stream, or has just closed it
    this.#activeAt.set(name, this.#clock())
    if (this.#idle.delete(name)) this.#show(orgId, profileId, true)
  }

  /** Finds people who have become idle. */
  findIdle(): void {
    const since = this.#clock() - AWAY_AFTER_MS
    for (const [name, activeAt] of this.#activeAt) {
      if (activeAt > since || this.#idle.has(name)) continue
      this.#idle.add(name)
      const [orgId = '', profileId = ''] = name.split(' ')
      this.#show(orgId, profileId, false)
    }
  }

  /** A stream of theirs has ended. */
  left({ orgId, profileId }: Caller): void {
    const people = this.#here.get(orgId)
    if (!people) return
    if ((people.get(profileId) ?? 0) > 1) {
      addTo(people, profileId, -1)
      return
    }
    people.set(profileId, 0) // still there until the time of grace is over
    const name = `${orgId} ${profileId}`
    clearTimeout(this.#leaving.get(name))
    this.#leaving.set(name, setTimeout(() => this.#isGone(orgId, profileId), GRACE_MS).unref())
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    for (const timer of this.#leaving.values()) clearTimeout(timer)
    this.#tell({ kind: 'bye' })
    await this.#ephemeral.flush()
  }

  #isGone(orgId: string, profileId: string): void {
    this.#leaving.delete(`${orgId} ${profileId}`)
    const people = this.#here.get(orgId)
    people?.delete(profileId)
    if (people?.size === 0) this.#here.delete(orgId)
    this.#tell({ kind: 'left', orgId, profileId })
    if (!this.#isElsewhere(orgId, profileId)) this.#vanish(orgId, profileId)
  }

  #hear(node: string, message: Message): void {
    if (message.kind === 'bye') {
      this.#forget(node)
      return
    }
    const known = this.#elsewhere.get(node)
    const other: Elsewhere = known ?? { heardAt: 0, people: new Map(), list: undefined }
    this.#elsewhere.set(node, other)
    other.heardAt = performance.now()
    const isWhole = message.kind === 'hello' || message.kind === 'list'
    if (isWhole) other.list = new Map()
    if (message.kind === 'hello' || message.kind === 'ask') this.#tellAll()
    if (message.kind === 'here')
      for (const profileId of message.profileIds)
        this.#cameElsewhere(other, message.orgId, profileId, message.idleIds?.includes(profileId))
    if (message.kind === 'left') this.#leftElsewhere(other, message.orgId, message.profileId)
    if (message.kind === 'alive') this.#endList(other)
    if (!known && !isWhole) this.#tell({ kind: 'ask' }) // it was taken for gone: others may be there
  }

  #endList(other: Elsewhere): void {
    const { list, people } = other
    if (!list) return
    other.list = undefined
    for (const [orgId, ids] of people)
      for (const id of ids) if (!list.get(orgId)?.has(id)) this.#leftElsewhere(other, orgId, id)
  }

  #cameElsewhere({ people, list }: Elsewhere, orgId: string, profileId: string, isIdle = false): void {
    const wasOnline = this.#isOnline(orgId, profileId)
    for (const one of [people, list]) one?.set(orgId, (one.get(orgId) ?? new Set<string>()).add(profileId))
    if (!wasOnline) this.#appear(orgId, profileId, isIdle)
  }

  #leftElsewhere({ people }: Elsewhere, orgId: string, profileId: string): void {
    people.get(orgId)?.delete(profileId)
    if (!this.#isOnline(orgId, profileId)) this.#vanish(orgId, profileId)
  }

  #forget(node: string): void {
    const other = this.#elsewhere.get(node)
    this.#elsewhere.delete(node)
    for (const [orgId, people] of other?.people ?? [])
      for (const profileId of people) if (!this.#isOnline(orgId, profileId)) this.#vanish(orgId, profileId)
  }

  #beat(): void {
    for (const [node, { heardAt }] of this.#elsewhere)
      if (performance.now() - heardAt > GONE_AFTER_MS) this.#forget(node)
    this.findIdle()
    this.#tell({ kind: 'alive' })
  }

  #tellAll(): void {
    this.#tell({ kind: 'list' })
    for (const [orgId, people] of this.#here) {
      const ids = [...people.keys()]
      for (let first = 0; first < ids.length; first += PEOPLE_AT_ONCE)
        this.#tellHere(orgId, ids.slice(first, first + PEOPLE_AT_ONCE))
    }
    this.#tell({ kind: 'alive' })
  }

  #tellHere(orgId: string, profileIds: string[]): void {
    const idleIds = profileIds.filter((profileId) => this.#idle.has(`${orgId} ${profileId}`))
    this.#tell({ kind: 'here', orgId, profileIds, ...(idleIds.length > 0 && { idleIds }) })
  }

  /** A person who opens a page is active, unless another node knows them to be idle. */
  #appear(orgId: string, profileId: string, isIdle = false): void {
    const name = `${orgId} ${profileId}`
    this.#activeAt.set(name, isIdle ? 0 : this.#clock())
    if (isIdle) this.#idle.add(name)
    else this.#show(orgId, profileId, true)
  }

  #vanish(orgId: string, profileId: string): void {
    const name = `${orgId} ${profileId}`
    this.#activeAt.delete(name)
    if (!this.#idle.delete(name)) this.#show(orgId, profileId, false)
  }

  #isElsewhere(orgId: string, profileId: string): boolean {
    for (const { people } of this.#elsewhere.values()) if (people.get(orgId)?.has(profileId)) return true
    return false
  }

  #isOnline(orgId: string, profileId: string): boolean {
    return this.#here.get(orgId)?.has(profileId) || this.#isElsewhere(orgId, profileId)
  }

  /** Each node informs its own streams. */
  #show(orgId: string, profileId: string, online: boolean): void {
    this.#ephemeral.sendHere({ orgId, type: 'presence', data: { profileId, online } })
  }

  #tell(message: Message): void {
    this.#ephemeral.tellNodes({ about: ABOUT, content: message })
  }
}
