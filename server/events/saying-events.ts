import type { LogEvent } from '../db/transaction.ts'
import { saidIn } from './event-words.ts'

/** Numbers of a message's events in order; the first `wordless` of them have lost their words to an edit. */
type Saying = { seqs: number[]; wordless: number }

/**
 * Finds the events that say what a message says among those that a node holds. An edit gets only the events that still have words, so that
 * its work does not grow with the edits before it.
 */
export class SayingEvents {
  #ofMessage = new Map<string, Saying>()

  /** Add events in the order of their numbers. */
  add(event: LogEvent): void {
    const messageId = saidIn(event)
    if (messageId === undefined) return
    const saying = this.#ofMessage.get(messageId)
    if (saying) saying.seqs.push(event.seq)
    else this.#ofMessage.set(messageId, { seqs: [event.seq], wordless: 0 })
  }

  /** Remove events in the order of their arrival. */
  remove(event: LogEvent): void {
    const messageId = saidIn(event)
    const saying = messageId === undefined ? undefined : this.#ofMessage.get(messageId)
    if (messageId === undefined || saying?.seqs[0] !== event.seq) return // its message was deleted
    saying.seqs.shift()
    saying.wordless = Math.max(0, saying.wordless - 1)
    if (saying.seqs.length === 0) this.#ofMessage.delete(messageId)
  }

  /** Numbers of the events that lose the text of an edited message. */
  edit(messageId: string): readonly number[] {
    const saying = this.#ofMessage.get(messageId)
    if (!saying) return []
    const worded = saying.seqs.slice(saying.wordless)
    saying.wordless = saying.seqs.length
    return worded
  }

  /** Numbers of all events of a deleted message. */
  delete(messageId: string): readonly number[] {
    const seqs = this.#ofMessage.get(messageId)?.seqs ?? []
    this.#ofMessage.delete(messageId)
    return seqs
  }
}
