import type { ActionsInput } from '../../../contract/actions.ts'
import type { MessageStream } from '../../../contract/message.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { finishMessage } from '../../../contract/streaming.ts'
import type { Caller } from '../../caller.ts'
import type { Database, Queryable } from '../../db/database.ts'
import type { DuePlace } from '../../db/due-range.ts'
import type { Notifications } from '../../db/notifications.ts'
import type { LogEvent, Transaction } from '../../db/transaction.ts'
import { Refusal, refusal } from '../../errors.ts'
import type { EphemeralEvents } from '../../events/ephemeral.ts'
import type { Tail } from '../../events/tail.ts'
import type { IdempotentRequest } from '../../idempotency/kept-answers.ts'
import { isTopicMember } from '../../queries/messages/messages.ts'
import type { StreamingRow } from '../../queries/messages/streamed-messages.ts'
import type { NoteFailure } from '../../worker.ts'
import { requireTopicToWriteIn } from '../topics/topics.ts'
import { maskedIn, textLeft } from '../topics/written-texts.ts'
import { growText, type Held, heldFrom, spendAppend } from './growing-text.ts'
import { wordsOf } from './questions.ts'
import { StreamFrames } from './stream-frames.ts'
import { StreamSaves } from './stream-saves.ts'
import {
  beginStreaming,
  endStreaming,
  listSilent,
  type NewStream,
  readHolder,
  refusalOfEnded,
  takeStreaming,
} from './streamed-messages.ts'

const CHANNEL = 'parley_streaming'
/** A node that is asked to let go of a message does so within milliseconds; after this time it is taken for dead. */
const HANDOVER_MS = 2000
const ASK_AGAIN_MS = 250
/** Messages that are looked up together whose bots have fallen silent. */
const SILENT_AT_ONCE = 100

/** Appends what a request brings. */
export type TextWriter = {
  /** A promise where the message is about to end or to move: the next piece waits. */
  take(text: string): Promise<unknown> | undefined
  end(): void
  answer(): { id: string; length: number }
}

type Named = { orgId: string; id: string }
type StreamingDatabase = Queryable & Pick<Database, 'write' | 'writeAs' | 'clock'>
type Channels = Pick<Notifications, 'on' | 'send'>

/**
 * Messages that bots write bit by bit. The text is in the memory of one node, which shows it to people in passing and keeps it
 * once a second; a piece that arrives at another node takes the message there first. Ending it is a transaction like any
 * other: then it is a message.
 */
export class Streaming {
  #db: StreamingDatabase
  #ephemeral: EphemeralEvents
  #notifications: Channels
  #tail: Tail
  #isAlone: () => boolean
  #timeoutMs: number
  #held = new Map<string, Held>()
  #taking = new Map<string, Promise<Held | undefined>>()
  #released = new Map<string, () => void>()
  /** How to leave the log of an organization, and how many messages of it are held. */
  #followed = new Map<string, { count: number; leave(): void }>()
  #frames: StreamFrames
  #saves: StreamSaves

