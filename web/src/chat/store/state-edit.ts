import type { ActionNote, PollState } from '../../../../contract/people/card-records.ts'
import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { ChatMember, ChatTopic, Draft } from '../../../../contract/people/chat-records.ts'
import type { StreamingMessage } from '../../../../contract/people/streaming-message.ts'
import type {
  ChatState,
  Conversation,
  KnownThread,
  Outgoing,
  TaskState,
  ThreadLine,
  TypingPerson,
} from '../model.ts'

/** A map that is copied when it is first changed: a thousand changes cost one copy. */
export class MapEdit<Value> {
  #from: ReadonlyMap<string, Value>
  #copy: Map<string, Value> | undefined

  constructor(from: ReadonlyMap<string, Value>) {
    this.#from = from
  }

  get result(): ReadonlyMap<string, Value> {
    return this.#copy ?? this.#from
  }

  get(key: string): Value | undefined {
    return this.result.get(key)
  }

  has(key: string): boolean {
    return this.result.has(key)
  }

  set(key: string, value: Value): void {
    if (this.get(key) === value) return
    this.#copy ??= new Map(this.#from)
    this.#copy.set(key, value)
  }

  delete(key: string): void {
    if (!this.has(key)) return
    this.#copy ??= new Map(this.#from)
    this.#copy.delete(key)
  }

  replace(values: ReadonlyMap<string, Value>): void {
    this.#from = values
    this.#copy = undefined
  }
}

/** Changes to a state. `finish` gives the state after them; unchanged parts are the same objects as before. */
export class StateEdit {
  readonly topics: MapEdit<ChatTopic>
  readonly members: MapEdit<ChatMember>
  readonly labels: MapEdit<string>
  readonly emoji: MapEdit<string>
  readonly messages: MapEdit<ChatMessage>
  readonly conversations: MapEdit<Conversation>
  readonly polls: MapEdit<PollState>
  readonly tasks: MapEdit<TaskState | null>
  readonly notes: MapEdit<ActionNote>
  readonly streaming: MapEdit<StreamingMessage>
  readonly drafts: MapEdit<Draft>
  readonly threads: MapEdit<KnownThread>
  readonly threadLines: MapEdit<ThreadLine>
  readonly unsavedReads: MapEdit<string>
  readonly typing: MapEdit<readonly TypingPerson[]>
  /** Lists of ids that were made within this change, by conversation: the next ids are added to them, without a copy. */
  readonly ownIds = new Map<string, string[]>()
  me: ChatMember | undefined
  online: ReadonlySet<string> | undefined
  sections: ChatState['sections']
  later: number
  failedLater: number
  outbox: readonly Outgoing[]
  unsavedDrafts: ReadonlySet<string>
  position: number
  startPosition: number
  taskPosition: number
  /** Whether the page knows the members alone that it shows. */
  readonly hasManyMembers: boolean
  #from: ChatState

  constructor(from: ChatState) {
    this.#from = from
    this.hasManyMembers = from.organization?.manyMembers === true
    this.topics = new MapEdit(from.topics)
    this.members = new MapEdit(from.members)
    this.labels = new MapEdit(from.labels)
    this.emoji = new MapEdit(from.emoji)
    this.messages = new MapEdit(from.messages)
    this.conversations = new MapEdit(from.conversations)
    this.polls = new MapEdit(from.polls)
    this.tasks = new MapEdit(from.tasks)
    this.notes = new MapEdit(from.notes)
    this.streaming = new MapEdit(from.streaming)
    this.drafts = new MapEdit(from.drafts)
    this.threads = new MapEdit(from.threads)
    this.threadLines = new MapEdit(from.threadLines)
    this.unsavedReads = new MapEdit(from.unsavedReads)
    this.typing = new MapEdit(from.typing)
    this.me = from.me
    this.online = from.online
    this.sections = from.sections
    this.later = from.later
    this.failedLater = from.failedLater
    this.outbox = from.outbox
    this.unsavedDrafts = from.unsavedDrafts
    this.position = from.position
    this.startPosition = from.startPosition
    this.taskPosition = from.taskPosition
  }

  finish(): ChatState {
    const after = {
      topics: this.topics.result,
      members: this.members.result,
      labels: this.labels.result,
      emoji: this.emoji.result,
      messages: this.messages.result,
      conversations: this.conversations.result,
      polls: this.polls.result,
      tasks: this.tasks.result,
      taskPosition: this.taskPosition,
      notes: this.notes.result,
      streaming: this.streaming.result,
      drafts: this.drafts.result,
      threads: this.threads.result,
      threadLines: this.threadLines.result,
      unsavedReads: this.unsavedReads.result,
      typing: this.typing.result,
      me: this.me,
      online: this.online,
      sections: this.sections,
      later: this.later,
      failedLater: this.failedLater,
      outbox: this.outbox,
      unsavedDrafts: this.unsavedDrafts,
      position: this.position,
      startPosition: this.startPosition,
    }
    return isChanged(this.#from, after) ? { ...this.#from, ...after } : this.#from
  }
}

function isChanged<Part extends object>(from: Part, after: Partial<Part>): boolean {
  for (const name in after) if (after[name] !== from[name]) return true
  return false
}

/** The state after one change, which `change` makes. */
export function edited(state: ChatState, change: (edit: StateEdit) => void): ChatState {
  const edit = new StateEdit(state)
  change(edit)
  return edit.finish()
}
