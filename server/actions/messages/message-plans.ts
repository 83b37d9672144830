import type { Caller } from '../../caller.ts'
import type { Refusal } from '../../errors.ts'
import type { IdempotentRequest, WireAnswer } from '../../idempotency/kept-answers.ts'
import type { Waiting } from '../../limits/fair-queue.ts'
import type { KnownTopics, WantedTopics } from '../../queries/topics/topic-directory.ts'
import type { CheckedTexts } from '../../text-check.ts'
import {
  checkMessage,
  type Draft,
  type TextMessage,
  takesTransaction,
  textDraftOf,
} from './message-drafts.ts'
import type { Batch } from './write-messages.ts'

export type Sent = { id: string; topicId: string; createdAt: number }
/** A message that was sent now, or the answer that was given to its key before. */
export type SendAnswer = { sent: Sent } | { kept: WireAnswer }

export type SendOptions = {
  /** The request's `Idempotency-Key`; its answer is kept with the message. */
  repeat?: IdempotentRequest | undefined
  /** Whether the client has gone away: a message not begun by then is dropped. */
  isGone?: () => boolean
}

/** A message that waits to be written, and its sender, who waits for the answer. */
export type WaitingMessage = SendOptions &
  Waiting & {
    caller: Caller
    message: TextMessage
    /** The number of plans that were based on changed memberships. */
    staleTries: number
    /** The verdict on its text, if its organization has texts checked. */
    checked?: CheckedTexts | undefined
    /** How often it was checked. */
    checks?: number
    resolve(answer: SendAnswer): void
    reject(error: unknown): void
  }

/** The decision about messages of one organization, by its memberships at one version. */
export type Plan = Omit<Batch, 'drafts'> & {
  /** The version of the rights behind the memberships. */
  authorityVersion: number | undefined
  drafts: (Draft & { item: WaitingMessage })[]
  refused: { item: WaitingMessage; refusal: Refusal }[]
  /** Messages whose senders were let in at other rights than the memberships are of. */
  doubtful: WaitingMessage[]
  /** Messages whose texts have to be checked first, and the settings that are known of that. */
  unchecked: { item: WaitingMessage; version: number }[]
  /** Messages that need their own transaction. */
  single: WaitingMessage[]
}

export function planOf(
  orgId: string,
  items: readonly WaitingMessage[],
  known: KnownTopics | undefined,
): Plan {
  const plan: Plan = {
    orgId,
    version: known?.version ?? -1,
    authorityVersion: known?.authorityVersion,
    drafts: [],
    refused: [],
    doubtful: [],
    unchecked: [],
    single: [],
  }
  for (const item of items) {
    const { caller, message } = item
    if (known && caller.authority && caller.authority.version !== plan.authorityVersion) {
      plan.doubtful.push(item)
      continue
    }
    const checked = checkMessage(caller, message, known?.topics.get(message.topicId.toLowerCase()))
    if ('refusal' in checked) plan.refused.push({ item, refusal: checked.refusal })
    else if (checked.topic.messageCheck !== null && isUnchecked(item, checked.topic.messageCheck))
      plan.unchecked.push({ item, version: checked.topic.messageCheck })
    else if (takesTransaction(caller, message, checked)) plan.single.push(item)
    else plan.drafts.push({ key: item.repeat, item, ...textDraftOf(caller, message, checked) })
  }
  return plan
}

/** Whether this text was not checked, or under other settings. */
const isUnchecked = ({ checked }: WaitingMessage, version: number): boolean =>
  checked?.version !== version && checked?.version !== Number.POSITIVE_INFINITY

export const topicsOf = (byOrganization: ReadonlyMap<string, readonly WaitingMessage[]>): WantedTopics =>
  new Map(
    [...byOrganization].map(([orgId, items]) => [
      orgId,
      new Set(items.map(({ message }) => message.topicId.toLowerCase())),
    ]),
  )

export function groupByOrganization(items: readonly WaitingMessage[]): Map<string, WaitingMessage[]> {
  const groups = new Map<string, WaitingMessage[]>()
  for (const item of items) {
    const group = groups.get(item.caller.orgId)
    if (group) group.push(item)
    else groups.set(item.caller.orgId, [item])
  }
  return groups
}

export const byArrival = (one: WaitingMessage, other: WaitingMessage): number => one.arrival - other.arrival
