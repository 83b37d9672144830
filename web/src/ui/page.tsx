import { type ReactNode, useEffect, useRef } from 'react'

/** For what takes the place of the thing that had the focus: it would be lost otherwise. */
export function useFocusAtFirst<Target extends HTMLElement>() {
  const target = useRef<Target>(null)
  useEffect(() => target.current?.focus(), [])
  return target
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
