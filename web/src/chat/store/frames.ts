import type { Schedule } from './store.ts'

/** Delay for events in a hidden tab, which draws no frames. */
const HIDDEN_MS = 100
/** A frame that takes less is followed by the next one at once. */
const LONG_FRAME_MS = 16
/** The page rests twice as long as a long frame took, at most this long. */
const MAX_REST_MS = 150

let restUntil = 0

/**
 * Calls `work` before the next frame. If drawing takes long, because much arrives or the device is slow, the page
 * rests in between: more frames would not be read faster, and other work gets its turn.
 */
export const beforeNextFrame: Schedule = (work) => {
  if (typeof requestAnimationFrame !== 'function' || document.visibilityState !== 'visible')
    return after(HIDDEN_MS, work)
  let frame: number | undefined
  const wait = restUntil - performance.now()
  const draw = () => {
    frame = requestAnimationFrame(() => measured(work))
  }
  const stopWaiting = wait > 0 ? after(wait, draw) : draw()
  // A tab that is hidden right now draws no frame any more.
  const stopHidden = after(HIDDEN_MS + Math.max(0, wait), work)
  return () => {
    stopWaiting?.()
    stopHidden()
    if (frame !== undefined) cancelAnimationFrame(frame)
  }
}

function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}

/**
 * Measures a frame whole: React draws after `work` and the browser after React, and a task queued now runs after both.
 */
function measured(work: () => void): void {
  const began = performance.now()
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    const now = performance.now()
    const tookMs = now - began
    if (tookMs > LONG_FRAME_MS) restUntil = now + Math.min(2 * tookMs, MAX_REST_MS)
    port1.close()
  }
  port2.postMessage(undefined)
  work()
}