  constructor(parts: {
    db: StreamingDatabase
    ephemeral: EphemeralEvents
    notifications: Channels
    tail: Tail
    isAlone: () => boolean
    timeoutMs: number
  }) {
    this.#db = parts.db
    this.#ephemeral = parts.ephemeral
    this.#notifications = parts.notifications
    this.#tail = parts.tail
    this.#isAlone = parts.isAlone
    this.#timeoutMs = parts.timeoutMs
    this.#frames = new StreamFrames(parts.ephemeral, this.#held)
    this.#saves = new StreamSaves(parts.db, parts.ephemeral.node, this.#held, (held) => this.#drop(held))
    parts.notifications.on(CHANNEL, (payload) => this.#hear(payload))
    parts.tail.onEvents((orgId, events) => {
      if (this.#followed.has(orgId)) for (const event of events) this.#notice(orgId, event)
    })
  }

  /** Begins a message, in the transaction that answers; call `hold` with it when that has committed. */
  begin(tx: Transaction, caller: Caller, message: NewStream): Promise<StreamingRow> {
    return beginStreaming(tx, caller, message, this.#ephemeral.node)
  }

  hold(row: StreamingRow): void {
    const held = this.#keep(row)
    held.isShown = false
    held.shown = 0
    this.#frames.showSoon()
  }

  async append(
    caller: Caller,
    messageId: string,
    { text, from }: { text: string; from?: number },
    repeat: IdempotentRequest | undefined,
  ): Promise<{ id: string; length: number }> {
    const held = await this.#forBot(caller, messageId)
    const key = repeat && `${repeat.requestHash.toString('hex')} ${repeat.key}`
    if (key !== undefined && held.lastKey?.endsWith(` ${repeat?.key}`)) {
      if (held.lastKey !== key) throw refusal('idempotency_key_reused')
      return { id: held.row.id, length: held.length }
    }
    spendAppend(held)
    this.#grow(held, text, from, key)
    takeOver(held, undefined)
    return { id: held.row.id, length: held.length }
  }

  /**
   * Appends for as long as a request lasts; the one before it, if its body has not ended, goes no further. `stop` is told when
   * the message ends, or without a refusal when another node has it: then what was taken stands, and its bot goes on there.
   */
  async open(
    caller: Caller,
    messageId: string,
    from: number | undefined,
    stop: (refusal?: Error) => void,
  ): Promise<TextWriter> {
    const held = await this.#forBot(caller, messageId)
    spendAppend(held)
    this.#grow(held, '', from)
    const writer = { stop, whenDropped: () => void this.#refusalOfDropped(caller, held).then(stop, stop) }
    takeOver(held, writer)
    const take = (text: string): Promise<unknown> | undefined => {
      if (held.writer !== writer) return undefined // it was told why
      if (held.leaving) return held.leaving.catch(() => {}).then(() => take(text))
      if (held.refusal) throw held.refusal
      this.#grow(held, text)
      return undefined
    }
    return {
      take,
      end: () => {
        if (held.writer === writer) held.writer = undefined
      },
      answer: () => ({ id: held.row.id, length: held.length }),
    }
  }

  #grow(held: Held, text: string, from?: number, key?: string): void {
    if (growText(held, text, from)) this.#frames.showSoon()
    held.lastKey = key ?? null
    held.touchedAt = this.#db.clock()
    held.isSaved = false
    this.#saves.saveSoon()
  }

  /** Why a message that is no longer held cannot be gone on with; undefined where another node can. */
  async #refusalOfDropped(caller: Caller, { orgId, row }: Held): Promise<Refusal | undefined> {
    const holder = await readHolder(this.#db, { orgId, id: row.id })
    return holder === undefined ? refusalOfEnded(this.#db, caller, row.id) : undefined
  }

  /** `answered` opens the transaction, in which the message is made, and gives its answer. */
  async finish<Result>(
    caller: Caller,
    messageId: string,
    finish: BodyOf<typeof finishMessage>,
    answered: (work: (tx: Transaction) => Promise<StreamingRow>) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      const found = await this.#forBot(caller, messageId).catch((error: unknown) => {
        if (error instanceof Refusal) return error
        throw error
      })
      if (found instanceof Refusal) return answered(() => Promise.reject(found))
      const stream: MessageStream | undefined = finish.status === 'failed' ? { status: 'failed' } : undefined
      const answer = await this.#leave(found, async (leaves) => {
        const answer = await answered(async (tx) => {
          leaves.isOver = false
          const { text = found.text, actions } = finish
          const row = await this.#end(tx, caller, { row: found.row, text, actions }, stream)
          leaves.isOver = true
          return row
        })
        return { answer }
      })
      if (answer) return answer.answer
    }
  }

  /** Ends a message for a person who pressed Stop. */
  async stop(caller: Caller, messageId: string): Promise<void> {
    const stream: MessageStream = { status: 'stopped', stoppedBy: caller.profileId }
    const isDone = await this.#endAsIs({ orgId: caller.orgId, id: messageId.toLowerCase() }, stream, caller)
    if (!isDone) throw await refusalOfEnded(this.#db, caller, messageId)
  }

  /** Ends the messages that bots have left, page by page; one that cannot be ended stops none behind it. */
  async endSilent(noteFailure: NoteFailure = () => {}): Promise<void> {
    const until = this.#db.clock() - this.#timeoutMs - 1
    const isSilent = ({ touchedAt }: Held) => touchedAt <= until
    for (let after: DuePlace | undefined; ; ) {
      const page = await listSilent(this.#db, { until, after }, SILENT_AT_ONCE)
      for (const { orgId, id } of page)
        await this.#endAsIs({ orgId, id }, { status: 'interrupted' }, undefined, isSilent).catch(
          (error: unknown) => noteFailure(error, { orgId, messageId: id }),
        )
      if (page.length < SILENT_AT_ONCE) return
      after = page.at(-1)
    }
  }

  /** A row as it is now, where this node holds it. */
  current(row: StreamingRow): StreamingRow {
    const held = this.#held.get(row.id)
    return held ? { ...row, text: held.text, version: held.version } : row
  }

  /** Lets other nodes have everything. */
  async close(): Promise<void> {
    this.#frames.stop()
    this.#saves.stop()
    const all = [...this.#held.values()]
    if (all.length > 0) await this.#saves.save(all, true).catch(() => {})
    for (const held of all) this.#drop(held)
  }

  async #endAsIs(
    named: Named,
    stream: MessageStream,
    caller?: Caller,
    isWanted: (held: Held) => boolean = () => true,
  ): Promise<boolean> {
    for (;;) {
      const held = await this.#take(named)
      if (!held) return false
      if (!isWanted(held)) return true
      const isEnded = await this.#leave(held, async (leaves) => {
        const end = (tx: Transaction) => this.#end(tx, caller, held, stream)
        await (caller ? this.#db.writeAs(caller, end) : this.#db.write(named.orgId, end))
        leaves.isOver = true
        return true
      })
      if (isEnded) return true
    }
  }

  async #end(
    tx: Transaction,
    caller: Caller | undefined,
    { row, text, actions }: Pick<Held, 'row' | 'text'> & { actions?: ActionsInput | undefined },
    stream: MessageStream | undefined,
  ): Promise<StreamingRow> {
    // Other people than its sender only stop it, and have not written it.
    const isOwn = caller?.profileId === row.sender_id
    const written = isOwn ? [text, ...(actions ? wordsOf(actions) : [])] : []
    if (caller) await mayWrite(tx, caller, row.topic_id, written, text)
    if (text === '' && !stream) throw refusal('field_required', { field: 'text' })
    const shown = isOwn ? maskedIn(tx, text) : await textLeft(tx, row, text)
    if (!(await endStreaming(tx, this.#ephemeral.node, { id: row.id, text: shown, actions }, stream)))
      throw new HeldElsewhere()
    return row
  }

  /**
   * Nothing is appended while `work` ends it or gives it away; it is no longer held where that says so. Undefined where
   * somebody else was faster: then it must be looked for again.
   */
  async #leave<Result>(
    held: Held,
    work: (leaves: { isOver: boolean }) => Promise<Result>,
  ): Promise<Result | undefined> {
    while (held.leaving) await held.leaving.catch(() => {})
    if (this.#held.get(held.row.id) !== held) return undefined
    const leaves = { isOver: false }
    const leaving = work(leaves)
    held.leaving = leaving
    try {
      return await leaving
    } catch (error) {
      if (!(error instanceof HeldElsewhere)) throw error
      leaves.isOver = true
      return undefined
    } finally {
      held.leaving = undefined
      if (leaves.isOver) this.#drop(held)
    }
  }

  /** The message, if this bot may go on with it. */
  async #forBot(caller: Caller, messageId: string): Promise<Held> {
    const held = await this.#take({ orgId: caller.orgId, id: messageId.toLowerCase() })
    if (!held) throw await refusalOfEnded(this.#db, caller, messageId)
    if (held.row.sender_id !== caller.profileId) throw await this.#foreign(caller, held)
    if (held.refusal) throw held.refusal
    return held
  }

  /** People outside of the topic do not learn that there is one. */
  async #foreign(caller: Caller, { row }: Held): Promise<Refusal> {
    const isMember = await isTopicMember(caller, this.#db, row.topic_id)
    return isMember ? refusal('forbidden') : refusal('message_not_found')
  }

  // ---- Which node has it ----

  async #take(named: Named): Promise<Held | undefined> {
    for (;;) {
      const held = this.#held.get(named.id)
      if (held && held.orgId !== named.orgId) return undefined
      if (held?.leaving) await held.leaving.catch(() => {})
      else if (held) return held
      else return this.#takeOnce(named)
    }
  }

  /** Several who want it wait for the same. */
  #takeOnce(named: Named): Promise<Held | undefined> {
    const known = this.#taking.get(named.id)
    if (known) return known
    const taking = this.#takeFrom(named).finally(() => this.#taking.delete(named.id))
    this.#taking.set(named.id, taking)
    return taking
  }

  async #takeFrom(named: Named): Promise<Held | undefined> {
    const holder = this.#ephemeral.node
    const until = performance.now() + HANDOVER_MS
    for (;;) {
      const isForced = this.#isAlone() || performance.now() > until
      const row = await takeStreaming(this.#db, named, { holder, isForced })
      if (row) return this.#keep(row)
      const other = await readHolder(this.#db, named)
      if (other === undefined) return undefined
      if (other !== null) await this.#ask(named.id, other)
    }
  }

  /** Asks the node that holds the message to let go, and waits until it has, or a moment. */
  async #ask(id: string, holder: string): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const heard = new Promise<void>((resolve) => {
      this.#released.set(id, resolve)
      timer = setTimeout(resolve, ASK_AGAIN_MS)
    })
    await this.#notifications.send(CHANNEL, JSON.stringify({ ask: id, holder })).catch(() => {})
    await heard
    clearTimeout(timer)
    this.#released.delete(id)
  }

  #hear(payload: string): void {
    const { ask, holder, released }: { ask?: string; holder?: string; released?: string } =
      JSON.parse(payload)
    if (released !== undefined) this.#released.get(released)?.()
    const held = holder === this.#ephemeral.node ? this.#held.get(ask ?? '') : undefined
    if (held) void this.#giveAway(held).catch(() => {}) // it is asked for again
  }

  async #giveAway(held: Held): Promise<void> {
    const { id } = held.row
    await this.#leave(held, async (leaves) => {
      this.#frames.show()
      await this.#ephemeral.flush() // listeners at the other node hear this before its own news
      await this.#saves.save([held], true)
      leaves.isOver = true
    })
    await this.#notifications.send(CHANNEL, JSON.stringify({ released: id }))
  }

  #keep(row: StreamingRow): Held {
    const held = heldFrom(row)
    this.#held.set(row.id, held)
    const followed = this.#followed.get(row.org_id) ?? { count: 0, leave: this.#tail.follow(row.org_id) }
    this.#followed.set(row.org_id, { ...followed, count: followed.count + 1 })
    this.#tail.readTo(row.org_id, row.last_seq)
    return held
  }

  #drop(held: Held): void {
    if (this.#held.get(held.row.id) !== held) return
    this.#held.delete(held.row.id)
    const { writer } = held
    held.writer = undefined
    writer?.whenDropped()
    const followed = this.#followed.get(held.orgId)
    if (!followed) return
    if (followed.count > 1) {
      this.#followed.set(held.orgId, { ...followed, count: followed.count - 1 })
      return
    }
    this.#followed.delete(held.orgId)
    followed.leave()
  }

  /** Follows changes of the topic while its bot writes. */
  #notice(orgId: string, { type, topicId, data }: LogEvent): void {
    if (
      type !== 'member.removed' &&
      type !== 'member.added' &&
      type !== 'topic.updated' &&
      type !== 'stream.discarded'
    )
      return
    const { memberIds = [], changes = {}, messageId } = Object(JSON.parse(data))
    for (const held of this.#held.values()) {
      if (held.orgId !== orgId || held.row.topic_id !== topicId) continue
      if (type === 'stream.discarded') {
        if (messageId === held.row.id) this.#drop(held)
      } else if (type === 'topic.updated') {
        if (changes.archived !== undefined)
          held.refusal = changes.archived ? refusal('topic_archived') : undefined
      } else if (memberIds.includes(held.row.sender_id))
        held.refusal = type === 'member.removed' ? refusal('message_not_found') : undefined
    }
  }
}

/** A request has taken a text: another one, whose body has not ended, must not put more behind it. */
function takeOver(held: Held, writer: Held['writer']): void {
  held.writer?.stop(refusal('stream_taken_over'))
  held.writer = writer
}

/** Another node holds it by now. */
class HeldElsewhere extends Error {}

async function mayWrite(
  tx: Transaction,
  caller: Caller,
  topicId: string,
  written: readonly (string | undefined)[],
  maskable: string,
): Promise<void> {
  try {
    await requireTopicToWriteIn(tx, caller, topicId, written, { maskable })
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? refusal('message_not_found') : error
  }
}
