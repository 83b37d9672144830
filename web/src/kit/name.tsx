import { useEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'
import styles from './name.module.css'

/**
 * A name that a person chose, on one line and cut where there is no room. `<bdi>` keeps its script from turning the
 * words around it. The tooltip has the whole name. A cut name takes the focus, unless its link or button does, and is
 * shown whole while it has it.
 */
export function Name({
  text,
  inline = false,
}: {
  text: string
  /** Inside of a sentence. */
  inline?: boolean
}) {
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
    <bdi
      ref={element}
      className={classes(styles.name, inline && styles.inline)}
      data-name
      title={isCut ? text : undefined}
      tabIndex={takesFocus ? 0 : undefined}
    >
      {text}
    </bdi>
  )
}

const [BEGIN, END] = ['\u2068', '\u2069']

/** A name inside of a sentence: marked, so that `Words` can put it into a `<bdi>`. */
export const named = (name: string): string => BEGIN + name + END

/** A sentence, in which names are what `named` marked. */
export function Words({ text }: { text: string }) {
  return text
    .split(MARKED)
    .map((part) => (part.startsWith(BEGIN) ? <bdi key={part}>{part.slice(1, -1)}</bdi> : part))
}

/** Removes the marks, where only text can be shown. */
export const unmarked = (text: string): string => text.replaceAll(BEGIN, '').replaceAll(END, '')

const MARKED = new RegExp(`(${BEGIN}[^${END}]*${END})`)
