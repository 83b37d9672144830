import type { TopicCommand } from '../../../contract/commands.ts'
import type { ActionNote, ChatTask, PollState } from '../../../contract/people/card-records.ts'
import type { FollowedThread, ThreadSummary } from '../../../contract/people/chat.ts'
import type { ChatMessage } from '../../../contract/people/chat-message.ts'
import type { ChatMember, ChatTopic, Draft, SidebarSection } from '../../../contract/people/chat-records.ts'
import type { SectionOrder } from '../../../contract/people/section-names.ts'
import type { StreamingMessage } from '../../../contract/people/streaming-message.ts'
import type { Reach } from '../../../contract/reach.ts'

/** A conversation is a topic, or the replies to one of its messages. */
export type ConversationPlace = { topicId: string; threadId?: string | undefined }
export type ThreadPlace = { topicId: string; threadId: string }
export type ConversationKey = string
export const keyOf = ({ topicId, threadId }: ConversationPlace): ConversationKey => threadId ?? topicId

/**
 * The stretch of a conversation that is loaded: ids of messages, the oldest first, without a gap. Events beyond an end that
 * has more (`hasBefore`, `hasAfter`) are left out.
 */
export type Conversation = ConversationPlace & {
  key: ConversationKey
  ids: readonly string[]
  hasBefore: boolean
  hasAfter: boolean
  /** The end that is being loaded, or the whole. */
  loading: 'whole' | 'before' | 'after' | undefined
  /** Why the last load failed. */
  failure: ChatFailure | undefined
}

/** The server's refusal by its code, or that it could not be reached. */
export type ChatFailure = { status: number; code: string; field?: string | undefined; text: string }

export type OutgoingFile = {
  name: string
  size: number
  type: string
  /** Undefined after a reload, where the browser could not keep it. */
  blob?: Blob | undefined
}

export type PollDraft = {
  question: string
  options: string[]
  selectionType: 'single' | 'multiple'
  anonymous: boolean
  expiresAt?: number
}
export type TaskDraft = { title: string; description?: string; assignee?: string; dueDate?: number }
export type LocationDraft = { latitude: number; longitude: number; name?: string; address?: string }
export type ContactDraft = {
  name: string
  phoneNumbers?: string[]
  emails?: string[]
  role?: string
  location?: string
  profileId?: string
}

/** A card, sent in place of a text. */
export type OutgoingCard =
  | { kind: 'poll'; poll: PollDraft }
  | { kind: 'task'; task: TaskDraft }
  | { kind: 'location'; location: LocationDraft }
  | { kind: 'contact'; contact: ContactDraft }

/** A task as conversations show it. */
export type TaskState = Pick<
  ChatTask,
  'id' | 'topicId' | 'title' | 'description' | 'status' | 'assignee' | 'dueDate' | 'updatedAt'
>
export type TaskChange = Partial<Pick<TaskState, 'title' | 'description' | 'status' | 'assignee' | 'dueDate'>>
export type TaskPage = { tasks: ChatTask[]; nextCursor?: string; hasMore: boolean }
export type MyTaskQuery = {
  status: TaskState['status']
  role: 'assigned' | 'created'
  topicId?: string
  dueFrom?: number
  dueBefore?: number
  undated?: boolean
}

/** A message sent from here and not yet known to be in the log. It outlives reloads and lost connections. */
export type Outgoing = {
  /** The request's `Idempotency-Key`, and the message's `externalId`. */
  localId: string
  topicId: string
  parentId?: string | undefined
  /** A reply that its topic shows, beside its thread. */
  alsoInTopic?: boolean | undefined
  text: string
  files?: readonly OutgoingFile[] | undefined
  card?: OutgoingCard | undefined
  /** The loudness of a voice message, from its beginning to its end. */
  waveform?: readonly number[] | undefined
  createdAt: number
  /** Whether the message went out at least once: the server is asked for it before its files go out again. */
  isTried?: boolean | undefined
  /** The browser cannot keep its files: they are lost with the page. */
  isVolatile?: boolean | undefined
  /**
   * `accepted`: files that the server has and still processes, `id` is the message that they become; or a poll or task
   * that it has taken, `id` is its own.
   */
  state: 'queued' | 'sending' | 'accepted' | 'failed'
  id?: string | undefined
  /** Bytes of the files that have gone out. */
  sentBytes?: number | undefined
  failure?: ChatFailure | undefined
}

export type TypingPerson = { profileId: string; until: number }

/** A thread that the person follows, and what they have not read of it. */
export type KnownThread = Omit<FollowedThread, 'parentId'>
/** The line below a message that was replied to: who replied last, and when. */
export type ThreadLine = Omit<ThreadSummary, 'parentId'> & {
  /** Counted events of replies that no loaded conversation shows: a repetition counts nothing. */
  told?: readonly string[]
}

