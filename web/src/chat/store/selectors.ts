import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { ChatTopic, SidebarSection } from '../../../../contract/people/chat-records.ts'
import type { ChatState, ConversationKey, ConversationPlace, Outgoing } from '../model.ts'
import { isOfCard, isOwnOpen } from './cards.ts'
import { isThreadOnly } from './outgoing.ts'
import { sectionIdOf, sectionOf } from './sections.ts'

/** Gives the result from before as long as nothing that it was made from has changed. */
function remembered<Input extends readonly unknown[], Result>(make: (...input: Input) => Result) {
  let last: { input: Input; result: Result } | undefined
  return (...input: Input): Result => {
    if (!last || last.input.some((part, index) => part !== input[index]))
      last = { input, result: make(...input) }
    return last.result
  }
}

export function sameItems<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index])
}

/** The name of a direct message changes with the names of its members. */
export function nameOf({ members, me }: ChatState, topic: ChatTopic): string {
  if (topic.type !== 'dm' || topic.memberIds.length < topic.memberCount) return topic.name
  const others = topic.memberIds.filter((id) => id !== me?.id)
  const names = others.map((id) => members.get(id)?.name)
  return names.length === 0 || names.includes(undefined) ? topic.name : names.join(', ')
}

/** A section with its conversations, in its order. */
export type SidebarGroup = { section: SidebarSection; topics: readonly ChatTopic[] }

export type SidebarSections = {
  /** Unread topics, the one that waits longest last. A muted topic is among them only if the person is mentioned. */
  unread: readonly ChatTopic[]
  /** All sections: favourites, the person's own, topics, direct messages. */
  groups: readonly SidebarGroup[]
  /** Conversations with something written and not sent, the latest first. */
  drafts: readonly ConversationKey[]
}

/** Counts in the list, though quietly where it is muted. */
export const isUnread = ({ unread, mentions, muted }: ChatTopic): boolean => (muted ? mentions : unread) > 0

const activeAt = ({ lastMessage, createdAt }: ChatTopic): number => lastMessage?.createdAt ?? createdAt
/** The one with the latest message first. */
export const byActivity = (one: ChatTopic, other: ChatTopic): number => activeAt(other) - activeAt(one)
const byName = (one: ChatTopic, other: ChatTopic): number => compareNames(one.name, other.name)

/** Letters, digits and spaces, no number that begins with a zero. */
const PLAIN_NAME = /^(?!.*(?:^|[^0-9])0[0-9])[a-z0-9 ]*$/i

/** "Team 9" before "Team 10". Plain names skip collation, whose first use takes a browser some 40 ms. */
export function compareNames(one: string, other: string): number {
  const [plain, otherPlain] = [one.toLowerCase(), other.toLowerCase()]
  if (plain !== otherPlain && PLAIN_NAME.test(one) && PLAIN_NAME.test(other))
    return comparePlain(plain, otherPlain)
  collator ??= new Intl.Collator(undefined, { numeric: true })
  return collator.compare(one, other)
}
let collator: Intl.Collator | undefined

/** Character by character, numbers by their size: of two, the one with more digits is larger. */
function comparePlain(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const ends = [one, other].map((text) => endOfNumber(text, at))
  const [end = at, otherEnd = at] = ends
  const isInNumber = at > 0 && isDigit(one[at - 1])
  if ((end > at || isInNumber) && (otherEnd > at || isInNumber) && end !== otherEnd) return end - otherEnd
  return one.slice(at) < other.slice(at) ? -1 : 1
}
const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= '0' && character <= '9'
function endOfNumber(text: string, from: number): number {
  let end = from
  while (isDigit(text[end])) end += 1
  return end
}

/** Sorts by name; where neither a name nor the topics have changed, the order from before holds. */
function sorterByName(): (topics: readonly ChatTopic[]) => readonly ChatTopic[] {
  let order: { ids: string[]; names: Map<string, string> } | undefined
  return (topics) => {
    const byId = new Map(topics.map((topic) => [topic.id, topic]))
    const isSame =
      order?.names.size === topics.length && topics.every(({ id, name }) => order?.names.get(id) === name)
    if (order && isSame) return order.ids.flatMap((id) => byId.get(id) ?? [])
    const sorted = [...topics].sort(byName)
    order = {
      ids: sorted.map(({ id }) => id),
      names: new Map(sorted.map(({ id, name }) => [id, name])),
    }
    return sorted
  }
}
const sortersByName = new Map<string, ReturnType<typeof sorterByName>>()

