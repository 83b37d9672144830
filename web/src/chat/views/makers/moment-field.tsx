import { useId } from 'react'
import { TextInput } from '../../../kit/field.tsx'
import { makerTexts } from '../../../texts/chat-makers.ts'
import { useTexts } from '../../../texts/texts.ts'
import styles from './makers.module.css'

/** The values of the two fields of a moment. */
export type WrittenMoment = { date: string; time: string }
export const NO_MOMENT: WrittenMoment = { date: '', time: '' }

const two = (value: number): string => String(value).padStart(2, '0')

export function writtenMoment(at: number): WrittenMoment {
  if (at === 0) return NO_MOMENT
  const date = new Date(at)
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`
  return {
    date: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
    time: time === LAST_MINUTE ? '' : time,
  }
}

/** A day without a time ends with its last minute. */
const LAST_MINUTE = '23:59'

/** 0: there is none. */
export function momentOf({ date, time }: WrittenMoment): number {
  if (date === '') return 0
  const at = new Date(`${date}T${time || LAST_MINUTE}`).getTime()
  return Number.isFinite(at) ? at : 0
}

/** A day and, optionally, a time. */
export function MomentField({
  label,
  value,
  onChange,
  mistake,
}: {
  label: string
  value: WrittenMoment
  onChange: (value: WrittenMoment) => void
  mistake?: string | undefined
}) {
  const t = useTexts(makerTexts).moment
  const id = useId()
  const wiring = { 'aria-invalid': mistake !== undefined, 'aria-describedby': mistake && `${id}m` }
  return (
    <fieldset className={styles.moment}>
      <legend>{label}</legend>
      <TextInput
        type="date"
        aria-label={`${label}: ${t.date}`}
        {...wiring}
        value={value.date}
        onChange={({ target }) => onChange({ ...value, date: target.value })}
      />
      <TextInput
        type="time"
        aria-label={`${label}: ${t.time}`}
        disabled={value.date === ''}
        value={value.time}
        onChange={({ target }) => onChange({ ...value, time: target.value })}
      />
      {mistake !== undefined && (
        <p className={styles.mistake} id={`${id}m`}>
          {mistake}
        </p>
      )}
    </fieldset>
  )
}
