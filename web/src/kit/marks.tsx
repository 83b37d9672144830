import type { ReactNode } from 'react'
import { kit } from '../texts/kit.ts'
import { useTexts } from '../texts/texts.ts'
import { classes } from './classes.ts'
import { hueOf } from './face.tsx'
import styles from './marks.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

/** A word in an outline, or, with an id, in the tint of what it names. */
export function Chip({ children, tintOf }: { children: ReactNode; tintOf?: string | undefined }) {
  return (
    <span
      className={classes(styles.chip, tintOf !== undefined && styles.tinted)}
      style={tintOf !== undefined ? { ['--hue' as string]: hueOf(tintOf) } : undefined}
    >
      {children}
    </span>
  )
}

/** Beside the name of a bot, always. */
export function BotChip() {
  const t = useTexts(kit)
  return <Chip>{t.bot}</Chip>
}

/** Beside the name of a guest, always. */
export function GuestChip() {
  const t = useTexts(kit)
  return <Chip>{t.guest}</Chip>
}

/** What stands beside the name of a member who is no ordinary person of the organization. */
export function MemberChip({ type, role }: { type: 'user' | 'bot'; role?: string | null | undefined }) {
  if (type === 'bot') return <BotChip />
  return role === 'guest' ? <GuestChip /> : null
}

/** Counts go up to here; more are "99+". */
const COUNTED = 99

/** A number in a pill is unread; one that waits for the reader is marigold. */
export function Count({
  value,
  waits = false,
  isMention = waits,
  says,
}: {
  value: number
  waits?: boolean
  isMention?: boolean
  /** The thing counted, if other than unread messages. */
  says?: string
}) {
  const t = useTexts(kit)
  if (value <= 0) return null
  const shown = value > COUNTED ? `${COUNTED}+` : String(value)
  return (
    <span className={classes(styles.count, waits && styles.waits)}>
      <span aria-hidden>{isMention ? `@${shown}` : shown}</span>
      <VisuallyHidden>{says ?? (isMention ? t.mentions(value) : t.unread(value))}</VisuallyHidden>
    </span>
  )
}
