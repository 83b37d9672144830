/** Limits of what may wait: items and their bytes. */
export type Room = { count: number; bytes: number }

/** Counts what waits, by name and in all, so that neither one name nor all of them together take more memory than they may. */
export class WaitingRoom {
  #roomOfEach: Room
  #roomInAll: Room
  #all: Room = { count: 0, bytes: 0 }
  #used = new Map<string, Room>()

  constructor({ each, all }: { each: Room; all: Room }) {
    this.#roomOfEach = each
    this.#roomInAll = all
  }

  /** Lets an item in, or returns false if there is no room. Each item that was let in must leave. */
  enter(name: string, bytes: number): boolean {
    const used = this.#used.get(name) ?? { count: 0, bytes: 0 }
    if (!hasRoom(used, bytes, this.#roomOfEach) || !hasRoom(this.#all, bytes, this.#roomInAll)) return false
    this.#used.set(name, used)
    for (const room of [used, this.#all]) {
      room.count += 1
      room.bytes += bytes
    }
    return true
  }

  leave(name: string, bytes: number): void {
    const used = this.#used.get(name)
    if (!used) throw new Error(`nothing of ${name} waits`)
    for (const room of [used, this.#all]) {
      room.count -= 1
      room.bytes -= bytes
    }
    if (used.count === 0) this.#used.delete(name)
  }
}

const hasRoom = (used: Room, bytes: number, room: Room): boolean =>
  used.count < room.count && used.bytes + bytes <= room.bytes
