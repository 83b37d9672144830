import { type Client, ParleyError, sleep } from './client.ts'
import type { AnyEvent } from './events.ts'
import { createLanes } from './lanes.ts'
import { placeOf } from './places.ts'
import type { Positions } from './positions.ts'
import { createProgress } from './progress.ts'

const POLL_SECONDS = 30
const POLL_AGAIN_MS = 1000
/** Events that are read ahead of those that are handled. */
const MAX_WAITING = 500
/** The value of `confirm` for a bot that has finished nothing yet. */
const NOTHING = 'nothing'

export type Polling = {
  parley: Client
  positions: Positions | undefined
  concurrency: number
  /** Whether each event is finished before the next is asked for, until there is none. */
  rehearsing: boolean
  signal: AbortSignal
  isHandled(id: string): boolean
  /** Handles an event for good. Rejects only if the bot stops before that. */
  handle(event: AnyEvent): Promise<void>
  onError(error: unknown): void
}

/** Reads events until the signal, and handles them side by side. Ends when those that have begun are finished. */
export async function poll({
  parley,
  positions,
  concurrency,
  rehearsing,
  signal,
  isHandled,
  handle,
  onError,
}: Polling): Promise<void> {
  const lanes = createLanes(concurrency)
  let offset = await positions?.read()
  const progress = createProgress(positions, offset)
  const unfinished = new Set<string>()
  /** Ends the poll that waits, because it confirms less than is finished by now. */
  let renew: (() => void) | undefined
  const stop = () => lanes.stop()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  async function readPage() {
    const query = { timeout: POLL_SECONDS, ...(offset !== undefined && { offset }) }
    if (!progress.isOpen) return parley.readUpdates({ query, signal })
    const confirm = progress.position ?? NOTHING
    const renewal = new AbortController()
    renew = () => renewal.abort()
    try {
      const either = AbortSignal.any([signal, renewal.signal])
      return await parley.readUpdates({ query: { ...query, confirm }, signal: either })
    } catch (error) {
      if (renewal.signal.aborted && !signal.aborted) return undefined
      throw error
    } finally {
      renew = undefined
    }
  }

  async function pollOnce(): Promise<void> {
    const page = await readPage()
    if (!page) return
    for (const { updateId, eventType, data } of page.updates) {
      if (isHandled(updateId) || unfinished.has(updateId)) continue
      const mark = progress.note(updateId)
      unfinished.add(updateId)
      const run = async () => {
        await handle({ id: updateId, type: eventType, data })
        unfinished.delete(updateId)
        await progress.finish(mark).catch(onError)
        if (!progress.isOpen) renew?.()
      }
      lanes.add({ ...placeOf(eventType, data), run })
    }
    if (page.nextOffset === offset) return
    offset = page.nextOffset
    progress.note(offset, true)
    await progress.save()
  }

  try {
    while (!signal.aborted) {
      try {
        await lanes.until(rehearsing ? 0 : MAX_WAITING)
        if (!signal.aborted) await pollOnce()
      } catch (error) {
        if (signal.aborted || (error instanceof ParleyError && error.code === 'rehearsal_over')) break
        onError(error)
        // Away for longer than events are kept: the events left are better than nothing.
        if (error instanceof ParleyError && error.code === 'offset_gone') offset = 'oldest'
        else if (error instanceof ParleyError && error.status < 429) throw error
        else await sleep(POLL_AGAIN_MS, signal).catch(() => {})
      }
    }
  } finally {
    signal.removeEventListener('abort', stop)
    lanes.stop()
    await lanes.until(0)
    await progress.save().catch(onError)
  }
}