function inOrder({ id, order }: SidebarSection, topics: readonly ChatTopic[]): readonly ChatTopic[] {
  if (order === 'recent') return [...topics].sort(byActivity)
  const sort = sortersByName.get(id) ?? sorterByName()
  sortersByName.set(id, sort)
  const named = sort(topics)
  if (order === 'name') return named
  // `sort` keeps those without a place in the order of their names.
  return [...named].sort((one, other) => (one.place ?? Infinity) - (other.place ?? Infinity) || 0)
}

const sectionsOf = remembered(
  (
    topics: ChatState['topics'],
    drafts: ChatState['drafts'],
    outbox: ChatState['outbox'],
    sections: ChatState['sections'],
  ): SidebarSections => {
    const mine = [...topics.values()].filter(({ isMember }) => isMember)
    const current = mine.filter(({ archivedAt }) => archivedAt === null)
    const own = sections.filter(({ name }) => name !== undefined)
    const shown = [
      sectionOf(sections, 'favourites'),
      ...own,
      sectionOf(sections, 'topics'),
      sectionOf(sections, 'direct'),
    ]
    const inSections = new Map<string, ChatTopic[]>(shown.map(({ id }) => [id, []]))
    for (const topic of current) inSections.get(sectionIdOf(topic, sections))?.push(topic)
    const failed = outbox
      .filter(({ state }) => state === 'failed')
      .map(({ topicId, parentId }) => parentId ?? topicId)
    const written = [...drafts].filter(([key, { text }]) => text.trim() !== '' && !failed.includes(key))
    written.sort(([, one], [, other]) => other.updatedAt - one.updatedAt)
    return {
      unread: mine.filter(isUnread).sort(byActivity),
      groups: shown.map((section) => ({
        section,
        topics: inOrder(section, inSections.get(section.id) ?? []),
      })),
      drafts: [...failed, ...written.map(([key]) => key)],
    }
  },
)

/** Each topic stands in its section whether or not it is unread; views that show "unread" first leave it out below. */
export const sidebarSections = ({ topics, drafts, outbox, sections }: ChatState): SidebarSections =>
  sectionsOf(topics, drafts, outbox, sections)

/** The conversations of a section. */
export const topicsIn = (state: ChatState, sectionId: string): readonly ChatTopic[] =>
  sidebarSections(state).groups.find(({ section }) => section.id === sectionId)?.topics ?? NO_TOPICS
const NO_TOPICS: readonly ChatTopic[] = []

/**
 * Unread messages in topics that are not muted, mentions in all, and what waits for this person, for the title and the icon:
 * mentions, and direct messages that are not muted.
 */
export function unreadTotal({ topics, threads }: ChatState): {
  unread: number
  mentions: number
  waiting: number
} {
  const total = { unread: 0, mentions: 0, waiting: 0 }
  for (const { type, muted, unread, mentions } of topics.values()) {
    if (!muted) total.unread += unread
    total.mentions += mentions
    total.waiting += type === 'dm' && !muted ? unread : mentions
  }
  for (const { topicId, mentions } of threads.values()) {
    if (mentions === 0 || !topics.get(topicId)?.isMember) continue
    total.mentions += mentions
    total.waiting += mentions
  }
  return total
}

/** Counts the reader's open tasks in topics that they are in. */
export function openTaskCount({ tasks, topics, me }: ChatState): number {
  let count = 0
  for (const task of tasks.values()) {
    if (task && isOwnOpen(task, me?.id) && topics.get(task.topicId)?.isMember) count += 1
  }
  return count
}

/** Followed threads with unread replies. */
export function unreadThreads({ threads, topics }: ChatState): number {
  let count = 0
  for (const { topicId, unread } of threads.values()) {
    if (unread > 0 && topics.get(topicId)?.isMember) count += 1
  }
  return count
}

