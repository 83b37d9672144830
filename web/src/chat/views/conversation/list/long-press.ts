import { type PointerEvent, useRef } from 'react'

const LONG_MS = 450
/** A finger that moves further than this scrolls. */
const SLACK_PX = 10

/** The finger is still there when the menu opens: lifting it must not count as a press beside the menu, which closes it. */
function swallowLift(): void {
  const done = new AbortController()
  const swallow = (event: TouchEvent) => {
    event.preventDefault()
    event.stopPropagation()
    done.abort()
  }
  for (const type of ['touchend', 'touchcancel'] as const)
    window.addEventListener(type, swallow, { capture: true, passive: false, signal: done.signal })
}

/** A finger that rests opens what a pointer finds by hovering. */
export function useLongPress(onLong: (point: { x: number; y: number }) => void) {
  const press = useRef<{ timer: number; x: number; y: number }>(undefined)
  const cancel = () => {
    window.clearTimeout(press.current?.timer)
    press.current = undefined
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      cancel()
      if (event.pointerType === 'mouse') return
      const point = { x: event.clientX, y: event.clientY }
      const timer = window.setTimeout(() => {
        press.current = undefined
        swallowLift()
        onLong(point)
      }, LONG_MS)
      press.current = { timer, ...point }
    },
    onPointerMove: (event: PointerEvent) => {
      const { x, y } = press.current ?? { x: event.clientX, y: event.clientY }
      if (Math.hypot(event.clientX - x, event.clientY - y) > SLACK_PX) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onPointerLeave: cancel,
    onContextMenu: (event: { preventDefault: () => void; nativeEvent: Event }) => {
      // Android's own menu would lie over ours; with a mouse it stays.
      const { nativeEvent } = event
      if ('pointerType' in nativeEvent && nativeEvent.pointerType === 'touch') event.preventDefault()
    },
  }
}
