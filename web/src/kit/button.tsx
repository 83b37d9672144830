import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import styles from './button.module.css'
import { classes } from './classes.ts'
import { Icon, type LucideIcon } from './icon.tsx'
import { tip } from './tip.ts'

/** One filled button for each view (`primary` or `danger`); the second is outlined, the third plain text. */
export type ButtonLook = 'primary' | 'outline' | 'quiet' | 'link' | 'danger'

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
      // It stays where it is in the order of Tab while it works.
      aria-disabled={busy || undefined}
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
export function ButtonLink({ to, look, size, icon, wide, children }: Shown & { to: string }) {
  return (
    <Link
      to={to}
      className={classOf({ ...(look && { look }), ...(size && { size }), ...(wide && { wide }) })}
    >
      {icon && <Icon icon={icon} size={18} />}
      {children}
    </Link>
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
  /** For a button that switches something: whether it is on. */
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
