import type { Message } from '../../../../../../contract/message.ts'
import { indexAfter } from '../../../store/order.ts'

/** Messages of one sender within five minutes have one face and one name. */
const GROUPED_MS = 5 * 60_000

/** Most of the reader's own messages in a row that are skipped. */
const MAX_OWN_PASSED = 500

/** The index of the first unread message: one's own messages after the read position are not unread. */
export function firstUnread(
  ids: readonly string[],
  unreadAfter: string | null,
  isOwn: (id: string) => boolean,
): number {
  const start = indexAfter(ids, unreadAfter)
  let index = start
  while (index < ids.length && index - start < MAX_OWN_PASSED && isOwn(ids[index] ?? '')) index += 1
  return index
}

/** The index of an id, or -1. */
export function indexOfId(ids: readonly string[], id: string | undefined): number {
  if (id === undefined) return -1
  const index = indexAfter(ids, id) - 1
  return ids[index] === id ? index : -1
}

export const dayOf = (at: number): string => new Date(at).toDateString()

type Neighbour = Pick<Message, 'senderId' | 'createdAt' | 'isSystem' | 'parentId' | 'assistant'>

/** Whether a message goes on with what the one before it said, in the same breath. */
export function isGrouped(before: Neighbour | undefined, message: Neighbour): boolean {
  return (
    before !== undefined &&
    before.senderId === message.senderId &&
    before.assistant?.name === message.assistant?.name &&
    !before.isSystem &&
    !message.isSystem &&
    before.parentId === message.parentId &&
    message.createdAt - before.createdAt < GROUPED_MS &&
    dayOf(before.createdAt) === dayOf(message.createdAt)
  )
}

/**
 * The message up to which everything was on the screen, when those from `first` to `last` are there now. Undefined where
 * that tells nothing new, and where unread messages were jumped over: those were not on the screen.
 */
export function readThrough({
  ids,
  hasBefore,
  unreadAfter,
  isOwn,
  first,
  last,
}: {
  ids: readonly string[]
  hasBefore: boolean
  unreadAfter: string | null
  isOwn: (id: string) => boolean
  first: number
  last: number
}): string | undefined {
  const next = firstUnread(ids, unreadAfter, isOwn)
  const isBeyond = hasBefore && indexAfter(ids, unreadAfter) === 0
  if (isBeyond || next >= ids.length || first > next || last < next) return undefined
  return ids[last]
}

/** The change of a list of ids, for a virtual list that counts places. */
export type Change = 'same' | 'before' | 'after' | 'cutBefore' | 'cutAfter' | 'inside' | 'replaced'

export function changeOf(old: readonly string[], now: readonly string[]): Change {
  if (old === now) return 'same'
  const [first, last] = [old[0], old.at(-1)]
  if (first === undefined || last === undefined) return 'replaced'
  const [start, end] = [indexOfId(now, first), indexOfId(now, last)]
  if (start === 0 && end === old.length - 1) return now.length === old.length ? 'same' : 'after'
  if (end === now.length - 1 && end - start === old.length - 1 && start > 0) return 'before'
  const [keptFrom, keptTo] = [indexOfId(old, now[0]), indexOfId(old, now.at(-1))]
  if (keptFrom >= 0 && keptTo - keptFrom === now.length - 1) {
    if (keptFrom === 0) return 'cutAfter'
    if (keptTo === old.length - 1) return 'cutBefore'
  }
  return start >= 0 || end >= 0 || keptFrom >= 0 || keptTo >= 0 ? 'inside' : 'replaced'
}
