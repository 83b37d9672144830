/** Frames to wait for a row to appear before giving up the focus. */
const FOCUS_FRAMES = 20

/** A message, and how far below the top edge it stands. */
export type Anchor = { id: string; offset: number }

export const elementOf = (scroller: HTMLElement | null, id: string): HTMLElement | null =>
  scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`) ?? null

/**
 * Gives a row the focus some frames later: the list has to scroll and to measure it first. A reader who goes on to another
 * message in between stays there.
 */
export function focusSoon(
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

export const focusedRow = (): Element | null => document.activeElement?.closest('[data-row]') ?? null

/** Sizes are known a moment after the rows are drawn: the place is set then, and looked after for two frames. */
export function hold(scroller: HTMLElement | null, { id, offset }: Anchor): void {
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
