/** People may write after this time, even if no messages have come. */
const MAX_WAIT_MS = 3000

let settle = (): void => {}
/**
 * Resolves when the first messages of this page have been painted. What else is needed, to write or to be
 * notified, is loaded behind what is read.
 */
export const messagesPainted = new Promise<void>((resolve) => {
  settle = resolve
  window.setTimeout(resolve, MAX_WAIT_MS)
})

let isNoted = false
/** Called with each row that comes: the next frame paints it, and when another one begins it is on the screen. */
export function notePainted(): void {
  if (isNoted) return
  isNoted = true
  window.requestAnimationFrame(() => window.requestAnimationFrame(settle))
}
