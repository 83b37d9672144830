import {
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
  useSyncExternalStore,
} from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { SkeletonMessages } from '../../../../kit/skeleton.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { notePainted } from '../../../first-sight.ts'
import { type ConversationPlace, keyOf, type Outgoing } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { isOutgoingIn, readStateOf } from '../../../store/selectors.ts'
import { isStreaming } from '../../../store/streaming.ts'
import { MessageToolsContext, mayEdit } from '../message/actions.ts'
import { useSnapshot } from '../snapshot.ts'
import { Announcer } from './announcer.tsx'
import { EndButton, LoadNotice, StickyDay, UnreadAbove } from './edges.tsx'
import { elementOf, focusedRow, focusSoon, hold } from './focus.ts'
import { listKeys } from './list-keys.ts'
import { useReturn } from './looking.ts'
import styles from './message-list.module.css'
import { MessageRow, OutgoingRow } from './row.tsx'
import { changeOf, firstUnread, indexOfId } from './rows.ts'
import { isSelectable, SelectionContext } from './selection.ts'
import { AT_END_PX, useSight } from './sight.ts'
import { planTurns } from './turns.ts'

/** Pixels of read messages above the first unread one. */
const ABOVE_UNREAD_PX = 56
/** Most unread messages that the newest stretch surely reaches back to. */
const UNREAD_IN_STRETCH = 30
/** The reader's last own message is looked for among so many. */
const OWN_AMONG = 30
/** The height of most rows, for how many are drawn before the list has been measured. */
const ROW_PX = 48
/** Rows are drawn and measured so far out of sight: a row that is measured in sight moves those below it. */
const DRAWN_AHEAD_PX = 600

const NO_IDS: readonly string[] = []
const NO_OUTGOING: readonly Outgoing[] = []

