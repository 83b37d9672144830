import { useEffect, useRef, useState } from 'react'
import type { Attachment, Message } from '../../../../../../contract/message.ts'
import { useChatActions } from '../../../store/context.tsx'

export const isOver = (link: string): boolean => {
  const expires = Number(/[?&]expires=(\d+)/.exec(link)?.[1] ?? Number.POSITIVE_INFINITY)
  return expires <= Date.now()
}

/**
 * A link to a file that works. Each event of its message brings another link to the same file: what is shown or played keeps
 * the one that it began with. When that is over, or broken, the message is read again for a fresh one, once.
 */
export function useLink(
  message: Pick<Message, 'id' | 'topicId'>,
  attachment: Attachment,
  field: 'url' | 'thumbnailUrl' = 'url',
): { link: string; isBroken: boolean; onError: () => void } {
  const { refreshFiles } = useChatActions()
  const newest = attachment[field] ?? attachment.url
  const [kept, setKept] = useState(newest)
  const [broken, setBroken] = useState<string>()
  const hasAsked = useRef(false)
  const isUsable = kept !== broken && !isOver(kept)
  const link = isUsable ? kept : newest
  const isStale = link === broken || isOver(link)
  const { id, topicId } = message
  useEffect(() => setKept(link), [link])
  useEffect(() => {
    if (!isStale || hasAsked.current) return
    hasAsked.current = true
    refreshFiles(topicId, id).catch(() => {}) // it stays broken, and says so
  }, [isStale, refreshFiles, topicId, id])
  return { link, isBroken: link === broken, onError: () => setBroken(link) }
}
