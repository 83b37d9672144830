import { lazy, Suspense, useEffect, useState } from 'react'
import { readerLocale } from '../texts/language.ts'

const TooltipPopup = lazy(() => import('./tooltip-popup.tsx'))

const WAIT_MS = 450
/** A tooltip opens without delay within this time after another. */
const WARM_MS = 400

export type Tip = { anchor: Element; text: string; keys: string | undefined }

/** A format costs a browser 10 ms and more to make: exact times are written when they are asked for. */
function textOf(element: Element): string | null {
  const at = element.getAttribute('data-tip-at')
  if (at === null) return element.getAttribute('data-tip')
  const format = new Intl.DateTimeFormat(readerLocale(), { dateStyle: 'full', timeStyle: 'medium' })
  return format.format(Number(at))
}

/**
 * The one tooltip of the page, for whatever has the attributes of `tip()` and is under the pointer or has the focus of a
 * keyboard. One for all: a list of messages has hundreds of buttons.
 */
export function TooltipHost() {
  const [shown, setShown] = useState<Tip>()
  useEffect(() => {
    let timer: number | undefined
    let anchor: Element | undefined
    let hiddenAt = 0

    const hide = () => {
      window.clearTimeout(timer)
      if (anchor) hiddenAt = Date.now()
      anchor = undefined
      setShown(undefined)
    }
    const offer = (target: EventTarget | null, wait: number) => {
      const element = target instanceof Element ? target.closest('[data-tip], [data-tip-at]') : null
      if (element === (anchor ?? null)) return
      hide()
      const text = element && textOf(element)
      if (!element || !text) return
      anchor = element
      const keys = element.getAttribute('data-tip-keys') ?? undefined
      const show = () => element.isConnected && setShown({ anchor: element, text, keys })
      timer = window.setTimeout(show, Date.now() - hiddenAt < WARM_MS ? 0 : wait)
    }
    const over = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') offer(event.target, WAIT_MS)
    }
    const focused = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(':focus-visible')) offer(target, WAIT_MS)
    }
    const pressed = (event: KeyboardEvent) => event.key === 'Escape' && hide()

    document.addEventListener('pointerover', over)
    document.addEventListener('focusin', focused)
    document.addEventListener('focusout', hide)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('keydown', pressed)
    document.addEventListener('scroll', hide, { capture: true, passive: true })
    return () => {
      window.clearTimeout(timer)
      document.removeEventListener('pointerover', over)
      document.removeEventListener('focusin', focused)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('keydown', pressed)
      document.removeEventListener('scroll', hide, { capture: true })
    }
  }, [])
  if (!shown) return null
  return (
    <Suspense>
      <TooltipPopup tip={shown} />
    </Suspense>
  )
}
