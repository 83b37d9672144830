import {
  ACTION_NOTED,
  ADMIN_CHANGE,
  FOR_EVERYBODY,
  FOR_ONE_BOT,
  MEMBER_UPDATED,
  POLL_VOTED,
} from '../../contract/people/stream.ts'
import type { Queryable } from '../db/database.ts'
import type { LogEvent } from '../db/transaction.ts'
import type { Link, Links } from '../files/links.ts'
import type { Log } from '../log.ts'
import { forPeople, linkWriter } from '../presenters/event-links.ts'
import type { KnownTopic, TopicDirectory } from '../queries/topics/topic-directory.ts'
import type { LiveStream } from './live-stream.ts'
import type { Tail } from './tail.ts'

/** Events within this time are sent together: a round looks at each stream, so thousands of streams have fewer rounds. */
const COALESCE_MS = { least: 20, most: 50, forStreams: 5000 }
/** Events whose audience does not follow from the members of a topic. */
const WITHOUT_MEMBERS = new Set<string>([
  ADMIN_CHANGE,
  POLL_VOTED,
  ACTION_NOTED,
  ...FOR_EVERYBODY,
  ...FOR_ONE_BOT,
])
const EVERYBODYS = new Set<string>(FOR_EVERYBODY)
const MEMBERSHIP_EVENTS = new Set(['member.added', 'member.removed'])

/** An event with all that decides who may see it, worked out once for all streams. */
type ShownEvent = {
  seq: number
  createdAt: number
  /** The frame for a reader with these links. Without files it is the same for all, and made once. */
  frameFor: (link: Link) => string
  /** The topic of the event, with its members; undefined for events about the organization, or for one person alone. */
  topic: Pick<KnownTopic, 'members' | 'joinedAt'> | undefined
  /** People just removed from the topic, who voted, whom a bot answers, and whom a change of the organization is about. */
  alsoFor: ReadonlySet<string>
  isAdminChange: boolean
  isForEverybody: boolean
  /** Whether it tells of a member, whom a guest may not know. */
  isOfMember: boolean
}

type Parts = {
  db: Queryable
  tail: Tail
  topics: TopicDirectory
  notifications: { readonly connected: boolean }
  links: Pick<Links, 'for'>
  log: Pick<Log, 'warn'>
}

export type FeedStream = Pick<
  LiveStream,
  'isCurrent' | 'position' | 'isAdmin' | 'isGuest' | 'wake' | 'tell'
> & {
  readonly caller: Pick<LiveStream['caller'], 'orgId' | 'profileId'>
}

/**
 * Sends the tail's events to the live streams of one organization: each event is read, encoded and checked against the
 * memberships once, for any number of browsers. A stream that is further behind, or whose own rights may just have
 * changed, reads the log itself.
 */
export class LiveFeed {
  #parts: Parts
  #orgId: string
  #streams: ReadonlySet<FeedStream>
  #timer: NodeJS.Timeout | undefined
  #isTelling = false
  #isMore = false

  constructor(parts: Parts, orgId: string, streams: ReadonlySet<FeedStream>) {
    this.#parts = parts
    this.#orgId = orgId
    this.#streams = streams
  }

