import { useContext } from 'react'
import { useErrorText } from '../../../kit/error-text.ts'
import { common } from '../../../texts/common.ts'
import { errorSentence } from '../../../texts/errors.ts'
import { LanguageContext, useTexts } from '../../../texts/texts.ts'
import { ChatError, type ChatFailure } from '../../model.ts'

/** Why something in the chat failed, as a sentence. */
export function useFailureText(): (error: unknown) => string {
  const t = useTexts(common)
  const language = useContext(LanguageContext)
  const errorText = useErrorText()
  const ofFailure = (failure: ChatFailure): string => {
    const { status, text } = failure
    if (status === 0) return t.unreachable
    return status >= 500 || text === '' ? t.internal : errorSentence(failure, language)
  }
  return (error) => {
    if (error instanceof ChatError) return ofFailure(error.failure)
    if (typeof error === 'object' && error !== null && 'status' in error && 'code' in error) {
      return ofFailure(error as ChatFailure)
    }
    return errorText(error)
  }
}
