import { useCallback, useContext } from 'react'
import { messageTexts } from '../../../texts/chat-message.ts'
import { common } from '../../../texts/common.ts'
import { errorSentence } from '../../../texts/errors.ts'
import { LanguageContext, useTexts } from '../../../texts/texts.ts'
import { ChatError, type ChatFailure } from '../../model.ts'
import { FILES_LOST, NOT_PROCESSED } from '../../sync/failures.ts'

/** Why something was not done, in a sentence for people. */
export function useFailureText(): (failure: ChatFailure | undefined) => string {
  const language = useContext(LanguageContext)
  const t = useTexts(common)
  const { filesLost, filesNotProcessed } = useTexts(messageTexts)
  return useCallback(
    (failure) => {
      if (failure === undefined || failure.status === 0) return t.unreachable
      if (failure.status === 413) return t.tooLarge
      if (failure.code === FILES_LOST) return filesLost
      if (failure.code === NOT_PROCESSED) return filesNotProcessed
      return failure.text === '' || failure.status >= 500 ? t.internal : errorSentence(failure, language)
    },
    [language, t, filesLost, filesNotProcessed],
  )
}

export const failureOf = (error: unknown): ChatFailure | undefined =>
  error instanceof ChatError ? error.failure : undefined
