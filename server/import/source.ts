import type { Readable } from 'node:stream'
import { firstCodePoints, toName } from '../text.ts'

/** A person in an export. `key` is the export's name for them. */
export type ImportedPerson = {
  key: string
  /** The person's name across all exports of a product, where another export may use `key` for another person. */
  origin?: string
  name: string
  email?: string | undefined
  title?: string
  isBot: boolean
  /** Whether they have left. */
  isGone: boolean
  /** Whether they saw only some channels. */
  isGuest?: boolean
}

export type ImportedTopic = {
  key: string
  name: string
  description: string
  /** `open`: every member of the organization may find and read it. */
  kind: 'open' | 'closed' | 'direct'
  memberKeys: readonly string[]
  creatorKey?: string | undefined
  createdAt: number
  isArchived: boolean
}

export type ImportedMessage = {
  topicKey: string
  /** Unique in its topic. */
  key: string
  author: ImportedPerson
  at: number
  /** Order among messages of the same millisecond, below 1,000. */
  order: number
  /** Markdown, with mentions in Parley's form. */
  text: string
  files?: readonly ImportedFile[]
  parentKey?: string | undefined
  /** Whether a reply was shown in its topic, too. */
  isAlsoInTopic?: boolean
  editedAt?: number | undefined
  reactions: readonly { emoji: string; personKeys: readonly string[] }[]
  pinned?: { personKey: string | undefined; at: number } | undefined
}

export type ImportedFile = {
  /** The name in the export. */
  name: string
  /** Markdown in place of the file, for a message whose file is not imported. */
  line: string
  /** The bytes, or the reason why the export has none. */
  content: { size(): Promise<number>; open(): Promise<Readable> } | string
}

/** A custom emoji of the workspace, with its picture. */
export type ImportedEmoji = { name: string; open(): Promise<Readable> }

/** How a text names a person: as a mention if they are in the topic, by their name otherwise. */
export type Naming = {
  mention(topicKey: string, personKey: string): string | undefined
  nameOf(personKey: string): string
  /** Whether they were erased here, and must not be named. */
  isErased(personKey: string): boolean
}

/** Records that were left out, by reason, with the first places of each, without what a terminal would obey. */
export class Skipped {
  #reasons = new Map<string, { count: number; places: string[] }>()

  add(reason: string, place?: string, { count = 1, shown = SHOWN_PLACES } = {}): void {
    const known = this.#reasons.get(reason) ?? { count: 0, places: [] }
    this.#reasons.set(reason, known)
    known.count += count
    if (place !== undefined && known.places.length < shown)
      known.places.push(firstCodePoints(toName(place), PLACE_LENGTH))
  }

  /** Reports a record that people will look for by its name. */
  name(reason: string, place: string): void {
    this.add(reason, place, { shown: NAMED_PLACES })
  }

  list(): { reason: string; count: number; places: readonly string[] }[] {
    return [...this.#reasons].map(([reason, entry]) => ({ reason, ...entry }))
  }
}

const SHOWN_PLACES = 3
const NAMED_PLACES = 100
const PLACE_LENGTH = 200

export const NO_ADDRESS = 'people whose address is none, who come as a name'
export const NO_FILE = 'files that are not in the export'
export const NO_PICTURE = 'emoji whose pictures are not in the export'

/** A workspace of another product, as read from its export. */
export type ImportSource = {
  /** `slack`, `mattermost`. With the keys of the export it names everything for good: the same export gives the same ids. */
  format: string
  people: readonly ImportedPerson[]
  topics: readonly ImportedTopic[]
  /** Custom emoji whose pictures are in the export. */
  emoji: readonly ImportedEmoji[]
  skipped: Skipped
  messages(naming: Naming): AsyncIterable<ImportedMessage>
  /** How much of all messages has been read, from 0 to 1. */
  readShare(): number
  close(): Promise<void>
}
