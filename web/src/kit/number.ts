import { useContext } from 'react'
import { LanguageContext } from '../texts/texts.ts'

/** Numbers as they are written in the reader's language. */
export function useNumber(): (value: number) => string {
  const language = useContext(LanguageContext)
  const format = new Intl.NumberFormat(language)
  return (value) => format.format(value)
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Sizes of files, in the unit that suits them. A kilobyte has 1024 bytes, as in the settings of the server. */
export function useBytes(): (value: number) => string {
  const language = useContext(LanguageContext)
  return (value) => {
    const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, value)) / 10))
    const format = new Intl.NumberFormat(language, {
      style: 'unit',
      unit: UNITS[power] ?? 'byte',
      unitDisplay: power === 0 ? 'long' : 'short',
      maximumFractionDigits: 1,
    })
    return format.format(value / 1024 ** power)
  }
}
