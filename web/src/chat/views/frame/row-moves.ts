import { useEffect, useMemo, useState } from 'react'
import { kit } from '../../../texts/kit.ts'
import { sections as texts } from '../../../texts/sections.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChatActions } from '../../store/context.tsx'
import { useSnapshot } from '../conversation/snapshot.ts'
import { useAttempt } from './attempt.ts'
import { useOverlay } from './overlay.ts'
import type { rowMovesOf } from './row-mover.ts'
import { useSectionName } from './section-names.ts'

/**
 * Moves conversations between sections and within them, and the person's own sections among each other: by dragging, and with
 * the keys M, Ctrl Shift ↑ and Ctrl Shift ↓ on a row. A mark on the element under the pointer says where it would go. The script
 * for it comes once the list is shown.
 */
export function useRowMoves(): Partial<ReturnType<typeof rowMovesOf>> {
  const t = useTexts(texts)
  const k = useTexts(kit)
  const open = useOverlay()
  const attempt = useAttempt()
  const actions = useChatActions()
  const snapshot = useSnapshot()
  const nameOfSection = useSectionName()
  const [movesOf, setMovesOf] = useState<typeof rowMovesOf>()

  useEffect(() => {
    // A list without it works, except for moving; the next page tries again.
    import('./row-mover.ts').then(
      (loaded) => setMovesOf(() => loaded.rowMovesOf),
      () => {},
    )
  }, [])

  return useMemo(
    () => movesOf?.({ t, k, open, attempt, actions, snapshot, nameOfSection }) ?? {},
    [movesOf, t, k, open, attempt, actions, snapshot, nameOfSection],
  )
}
