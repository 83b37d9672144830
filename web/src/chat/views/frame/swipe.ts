import { type TouchEvent, useRef } from 'react'

/** Least sideways distance of a swipe. It may move half of that up or down. */
const SWIPE_PX = 80
/** A slower finger scrolls or selects. */
const SWIPE_MS = 600

/** A swipe from the start of the line to its end, as on other pages of a phone, goes back. */
export function useSwipeBack(onBack: (() => void) | undefined) {
  const from = useRef<{ x: number; y: number; at: number }>(undefined)
  if (!onBack) return {}
  return {
    onTouchStart: ({ touches, target, timeStamp }: TouchEvent) => {
      const finger = touches.item(0)
      from.current =
        touches.length === 1 && !scrollsSideways(target)
          ? { x: finger.clientX, y: finger.clientY, at: timeStamp }
          : undefined
    },
    onTouchEnd: ({ changedTouches, timeStamp }: TouchEvent) => {
      const finger = changedTouches.item(0)
      const start = from.current
      from.current = undefined
      if (!start || !finger || timeStamp - start.at > SWIPE_MS) return
      const along = (finger.clientX - start.x) * (document.dir === 'rtl' ? -1 : 1)
      const across = Math.abs(finger.clientY - start.y)
      if (along >= SWIPE_PX && across < along / 2) onBack()
    },
  }
}

/** Code, tables and fields answer to the finger themselves. */
function scrollsSideways(target: EventTarget): boolean {
  for (let element = target instanceof Element ? target : null; element; element = element.parentElement) {
    if (element.matches('textarea, input, [contenteditable]')) return true
    if (element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible') {
      if (getComputedStyle(element).overflowX !== 'hidden') return true
    }
  }
  return false
}
