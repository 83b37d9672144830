import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useContext,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { SkeletonMessages } from '../../../../kit/skeleton.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { type ConversationPlace, keyOf, type Outgoing } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { MessageToolsContext, mayDelete, mayEdit } from '../message/actions.ts'
import { useSnapshot } from '../snapshot.ts'
import { Announcer } from './announcer.tsx'
import { EndButton, LoadNotice, StickyDay, UnreadAbove } from './edges.tsx'
import { isLooking, useReturn } from './looking.ts'
import styles from './message-list.module.css'
import { MessageRow, OutgoingRow } from './row.tsx'
import { changeOf, firstUnread, indexOfId, readThrough } from './rows.ts'
import { stickyDay, viewportOf } from './viewport.ts'

/** So near to an end more is loaded. */
const LOAD_AHEAD_PX = 1200
/** So near to the end new messages are followed. */
const AT_END_PX = 40
/** So much of what was read stands above the first unread message. */
const ABOVE_UNREAD_PX = 56
/** With more unread than this the newest stretch may not reach back to the first of them. */
const UNREAD_IN_STRETCH = 30
/** The reader's last own message is looked for among so many. */
const OWN_AMONG = 30

/** So many frames a row has to appear before it no longer takes the focus. */
const FOCUS_FRAMES = 20
/** As many messages at the top are remembered: one of them stays where others are removed. */
const ANCHORS = 4

const NO_IDS: readonly string[] = []
const NO_OUTGOING: readonly Outgoing[] = []

export type MessageListHandle = {
  /** Starts to edit the reader's last message; says whether there is one. */
  editLast: () => boolean
  toNewest: () => void
  focusNewest: () => void
}

type Anchor = { id: string; offset: number }

type Sight = {
  dayAt: number | undefined
  isAtEnd: boolean
  unreadAbove: boolean
  lastId: string | undefined
}

const sameSight = (one: Sight, other: Sight): boolean =>
  one.dayAt === other.dayAt &&
  one.isAtEnd === other.isAtEnd &&
  one.unreadAbove === other.unreadAbove &&
  one.lastId === other.lastId

/**
 * The messages of a topic or thread. Nothing here is done for each message but for those in sight: rows are ids, and each row
 * asks the store for its own message.
 */
