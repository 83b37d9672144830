import type { LucideIcon } from 'lucide-react'

export type { LucideIcon } from 'lucide-react'

/** An icon of the set, drawn 1.5 px wide at every size. It carries no words: its parent has a label. */
export function Icon({
  icon: Drawing,
  size = 20,
  className,
}: {
  icon: LucideIcon
  size?: number
  className?: string | undefined
}) {
  return (
    <Drawing
      size={size}
      strokeWidth={1.5}
      absoluteStrokeWidth
      aria-hidden
      className={className}
      style={{ flex: 'none' }}
    />
  )
}
