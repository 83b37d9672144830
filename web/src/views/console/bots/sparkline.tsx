import { useNumber } from '../../../kit/number.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import styles from './bots.module.css'

const HEIGHT = 24
/** The lowest height of a bar: a single event among thousands is still visible. */
const LOWEST = 2

type Hour = { delivered: number; failed: number }

/** Deliveries of a day by the hour, failures on top; in words for screen readers. */
export function Sparkline({ hours }: { hours: readonly Hour[] }) {
  const t = useTexts(texts).sparkline
  const number = useNumber()
  const total = (pick: (hour: Hour) => number) => hours.reduce((sum, hour) => sum + pick(hour), 0)
  const [delivered, failed] = [total((hour) => hour.delivered), total((hour) => hour.failed)]
  if (delivered + failed === 0) return <span className={styles.quiet}>{t.none}</span>
  const most = Math.max(...hours.map((hour) => hour.delivered + hour.failed))
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(LOWEST, (count / most) * HEIGHT))
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${hours.length * 4} ${HEIGHT}`}
      role="img"
      aria-label={t.label(number(delivered), number(failed))}
    >
      {hours.map((hour, index) => {
        const [good, bad] = [heightOf(hour.delivered), heightOf(hour.failed)]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
          <g key={index}>
            <rect className={styles.good} x={index * 4} y={HEIGHT - good} width={3} height={good} />
            <rect className={styles.bad} x={index * 4} y={HEIGHT - good - bad} width={3} height={bad} />
          </g>
        )
      })}
    </svg>
  )
}