export function MessageList({
  place,
  messageId,
  label,
  beginning,
  editedId,
  onEdit,
  onLeave,
  ref,
}: {
  place: ConversationPlace
  /** A permalink: opens there, and marks it. */
  messageId?: string | undefined
  label: string
  beginning: ReactNode
  editedId: string | undefined
  onEdit: (messageId: string | undefined) => void
  /** The arrow goes on below the newest message. */
  onLeave: () => void
  ref?: Ref<MessageListHandle> | undefined
}) {
  const t = useTexts(conversationTexts)
  const actions = useChatActions()
  const tools = useContext(MessageToolsContext)
  const snapshot = useSnapshot()
  const { topicId } = place
  const key = keyOf(place)
  const isThread = place.threadId !== undefined

  const conversation = useChat((state) => state.conversations.get(key))
  const me = useChat((state) => state.me?.id)
  const outbox = useChat((state) => state.outbox)
  const unread = useChat((state) => (isThread ? 0 : (state.topics.get(topicId)?.unread ?? 0)))
  const readTo = useChat((state) => state.topics.get(topicId)?.readTo ?? null)
  const ids = conversation?.ids ?? NO_IDS
  const outgoing = useMemo(() => {
    if (conversation?.hasAfter !== false) return NO_OUTGOING
    return outbox.filter((each) => each.topicId === key || each.parentId === key)
  }, [outbox, conversation?.hasAfter, key])
  const rows = useMemo(() => [...ids, ...outgoing.map(({ localId }) => localId)], [ids, outgoing])

  const list = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  /** New messages are followed. */
  const isFollowing = useRef(true)
  const lastTop = useRef(0)
  /** The messages at the top and where they stand, to find the place again when some are removed. */
  const anchors = useRef<readonly Anchor[]>([])
  const pendingId = useRef(messageId)
  const wantsNewest = useRef(false)

  const [sight, setSight] = useState<Sight>({
    dayAt: undefined,
    isAtEnd: true,
    unreadAbove: false,
    lastId: undefined,
  })
  /** Where what was unread begins, since it was opened or come back to. */
  const [newLine, setNewLine] = useState<{ after: string | null; count: number }>()
  const [markedId, setMarkedId] = useState<string>()
  const [hotId, setHotId] = useState<string>()
  const [activeId, setActiveId] = useState<string>()

  // ---- What became of the list since it was last drawn ----
  const drawn = useRef<{ ids: readonly string[]; count: number; generation: number }>({
    ids: NO_IDS,
    count: 0,
    generation: 0,
  })
  const change = changeOf(drawn.current.ids, ids)
  const generation = drawn.current.generation + (change === 'replaced' ? 1 : 0)
  const held = anchors.current.find(({ id }) => indexOfId(ids, id) >= 0)
  // What is removed above counts from the end, as what is loaded above does: what is in sight stays.
  const wentAbove =
    change === 'inside' &&
    ids.length < drawn.current.ids.length &&
    indexOfId(ids, held?.id) < indexOfId(drawn.current.ids, held?.id)

  const isOwn = useCallback(
    (id: string) => snapshot().messages.get(id)?.senderId === snapshot().me?.id,
    [snapshot],
  )

  const toEnd = useCallback(() => {
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [])

  const beginNewLine = useCallback(() => {
    const topic = isThread ? undefined : snapshot().topics.get(topicId)
    setNewLine(topic?.isMember && topic.unread > 0 ? { after: topic.readTo, count: topic.unread } : undefined)
  }, [isThread, snapshot, topicId])

  /** Goes along with what comes, as long as nothing unread would leave at the top: more came at once, or nobody looks. */
  const follow = useCallback(() => {
    const element = scroller.current
    const topic = isThread ? undefined : snapshot().topics.get(topicId)
    const known = snapshot().conversations.get(key)?.ids ?? NO_IDS
    const next = topic && topic.unread > 0 ? firstUnread(known, topic.readTo, isOwn) : known.length
    if (!element || !list.current || next >= known.length) return toEnd()
    const unreadTop = list.current.getItemOffset(next) - ABOVE_UNREAD_PX
    const isSkipped = unreadTop < element.scrollTop - 1
    if (isSkipped || unreadTop >= element.scrollHeight - element.clientHeight) return toEnd()
    isFollowing.current = false
    element.scrollTop = unreadTop
    beginNewLine()
  }, [snapshot, topicId, isThread, key, isOwn, toEnd, beginNewLine])

  /** Looks at what is on the screen: what was read, which day it is, whether more is needed. */
  const look = useCallback(() => {
    const state = snapshot()
    const stretch = state.conversations.get(key)
    const handle = list.current
    if (!handle || !stretch || stretch.ids.length === 0) return
    const view = viewportOf(handle, stretch.ids.length)
    anchors.current = stretch.ids.slice(view.first, view.first + ANCHORS).map((id, index) => ({
      id,
      offset: handle.getItemOffset(view.first + index) - view.top,
    }))

    if (view.top < LOAD_AHEAD_PX && stretch.hasBefore && !stretch.loading && !stretch.failure)
      void actions.loadBefore(key).catch(() => {})
    if (view.distance < LOAD_AHEAD_PX && stretch.hasAfter && !stretch.loading && !stretch.failure)
      void actions.loadAfter(key).catch(() => {})

    const topic = isThread ? undefined : state.topics.get(topicId)
    if (topic?.isMember && topic.unread > 0 && isLooking()) {
      const { ids: known, hasBefore } = stretch
      const read = readThrough({
        ids: known,
        hasBefore,
        readTo: topic.readTo,
        isOwn,
        first: view.first,
        last: view.last,
      })
      if (read !== undefined) actions.markRead(topicId, read)
    }
    const next =
      topic && topic.unread > 0 ? firstUnread(stretch.ids, topic.readTo, isOwn) : Number.POSITIVE_INFINITY
    const seen: Sight = {
      dayAt: isThread
        ? undefined
        : stickyDay(handle, view, (index) => state.messages.get(stretch.ids[index] ?? '')),
      isAtEnd: view.distance < AT_END_PX && !stretch.hasAfter,
      unreadAbove: next < view.first,
      lastId: stretch.ids[view.last],
    }
    setSight((before) => (sameSight(before, seen) ? before : seen))
  }, [snapshot, key, topicId, isThread, isOwn, actions])

  const scrolled = useCallback(
    (top: number) => {
      const handle = list.current
      if (!handle) return
      const distance = handle.scrollSize - top - handle.viewportSize
      if (distance < AT_END_PX) isFollowing.current = true
      else if (top < lastTop.current - 1) isFollowing.current = false
      lastTop.current = top
      look()
    },
    [look],
  )
  const resized = useCallback(() => {
    if (isFollowing.current && !snapshot().conversations.get(key)?.hasAfter) follow()
    look()
  }, [look, follow, snapshot, key])

  // ---- Opening ----
  useEffect(() => {
    pendingId.current = messageId
    const topic = isThread ? undefined : snapshot().topics.get(topicId)
    const unreadFrom = topic && topic.unread > UNREAD_IN_STRETCH ? (topic.readTo ?? undefined) : undefined
    const here: ConversationPlace = { topicId, threadId: place.threadId }
    actions.openConversation(here, messageId ?? unreadFrom).catch(() => {
      if (messageId === undefined) return // the list itself says why
      pendingId.current = undefined
      showToast({ text: t.gone, tone: 'bad' })
      void actions.openConversation(here).catch(() => {})
    })
  }, [topicId, place.threadId, messageId, isThread, actions, snapshot, t])

  // ---- After each change: stay where one is, or go where one wants to be ----
  useLayoutEffect(() => {
    const before = drawn.current
    drawn.current = { ids, count: rows.length, generation }
    const handle = list.current
    if (!handle || rows.length === 0) return
    const target = indexOfId(ids, pendingId.current)
    if (target >= 0) {
      isFollowing.current = false
      setMarkedId(pendingId.current)
      setActiveId(pendingId.current)
      pendingId.current = undefined
      if (before.generation !== generation) beginNewLine()
      handle.scrollToIndex(target, { align: 'center' })
      focusSoon(scroller.current, ids[target])
      return
    }
    if (before.generation !== generation) {
      beginNewLine()
      const topic = isThread ? undefined : snapshot().topics.get(topicId)
      const next = topic && topic.unread > 0 ? firstUnread(ids, topic.readTo, isOwn) : ids.length
      const isKnown = next > 0 || conversation?.hasBefore === false
      isFollowing.current = wantsNewest.current || next >= ids.length || !isKnown
      wantsNewest.current = false
      if (isFollowing.current) toEnd()
      else handle.scrollToIndex(next, { align: 'start', offset: -ABOVE_UNREAD_PX })
      return
    }
    if (change === 'inside' && !isFollowing.current) {
      if (held) return hold(scroller.current, held)
    }
    if (rows.length > before.count && isFollowing.current && conversation?.hasAfter === false) follow()
    look()
  })

  // Who sends wants to see it.
  const newestOutgoing = outgoing.at(-1)?.localId
  useLayoutEffect(() => {
    if (newestOutgoing === undefined) return
    isFollowing.current = true
    toEnd()
  }, [newestOutgoing, toEnd])

  // ---- Unread ----
  const lastReadTo = useRef(readTo)
  useEffect(() => {
    // It was moved back: from here on it is unread again.
    const wentBack = lastReadTo.current !== null && (readTo === null || readTo < lastReadTo.current)
    lastReadTo.current = readTo
    if (wentBack) beginNewLine()
  }, [readTo, beginNewLine])
  useReturn(
    useCallback(() => {
      const handle = list.current
      if (handle)
        isFollowing.current = handle.scrollSize - handle.scrollOffset - handle.viewportSize < AT_END_PX
      const topic = snapshot().topics.get(topicId)
      if (topic && topic.unread > 0) beginNewLine()
      look()
    }, [snapshot, topicId, beginNewLine, look]),
  )
  const lineIndex = newLine ? firstUnread(ids, newLine.after, isOwn) : -1
  const isLineKnown = lineIndex > 0 || (lineIndex === 0 && conversation?.hasBefore === false)

  const toNewest = useCallback(() => {
    isFollowing.current = true
    if (snapshot().conversations.get(key)?.hasAfter) {
      wantsNewest.current = true
      void actions.jumpToNewest({ topicId, threadId: place.threadId }).catch(() => {})
    } else toEnd()
  }, [snapshot, key, actions, topicId, place.threadId, toEnd])
  const toFirstUnread = () => {
    const next = firstUnread(ids, readTo, isOwn)
    isFollowing.current = false
    if ((next > 0 || conversation?.hasBefore === false) && next < ids.length)
      list.current?.scrollToIndex(next, { align: 'start', offset: -ABOVE_UNREAD_PX })
    else if (readTo !== null) void actions.openConversation(place, readTo).catch(() => {})
    else void actions.loadBefore(key).catch(() => {})
  }
  const markAllHere = () => {
    const newest = snapshot().topics.get(topicId)?.lastMessage?.id ?? ids.at(-1)
    if (newest !== undefined) actions.markRead(topicId, newest)
    setNewLine(undefined)
  }

  // ---- Keys ----
  const activeIndex = indexOfId(ids, activeId)
  const focusRow = (index: number) => {
    const id = ids[index]
    if (id === undefined) return
    setActiveId(id)
    list.current?.scrollToIndex(index, { align: 'nearest' })
    focusSoon(scroller.current, id)
  }
  const pressed = (event: KeyboardEvent) => {
    const row = event.target instanceof Element ? event.target.closest('[data-row]') : null
    if (!(row instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target !== row) {
      if (event.key === 'Escape' && !(event.target instanceof HTMLTextAreaElement)) row.focus()
      return
    }
    const index = indexOfId(ids, row.dataset.row)
    const message = snapshot().messages.get(ids[index] ?? '')
    if (!message) return
    const keys: Record<string, (() => void) | undefined> = {
      ArrowUp: () => focusRow(index - 1),
      ArrowDown: () => (index === ids.length - 1 ? onLeave() : focusRow(index + 1)),
      Home: () => focusRow(0),
      End: () => (conversation?.hasAfter ? toNewest() : focusRow(ids.length - 1)),
      Enter: () => tools.openMenu(message, row),
      t: () => tools.reply(message),
      e: mayEdit(message, me) ? () => onEdit(message.id) : undefined,
      u: () => tools.markUnread(message),
      r: () => tools.openPicker(message, row),
      c: () => tools.copyLink(message),
      Delete: mayDelete(message, me) ? () => tools.remove(message) : undefined,
      Escape: onLeave,
    }
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  const ownNewest = useChat((state) => {
    for (let index = ids.length - 1; index >= Math.max(0, ids.length - OWN_AMONG); index -= 1) {
      const message = state.messages.get(ids[index] ?? '')
      if (message && message.senderId === me && !message.isSystem) return message.id
    }
    return undefined
  })
  useImperativeHandle(ref, () => ({
    toNewest,
    focusNewest: () => focusRow(activeIndex >= 0 ? activeIndex : indexOfId(ids, sight.lastId)),
    editLast: () => {
      const message = snapshot().messages.get(ownNewest ?? '')
      if (!message || !mayEdit(message, me)) return false
      onEdit(message.id)
      list.current?.scrollToIndex(indexOfId(ids, message.id), { align: 'nearest' })
      return true
    },
  }))
  // Who ends an edit is where the message is, unless they went on to another one before the server had answered.
  const edited = useCallback(() => {
    const row = focusedRow()
    onEdit(undefined)
    if (!row || row === elementOf(scroller.current, editedId ?? '')) focusSoon(scroller.current, editedId)
  }, [onEdit, editedId])

  const kept = useMemo(
    () => [activeIndex, indexOfId(ids, editedId)].filter((index) => index >= 0),
    [activeIndex, ids, editedId],
  )
  const tabStopId = activeIndex >= 0 ? activeId : (sight.lastId ?? ids.at(-1))
  const isEmpty = rows.length === 0
  const isLoaded = conversation !== undefined && conversation.loading !== 'whole'

  return (
    <div className={styles.frame}>
      {sight.dayAt !== undefined && <StickyDay at={sight.dayAt} />}
      {sight.unreadAbove && <UnreadAbove count={unread} onGo={toFirstUnread} onMarkRead={markAllHere} />}
      <div
        ref={scroller}
        className={styles.scroller}
        role="log"
        // New messages are said by the announcer, once; a live list would also say what is loaded.
        aria-live="off"
        aria-label={label}
        aria-busy={!isLoaded || conversation.loading !== undefined}
        onKeyDown={pressed}
        onPointerOver={({ target, pointerType }) => {
          if (pointerType !== 'mouse') return
          const row = target instanceof Element ? target.closest('[data-row]') : null
          setHotId(row instanceof HTMLElement ? row.dataset.row : undefined)
        }}
        onPointerLeave={() => setHotId(undefined)}
        onFocus={({ target }) => {
          const row = target.closest('[data-row]')
          if (!(row instanceof HTMLElement) || !target.matches(':focus-visible')) return
          setHotId(row.dataset.row)
          setActiveId(row.dataset.row)
        }}
      >
        <div className={styles.space} />
        {isEmpty && !isLoaded && !conversation?.failure && <SkeletonMessages />}
        {isEmpty && isLoaded && beginning}
        <Virtualizer
          key={`${key} ${generation}`}
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={change === 'before' || wentAbove}
          keepMounted={kept}
          onScroll={scrolled}
          onResize={resized}
        >
          {(id, index) => {
            const sent = index < ids.length ? undefined : outgoing[index - ids.length]
            if (sent) {
              return (
                <OutgoingRow
                  key={id}
                  outgoing={sent}
                  previous={outgoing[index - ids.length - 1]}
                  lastId={ids.at(-1)}
                  isThread={isThread}
                />
              )
            }
            return (
              <MessageRow
                key={id}
                id={id}
                previousId={ids[index - 1]}
                isThread={isThread}
                newFromHere={isLineKnown && index === lineIndex ? Math.max(newLine?.count ?? 0, unread) : 0}
                isUnread={isLineKnown && index >= lineIndex}
                isTabStop={id === tabStopId}
                hasTools={id === hotId}
                isEdited={id === editedId}
                isMarked={id === markedId}
                hasReceipts={id === ownNewest && outgoing.length === 0}
                beginning={index === 0 && conversation?.hasBefore === false ? beginning : undefined}
                onEdited={edited}
              />
            )
          }}
        </Virtualizer>
        {conversation?.failure && (
          <LoadNotice
            failure={conversation.failure}
            onRetry={() => {
              if (isEmpty) void actions.openConversation(place, messageId).catch(() => {})
              else if (conversation.hasAfter && sight.lastId === ids.at(-1))
                void actions.loadAfter(key).catch(() => {})
              else void actions.loadBefore(key).catch(() => {})
            }}
          />
        )}
        <div className={styles.end} />
      </div>
      {!sight.isAtEnd && !isEmpty && <EndButton count={sight.unreadAbove ? 0 : unread} onGo={toNewest} />}
      <Announcer conversation={conversation} />
    </div>
  )
}

const elementOf = (scroller: HTMLElement | null, id: string): HTMLElement | null =>
  scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? null

/**
 * Gives a row the focus some frames later: the list has to scroll and to measure it first. Whoever goes on to another message
 * meanwhile stays there.
 */
function focusSoon(
  scroller: HTMLElement | null,
  id: string | undefined,
  frames = FOCUS_FRAMES,
  from = focusedRow(),
): void {
  requestAnimationFrame(() => {
    const row = elementOf(scroller, id ?? '')
    const now = focusedRow()
    if (now && now !== from && now !== row) return
    row?.focus({ preventScroll: true })
    if ((!row || document.activeElement !== row) && frames > 0) focusSoon(scroller, id, frames - 1, from)
  })
}

const focusedRow = (): Element | null => document.activeElement?.closest('[data-row]') ?? null

/** Sizes are known a moment after the rows are drawn: the place is set then, and looked after for two frames. */
function hold(scroller: HTMLElement | null, { id, offset }: Anchor): void {
  let frames = 3
  const set = () => {
    const wrapper = elementOf(scroller, id)?.parentElement
    if (scroller && wrapper) {
      const now = wrapper.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      if (Math.abs(now - offset) > 1) scroller.scrollTop += now - offset
    }
    frames -= 1
    if (frames > 0) requestAnimationFrame(set)
  }
  set()
}
