import { useCallback } from 'react'
import { showToast } from '../../../../kit/toast.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { useTexts } from '../../../../texts/texts.ts'

/** Puts a text where Paste finds it, and says so. */
export function useCopy(): (text: string, done: string) => void {
  const { notCopied } = useTexts(messageTexts)
  return useCallback(
    (text, done) => {
      // Outside of a secure place (http on a network) browsers have no clipboard at all.
      const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))
      copied.then(
        () => showToast({ text: done }),
        () => showToast({ text: notCopied, tone: 'bad' }),
      )
    },
    [notCopied],
  )
}
