import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Icon, type LucideIcon } from './icon.tsx'
import { tip } from './tip.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

/**
 * One filled button for each view (`primary` or `danger`); the second is outlined, the third plain text. `risk` is outlined, and
 * opens a window that asks first.
 */
export type ButtonLook = 'primary' | 'outline' | 'quiet' | 'link' | 'danger' | 'risk'

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type'> & {
  ref?: Ref<HTMLButtonElement> | undefined
}

type Shown = {
  look?: ButtonLook
  size?: 'normal' | 'small'
  icon?: LucideIcon | undefined
  wide?: boolean
  children: ReactNode
}

const classOf = ({ look = 'outline', size = 'normal', wide = false }: Partial<Shown>): string =>
  classes(styles.button, styles[look], size === 'small' && styles.small, wide && styles.wide)

export function Button({
  look,
  size,
  icon,
  wide,
  busy = false,
  submit = false,
  children,
  onClick,
  ...native
}: Native & Shown & { busy?: boolean; submit?: boolean }) {
  return (
    <button
      {...native}
      type={submit ? 'submit' : 'button'}
      className={classOf({ ...(look && { look }), ...(size && { size }), ...(wide && { wide }) })}
      // `aria-disabled` keeps the button in the Tab order while it works.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon && <Icon icon={icon} size={18} />}
      {children}
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  to,
  label,
  look,
  size,
  icon,
  wide,
  children,
}: Shown & {
  to: string
  /** An accessible name, for links whose text alone is ambiguous. */
  label?: string
}) {
  return (
    <Link
      to={to}
      aria-label={label}
      className={classOf({ ...(look && { look }), ...(size && { size }), ...(wide && { wide }) })}
    >
      {icon && <Icon icon={icon} size={18} />}
      {children}
    </Link>
  )
}

/** A link that looks like a button and leaves this app: a file, or another page of the server. */
export function ButtonAnchor({
  href,
  download = false,
  look,
  icon,
  wide,
  children,
}: Omit<Shown, 'size'> & { href: string; download?: boolean }) {
  return (
    <a
      href={href}
      download={download || undefined}
      className={classOf({ ...(look && { look }), ...(wide && { wide }) })}
    >
      {icon && <Icon icon={icon} size={18} />}
      {children}
    </a>
  )
}

/** A button that chooses a file; the field itself is hidden inside of its label, which shows the focus. */
export function FileButton({
  accept,
  busy = false,
  onChosen,
  children,
}: {
  accept: string
  busy?: boolean
  onChosen: (file: File) => void
  children: ReactNode
}) {
  return (
    <label className={classes(styles.button, styles.outline, styles.file)} aria-busy={busy || undefined}>
      {children}
      <VisuallyHidden>
        <input
          type="file"
          accept={accept}
          disabled={busy}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            // Cleared, so that the same file can be chosen again after it was corrected.
            target.value = ''
            if (file) onChosen(file)
          }}
        />
      </VisuallyHidden>
    </label>
  )
}

/** A button that shows an icon alone: its label is its name and its tooltip, beside the key that does the same. */
export function IconButton({
  label,
  icon,
  keys,
  size = 'normal',
  isOn,
  ...native
}: Native & {
  label: string
  icon: LucideIcon
  /** Such as "Ctrl K". */
  keys?: string | undefined
  size?: 'normal' | 'small' | 'tiny'
  /** State of a toggle button. */
  isOn?: boolean | undefined
}) {
  return (
    <button
      type="button"
      {...native}
      aria-label={label}
      aria-pressed={isOn}
      {...tip(label, keys)}
      className={classes(styles.icon, styles[size], isOn === true && styles.on)}
    >
      <Icon icon={icon} size={size === 'normal' ? 20 : size === 'small' ? 18 : 16} />
    </button>
  )
}
