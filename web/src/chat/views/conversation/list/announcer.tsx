import { useCallback, useEffect, useRef, useState } from 'react'
import { VisuallyHidden } from '../../../../kit/visually-hidden.tsx'
import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { Conversation } from '../../../model.ts'
import { useChat } from '../../../store/context.tsx'
import { indexAfter } from '../../../store/order.ts'
import { useNames } from '../message/people.ts'
import { summaryOf } from '../message/summary.ts'
import { useSnapshot } from '../snapshot.ts'

/** Messages that arrive within this time are announced together. */
const GATHERED_MS = 800
/** More at once are counted, not read. */
const READ_ALOUD = 3

/** A thread and its topic may both be open: each message is said by the first of them. */
let announcedTo = ''

/** Says new messages of others to screen readers, once, politely. It stands outside of the list. */
export function Announcer({ conversation }: { conversation: Conversation | undefined }) {
  const t = useTexts(conversationTexts)
  const nameOf = useNames()
  const me = useChat((state) => state.me?.id)
  const snapshot = useSnapshot()
  const streaming = useChat((state) => state.streaming)
  const [said, setSaid] = useState('')
  // Empty where nothing has been said yet: then the first message is news, too.
  const newest = conversation?.hasAfter === false ? (conversation.ids.at(-1) ?? '') : undefined
  const known = useRef<{ key: string; newest: string } | undefined>(undefined)
  const waiting = useRef<string[]>([])
  const unfinished = useRef<string[]>([])
  const timer = useRef<number>(undefined)

  const say = useCallback(() => {
    if (waiting.current.length === 0 || timer.current !== undefined) return
    timer.current = window.setTimeout(() => {
      timer.current = undefined
      const ids = waiting.current.splice(0)
      const sentences = ids.flatMap((id) => {
        const message = snapshot().messages.get(id)
        return message ? [t.said(nameOf(message.senderId), summaryOf(message, nameOf))] : []
      })
      setSaid(ids.length > READ_ALOUD ? t.saidMany(ids.length) : sentences.join('. '))
    }, GATHERED_MS)
  }, [nameOf, snapshot, t])

  useEffect(() => {
    if (!conversation || newest === undefined) return
    const before = known.current
    known.current = { key: conversation.key, newest }
    // Messages that were there at opening are read, not announced.
    if (before?.key !== conversation.key || newest <= before.newest) return
    const from = before.newest > announcedTo ? before.newest : announcedTo
    const fresh = conversation.ids.slice(indexAfter(conversation.ids, from))
    announcedTo = newest
    const others = fresh.filter((id) => snapshot().messages.get(id)?.senderId !== me)
    for (const id of others) (streaming.has(id) ? unfinished.current : waiting.current).push(id)
    say()
  }, [conversation, newest, me, snapshot, streaming, say])
  // A message streamed by a bot is announced once, when it has ended.
  useEffect(() => {
    const ended = unfinished.current.filter((id) => !streaming.has(id))
    if (ended.length === 0) return
    unfinished.current = unfinished.current.filter((id) => streaming.has(id))
    waiting.current.push(...ended)
    say()
  }, [streaming, say])
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return <VisuallyHidden live>{said}</VisuallyHidden>
}
