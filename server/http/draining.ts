/**
 * Whether this node is about to leave. It says so while it still serves: `/health/ready` informs load balancers, and
 * every answer asks its client to reconnect (`Connection: close`), so that connections move elsewhere one by one.
 * Connections left at the end of that time have not been used since.
 */
export class Draining {
  #isAnnounced = false
  #listeners = new Set<() => void>()

  get isAnnounced(): boolean {
    return this.#isAnnounced
  }

  /** Returns a function that removes the listener. */
  onAnnounced(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  announce(): void {
    if (this.#isAnnounced) return
    this.#isAnnounced = true
    for (const listener of this.#listeners) listener()
  }
}
