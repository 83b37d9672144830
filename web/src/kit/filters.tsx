import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import { SearchInput } from './field.tsx'
import styles from './filters.module.css'

export type Filter = {
  /** Name of the parameter in the address. */
  name: string
  label: string
  /** The label while nothing is chosen. */
  any: string
  options: readonly (readonly [value: string, label: string])[]
}

/** Above a list: what it is narrowed down by. */
export function FilterBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>
}

export function FilterSearch({
  label,
  mistake,
  value,
  onChange,
}: {
  label: string
  mistake?: string | undefined
  value: string
  onChange: (text: string) => void
}) {
  const id = useId()
  return (
    <>
      <div className={styles.search}>
        <SearchInput
          label={label}
          value={value}
          onChange={onChange}
          mistakeId={mistake === undefined ? undefined : id}
        />
      </div>
      {mistake !== undefined && (
        <p className={styles.mistake} id={id} role="alert">
          {mistake}
        </p>
      )}
    </>
  )
}

export function FilterPill<Value extends string>({
  filter: { label, any, options },
  value,
  onChange,
}: {
  filter: Omit<Filter, 'name' | 'options'> & {
    options: readonly (readonly [value: Value, label: string])[]
  }
  value: Value | ''
  onChange: (value: Value | '') => void
}) {
  return (
    <label className={classes(styles.pill, value !== '' && styles.chosen)}>
      <span>{label}</span>
      {/* The browser's own list: it can be typed into, and is at home on phones. */}
      <select
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(options.find(([option]) => option === target.value)?.[0] ?? '')}
      >
        <option value="">{any}</option>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A day, or a minute of one, at which what is shown begins or ends. */
export function FilterMoment({
  type,
  label,
  value,
  onChange,
}: {
  type: 'date' | 'datetime-local'
  label: string
  value: string
  onChange: (value: string) => void
}) {
  return (
    <label className={classes(styles.pill, value !== '' && styles.chosen)}>
      <span>{label}</span>
      <input
        type={type}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
