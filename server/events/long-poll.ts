import { QUESTION_CLOSED } from '../../contract/people/stream.ts'
import type { Caller } from '../caller.ts'
import type { LogEvent } from '../db/transaction.ts'
import { tooMany } from '../errors.ts'
import type { Ceiling, Ceilings } from '../limits/ceilings.ts'

const RETRY_MS = 1000

/** Why a waiting poll goes on: there may be something, its time is up, its client went away, the server stops. */
export type Reason = 'woken' | 'timeout' | 'gone' | 'stopping'

type Bots = Map<string, Set<Waiter>>

/**
 * Polls that wait. A waiting one is a small object in a map by bot: it costs no connection, no query and no
 * thread, and a commit touches only those of the bots that it is for.
 */
export class LongPolls {
  #ceiling: Ceiling
  #organizations = new Map<string, Bots>()
  #isStopping = false
  #count = 0
  /** Told how long each poll took from its wake-up to its answer, in milliseconds. */
  onAnswered: (milliseconds: number) => void = () => {}

  constructor(ceilings: Ceilings, maxPollsPerBot: number) {
    this.#ceiling = ceilings.add('polls_of_a_bot', maxPollsPerBot, () => this.#mostOfABot())
  }

  get count(): number {
    return this.#count
  }

  /**
   * Join before reading, so that nothing committed after the read can be missed. One too many is refused. One that comes while
   * the server stops does not wait: it is answered with what there is, and its client cannot connect here again.
   */
  join(caller: Caller): Waiter {
    const others = this.#organizations.get(caller.orgId)?.get(caller.profileId)?.size ?? 0
    if (this.#ceiling.isReachedBy(others)) {
      this.#ceiling.refusals += 1
      throw tooMany(RETRY_MS, 'polls_waiting')
    }
    const bots: Bots = this.#organizations.get(caller.orgId) ?? new Map()
    this.#organizations.set(caller.orgId, bots)
    const waiters = bots.get(caller.profileId) ?? new Set()
    bots.set(caller.profileId, waiters)
    const waiter = new Waiter(() => {
      this.#count -= 1
      waiters.delete(waiter)
      if (waiters.size > 0) return
      if (bots.get(caller.profileId) === waiters) bots.delete(caller.profileId)
      if (bots.size === 0 && this.#organizations.get(caller.orgId) === bots) {
        this.#organizations.delete(caller.orgId)
      }
    })
    waiters.add(waiter)
    this.#count += 1
    if (this.#isStopping) waiter.end('stopping')
    return waiter
  }

  /** Lets a person's assistant wait. Any event of the organization wakes it. */
  joinForPerson({ orgId, profileId }: Caller): Waiter {
    return this.join({ orgId: peopleOf(orgId), profileId })
  }

  /** Waits for the end of a question; no other event wakes it. */
  joinForQuestion(orgId: string, questionId: string): Waiter {
    return this.join({ orgId: questionsOf(orgId), profileId: questionId })
  }

  #mostOfABot(): number {
    let most = 0
    for (const bots of this.#organizations.values()) {
      for (const { size } of bots.values()) most = Math.max(most, size)
    }
    return most
  }

  /** Wakes the polls of the bots that these events are for. */
  tell(orgId: string, events: readonly LogEvent[]): void {
    for (const waiters of this.#organizations.get(peopleOf(orgId))?.values() ?? []) wake(waiters)
    const questions = this.#organizations.get(questionsOf(orgId))
    if (questions)
      for (const { type, data } of events)
        if (type === QUESTION_CLOSED) wake(questions.get(Object(JSON.parse(data)).questionId))
    const bots = this.#organizations.get(orgId)
    if (!bots) return
    for (const { botIds } of events) for (const botId of botIds) wake(bots.get(botId))
  }

  /** Wakes one bot in any organization: its settings changed. */
  wakeBot(botId: string): void {
    for (const bots of this.#organizations.values()) wake(bots.get(botId))
  }

  wakeAll(): void {
    for (const bots of this.#organizations.values()) for (const waiters of bots.values()) wake(waiters)
  }

  /** Answers all waiting polls, and lets none wait from now on. */
  stop(): void {
    this.#isStopping = true
    for (const bots of this.#organizations.values()) {
      for (const waiters of bots.values()) for (const waiter of [...waiters]) waiter.end('stopping')
    }
  }
}

/** People wait under this key beside the bots of their organization. */
const peopleOf = (orgId: string): string => `${orgId} people`

/** Questions are waited for under this key, each by its own id. */
const questionsOf = (orgId: string): string => `${orgId} questions`

function wake(waiters: Set<Waiter> | undefined): void {
  if (waiters) for (const waiter of waiters) waiter.wake()
}

export class Waiter {
  #leave: () => void
  #woken = false
  #over: Reason | undefined
  #goOn: ((reason: Reason) => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(leave: () => void) {
    this.#leave = leave
  }

  /** Waits for the next wake-up. */
  sleep(milliseconds: number): Promise<Reason> {
    if (this.#over) return Promise.resolve(this.#over)
    if (this.#woken) {
      this.#woken = false
      return Promise.resolve('woken')
    }
    return new Promise((resolve) => {
      this.#timer = setTimeout(() => this.#continue('timeout'), milliseconds)
      this.#goOn = resolve
    })
  }

  /** The time of the last wake-up. */
  wokenAt = 0

  wake(): void {
    this.wokenAt = performance.now()
    if (this.#goOn) this.#continue('woken')
    else this.#woken = true
  }

  end(reason: 'gone' | 'stopping'): void {
    this.#over = reason
    this.#continue(reason)
  }

  leave(): void {
    this.#leave()
  }

  #continue(reason: Reason): void {
    clearTimeout(this.#timer)
    const goOn = this.#goOn
    this.#goOn = undefined
    goOn?.(reason)
  }
}
