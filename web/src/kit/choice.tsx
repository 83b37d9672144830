import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import styles from './choice.module.css'
import { Icon } from './icon.tsx'

export function Checkbox({
  label,
  isOn,
  onChange,
  disabled = false,
}: {
  label: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
}) {
  const id = useId()
  return (
    <div className={styles.check}>
      <BaseCheckbox.Root
        aria-labelledby={id}
        className={styles.box}
        checked={isOn}
        onCheckedChange={onChange}
        disabled={disabled}
      >
        <BaseCheckbox.Indicator className={styles.tick}>
          <Icon icon={Check} size={13} />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box itself takes the keys */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a label that is no `label`, as the box is no `input` */}
      <span id={id} onClick={() => !disabled && onChange(!isOn)}>
        {label}
      </span>
    </div>
  )
}

/** A box without words beside it: in a table, where the row says what it is for. */
export function BareCheckbox({
  label,
  isOn,
  onChange,
  disabled = false,
}: {
  label: string
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
}) {
  return (
    <BaseCheckbox.Root
      aria-label={label}
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
  options: readonly { value: Value; label: string; about: string }[]
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
              <span className={styles.about}>{option.about}</span>
            </span>
          </Radio.Root>
        ))}
      </RadioGroup>
    </div>
  )
}