export type ReadState = { unread: number; unreadAfter: string | null; lateReadTo: string | null }

/** How far the reader has read a topic that they are in, or a thread that they follow; undefined elsewhere. */
export function readStateOf(
  { topics, threads }: Pick<ChatState, 'topics' | 'threads'>,
  { topicId, threadId }: ConversationPlace,
): ReadState | undefined {
  if (threadId === undefined) {
    const topic = topics.get(topicId)
    return topic?.isMember ? topic : undefined
  }
  const thread = threads.get(threadId)
  return thread && { unread: thread.unread, unreadAfter: thread.readTo, lateReadTo: null }
}

/** One row of a conversation. `key` stays the same when what was sent becomes a message. */
export type ConversationItem =
  | { key: string; message: ChatMessage; outgoing?: undefined }
  | { key: string; message?: undefined; outgoing: Outgoing }

const messageItems = new WeakMap<ChatMessage, ConversationItem>()
const outgoingItems = new WeakMap<Outgoing, ConversationItem>()

function messageItem(message: ChatMessage, isOwn: boolean): ConversationItem {
  const known = messageItems.get(message)
  if (known) return known
  const item = { key: (isOwn ? message.externalId : undefined) ?? message.id, message }
  messageItems.set(message, item)
  return item
}

function outgoingItem(outgoing: Outgoing): ConversationItem {
  const known = outgoingItems.get(outgoing)
  if (known) return known
  const item = { key: outgoing.localId, outgoing }
  outgoingItems.set(outgoing, item)
  return item
}

const NO_ITEMS: readonly ConversationItem[] = []
/** A topic, a thread beside it, and one that is just being left. */
const REMEMBERED_CONVERSATIONS = 4
const itemsByKey = new Map<ConversationKey, readonly ConversationItem[]>()

/** A conversation's messages, the oldest first, followed by those in the outbox. */
export function conversationItems(state: ChatState, key: ConversationKey): readonly ConversationItem[] {
  const { conversations, messages, outbox, me } = state
  const conversation = conversations.get(key)
  if (!conversation) return NO_ITEMS
  const items: ConversationItem[] = []
  for (const id of conversation.ids) {
    const message = messages.get(id)
    if (message) items.push(messageItem(message, message.senderId === me?.id))
  }
  if (!conversation.hasAfter) {
    for (const outgoing of outbox) {
      if (isOutgoingIn(state, outgoing, key) && !isShown(outgoing, items)) items.push(outgoingItem(outgoing))
    }
  }
  const before = itemsByKey.get(key)
  if (before && sameItems(before, items)) return before
  itemsByKey.delete(key)
  itemsByKey.set(key, items)
  for (const oldest of itemsByKey.keys()) {
    if (itemsByKey.size <= REMEMBERED_CONVERSATIONS) break
    itemsByKey.delete(oldest)
  }
  return items
}

/** Whether a conversation shows what is going out. */
export const isOutgoingIn = (
  state: Pick<ChatState, 'organization'>,
  outgoing: Outgoing,
  key: ConversationKey,
): boolean => outgoing.parentId === key || (outgoing.topicId === key && !isThreadOnly(state, outgoing))

/** Whether a card that is going out has come back already, faster than its answer: one of the last few messages. */
const isShown = ({ card, state }: Outgoing, items: readonly ConversationItem[]): boolean =>
  card !== undefined &&
  state === 'sending' &&
  items.slice(-5).some(({ message }) => message !== undefined && isOfCard(card, message))

/** Ids of people who are typing there. */
export const typingIn = ({ typing }: ChatState, key: ConversationKey): readonly string[] =>
  typing.get(key)?.map(({ profileId }) => profileId) ?? NOBODY
const NOBODY: readonly string[] = []

export const typingNames = (state: ChatState, key: ConversationKey): string[] =>
  typingIn(state, key).flatMap((id) => state.members.get(id)?.name ?? [])

/** Whether all of them are bots: these work rather than write. */
export const isWorking = (state: ChatState, key: ConversationKey): boolean =>
  typingIn(state, key).every((id) => state.members.get(id)?.type === 'bot')
