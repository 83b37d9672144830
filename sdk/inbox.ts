import type { WebhookEvent } from './api.ts'
import { createLanes } from './lanes.ts'
import { placeOf } from './places.ts'
import type { EventQueue } from './queue.ts'

/** The server waits 10 seconds for an answer. */
const ANSWER_MS = 8000
/** Events that wait here at most; the server keeps the others. */
const MAX_WAITING = 10_000

/** The answer to a delivery: taken, failed, or to be tried again a little later. */
export type Verdict = 204 | 500 | 503

export type Inbox = {
  accept(event: WebhookEvent): Promise<Verdict>
  /** Works off what an earlier process has left in the queue. */
  resume(): Promise<void>
  /** Begins nothing more, and waits for what runs. */
  stop(): Promise<void>
}

export type InboxOptions = {
  queue: EventQueue | undefined
  concurrency: number
  isHandled(id: string): boolean
  /** Tries once. */
  handle(event: WebhookEvent): Promise<void>
  /** Handles an event for good. Rejects only if the bot stops before that. */
  handleForGood(event: WebhookEvent): Promise<void>
  onError(error: unknown, event?: WebhookEvent): void
}

/**
 * Takes deliveries of webhooks. With a queue an event is kept before the server is answered, and handled afterwards.
 * Without one the server keeps it until it is handled: memory alone would lose it in a crash.
 */
export function createInbox(options: InboxOptions): Inbox {
  const { queue, isHandled, handle, handleForGood, onError } = options
  const lanes = createLanes(options.concurrency)
  /** Unfinished events, with the promise that a repeated delivery waits for: kept, or handled where there is no queue. */
  const unfinished = new Map<string, Promise<void>>()
  let resuming: Promise<void> | undefined
  let isStopped = false

  function workOff(event: WebhookEvent, store: EventQueue): void {
    const run = async () => {
      await handleForGood(event)
      unfinished.delete(event.id)
      await store.remove(event).catch((error: unknown) => onError(error, event))
    }
    lanes.add({ ...placeOf(event.type, event.data), run })
  }

  async function resumeFrom(store: EventQueue): Promise<void> {
    for (const event of await store.read()) {
      unfinished.set(event.id, Promise.resolve())
      workOff(event, store)
    }
  }

  function resume(): Promise<void> {
    resuming ??= queue ? resumeFrom(queue) : Promise.resolve()
    resuming.catch(() => {
      resuming = undefined
    })
    return resuming
  }

  async function keep(event: WebhookEvent, store: EventQueue): Promise<Verdict> {
    try {
      await resume()
      const known = unfinished.get(event.id)
      if (known) {
        await known
        return 204
      }
      if (isHandled(event.id)) return 204
      if (lanes.size >= MAX_WAITING) return 503
      const kept = store.add(event)
      unfinished.set(event.id, kept)
      await kept.catch((error: unknown) => {
        unfinished.delete(event.id)
        throw error
      })
      workOff(event, store)
      return 204
    } catch (error) {
      onError(error, event)
      return 500
    }
  }

  function handled(event: WebhookEvent): Promise<void> {
    const known = unfinished.get(event.id)
    if (known) return known
    const handling = new Promise<void>((resolve, reject) => {
      const run = () =>
        handle(event)
          .finally(() => unfinished.delete(event.id))
          .then(resolve, (error: unknown) => {
            onError(error, event)
            reject(error)
          })
      lanes.add({ ...placeOf(event.type, event.data), run })
    })
    handling.catch(() => {}) // told already; its delivery may have been answered
    unfinished.set(event.id, handling)
    return handling
  }

  async function answerWhenHandled(event: WebhookEvent): Promise<Verdict> {
    if (isHandled(event.id)) return 204
    if (isStopped || lanes.size >= MAX_WAITING) return 503
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<Verdict>((resolve) => {
      timer = setTimeout(resolve, ANSWER_MS, 503)
    })
    const done = handled(event).then(
      (): Verdict => 204,
      (): Verdict => 500,
    )
    return Promise.race([done, late]).finally(() => clearTimeout(timer))
  }

  return {
    accept: (event) => (queue ? keep(event, queue) : answerWhenHandled(event)),
    resume,
    async stop() {
      isStopped = true
      lanes.stop()
      await lanes.until(0)
    },
  }
}
