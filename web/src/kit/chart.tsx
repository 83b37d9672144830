import styles from './chart.module.css'
import { classes } from './classes.ts'
import { useNumber } from './number.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

const HEIGHT = 40
const HIGHEST = 39
/** The lowest height of a bar: a single event among thousands is still visible. */
const LOWEST = 1.2

type Bar = { name: string; parts: readonly number[] }

/**
 * A small bar chart; `parts` are stacked, the first at the bottom and solid, others hollow. The table below it is for
 * screen readers.
 */
export function BarChart({
  label,
  bars,
  partNames,
}: {
  label: string
  bars: readonly Bar[]
  partNames: readonly string[]
}) {
  const number = useNumber()
  const width = 100 / Math.max(1, bars.length)
  const most = Math.max(1, ...bars.map(totalOf))
  return (
    <figure className={styles.figure}>
      <div className={styles.plot} aria-hidden="true">
        <span className={styles.most}>{number(most)}</span>
        <svg
          className={styles.chart}
          viewBox={`0 0 100 ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <line
            className={styles.axis}
            x1="0"
            y1={HEIGHT}
            x2="100"
            y2={HEIGHT}
            vectorEffect="non-scaling-stroke"
          />
          {bars.map((bar, index) => {
            let top = HEIGHT
            return (
              <g key={bar.name}>
                <title>{`${bar.name}: ${bar.parts.map((part, place) => `${part} ${partNames[place] ?? ''}`).join(', ')}`}</title>
                <rect className={styles.column} x={index * width} y={0} width={width} height={HEIGHT} />
                {bar.parts.map((part, place) => {
                  const height = part === 0 ? 0 : Math.max(LOWEST, (part / most) * HIGHEST)
                  top -= height
                  return (
                    <rect
                      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
                      key={place}
                      className={classes(styles.bar, place > 0 && styles.bad)}
                      x={index * width + width * 0.15}
                      y={top}
                      width={width * 0.7}
                      height={height}
                      vectorEffect="non-scaling-stroke"
                    />
                  )
                })}
              </g>
            )
          })}
        </svg>
        <div className={styles.ends}>
          <span>{bars[0]?.name}</span>
          <span>{bars.length > 1 && bars.at(-1)?.name}</span>
        </div>
        {partNames.length > 1 && (
          <ul className={styles.legend}>
            {partNames.map((name, place) => (
              <li key={name}>
                <i className={classes(styles.bar, place > 0 && styles.bad)} />
                {name}
              </li>
            ))}
          </ul>
        )}
      </div>
      <VisuallyHidden as="div">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{label}</th>
              {partNames.map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, parts }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {parts.map((part, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
                  <td key={place}>{part}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  )
}

const totalOf = ({ parts }: Bar): number => parts.reduce((sum, part) => sum + part, 0)
