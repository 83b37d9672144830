import type { ChatState } from '../model.ts'
import { applyAll, forgetTyping } from './apply.ts'
import { askingFor } from './asking.ts'
import { type ChatEvent, isLogEvent, type LogEvent } from './events.ts'

/** Number of recent events that are kept, so that an answer read while they arrive can be brought up to date. */
const RECENT_EVENTS = 2000

/** Calls `work` before the next frame is drawn; returns how to call it off. */
export type Schedule = (work: () => void) => () => void

/**
 * Holds the state outside of React. Events are collected and applied once a frame, however many come; the person's own
 * actions are shown at once.
 */
export class ChatStore {
  #state: ChatState
  #schedule: Schedule
  #events: ChatEvent[] = []
  #recent: LogEvent[] = []
  #cancel: (() => void) | undefined
  #typing: ReturnType<typeof setTimeout> | undefined
  #listeners = new Set<() => void>()
  #viewOf: (state: ChatState) => ChatState

  /** `ask` is called with the ids of members that views look up and that are not known. */
  constructor(state: ChatState, schedule: Schedule, ask: (memberId: string) => void = () => {}) {
    this.#state = state
    this.#schedule = schedule
    this.#viewOf = askingFor(ask)
  }

  readonly getSnapshot = (): ChatState => this.#state

  /** The state for what is drawn. */
  readonly getView = (): ChatState => this.#viewOf(this.#state)

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  hear(events: readonly ChatEvent[]): void {
    this.#events.push(...events)
    this.#cancel ??= this.#schedule(() => this.update((state) => state))
  }

  /** Whether events have come that are not in the state yet. */
  get isHearing(): boolean {
    return this.#events.length > 0
  }

  /** Changes the state at once, after the events that have come before. */
  update(change: (state: ChatState) => ChatState): void {
    const before = this.#state
    const after = change(this.#applied())
    if (after === before) return
    this.#state = after
    if (after.typing !== before.typing) this.#watchTyping()
    for (const listener of this.#listeners) listener()
  }

  /** The events that came after this number in the log, as far as they are kept. */
  since(position: number): readonly LogEvent[] {
    return this.#recent.filter((event) => event.position > position)
  }

  close(): void {
    this.#cancel?.()
    clearTimeout(this.#typing)
    this.#listeners.clear()
  }

  #applied(): ChatState {
    this.#cancel?.()
    this.#cancel = undefined
    const events = this.#events.splice(0)
    if (events.length === 0) return this.#state
    this.#recent.push(...events.filter(isLogEvent))
    if (this.#recent.length > 2 * RECENT_EVENTS) this.#recent.splice(0, this.#recent.length - RECENT_EVENTS)
    return applyAll(this.#state, events)
  }

  #watchTyping(): void {
    clearTimeout(this.#typing)
    const ends = [...this.#state.typing.values()].flat().map(({ until }) => until)
    if (ends.length === 0) return
    const wait = Math.max(0, Math.min(...ends) - Date.now()) + 1
    this.#typing = setTimeout(() => this.update((state) => forgetTyping(state, Date.now())), wait)
  }
}
