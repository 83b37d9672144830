import { Search } from 'lucide-react'
import type { InputHTMLAttributes, ReactNode, Ref, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { useId } from 'react'
import { classes } from './classes.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'
import { Words } from './name.tsx'

/** Attributes that connect a control with its label, hint and mistake. */
export type FieldWiring = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

/** A label, what is filled in, and what helps with it. */
export function Field({
  label,
  hint,
  mistake,
  required = false,
  end,
  children,
}: {
  label: string
  hint?: ReactNode
  mistake?: string | undefined
  required?: boolean
  /** At the end of the line of the label: a count, for example. */
  end?: ReactNode
  children: (wiring: FieldWiring) => ReactNode
}) {
  const id = useId()
  const described = mistake !== undefined ? `${id}m` : hint !== undefined ? `${id}h` : undefined
  return (
    <div className={styles.field}>
      <div className={styles.top}>
        <label htmlFor={id} className={styles.label}>
          <Words text={label} />
        </label>
        {end !== undefined && <span className={styles.end}>{end}</span>}
      </div>
      {children({
        id,
        'aria-describedby': described,
        'aria-invalid': mistake !== undefined || undefined,
        'aria-required': required || undefined,
      })}
      {mistake !== undefined ? (
        <p className={styles.mistake} id={`${id}m`} role="alert">
          {mistake}
        </p>
      ) : (
        hint !== undefined && (
          <p className={styles.hint} id={`${id}h`}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

export function TextInput({
  ref,
  ...native
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> & { ref?: Ref<HTMLInputElement> }) {
  return <input type="text" {...native} ref={ref} className={styles.input} />
}

export function TextArea({
  ref,
  ...native
}: Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'> & { ref?: Ref<HTMLTextAreaElement> }) {
  return <textarea rows={3} {...native} ref={ref} className={classes(styles.input, styles.area)} />
}

/** One of many, where the browser's own list is the best: it can be typed into, and is at home on phones. */
export function Select({
  ref,
  ...native
}: Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> & { ref?: Ref<HTMLSelectElement> }) {
  return <select {...native} ref={ref} className={styles.input} />
}

/** A `Select` with its label: pairs of a value and what it is called. */
export function SelectField<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly (readonly [value: Value, name: string])[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <Field label={label}>
      {(wiring) => (
        <Select
          {...wiring}
          value={value}
          onChange={(event) => {
            const chosen = options.find(([one]) => one === event.target.value)
            if (chosen) onChange(chosen[0])
          }}
        >
          {options.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** A control and what acts on it, side by side. */
export function Beside({ children }: { children: ReactNode }) {
  return <div className={styles.beside}>{children}</div>
}

/** A field that finds something; its label is not shown. */
export function SearchInput({
  label,
  value,
  onChange,
  mistakeId,
  list,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  /** The id of the text that explains why this search is invalid. */
  mistakeId?: string | undefined
  /** A list of completions below it, and the one that is chosen. */
  list?: { id: string; isOpen: boolean; chosenId: string | undefined }
}) {
  return (
    <div className={styles.search}>
      <Icon icon={Search} size={18} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        aria-invalid={mistakeId !== undefined || undefined}
        aria-describedby={mistakeId}
        {...(list && {
          role: 'combobox',
          autoComplete: 'off',
          'aria-autocomplete': 'list' as const,
          'aria-expanded': list.isOpen,
          'aria-controls': list.isOpen ? list.id : undefined,
          'aria-activedescendant': list.chosenId,
        })}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={styles.plain}
      />
    </div>
  )
}
