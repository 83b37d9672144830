import type { Positions } from './positions.ts'

/** An event that was read and is not finished yet. */
export type Mark = { position: string; isDone: boolean }

export type Progress = {
  /** The position before the oldest unfinished event; undefined where nothing is known of it. */
  readonly position: string | undefined
  /** Whether something that was read is unfinished. */
  readonly isOpen: boolean
  /** Notes an event, or with `isDone` a place between events. */
  note(position: string, isDone?: boolean): Mark
  /** Finishes an event, and writes the position if it has moved. */
  finish(mark: Mark): Promise<void>
  /** Writes the position unless it was written. */
  save(): Promise<void>
}

/**
 * Follows events that finish in any order. What stands in the store is always the place before the oldest unfinished
 * one: a crash repeats what came after it and loses nothing.
 */
export function createProgress(
  positions: Pick<Positions, 'write'> | undefined,
  begin: string | undefined,
): Progress {
  const marks = new Set<Mark>()
  let position = begin
  let written = begin
  let writing: Promise<void> | undefined

  function move(): void {
    for (const mark of marks) {
      if (!mark.isDone) return
      position = mark.position
      marks.delete(mark)
    }
  }

  /** One write at a time: the next one takes the newest position, however many have moved it. */
  async function writeAll(): Promise<void> {
    while (positions && position !== undefined && written !== position) {
      const next = position
      await positions.write(next)
      written = next
    }
  }

  const progress: Progress = {
    get position() {
      return position
    },
    get isOpen() {
      return marks.size > 0
    },
    note(at, isDone = false) {
      const mark = { position: at, isDone }
      marks.add(mark)
      move()
      return mark
    },
    finish(mark) {
      mark.isDone = true
      move()
      return progress.save()
    },
    save() {
      writing ??= writeAll().finally(() => {
        writing = undefined
      })
      return writing
    },
  }
  return progress
}
