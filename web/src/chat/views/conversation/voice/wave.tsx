import { classes } from '../../../../kit/classes.ts'
import styles from './voice.module.css'

const BARS = 48
const STEP = 5
const HEIGHT = 26
/** Silence is a dot, as high as it is wide. */
const LEAST = 3

/** Reduces a list to `count` levels, each the loudest of its part. */
export function squeezed(levels: readonly number[], count: number): number[] {
  if (levels.length <= count) return [...levels]
  return Array.from({ length: count }, (_each, index) => {
    const from = Math.floor((index * levels.length) / count)
    return Math.max(...levels.slice(from, Math.floor(((index + 1) * levels.length) / count)))
  })
}

/** A recording's levels, left to right in every language; dots if they are unknown. */
export function Wave({ levels, played = 0 }: { levels?: readonly number[] | undefined; played?: number }) {
  const bars = levels && levels.length > 0 ? squeezed(levels, BARS) : Array<number>(BARS).fill(0)
  return (
    <svg
      className={styles.wave}
      viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {bars.map((level, index) => {
        const height = Math.max(LEAST, (level / 100) * HEIGHT)
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={index}
            className={classes(index < played * bars.length && styles.on)}
            x={index * STEP}
            y={(HEIGHT - height) / 2}
            width={3}
            height={height}
            rx={1.5}
          />
        )
      })}
    </svg>
  )
}
