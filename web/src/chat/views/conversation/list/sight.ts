import { type RefObject, useCallback, useRef, useState } from 'react'
import type { VirtualizerHandle } from 'virtua'
import { type ConversationPlace, keyOf } from '../../../model.ts'
import { useChatActions } from '../../../store/context.tsx'
import { isLateUnread, LATE_AMONG } from '../../../store/directory.ts'
import { type ReadState, readStateOf } from '../../../store/selectors.ts'
import { isStreaming } from '../../../store/streaming.ts'
import { useSnapshot } from '../snapshot.ts'
import type { Anchor } from './focus.ts'
import { isLooking } from './looking.ts'
import { firstUnread, readThrough } from './rows.ts'
import { stickyDay, viewportOf } from './viewport.ts'

/** More messages load within this distance of an end. */
const LOAD_AHEAD_PX = 1200
/** New messages are followed within this distance of the end. */
export const AT_END_PX = 40
/** Number of messages at the top that are remembered: one of them stays when others are removed. */
const ANCHORS = 4

export type Sight = {
  dayAt: number | undefined
  isAtEnd: boolean
  unreadAbove: boolean
  lastId: string | undefined
}

const NOTHING_SEEN: Sight = { dayAt: undefined, isAtEnd: true, unreadAbove: false, lastId: undefined }

const sameSight = (one: Sight, other: Sight): boolean =>
  one.dayAt === other.dayAt &&
  one.isAtEnd === other.isAtEnd &&
  one.unreadAbove === other.unreadAbove &&
  one.lastId === other.lastId

/** Follows the messages on the screen, and with them: read positions, the day shown, loading more. */
export function useSight({
  place,
  list,
  isOwn,
}: {
  place: ConversationPlace
  list: RefObject<VirtualizerHandle | null>
  isOwn: (id: string) => boolean
}) {
  const actions = useChatActions()
  const snapshot = useSnapshot()
  const { topicId, threadId } = place
  const key = keyOf(place)
  const isThread = place.threadId !== undefined
  /** The messages at the top and where they stand, to find the place again when some are removed. */
  const anchors = useRef<readonly Anchor[]>([])
  const [sight, setSight] = useState<Sight>(NOTHING_SEEN)

  /** Places of messages that appeared after newer ones and were not seen, the first one first. */
  const lateUnread = useCallback(
    (reading: ReadState, ids: readonly string[]): number[] => {
      const { messages } = snapshot()
      const from = Math.max(0, ids.length - LATE_AMONG)
      return ids.slice(from).flatMap((id, index) => {
        const message = messages.get(id)
        return message && !isOwn(id) && isLateUnread(reading, message) ? [from + index] : []
      })
    },
    [snapshot, isOwn],
  )

  /** The index of the first unread message; the length of the list if there is none. */
  const nextUnread = useCallback(
    (ids: readonly string[]): number => {
      const reading = readStateOf(snapshot(), { topicId, threadId })
      if (!reading || reading.unread === 0) return ids.length
      return Math.min(firstUnread(ids, reading.unreadAfter, isOwn), ...lateUnread(reading, ids))
    },
    [snapshot, topicId, threadId, isOwn, lateUnread],
  )

  const markRead = useCallback(
    (id: string) => {
      if (threadId === undefined) actions.markRead(topicId, id)
      else actions.markThreadRead({ topicId, threadId }, id)
    },
    [actions, topicId, threadId],
  )

  const look = useCallback(() => {
    const state = snapshot()
    const stretch = state.conversations.get(key)
    const handle = list.current
    if (!handle || !stretch || stretch.ids.length === 0) return
    const { ids, hasBefore, hasAfter } = stretch
    const view = viewportOf(handle, ids.length)
    anchors.current = ids.slice(view.first, view.first + ANCHORS).map((id, index) => ({
      id,
      offset: handle.getItemOffset(view.first + index) - view.top,
    }))

    const mayLoad = !stretch.loading && !stretch.failure
    if (view.top < LOAD_AHEAD_PX && hasBefore && mayLoad) void actions.loadBefore(key).catch(() => {})
    if (view.distance < LOAD_AHEAD_PX && hasAfter && mayLoad) void actions.loadAfter(key).catch(() => {})

    const reading = readStateOf(state, { topicId, threadId })
    if (reading && reading.unread > 0 && isLooking()) {
      const { first, last } = view
      const read = readThrough({ ids, hasBefore, unreadAfter: reading.unreadAfter, isOwn, first, last })
      let said = read === undefined ? -1 : last
      while (isStreaming(state.messages.get(ids[said] ?? ''))) said -= 1
      const saidId = ids[said]
      if (saidId !== undefined) markRead(saidId)
      const seen = lateUnread(reading, ids).filter((index) => index >= first && index <= last)
      for (const index of seen) markRead(ids[index] ?? '')
    }
    const next = nextUnread(ids)
    const seen: Sight = {
      dayAt: isThread ? undefined : stickyDay(handle, view, (index) => state.messages.get(ids[index] ?? '')),
      isAtEnd: view.distance < AT_END_PX && !hasAfter,
      unreadAbove: next < ids.length && next < view.first,
      lastId: ids[view.last],
    }
    setSight((before) => (sameSight(before, seen) ? before : seen))
  }, [snapshot, key, topicId, threadId, isThread, isOwn, actions, list, lateUnread, nextUnread, markRead])

  /** Lets go of what is far from the screen. The list must have scrolled along with what came above, or the wrong end goes. */
  const letGo = useCallback(() => {
    const handle = list.current
    if (handle) actions.shortenConversation(key, handle.findItemIndex(handle.scrollOffset))
  }, [actions, key, list])

  /** Marks late messages read, for "Mark all read". */
  const markLateRead = (ids: readonly string[]): void => {
    const reading = readStateOf(snapshot(), { topicId, threadId })
    if (!reading) return
    for (const index of lateUnread(reading, ids)) markRead(ids[index] ?? '')
  }

  return { sight, look, letGo, anchors, nextUnread, markRead, markLateRead }
}
