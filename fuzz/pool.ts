import { type Operation, singular } from './document.ts'
import type { Random } from './random.ts'

/** Ids that belong together, by the names that parameters and fields give them: a poll, its topic, one of its options. */
export type Known = Record<string, string>

/** Enough for variety, few enough that one request meets what another has made. */
const MAX_KNOWN = 24
/** The first things, made with the stage, are kept while they exist. */
const FOUNDERS = 8

/** Resources of request fields that are not called `<resource>Id`. */
const RESOURCES: Record<string, string> = {
  assignee: 'member',
  members: 'member',
  memberIds: 'member',
  senderId: 'member',
  actorId: 'member',
  address: 'address',
  watch: 'bot',
  parentId: 'message',
  threadId: 'message',
  before: 'message',
  after: 'message',
  around: 'message',
  readTo: 'message',
  unreadFrom: 'message',
  topicIds: 'topic',
  channelID: 'topic',
}

/** Turns `topicId` into `topic`; an `externalId` is the caller's own choice. */
export const resourceOfField = (field: string): string | undefined =>
  RESOURCES[field] ?? (/^[a-z]\w*Id$/.test(field) && field !== 'externalId' ? field.slice(0, -2) : undefined)

/** Real ids of an organization, by resource. Destroyed things are forgotten, and new ones take their place. */
export class Pool {
  readonly #known = new Map<string, Known[]>()
  /** Links to files found in answers. */
  readonly links: string[] = []

  add(resource: string, known: Known): void {
    const all = this.#known.get(resource) ?? []
    const same = all.findIndex((other) => other[`${resource}Id`] === known[`${resource}Id`])
    if (same === -1) all.push(known)
    else all[same] = { ...all[same], ...known }
    if (all.length > MAX_KNOWN) all.splice(FOUNDERS, 1)
    this.#known.set(resource, all)
  }

  all(resource: string): readonly Known[] {
    return this.#known.get(resource) ?? []
  }

  pick(random: Random, resource: string): Known | undefined {
    return random.maybePick(this.all(resource))
  }

  drop(resource: string, id: string): void {
    const all = this.#known.get(resource) ?? []
    const index = all.findIndex((known) => known[`${resource}Id`] === id)
    if (index !== -1) all.splice(index, 1)
  }

  /** Takes the ids out of an answer; `asked` is what the request had in its path. */
  harvest(operation: Pick<Operation, 'id' | 'resource'>, asked: Known, body: unknown): void {
    if (!isObject(body)) return
    this.#harvestOne(operation.resource, asked, body)
    if (typeof body.nextCursor === 'string')
      this.add(`cursor:${operation.id}`, { [`cursor:${operation.id}Id`]: body.nextCursor })
    if (typeof body.nextOffset === 'string') this.add('offset', { offsetId: body.nextOffset })
    for (const [name, value] of Object.entries(body)) {
      if (isObject(value)) this.#harvestOne(singular(name), asked, value)
      if (!Array.isArray(value)) continue
      for (const item of value.slice(0, 10)) if (isObject(item)) this.#harvestOne(singular(name), asked, item)
    }
  }

  #harvestOne(resource: string, asked: Known, body: Record<string, unknown>): void {
    const known = { ...asked }
    for (const [name, value] of Object.entries(body)) {
      if (typeof value === 'string' && /Id$/.test(name)) known[name] = value
      // Any member of a topic can be assigned a task there.
      if (/^(members|memberIds)$/.test(name) && Array.isArray(value) && typeof value[0] === 'string')
        known.assignee = value[0]
    }
    if (typeof body.id !== 'string') return
    known[`${resource}Id`] = body.id
    const [option] = Array.isArray(body.options) ? body.options : []
    if (isObject(option) && typeof option.id === 'string') known.optionId = option.id
    if (resource === 'bot') this.add('member', { memberId: body.id })
    this.add(resource, known)
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
