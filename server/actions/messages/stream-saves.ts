import type { Queryable } from '../../db/database.ts'
import type { Held } from './growing-text.ts'
import { saveStreaming } from './streamed-messages.ts'

/** A text is kept at most so often: a bot may have to repeat text that a dying node had not kept yet. */
const SAVE_MS = 1000

/** Keeps the texts of the messages that this node holds. */
export class StreamSaves {
  #db: Queryable
  #node: string
  #held: ReadonlyMap<string, Held>
  #drop: (held: Held) => void
  #timer: NodeJS.Timeout | undefined
  #lastSave: Promise<void> = Promise.resolve()

  constructor(
    db: Queryable,
    node: string,
    held: ReadonlyMap<string, Held>,
    /** Called for messages that another node took by force, or that were deleted. */
    drop: (held: Held) => void,
  ) {
    this.#db = db
    this.#node = node
    this.#held = held
    this.#drop = drop
  }

  saveSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      const unsaved = [...this.#held.values()].filter(({ isSaved, leaving }) => !isSaved && !leaving)
      if (unsaved.length > 0) void this.save(unsaved, false).catch(() => this.saveSoon())
    }, SAVE_MS)
  }

  /** One after the other: a text must not be kept after a newer one, or after another node has gone on with it. */
  save(all: readonly Held[], isLeft: boolean): Promise<void> {
    const saving = this.#lastSave.then(() => this.#saveNow(all, isLeft))
    this.#lastSave = saving.catch(() => {})
    return saving
  }

  async #saveNow(all: readonly Held[], isLeft: boolean): Promise<void> {
    const mine = isLeft ? all : all.filter((held) => !held.leaving && this.#held.get(held.row.id) === held)
    if (mine.length === 0) return
    const saved = mine.map((held) => ({ ...held, id: held.row.id }))
    for (const held of mine) held.isSaved = true
    try {
      const kept = await saveStreaming(this.#db, this.#node, saved, { isLeft })
      for (const held of mine) if (!kept.has(held.row.id)) this.#drop(held)
    } catch (error) {
      for (const held of mine) held.isSaved = false
      throw error
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
