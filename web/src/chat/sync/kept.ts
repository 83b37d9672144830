import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import type { ActionNote, PollState } from '../../../../contract/people/card-records.ts'
import type { ChatMessage } from '../../../../contract/people/chat-message.ts'
import type { ChatMember, ChatTopic } from '../../../../contract/people/chat-records.ts'
import type { ChatState, Conversation, Outgoing, TaskState, ThreadLine } from '../model.ts'
import { sameItems } from '../store/selectors.ts'
import { emptiedDraftsOf, forgetEmptiedDrafts } from './emptied-drafts.ts'
import { MAX_CONVERSATIONS } from './history.ts'
import type { Kept } from './open-chat.ts'
import type { OutboxStorage } from './outbox.ts'
import { newId } from './pacing.ts'

const NAME = 'parley-chat'
/** Another version of what is kept begins with nothing. */
const VERSION = 3
const WRITE_MS = 1000
/** Messages kept of each conversation: the newest. */
const MAX_MESSAGES = 100
/** Members kept of an organization with many of them. */
const MAX_MEMBERS = 500
/** Changes when everything is deleted: a tab that began before that writes nothing any more. */
const GENERATION = 'generation'

type PartKey = [accountId: string, organizationId: string, part: string]
type Head = Pick<
  ChatState,
  | 'position'
  | 'startPosition'
  | 'me'
  | 'organization'
  | 'hasAllTopics'
  | 'sections'
  | 'labels'
  | 'emoji'
  | 'drafts'
  | 'unsavedDrafts'
  | 'unsavedReads'
> & {
  /** Changes with each write, and so tells whether another tab has written since. */
  stamp: string
  /** Topics by their last opening, the latest at the end. */
  order: string[]
}
type KeptConversation = {
  conversation: Conversation
  messages: ChatMessage[]
  /** Polls, notes and tasks that the messages show, as they stood then. */
  polls: PollState[]
  /** States kept by a previous version have no notes, and no lines of threads. */
  notes?: ActionNote[]
  threads?: [string, ThreadLine][]
  tasks: [string, TaskState | null][]
}

interface Schema extends DBSchema {
  parts: { key: PartKey | string; value: Head | ChatTopic[] | ChatMember[] | KeptConversation | string }
  outbox: { key: PartKey; value: Outgoing | Blob[] }
}
type Database = IDBPDatabase<Schema>
const STORES: ('parts' | 'outbox')[] = ['parts', 'outbox']
type Reading = IDBPTransaction<Schema, typeof STORES, 'readonly'>
type Writing = IDBPTransaction<Schema, typeof STORES, 'readwrite'>

/** Undefined where nothing can be kept: private windows, no space. Then everything lives as long as the page. */
const open = (): Promise<Database | undefined> =>
  openDB<Schema>(NAME, VERSION, {
    upgrade(db) {
      for (const name of [...db.objectStoreNames]) db.deleteObjectStore(name)
      db.createObjectStore('parts')
      db.createObjectStore('outbox')
    },
    blocking: (_now, _wanted, event) => {
      if (event.target instanceof IDBDatabase) event.target.close()
    },
  }).catch(() => undefined)

const ofOrganization = (accountId: string, organizationId: string): IDBKeyRange =>
  IDBKeyRange.bound([accountId, organizationId], [accountId, organizationId, []])

/**
 * Deletes all keys outside the account's range: `[accountId, organizationId, …]` sorts after `[accountId]` and before
 * `[accountId, []]`.
 */
async function deleteOtherAccounts(transaction: Writing, accountId: string): Promise<void> {
  const [before, after] = [
    IDBKeyRange.bound([], [accountId], false, true),
    IDBKeyRange.lowerBound([accountId, []]),
  ]
  await Promise.all(
    STORES.flatMap((name) => [
      transaction.objectStore(name).delete(before),
      transaction.objectStore(name).delete(after),
    ]),
  )
}

