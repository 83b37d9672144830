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
  const fileId = attachment.id
  const [kept, setKept] = useState({ fileId, link: newest })
  const [broken, setBroken] = useState<string>()
  const askedFor = useRef<string>(undefined)
  const isUsable = kept.fileId === fileId && kept.link !== broken && !isOver(kept.link)
  const link = isUsable ? kept.link : newest
  const isStale = link === broken || isOver(link)
  const { id, topicId } = message
  useEffect(() => setKept({ fileId, link }), [fileId, link])
  useEffect(() => {
    if (!isStale || askedFor.current === fileId) return
    askedFor.current = fileId
    refreshFiles(topicId, id).catch(() => {}) // it stays broken, and says so
  }, [isStale, refreshFiles, topicId, id, fileId])
  return { link, isBroken: link === broken, onError: () => setBroken(link) }
}
