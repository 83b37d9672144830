import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { isStreaming } from '../../../store/streaming.ts'

/** Most messages that can be selected at once. */
export const MAX_SELECTED = 50

export const isSelectable = (message: Message): boolean => !message.isSystem && !isStreaming(message)

/** The messages that are selected in one conversation. It is on from the first one until it is ended. */
export class Selection {
  #ids: ReadonlySet<string> | undefined
  #last: string | undefined
  /** Whether the last choice would have been too many. */
  wasRefused = false
  #listeners = new Set<() => void>()

  /** Undefined while nothing is being selected. */
  get = (): ReadonlySet<string> | undefined => this.#ids

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Selects a message, or no longer; with `among`, all of these from the one before up to it. Too many are refused. */
  toggle(id: string, among?: readonly string[]): void {
    const ids = new Set(this.#ids)
    const [from, to] = [among?.indexOf(this.#last ?? '') ?? -1, among?.indexOf(id) ?? -1]
    if (among && from >= 0 && to >= 0)
      for (const one of among.slice(Math.min(from, to), Math.max(from, to) + 1)) ids.add(one)
    else if (!ids.delete(id)) ids.add(id)
    this.wasRefused = ids.size > MAX_SELECTED
    if (!this.wasRefused) this.#last = id
    // Another set, even where nothing changes: the bar says why.
    this.#set(this.wasRefused ? new Set(this.#ids) : ids.size > 0 ? ids : undefined)
  }

  end(): void {
    this.#set(undefined)
  }

  #set(ids: ReadonlySet<string> | undefined): void {
    this.#ids = ids
    for (const listener of this.#listeners) listener()
  }
}

export const SelectionContext = createContext(new Selection())

export function useSelection(): ReadonlySet<string> | undefined {
  const selection = useContext(SelectionContext)
  return useSyncExternalStore(selection.subscribe, selection.get)
}

/** Whether a message is selected; `off` while nothing is. */
export function useSelected(id: string): 'off' | 'no' | 'yes' {
  const selection = useContext(SelectionContext)
  return useSyncExternalStore(selection.subscribe, () => {
    const ids = selection.get()
    return ids === undefined ? 'off' : ids.has(id) ? 'yes' : 'no'
  })
}