/** Deletes every stored chat from this browser, at sign-out. */
export async function forgetChats(): Promise<void> {
  forgetEmptiedDrafts()
  const db = await open()
  if (!db) return
  const transaction = db.transaction(STORES, 'readwrite')
  await Promise.all([
    transaction.objectStore('parts').clear(),
    transaction.objectStore('outbox').clear(),
    transaction.objectStore('parts').put(newId(), GENERATION),
    transaction.done,
  ]).catch(() => {})
  db.close()
}

class Keeping {
  readonly key: (part: string) => PartKey
  #accountId: string
  #db: Promise<Database | undefined>
  #generation: unknown
  #isBroken = false

  constructor(accountId: string, organizationId: string) {
    this.key = (part) => [accountId, organizationId, part]
    this.#accountId = accountId
    this.#db = open()
  }

  /** Runs first. Data of other accounts is deleted next, before any write; no caller waits for that. */
  async begin<Result>(read: (transaction: Reading) => Promise<Result>): Promise<Result | undefined> {
    const db = await this.#db
    if (!db) return undefined
    try {
      const transaction = db.transaction(STORES, 'readonly')
      const [generation, result] = await Promise.all([
        transaction.objectStore('parts').get(GENERATION),
        read(transaction),
      ])
      this.#generation = generation
      return result
    } catch {
      this.#isBroken = true // the browser has thrown it away
      return undefined
    } finally {
      void this.#run((transaction) => deleteOtherAccounts(transaction, this.#accountId))
    }
  }

  /** Whether it was written. With `isLarge` it may be more than the browser keeps, which says nothing about the rest. */
  async write(
    work: (transaction: Writing) => Promise<unknown>,
    { isLarge = false, onBegun = () => {} } = {},
  ): Promise<boolean> {
    const isWritten = await this.#run(async (transaction) => {
      onBegun()
      const generation = await transaction.objectStore('parts').get(GENERATION)
      if (generation !== this.#generation) return false
      await work(transaction)
      return true
    }, isLarge)
    return isWritten === true
  }

  /**
   * Resolves when the write has its place in the queue: browsers run writes to the same stores in the order in which
   * they began, those of other tabs and of the worker included. A later reader therefore sees this write, and no
   * caller waits for the disk.
   */
  enqueue(work: (transaction: Writing) => Promise<unknown>): Promise<void> {
    return new Promise((resolve) => {
      void this.write(work, { onBegun: resolve }).then(() => resolve())
    })
  }

  async #run<Result>(
    work: (transaction: Writing) => Promise<Result>,
    mayFail = false,
  ): Promise<Result | undefined> {
    const db = await this.#db
    if (!db || this.#isBroken) return undefined
    try {
      const transaction = db.transaction(STORES, 'readwrite')
      const [result] = await Promise.all([work(transaction), transaction.done])
      return result
    } catch {
      if (!mayFail) this.#isBroken = true // no space, or the browser has thrown it away
      return undefined
    }
  }
}

/** Files are kept beside what is to be sent, and once: how that stands is written each time that it changes. */
const filesOf = (localId: string): string => `files ${localId}`
const withoutFiles = (item: Outgoing): Outgoing =>
  item.files ? { ...item, files: item.files.map(({ blob: _, ...file }) => file) } : item

/** The stored outbox, for the hub. */
export function keptOutbox(accountId: string, organizationId: string): OutboxStorage {
  const keeping = new Keeping(accountId, organizationId)
  const range = ofOrganization(accountId, organizationId)
  return {
    load: async () => {
      const values = await keeping.begin(async (transaction) => {
        const outbox = transaction.objectStore('outbox')
        const [keys, all] = await Promise.all([outbox.getAllKeys(range), outbox.getAll(range)])
        return new Map(keys.map(([, , name], index) => [name, all[index]]))
      })
      return [...(values?.values() ?? [])].flatMap((item) => {
        if (item === undefined || Array.isArray(item)) return []
        const blobs = values?.get(filesOf(item.localId))
        if (!item.files || !Array.isArray(blobs)) return [item]
        return [{ ...item, files: item.files.map((file, index) => ({ ...file, blob: blobs[index] })) }]
      })
    },
    put: async (item) => {
      await keeping.write((transaction) =>
        transaction.objectStore('outbox').put(withoutFiles(item), keeping.key(item.localId)),
      )
    },
    delete: async (localId) => {
      await keeping.write((transaction) =>
        Promise.all(
          [localId, filesOf(localId)].map((name) =>
            transaction.objectStore('outbox').delete(keeping.key(name)),
          ),
        ),
      )
    },
  }
}

