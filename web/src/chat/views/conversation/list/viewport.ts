import type { VirtualizerHandle } from 'virtua'
import type { Message } from '../../../../../../contract/message.ts'
import { dayOf } from './rows.ts'

/** The part of the list on the screen: its places, and the distance to the end. */
export type Viewport = { first: number; last: number; top: number; distance: number }

/** A message counts as seen when its end is on the screen, or nothing but it is. */
const SLACK_PX = 8

export function viewportOf(list: VirtualizerHandle, count: number): Viewport {
  const top = list.scrollOffset
  const bottom = top + list.viewportSize
  const first = list.findItemIndex(top + 1)
  let last = Math.min(count - 1, list.findItemIndex(bottom - 1))
  const isCut = list.getItemOffset(last) + list.getItemSize(last) > bottom + SLACK_PX
  if (isCut && last > first) last -= 1
  return { first, last, top, distance: list.scrollSize - bottom }
}

/** Below the top edge the line of a day stands by itself; above it, a copy stays in sight. */
const DAY_LINE_PX = 34

export function stickyDay(
  list: VirtualizerHandle,
  { first, top }: Viewport,
  messageAt: (index: number) => Message | undefined,
): number | undefined {
  const message = messageAt(first)
  if (!message || top <= 0) return undefined
  const before = messageAt(first - 1)
  const hasLine = !before || dayOf(before.createdAt) !== dayOf(message.createdAt)
  if (hasLine && top - list.getItemOffset(first) < DAY_LINE_PX) return undefined
  return message.createdAt
}
