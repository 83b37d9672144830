import { type ReactNode, useEffect, useState } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './copy.module.css'
import { FieldGroup } from './layout.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

const SHOWN_MS = 2000

/** `of` names what is copied for those who do not see it beside the button. */
export function CopyButton({
  text,
  label,
  of,
  onCopied,
}: {
  text: string
  label?: string
  of?: string
  onCopied?: (() => void) | undefined
}) {
  const t = useTexts(common)
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed'>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = window.setTimeout(() => setOutcome(undefined), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    const done = await copyText(text)
    setOutcome(done ? 'copied' : 'copyFailed')
    if (done) onCopied?.()
  }
  return (
    <Button size="small" onClick={() => void copy()} aria-live="polite">
      {outcome === undefined ? (label ?? t.copy) : t[outcome]}
      {of !== undefined && <VisuallyHidden>{of}</VisuallyHidden>}
    </Button>
  )
}

/** Browsers give the clipboard only to secure pages; on others the text is selected and copied the old way. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => copySelected(text),
    )
  }
  return copySelected(text)
}

function copySelected(text: string): boolean {
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  const parent = document.querySelector('dialog[open], [role="dialog"]:not([data-toast])') ?? document.body
  parent.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}

/** A text as it is, which scrolls, or breaks. */
export function Pre({
  label,
  breaks = false,
  copy,
  children,
}: {
  label?: string
  breaks?: boolean
  /** The button that copies it. */
  copy?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={classes(styles.code, breaks && styles.breaks)} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keyboards must be able to */}
      <pre tabIndex={0}>{children}</pre>
      {copy !== undefined && <div className={styles.copy}>{copy}</div>}
    </section>
  )
}

/** `copy` is what is copied where that is not what is shown: unformatted, for example. */
export function Code({
  text,
  label,
  copy = text,
  onCopied,
}: {
  text: string
  label: string
  copy?: string
  onCopied?: (() => void) | undefined
}) {
  return (
    <Pre label={label} copy={<CopyButton text={copy} of={label} onCopied={onCopied} />}>
      {text}
    </Pre>
  )
}

/** A value that is shown once. */
export function Secret({
  label,
  value,
  onCopied,
}: {
  label: string
  value: string
  onCopied?: (() => void) | undefined
}) {
  return (
    <FieldGroup legend={label}>
      <div className={styles.value}>
        <code>{value}</code>
        <CopyButton text={value} of={label} onCopied={onCopied} />
      </div>
    </FieldGroup>
  )
}