/** The stored state that a tab starts with. It is written in parts: only those that have changed, all in one transaction. */
export function keptState(accountId: string, organizationId: string): Kept {
  const keeping = new Keeping(accountId, organizationId)
  const range = ofOrganization(accountId, organizationId)
  const { key } = keeping
  const emptied = emptiedDraftsOf(accountId, organizationId)
  let stamp = ''
  let written: { topics?: unknown; members?: unknown; conversations: Map<string, KeptConversation> } = {
    conversations: new Map(),
  }
  let waiting: ChatState | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  async function load(): Promise<Partial<ChatState> | undefined> {
    const read = await keeping.begin(async (transaction) => {
      const parts = transaction.objectStore('parts')
      const [names, values] = await Promise.all([parts.getAllKeys(range), parts.getAll(range)])
      return new Map(names.map((name, index) => [String(name[2]), values[index]]))
    })
    const head = read?.get('head') as Head | undefined
    if (!read || !head) return undefined
    const topics = new Map((read.get('topics') as ChatTopic[]).map((topic) => [topic.id, topic]))
    const members = new Map((read.get('members') as ChatMember[]).map((member) => [member.id, member]))
    const conversations = new Map<string, Conversation>()
    const messages = new Map<string, ChatMessage>()
    const polls = new Map<string, PollState>()
    const notes = new Map<string, ActionNote>()
    const tasks = new Map<string, TaskState | null>()
    const threadLines = new Map<string, ThreadLine>()
    for (const name of head.order) {
      const one = read.get(`conversation ${name}`) as KeptConversation | undefined
      if (!one) continue
      conversations.set(name, one.conversation)
      for (const message of one.messages) messages.set(message.id, messages.get(message.id) ?? message)
      for (const poll of one.polls) polls.set(poll.id, poll)
      for (const note of one.notes ?? []) notes.set(note.messageId, note)
      for (const [id, task] of one.tasks) tasks.set(id, task)
      for (const [id, line] of one.threads ?? []) threadLines.set(id, line)
      written.conversations.set(name, one)
    }
    stamp = head.stamp
    written = { ...written, topics, members }
    const { order: _order, stamp: _stamp, ...rest } = head
    return {
      ...rest,
      hasAllTopics: rest.hasAllTopics ?? true,
      sections: rest.sections ?? [], // those of a version before have none
      topics,
      members,
      conversations,
      messages,
      polls,
      notes,
      tasks,
      threadLines,
    }
  }

  async function write(state: ChatState): Promise<void> {
    const conversations = keptConversations(state)
    const head: Head = {
      position: state.position,
      startPosition: state.startPosition,
      me: state.me,
      organization: state.organization,
      hasAllTopics: state.hasAllTopics,
      sections: state.sections,
      labels: state.labels,
      emoji: state.emoji,
      drafts: state.drafts,
      unsavedDrafts: state.unsavedDrafts,
      unsavedReads: state.unsavedReads,
      stamp: newId(),
      order: [...conversations.keys()],
    }
    await keeping.write(async (transaction) => {
      const parts = transaction.objectStore('parts')
      const last = (await parts.get(key('head'))) as Head | undefined
      if (last?.stamp !== stamp) {
        // Another tab has written: its parts are of another moment.
        await parts.delete(range)
        written = { conversations: new Map() }
      }
      const work: Promise<unknown>[] = [parts.put(head, key('head'))]
      if (written.topics !== state.topics) work.push(parts.put([...state.topics.values()], key('topics')))
      if (written.members !== state.members) work.push(parts.put(keptMembers(state), key('members')))
      for (const [name, one] of conversations) {
        const before = written.conversations.get(name)
        if (before && isSame(before, one)) conversations.set(name, before)
        else work.push(parts.put(one, key(`conversation ${name}`)))
      }
      for (const name of written.conversations.keys()) {
        if (!conversations.has(name)) work.push(parts.delete(key(`conversation ${name}`)))
      }
      await Promise.all(work)
      stamp = head.stamp
      written = { topics: state.topics, members: state.members, conversations }
    })
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting) void write(waiting)
    waiting = undefined
  }

  return {
    load,
    emptied,
    save(state) {
      waiting = state
      timer ??= setTimeout(flush, WRITE_MS)
    },
    flush,
    forget() {
      clearTimeout(timer)
      waiting = undefined
      emptied.forget()
      return keeping.write((transaction) =>
        Promise.all([
          transaction.objectStore('parts').delete(range),
          transaction.objectStore('outbox').delete(range),
        ]),
      )
    },
    async putOutgoing(item) {
      const put = (transaction: Writing) =>
        transaction.objectStore('outbox').put(withoutFiles(item), key(item.localId))
      if (!item.files) {
        await keeping.enqueue(put)
        return true
      }
      const blobs = item.files.flatMap(({ blob }) => blob ?? [])
      const isKept = await keeping.write(
        (transaction) =>
          Promise.all([
            put(transaction),
            transaction.objectStore('outbox').put(blobs, key(filesOf(item.localId))),
          ]),
        { isLarge: true },
      )
      if (!isKept) await keeping.write(put)
      return isKept
    },
  }
}

