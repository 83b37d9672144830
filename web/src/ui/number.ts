import { useContext } from 'react'
import { LanguageContext } from '../texts/texts.ts'

/** Numbers as they are written in the reader's language. */
export function useNumber(): (value: number) => string {
  const language = useContext(LanguageContext)
  const format = new Intl.NumberFormat(language)
  return (value) => format.format(value)
}
