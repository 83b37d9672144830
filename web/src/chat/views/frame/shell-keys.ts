import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { topicPath } from '../addresses.ts'
import type { Overlay } from './overlay.ts'

/** Single keys rest while something is being written. */
const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"]'))

/** The key that goes anywhere. */
export const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'

/** The rows of the sidebar as they stand there; on a narrow page it may not be there. */
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-topic]')]

/** The keys that work anywhere in the shell. */
export function useShellKeys({
  topicId,
  unreadIds,
  isCovered,
  open,
}: {
  topicId: string | undefined
  unreadIds: readonly string[]
  /** Something lies over the shell: its own keys come first. */
  isCovered: boolean
  open: (overlay: Overlay) => void
}): void {
  const [, navigate] = useLocation()
  useEffect(() => {
    const go = (ids: readonly string[], step: 1 | -1) => {
      const at = topicId === undefined ? -1 : ids.indexOf(topicId)
      const next = at < 0 ? (step > 0 ? ids[0] : ids.at(-1)) : ids[(at + step + ids.length) % ids.length]
      if (next !== undefined && next !== topicId) navigate(topicPath(next))
    }
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined
      if (isPaletteKey(event)) {
        event.preventDefault()
        open({ kind: 'palette' })
      } else if (isCovered) {
        return
      } else if (event.altKey && step !== undefined && !event.ctrlKey && !event.metaKey) {
        event.preventDefault()
        go(event.shiftKey ? unreadIds : rows().flatMap(({ dataset }) => dataset.topic ?? []), step)
      } else if (event.key === '?' && !isWriting(event.target)) {
        event.preventDefault()
        open({ kind: 'keys' })
      }
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  })
}