export type MessageListHandle = {
  /** Starts to edit the reader's last message; says whether there is one. */
  editLast: () => boolean
  toNewest: () => void
  focusNewest: () => void
}

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
  const selection = useContext(SelectionContext)
  const isSelecting = useSyncExternalStore(selection.subscribe, () => selection.get() !== undefined)
  const snapshot = useSnapshot()
  const { topicId } = place
  const key = keyOf(place)
  const isThread = place.threadId !== undefined

  const conversation = useChat((state) => state.conversations.get(key))
  const me = useChat((state) => state.me?.id)
  const outbox = useChat((state) => state.outbox)
  const unread = useChat((state) => readStateOf(state, place)?.unread ?? 0)
  const unreadAfter = useChat((state) => readStateOf(state, place)?.unreadAfter ?? null)
  const ids = conversation?.ids ?? NO_IDS
  const outgoing = useMemo(() => {
    if (conversation?.hasAfter !== false) return NO_OUTGOING
    return outbox.filter((each) => isOutgoingIn(snapshot(), each, key))
  }, [outbox, conversation?.hasAfter, key, snapshot])
  const rows = useMemo(() => [...ids, ...outgoing.map(({ localId }) => localId)], [ids, outgoing])

  const list = useRef<VirtualizerHandle>(null)
  const scroller = useRef<HTMLDivElement>(null)
  /** New messages are followed. */
  const isFollowing = useRef(true)
  const lastTop = useRef(0)
  const pendingId = useRef(messageId)
  const wantsNewest = useRef(false)

  const isOwn = useCallback(
    (id: string) => {
      const message = snapshot().messages.get(id)
      // A message that is still being written is unread once it has ended.
      return message?.senderId === snapshot().me?.id || isStreaming(message)
    },
    [snapshot],
  )
  const { sight, look, letGo, anchors, nextUnread, markRead, markLateRead } = useSight({ place, list, isOwn })
  /** The beginning of the unread messages, as of opening or coming back. */
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
  // Removals above count from the end, as messages loaded above do: the messages in sight stay in place.
  const wentAbove =
    change === 'inside' &&
    ids.length < drawn.current.ids.length &&
    indexOfId(ids, held?.id) < indexOfId(drawn.current.ids, held?.id)

  const toEnd = useCallback(() => {
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [])

  const beginNewLine = useCallback(() => {
    const reading = readStateOf(snapshot(), { topicId, threadId: place.threadId })
    setNewLine(
      reading && reading.unread > 0 ? { after: reading.unreadAfter, count: reading.unread } : undefined,
    )
  }, [place.threadId, snapshot, topicId])

  /** Scrolls to new rows, unless an unread one would leave at the top: many came at once, or the page is hidden. */
  const follow = useCallback(() => {
    const element = scroller.current
    const known = snapshot().conversations.get(key)?.ids ?? NO_IDS
    const next = nextUnread(known)
    if (!element || !list.current || next >= known.length) return toEnd()
    const unreadTop = list.current.getItemOffset(next) - ABOVE_UNREAD_PX
    const isSkipped = unreadTop < element.scrollTop - 1
    if (isSkipped || unreadTop >= element.scrollHeight - element.clientHeight) return toEnd()
    isFollowing.current = false
    element.scrollTop = unreadTop
    beginNewLine()
  }, [snapshot, key, nextUnread, toEnd, beginNewLine])

  const scrolled = useCallback(
    (top: number) => {
      const handle = list.current
      if (!handle) return
      const distance = handle.scrollSize - top - handle.viewportSize
      if (distance < AT_END_PX) isFollowing.current = true
      else if (top < lastTop.current - 1) isFollowing.current = false
      lastTop.current = top
      look()
      letGo()
    },
    [look, letGo],
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
      const next = nextUnread(ids)
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
    if (change !== 'before') letGo()
  })

  // The list follows a message that was sent here.
  const newestOutgoing = outgoing.at(-1)?.localId
  useLayoutEffect(() => {
    if (newestOutgoing === undefined) return
    isFollowing.current = true
    toEnd()
  }, [newestOutgoing, toEnd])

  // ---- Unread ----
  const lastPosition = useRef(unreadAfter)
  useEffect(() => {
    // It was moved back: from here on it is unread again.
    const wentBack = (unreadAfter ?? '') < (lastPosition.current ?? '')
    lastPosition.current = unreadAfter
    if (wentBack) beginNewLine()
  }, [unreadAfter, beginNewLine])
  useReturn(
    useCallback(() => {
      const handle = list.current
      if (handle)
        isFollowing.current = handle.scrollSize - handle.scrollOffset - handle.viewportSize < AT_END_PX
      if ((readStateOf(snapshot(), { topicId, threadId: place.threadId })?.unread ?? 0) > 0) beginNewLine()
      look()
    }, [snapshot, topicId, place.threadId, beginNewLine, look]),
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
    const next = nextUnread(ids)
    const readTo = isThread ? null : (snapshot().topics.get(topicId)?.readTo ?? null)
    isFollowing.current = false
    if ((next > 0 || conversation?.hasBefore === false) && next < ids.length)
      list.current?.scrollToIndex(next, { align: 'start', offset: -ABOVE_UNREAD_PX })
    else if (readTo !== null) void actions.openConversation(place, readTo).catch(() => {})
    else void actions.loadBefore(key).catch(() => {})
  }
  const markAllHere = () => {
    const newest = (isThread ? undefined : snapshot().topics.get(topicId)?.lastMessage?.id) ?? ids.at(-1)
    if (newest !== undefined) markRead(newest)
    markLateRead(ids)
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
  const select = (id: string, isRange: boolean) => {
    const among = ids.filter((one) => {
      const message = snapshot().messages.get(one)
      return message !== undefined && isSelectable(message)
    })
    if (among.includes(id)) selection.toggle(id, isRange ? among : undefined)
  }
  const pressed = listKeys({
    ids,
    messageOf: (id) => snapshot().messages.get(id),
    state: snapshot,
    tools,
    focusRow,
    onEdit,
    onLeave,
    select,
    endSelecting: isSelecting ? () => selection.end() : undefined,
    toNewest: conversation?.hasAfter ? toNewest : undefined,
  })

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
      if (!message || !mayEdit(message, snapshot())) return false
      onEdit(message.id)
      list.current?.scrollToIndex(indexOfId(ids, message.id), { align: 'nearest' })
      return true
    },
  }))
  // The focus returns to an edited message, unless it went on to another one before the server answered.
  const edited = useCallback(() => {
    const row = focusedRow()
    onEdit(undefined)
    if (!row || row === elementOf(scroller.current, editedId ?? '')) focusSoon(scroller.current, editedId)
  }, [onEdit, editedId])

  // The list draws no row before its first frame, in which it is measured. Rows that it opens at are drawn with what is around them.
  const isMeasured = sight.lastId !== undefined
  const kept = useMemo(() => {
    const indexes = [activeIndex, indexOfId(ids, editedId)].filter((index) => index >= 0)
    if (isMeasured) return indexes
    const count = Math.ceil(window.innerHeight / ROW_PX)
    const target = indexOfId(ids, messageId)
    const next = nextUnread(ids)
    const isKnown = next > 0 || conversation?.hasBefore === false
    const first = target >= 0 ? target - Math.ceil(count / 2) : isKnown ? next - 1 : rows.length
    const from = Math.max(0, Math.min(first, rows.length - count))
    planTurns(ids.slice(from, from + count).flatMap((id) => snapshot().messages.get(id) ?? []))
    return [...indexes, ...rows.slice(from, from + count).map((_, index) => from + index)]
  }, [activeIndex, ids, editedId, isMeasured, messageId, nextUnread, conversation?.hasBefore, rows, snapshot])
  const tabStopId = activeIndex >= 0 ? activeId : (sight.lastId ?? ids.at(-1))
  const isEmpty = rows.length === 0
  const isLoaded = conversation !== undefined && conversation.loading !== 'whole'
  useEffect(() => {
    if (isLoaded && isEmpty) notePainted()
  }, [isLoaded, isEmpty])

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
        // While messages are selected, a press anywhere on one selects it, also on a link in it.
        onClickCapture={(event) => {
          const row = event.target instanceof Element ? event.target.closest('[data-row]') : null
          if (!isSelecting || !(row instanceof HTMLElement) || row.dataset.row === undefined) return
          event.preventDefault()
          event.stopPropagation()
          select(row.dataset.row, event.shiftKey)
        }}
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
        {/* A short conversation stands above the composer; a short thread begins below its title, with what it replies to. */}
        {!isThread && <div className={styles.space} />}
        {isEmpty && !isLoaded && !conversation?.failure && <SkeletonMessages />}
        {isEmpty && isLoaded && beginning}
        <Virtualizer
          key={`${key} ${generation}`}
          ref={list}
          scrollRef={scroller}
          data={rows}
          shift={change === 'before' || change === 'cutBefore' || wentAbove}
          bufferSize={DRAWN_AHEAD_PX}
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