  /** Takes new events of the tail. */
  hear(events: readonly LogEvent[]): void {
    for (const { type, topicId } of events)
      if (MEMBERSHIP_EVENTS.has(type)) this.#parts.topics.forgetTopic(this.#orgId, topicId)
    this.schedule()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** Sends new events to the streams that have caught up. */
  schedule(): void {
    if (this.#isTelling) this.#isMore = true
    else this.#timer ??= setTimeout(() => void this.#tell(), coalesceMs(this.#streams.size))
  }

  async #tell(): Promise<void> {
    this.#timer = undefined
    this.#isTelling = true
    try {
      await this.#tellAll()
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'live streams could not be told; each reads the log by itself')
      for (const stream of this.#streams) stream.wake()
    }
    this.#isTelling = false
    if (!this.#isMore) return
    this.#isMore = false
    this.schedule()
  }

  async #tellAll(): Promise<void> {
    const { tail, notifications, links } = this.#parts
    const current: FeedStream[] = []
    let from = Number.POSITIVE_INFINITY
    for (const stream of this.#streams) {
      if (!stream.isCurrent) continue
      // A lost listening connection hides the end of a session, so each read of the log checks it.
      if (!notifications.connected || !tail.holds(this.#orgId, stream.position)) {
        stream.wake()
        continue
      }
      current.push(stream)
      from = Math.min(from, stream.position)
    }
    const events = tail.readAll(this.#orgId, from) ?? []
    if (events.length === 0) return
    const shown = await this.#show(events)
    const lastSeq = shown.at(-1)?.seq
    if (lastSeq === undefined) return
    const round = { shown, lastSeq, concerned: concernedBy(shown), links }
    for (const stream of current) tellStream(stream, round)
  }

  async #show(events: readonly LogEvent[]): Promise<ShownEvent[]> {
    const { db, topics } = this.#parts
    const inTopics = events.filter(({ type }) => !WITHOUT_MEMBERS.has(type))
    const topicIds = new Set(inTopics.map(({ topicId }) => topicId))
    const known = topicIds.size > 0 ? await topics.read(db, new Map([[this.#orgId, topicIds]])) : new Map()
    const knownTopics: ReadonlyMap<string, KnownTopic> = known.get(this.#orgId)?.topics ?? new Map()
    return events.map((event) => ({
      seq: event.seq,
      frameFor: frameOf(event),
      createdAt: event.createdAt,
      topic: WITHOUT_MEMBERS.has(event.type) ? undefined : knownTopics.get(event.topicId),
      alsoFor: alsoFor(event),
      isAdminChange: event.type === ADMIN_CHANGE,
      isForEverybody: EVERYBODYS.has(event.type),
      isOfMember: event.type === MEMBER_UPDATED,
    }))
  }
}

function coalesceMs(streams: number): number {
  const { least, most, forStreams } = COALESCE_MS
  return Math.min(most, Math.max(least, (streams * most) / forStreams))
}

function frameOf(logged: LogEvent): ShownEvent['frameFor'] {
  const event = forPeople(logged)
  const framed = (data: string) => `event: ${event.type}\nid: ${event.seq}\ndata: ${data}\n\n`
  const write = linkWriter(event)
  if (write) return (link) => framed(write(link))
  const frame = framed(event.data)
  return () => frame
}

type Round = {
  shown: readonly ShownEvent[]
  lastSeq: number
  /** People whom one of the events may be for; undefined: everybody. */
  concerned: ReadonlySet<string> | undefined
  links: Pick<Links, 'for'>
}

/** Most events are for a few of many streams: the others get only the number, without a look at each event. */
function concernedBy(shown: readonly ShownEvent[]): Round['concerned'] {
  const people = new Set<string>()
  for (const { topic, alsoFor, isForEverybody } of shown) {
    if (isForEverybody) return undefined
    for (const id of topic?.joinedAt.keys() ?? []) people.add(id)
    for (const id of alsoFor) people.add(id)
  }
  return people
}

function tellStream(stream: FeedStream, { shown, lastSeq, concerned, links }: Round): void {
  if (!stream.isCurrent) return // it was woken since
  const { profileId } = stream.caller
  if (concerned && !stream.isAdmin && !concerned.has(profileId)) {
    stream.tell('', lastSeq)
    return
  }
  const unseen = shown.filter(({ seq }) => seq > stream.position)
  if (unseen.length === 0) return // it has read the log by itself since
  // A change to this person may concern their role: the log decides what they may see from here on.
  // The log also decides which members guests hear of: those they know.
  if (
    unseen.some(
      ({ isAdminChange, alsoFor, isOfMember }) =>
        (isAdminChange && alsoFor.has(profileId)) || (isOfMember && stream.isGuest),
    )
  ) {
    stream.wake()
    return
  }
  const link = links.for(stream.caller)
  const frames = unseen
    .filter((event) =>
      event.isAdminChange
        ? stream.isAdmin
        : event.isForEverybody || isForMember(event, profileId) || event.alsoFor.has(profileId),
    )
    .map(({ frameFor }) => frameFor(link))
  stream.tell(frames.join(''), lastSeq)
}

/** Whether the event is of a topic that this person is in, and was when it happened. */
const isForMember = ({ topic, createdAt }: ShownEvent, profileId: string): boolean =>
  topic?.members.has(profileId) === true && (topic.joinedAt.get(profileId) ?? 0) <= createdAt

const NOBODY: ReadonlySet<string> = new Set()

function alsoFor({ type, data }: LogEvent): ReadonlySet<string> {
  if (type === 'member.removed') return new Set<string>(JSON.parse(data).memberIds)
  if (type === POLL_VOTED) return new Set([String(JSON.parse(data).voterId)])
  if (type === ACTION_NOTED) return new Set([String(JSON.parse(data).userId)])
  if (type === ADMIN_CHANGE) return new Set([String(JSON.parse(data).target?.id)])
  return NOBODY
}
