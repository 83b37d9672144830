import { useEffect, useRef, useState } from 'react'

/**
 * A name that somebody chose: in a `<bdi>`, so that its script does not turn the words around it, and cut where there is no
 * room. The whole of it is its tooltip; a name that is cut also takes the focus, unless it is in a link or button that does,
 * and is whole while it has it.
 */
export function Name({ text }: { text: string }) {
  const element = useRef<HTMLElement>(null)
  const [isCut, setCut] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may fit
  useEffect(() => {
    const shown = element.current
    if (!shown) return
    const look = () => {
      // While it has the focus it is whole, and must keep it.
      if (!shown.closest(':focus')) setCut(shown.scrollWidth > shown.clientWidth)
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(shown)
    return () => observer.disconnect()
  }, [text])
  const takesFocus = isCut && !element.current?.closest('a, button, summary, label')
  return (
    <bdi ref={element} className="cut" title={isCut ? text : undefined} tabIndex={takesFocus ? 0 : undefined}>
      {text}
    </bdi>
  )
}

export { named, unmarked, Words } from '../kit/name.tsx'
