import type { StreamingMessage } from '../../../../contract/people/streaming-message.ts'
import { ChatError } from '../model.ts'
import type { ChatEvent } from '../store/events.ts'

/** The server keeps what bots write once a second: reading more often would bring the same again. */
const READ_EVERY_MS = 1000

/** Notices when pieces of what bots write have been missed, and has it read. */
export class Pieces {
  #read: () => Promise<void>
  /** The last piece's version and the text's length with it, by message. */
  #known = new Map<string, { version: number; length: number }>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isReading = false
  #readAt = 0

  constructor(read: () => Promise<void>) {
    this.#read = read
  }

  hear(event: ChatEvent): void {
    if (event.type === 'message.created') this.#known.delete(event.data.message.id)
    if (event.type !== 'streaming') return
    for (const { messageId, version, from, text, message } of event.data.texts) {
      const known = this.#known.get(messageId) ?? (message && { version: 0, length: 0 })
      if (known && version <= known.version) continue
      if (!known || from > known.length) this.read()
      else this.#known.set(messageId, { version, length: from + text.length })
    }
  }

  /** Notes the messages that were just read. */
  know(streaming: readonly StreamingMessage[]): void {
    this.#known = new Map(
      streaming.map(({ version, message: { id, text } }) => {
        const known = this.#known.get(id)
        return [id, known && known.version > version ? known : { version, length: text.length }]
      }),
    )
  }

  read(): void {
    if (this.#isReading) return
    const wait = Math.max(0, this.#readAt + READ_EVERY_MS - Date.now())
    this.#timer ??= setTimeout(() => void this.#readNow(), wait)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  async #readNow(): Promise<void> {
    this.#timer = undefined
    this.#isReading = true
    try {
      await this.#read()
    } catch (error) {
      if (!(error instanceof ChatError)) throw error // the next piece asks again
    }
    this.#isReading = false
    this.#readAt = Date.now()
  }
}
