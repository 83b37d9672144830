import { useContext } from 'react'
import { Refused, Unreachable } from '../api/call.ts'
import { common } from '../texts/common.ts'
import { errorSentence } from '../texts/errors.ts'
import { LanguageContext, useTexts } from '../texts/texts.ts'

/** An error as a sentence in the reader's language. */
export function useErrorText(): (error: unknown) => string {
  const t = useTexts(common)
  const language = useContext(LanguageContext)
  return (error) => {
    if (error instanceof Unreachable) return t.unreachable
    if (!(error instanceof Refused) || error.status >= 500) return t.internal
    if (error.message !== '') return errorSentence({ ...error, text: error.message }, language)
    return error.status === 413 ? t.tooLarge : t.internal
  }
}
