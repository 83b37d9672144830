import { useCallback, useContext } from 'react'
import { common } from '../../../texts/common.ts'
import { errorSentence } from '../../../texts/errors.ts'
import { LanguageContext, useTexts } from '../../../texts/texts.ts'
import { ChatError, type ChatFailure } from '../../model.ts'

/** Why something was not done, in a sentence for people. */
export function useFailureText(): (failure: ChatFailure | undefined) => string {
  const language = useContext(LanguageContext)
  const t = useTexts(common)
  return useCallback(
    (failure) => {
      if (failure === undefined || failure.status === 0) return t.unreachable
      if (failure.status === 413) return t.tooLarge
      return failure.text === '' || failure.status >= 500 ? t.internal : errorSentence(failure.text, language)
    },
    [language, t],
  )
}

export const failureOf = (error: unknown): ChatFailure | undefined =>
  error instanceof ChatError ? error.failure : undefined
