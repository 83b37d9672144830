/** Text and files that are given to a topic's composer from outside: it takes them when it is shown, or at once. */
export type Handed = { topicId: string; text: string; files: readonly File[] }

const GIVEN = 'parley:handed'
let waiting: Handed | undefined

export function handToComposer(handed: Handed): void {
  waiting = handed
  window.dispatchEvent(new Event(GIVEN))
}

/** Gives what waits for this topic, now and from here on. Ends with what it returns. */
export function onHanded(topicId: string, take: (handed: Handed) => void): () => void {
  const look = () => {
    const handed = waiting
    if (handed?.topicId !== topicId) return
    waiting = undefined
    take(handed)
  }
  look()
  window.addEventListener(GIVEN, look)
  return () => window.removeEventListener(GIVEN, look)
}