/** All that is known of one organization's chat. It is replaced, never changed: equal parts are the same objects. */
export type ChatState = {
  organizationId: string
  /** `empty` until there is something to show, kept from the last time or read from the server. */
  status: 'empty' | 'ready' | 'failed'
  failure: ChatFailure | undefined
  /** `ended`: the session or the membership is over. */
  connection: 'connecting' | 'live' | 'offline' | 'ended'
  /** Everything up to this number in the log is in the messages. */
  position: number
  /** Topics, counts and members are complete up to this number: they were read again after a gap in the events. */
  startPosition: number
  me: ChatMember | undefined
  organization:
    | {
        id: string
        name: string
        logoUrl?: string
        maxFileBytes?: number
        showPresence?: boolean
        repliesInTopics?: boolean
        membersCreateTopics?: boolean
        membersInviteGuests?: boolean
        editMinutes?: number
        /** Members are asked for when they are shown, and found by searching: `members` has those that were needed so far. */
        manyMembers?: boolean
      }
    | undefined
  topics: ReadonlyMap<string, ChatTopic>
  /** Sections of the list of conversations, as the server has them; empty until it was asked. */
  sections: readonly SidebarSection[]
  /** Whether all topics that the person is in are among them; of many, the start has those that are needed first. */
  hasAllTopics: boolean
  members: ReadonlyMap<string, ChatMember>
  labels: ReadonlyMap<string, string>
  /** Pictures of the organization's own emoji, by name. */
  emoji: ReadonlyMap<string, string>
  messages: ReadonlyMap<string, ChatMessage>
  conversations: ReadonlyMap<ConversationKey, Conversation>
  /** How the polls of messages stand. */
  polls: ReadonlyMap<string, PollState>
  /** The tasks that messages tell of, as they are now; null: deleted. */
  tasks: ReadonlyMap<string, TaskState | null>
  /** The number of the last event about a task: lists of tasks are read again when it moves. */
  taskPosition: number
  /** Private replies of bots to this person's answers, by the message that was answered. */
  notes: ReadonlyMap<string, ActionNote>
  /** Messages that bots are still writing, in all topics; conversations show them among the others. */
  streaming: ReadonlyMap<string, StreamingMessage>
  /** By `keyOf`. */
  drafts: ReadonlyMap<ConversationKey, Draft>
  /** Threads that the person follows, by the message that they hang on; not all of them, but those where something happens. */
  threads: ReadonlyMap<string, KnownThread>
  /** The lines below messages that were replied to. */
  threadLines: ReadonlyMap<string, ThreadLine>
  /** Drafts that were written here and not yet told to the server: nothing from elsewhere replaces them. */
  unsavedDrafts: ReadonlySet<ConversationKey>
  /** Read positions by topic that the server does not have yet. */
  unsavedReads: ReadonlyMap<string, string>
  online: ReadonlySet<string> | undefined
  /** Grows with each change of what the person has scheduled: lists of it are read again. */
  later: number
  /** Scheduled messages of theirs that could not be sent. */
  failedLater: number
  /** By `keyOf`. */
  typing: ReadonlyMap<ConversationKey, readonly TypingPerson[]>
  outbox: readonly Outgoing[]
}

export type MemberSearch = {
  search?: string
  /** Restricts the search to members of this topic, in any state; elsewhere only active ones are found. */
  topicId?: string
  /** Members of this topic come first. */
  near?: string
  type?: 'user' | 'bot'
  limit?: number
  cursor?: string
}
export type MemberPage = { members: ChatMember[]; total?: number; nextCursor?: string }

export type CommandForm = {
  topicId: string
  text: string
  values: Record<string, string>
  parentId?: string
  alsoInTopic?: boolean
}
export type PressedAnswer = { elementId: string; value?: string; values?: Record<string, string> }

export type NewChatTopic = {
  name: string
  description?: string
  members?: string[]
  /** Messages that bots among them hear, everything by default. */
  reach?: Reach
  open?: boolean
  announcement?: boolean
  joinedByDefault?: boolean
}
export type TopicChange = {
  name?: string
  description?: string
  labelId?: string | null
  open?: boolean
  announcement?: boolean
  joinedByDefault?: boolean
  archived?: boolean
}

/** Settings of a topic that a member chooses for themselves. */
export type OwnChoice = Partial<Pick<ChatTopic, 'muted' | 'favourite' | 'level'>>

export type SectionChange = { name?: string; folded?: boolean; order?: SectionOrder; after?: string | null }

