import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { unmarked, Words } from './name.tsx'
import styles from './page.module.css'

/** Focuses an element that replaces the focused one; the focus would be lost otherwise. */
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

/** The element with the focus when a view opens: it names the page, and Tab leads on to the skip link. */
const START = 'page-start'
/** The target of the skip link. */
export const CONTENT = 'content'

/**
 * The start of each page, with the skip link. It moves the focus by script, since some pages hold a one-time token
 * behind `#`.
 */
export function PageStart() {
  const t = useTexts(common)
  return (
    <>
      <p id={START} className={styles.start} dir="auto" tabIndex={-1} role="status" />
      <a
        className={styles.skip}
        href={`#${CONTENT}`}
        onClick={(event) => {
          event.preventDefault()
          document.getElementById(CONTENT)?.focus()
        }}
      >
        {t.skip}
      </a>
    </>
  )
}

function startAt(title: string): void {
  const start = document.getElementById(START)
  if (!start) return
  start.textContent = title
  start.focus({ preventScroll: true })
}

/** When a view opens, the focus goes to the start of the page, which has the words of its heading. */
export function usePageStart(title: string): void {
  useEffect(() => {
    document.title = `${unmarked(title)} · Parley`
  }, [title])
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it opens, not when it is renamed
  useEffect(() => {
    window.scrollTo(0, 0)
    startAt(unmarked(title))
  }, [])
}

/** The heading of a view. */
export function PageHead({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children?: ReactNode
}) {
  usePageStart(title)
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <h1 tabIndex={-1}>
          <bdi>
            <Words text={title} />
          </bdi>
        </h1>
        {about !== undefined && <p className={styles.about}>{about}</p>}
      </div>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  )
}

/** A page with nothing around it. */
export function PageAlone({ roomy = false, children }: { roomy?: boolean; children: ReactNode }) {
  return (
    <main className={classes(styles.alone, roomy && styles.roomy)} id={CONTENT} tabIndex={-1}>
      {children}
    </main>
  )
}

/** The way back to the list that one came from. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <nav aria-label={children}>
      <Link to={to} className={styles.back}>
        <Icon icon={ArrowLeft} size={16} />
        {children}
      </Link>
    </nav>
  )
}

/** Parts of one thing, each with an address of its own. */
export function Tabs({
  label,
  tabs,
}: {
  label: string
  tabs: readonly { to: string; name: string; isOpen: boolean }[]
}) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ to, name, isOpen }) => (
        <Link key={to} to={to} aria-current={isOpen ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
