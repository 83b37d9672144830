import type { Fetch } from '../../api/chat.ts'
import { readJson, refusalOf } from '../../api/chat.ts'
import type { ChatFailure } from '../model.ts'
import { waitBefore } from './pacing.ts'

/** The server gives a sign of life every 15 seconds: after this time without one the connection is dead. */
const SILENCE_MS = 40_000
/** How often that is looked at. A laptop that wakes up looks at once, since the moment is long past. */
const LOOK_MS = 5000
/** A connection that was cut off sooner counts as a failure: the next try waits longer. */
const STEADY_MS = 5000

export type Frame = { type: string; id: string; data: string }

export type StreamOptions = {
  fetcher: Fetch
  /** The address to connect to, with the position reached so far. */
  url(): string
  onOpen(): void
  onFrame(frame: Frame): void
  /** Called when the stream was cut off or could not be opened; it is tried again. */
  onLost(): void
  /** The session or the membership is over. */
  onEnded(failure: ChatFailure): void
}

/**
 * A live stream that is opened again whenever it breaks. It is read with `fetch`, not `EventSource`: only so can one see the
 * signs of life, and why the server said no.
 */
export class LiveConnection {
  #options: StreamOptions
  #controller: AbortController | undefined
  #heardAt = 0
  #watch: ReturnType<typeof setInterval>
  #isClosed = false
  #goOn: (() => void) | undefined

  constructor(options: StreamOptions) {
    this.#options = options
    this.#watch = setInterval(() => this.#look(), LOOK_MS)
    void this.#run()
  }

  /** There is reason to believe that it would work now. */
  wake(): void {
    this.#look()
    this.#goOn?.()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#watch)
    this.#controller?.abort()
    this.#goOn?.()
  }

  #look(): void {
    if (Date.now() - this.#heardAt > SILENCE_MS) this.#controller?.abort()
  }

  async #run(): Promise<void> {
    let failures = 0
    while (!this.#isClosed) {
      const openedAt = Date.now()
      const { isOver, retryAfterMs } = await this.#follow()
      if (this.#isClosed || isOver) break
      failures = Date.now() - openedAt > STEADY_MS ? 1 : failures + 1
      this.#options.onLost()
      await this.#pause(retryAfterMs ?? waitBefore(failures))
    }
    clearInterval(this.#watch)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#goOn = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #follow(): Promise<{ isOver: boolean; retryAfterMs?: number | undefined }> {
    const { fetcher, url, onOpen, onEnded } = this.#options
    const controller = new AbortController()
    this.#controller = controller
    this.#heardAt = Date.now()
    try {
      const response = await fetcher(url(), {
        headers: { Accept: 'text/event-stream' },
        signal: controller.signal,
      })
      if (!response.ok || !response.body) {
        const refusal = refusalOf(response.status, response.headers, readJson(await response.text()))
        const isOver = [401, 403, 404].includes(response.status)
        if (isOver) onEnded(refusal.failure)
        return { isOver, retryAfterMs: refusal.retryAfterMs }
      }
      onOpen()
      await this.#read(response.body.getReader())
    } catch {
      // The network is away, or nothing came for too long: it is tried again.
    } finally {
      controller.abort()
    }
    return { isOver: false }
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      this.#heardAt = Date.now()
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const frame = frameOf(block)
        if (frame && !this.#isClosed) this.#options.onFrame(frame)
      }
    }
  }
}

/** A block of the stream; one that says nothing but that the server is there has no frame. */
function frameOf(block: string): Frame | undefined {
  const frame: Frame = { type: '', id: '', data: '' }
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const value = line.slice(colon + 1).trimStart()
    if (line.startsWith('event:')) frame.type = value
    else if (line.startsWith('id:')) frame.id = value
    else if (line.startsWith('data:')) frame.data += value
  }
  return frame.type === '' && frame.id === '' ? undefined : frame
}
