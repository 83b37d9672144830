import { type ReactNode, useEffect, useRef } from 'react'

/** For what takes the place of the thing that had the focus: it would be lost otherwise. */
export function useFocusAtFirst<Target extends HTMLElement>() {
  const target = useRef<Target>(null)
  useEffect(() => target.current?.focus(), [])
  return target
}

/**
 * When what has the focus goes away, with a row that was deleted for example, the heading of the view gets it. Otherwise
 * keyboards and screen readers would begin at the top of the page again.
 */
export function useFocusKept(): void {
  useEffect(() => {
    let last: EventTarget | null = null
    const remember = (event: FocusEvent) => {
      last = event.target
    }
    const observer = new MutationObserver(() => {
      const isLost = last instanceof Element && !last.isConnected && document.activeElement === document.body
      if (isLost) document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [])
}

/** The heading of a view. Focus goes to it when the view opens, so that screen readers tell where one is. */
export function PageHead({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])
  useEffect(() => {
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="pagehead">
      <div className="stack tight">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {about !== undefined && <p>{about}</p>}
      </div>
      {children !== undefined && <div className="actions">{children}</div>}
    </div>
  )
}