/** All of them, or of many those that came last. */
const keptMembers = ({ members, organization }: ChatState): ChatMember[] =>
  organization?.manyMembers ? [...members.values()].slice(-MAX_MEMBERS) : [...members.values()]

const isSame = (one: KeptConversation, other: KeptConversation): boolean =>
  one.conversation.hasBefore === other.conversation.hasBefore &&
  sameItems(one.conversation.ids, other.conversation.ids) &&
  sameItems(one.messages, other.messages) &&
  sameItems(one.polls, other.polls) &&
  sameItems(one.notes ?? [], other.notes ?? []) &&
  sameItems(one.threads?.map(([, line]) => line) ?? [], other.threads?.map(([, line]) => line) ?? []) &&
  sameItems(
    one.tasks.map(([, task]) => task),
    other.tasks.map(([, task]) => task),
  )

/** The newest stretches, as far as they are kept. */
function keptConversations({
  conversations,
  messages,
  polls,
  notes,
  tasks,
  threadLines,
}: ChatState): Map<string, KeptConversation> {
  const kept = new Map<string, KeptConversation>()
  for (const [key, conversation] of [...conversations].slice(-MAX_CONVERSATIONS)) {
    const { ids, hasAfter, hasBefore, threadId } = conversation
    if (hasAfter) continue
    const isCut = ids.length > MAX_MESSAGES
    const newest = isCut ? ids.slice(-MAX_MESSAGES) : ids
    const shown = threadId === undefined ? newest : [threadId, ...newest]
    const shownMessages = shown.flatMap((id) => messages.get(id) ?? [])
    const taskIds = new Set(shownMessages.flatMap(({ task }) => task?.id ?? []))
    kept.set(key, {
      conversation: {
        ...conversation,
        ids: newest,
        hasBefore: hasBefore || isCut,
        loading: undefined,
        failure: undefined,
      },
      messages: shownMessages,
      polls: shownMessages.flatMap(({ poll }) => polls.get(poll?.id ?? '') ?? []),
      notes: shownMessages.flatMap(({ id }) => notes.get(id) ?? []),
      threads: shownMessages.flatMap(({ id }): [string, ThreadLine][] => {
        const line = threadLines.get(id)
        return line === undefined ? [] : [[id, line]]
      }),
      tasks: [...taskIds].flatMap((id): KeptConversation['tasks'] => {
        const task = tasks.get(id)
        return task === undefined ? [] : [[id, task]]
      }),
    })
  }
  return kept
}