/** Actions of views. Those that may fail in a way the person should hear of return a promise that rejects with `ChatError`. */
export type ChatActions = {
  /** Loads the newest stretch, or the one around a message, unless it is there. */
  openConversation(place: ConversationPlace, around?: string): Promise<void>
  loadBefore(key: ConversationKey): Promise<void>
  loadAfter(key: ConversationKey): Promise<void>
  /** Lets go of one end of a long stretch, the one that is farther from the message at this place. */
  shortenConversation(key: ConversationKey, index: number): void
  /** Loads one message, such as the one that a reply quotes; undefined where there is none any more. */
  loadMessage(topicId: string, messageId: string): Promise<ChatMessage | undefined>
  /** Reads a message again for fresh links to its files: they are valid for an hour. */
  refreshFiles(topicId: string, messageId: string): Promise<void>
  /** Drops a stretch that does not reach the newest message, and loads the one that does. */
  jumpToNewest(place: ConversationPlace): Promise<void>
  /** Stands in the conversation at once, and goes out when it can. */
  send(
    message: ConversationPlace & {
      text: string
      parentId?: string
      alsoInTopic?: boolean
      files?: readonly OutgoingFile[]
      waveform?: readonly number[]
    },
  ): void
  /** Sends a poll, a task, a place or a contact in the same way. */
  sendCard(place: ConversationPlace, card: OutgoingCard): void
  /** Answers what a bot asks with buttons, choices or a form. */
  press(message: ChatMessage, answer: PressedAnswer): Promise<void>
  /** Reads what the bots of a topic can be told with `/`. */
  listCommands(topicId: string): Promise<TopicCommand[]>
  /** Sends a command with the values of its form. The same ones sent again after a lost answer count once. */
  sendCommandForm(command: CommandForm): Promise<void>
  /** Stops a bot that is writing. */
  stopStreaming(messageId: string): Promise<void>
  /** Chooses an option of a poll, or takes that back. */
  vote(message: ChatMessage, optionId: string, isOn: boolean): Promise<void>
  closePoll(pollId: string): Promise<void>
  updateTask(task: TaskState, change: TaskChange): Promise<void>
  deleteTask(taskId: string): Promise<void>
  /** Puts a task behind another one, or to the top of the list of its topic. */
  moveTask(taskId: string, after: string | null): Promise<void>
  listMyTasks(query: MyTaskQuery, cursor?: string): Promise<TaskPage>
  listTopicTasks(topicId: string, status: TaskState['status'], cursor?: string): Promise<TaskPage>
  sendAgain(localId: string): void
  /** Takes back what was not sent; returns it, so that it can be edited. */
  discard(localId: string): Outgoing | undefined
  editMessage(messageId: string, text: string): Promise<void>
  deleteMessage(messageId: string): Promise<void>
  react(messageId: string, emoji: string, isOn: boolean): Promise<void>
  pin(messageId: string, isOn: boolean): Promise<void>
  /** Keeps a message for later; says whether it was not kept before. */
  save(messageId: string): Promise<{ isNew: boolean }>
  /** Takes a message off those kept for later, with its reminder. */
  unsave(messageId: string): Promise<void>
  readPins(topicId: string): Promise<ChatMessage[]>
  readReceipts(messageId: string): Promise<{ readBy: string[]; deliveredTo: string[] }>
  /** Marks a message that was on the screen as read. Positions are sent a moment later, in batches. */
  markRead(topicId: string, messageId: string): void
  markUnread(topicId: string, messageId: string): Promise<void>
  /** Reads whether the person follows a thread, which may not be known here. */
  readThread(place: ThreadPlace): Promise<void>
  followThread(place: ThreadPlace, following: boolean): Promise<void>
  /** Marks a reply that was on the screen as read, and all before it. */
  markThreadRead(place: ThreadPlace, replyId: string): void
  markAllRead(): Promise<void>
  setTopicState(topicId: string, choice: OwnChoice): Promise<void>
  createSection(name: string): Promise<SidebarSection>
  updateSection(sectionId: string, change: SectionChange): Promise<void>
  deleteSection(sectionId: string): Promise<void>
  /** Moves a conversation to a section: one of theirs, `favourites`, or, by any other id, where it stands by itself. */
  moveToSection(topicId: string, sectionId: string): Promise<void>
  /** Puts conversations at the top of a section, in this order, and sorts it by hand. */
  arrangeSection(sectionId: string, topicIds: readonly string[]): Promise<void>
  saveDraft(place: ConversationPlace, text: string): void
  tellTyping(place: ConversationPlace): void
  createTopic(topic: NewChatTopic): Promise<ChatTopic>
  updateTopic(topicId: string, change: TopicChange): Promise<void>
  /** Reads the topic with all its members, also an open one that the person only looks into. */
  readTopic(topicId: string): Promise<ChatTopic>
  findOpenTopics(search: string): Promise<ChatTopic[]>
  /** Searches the organization's members, by name. */
  findMembers(search: MemberSearch): Promise<MemberPage>
  join(topicId: string): Promise<void>
  leave(topicId: string): Promise<void>
  /** `reach` is for the bots among them: what they hear, everything by default. */
  addMembers(topicId: string, memberIds: string[], reach?: Reach): Promise<void>
  setReach(topicId: string, botId: string, reach: Reach): Promise<void>
  /** Lets bots write again that only answered each other. */
  releaseBots(topicId: string): Promise<void>
  removeMembers(topicId: string, memberIds: string[]): Promise<void>
  openDirectMessage(memberIds: string[]): Promise<ChatTopic>
}

export class ChatError extends Error {
  readonly failure: ChatFailure
  /** When the server would like to be asked again, in ms from then. */
  readonly retryAfterMs: number | undefined

  constructor(failure: ChatFailure, retryAfterMs?: number) {
    super(failure.text)
    this.failure = failure
    this.retryAfterMs = retryAfterMs
  }
}
