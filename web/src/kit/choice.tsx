import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import styles from './choice.module.css'
import { Icon } from './icon.tsx'

type Box = { isOn: boolean; onChange: (isOn: boolean) => void; disabled?: boolean }

/** The box itself, with the name that it is given. */
function TickBox({
  isOn,
  onChange,
  disabled = false,
  ...named
}: Box & { 'aria-label'?: string; 'aria-labelledby'?: string; 'aria-describedby'?: string | undefined }) {
  return (
    <BaseCheckbox.Root
      {...named}
      className={styles.box}
      checked={isOn}
      onCheckedChange={onChange}
      disabled={disabled}
    >
      <BaseCheckbox.Indicator className={styles.tick}>
        <Icon icon={Check} size={13} />
      </BaseCheckbox.Indicator>
    </BaseCheckbox.Root>
  )
}

export function Checkbox({ label, about, ...box }: Box & { label: ReactNode; about?: string | undefined }) {
  const id = useId()
  return (
    <div className={styles.check}>
      <TickBox {...box} aria-labelledby={id} aria-describedby={about !== undefined ? `${id}a` : undefined} />
      <span className={styles.words}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box itself takes the keys */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a label that is no `label`, as the box is no `input` */}
        <span id={id} onClick={() => !box.disabled && box.onChange(!box.isOn)}>
          {label}
        </span>
        {about !== undefined && (
          <span id={`${id}a`} className={styles.about}>
            {about}
          </span>
        )}
      </span>
    </div>
  )
}

/** A box without words beside it: in a table, where the row says what it is for. */
export function BareCheckbox({ label, ...box }: Box & { label: string }) {
  return <TickBox {...box} aria-label={label} />
}

/** Takes effect at once: a setting with its name, and what it means. */
export function Switch({
  label,
  about,
  isOn,
  onChange,
  disabled = false,
}: {
  label: string
  about?: string | undefined
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div className={styles.setting}>
      <div className={styles.words}>
        <span id={id}>{label}</span>
        {about !== undefined && (
          <span id={`${id}a`} className={styles.about}>
            {about}
          </span>
        )}
      </div>
      <BaseSwitch.Root
        aria-labelledby={id}
        aria-describedby={about !== undefined ? `${id}a` : undefined}
        className={styles.switch}
        checked={isOn}
        onCheckedChange={onChange}
        disabled={disabled}
      >
        <BaseSwitch.Thumb className={styles.thumb} />
      </BaseSwitch.Root>
    </div>
  )
}

/** One of a few, all of them in sight. */
export function Segmented<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}) {
  return (
    <RadioGroup
      aria-label={label}
      className={styles.segments}
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      {options.map(([option, words]) => (
        <Radio.Root key={option} value={option} className={styles.segment}>
          {words}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}

/** One of a few that need a sentence each. */
export function Choices<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: string; about?: string | undefined }[]
  onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <div>
      <div id={id} className={styles.legend}>
        {label}
      </div>
      <RadioGroup
        aria-labelledby={id}
        className={styles.choices}
        value={value}
        onValueChange={(next) => onChange(next as Value)}
      >
        {options.map((option) => (
          <Radio.Root key={option.value} value={option.value} className={styles.choice}>
            <span className={styles.dot} />
            <span>
              <span className={styles.name}>{option.label}</span>
              {option.about !== undefined && <span className={styles.about}>{option.about}</span>}
            </span>
          </Radio.Root>
        ))}
      </RadioGroup>
    </div>
  )
}
