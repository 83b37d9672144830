import { useCallback, useContext } from 'react'
import { isBotId } from '../../../../../../contract/profile-ids.ts'
import type { FaceOf } from '../../../../kit/face.tsx'
import { named } from '../../../../kit/name.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { LanguageContext, useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'

/** Names of members by id, the reader's own as "You". */
export function useNames(): (profileId: string) => string {
  const t = useTexts(messageTexts)
  const members = useChat((state) => state.members)
  const me = useChat((state) => state.me?.id)
  return useCallback((id) => (id === me ? t.you : (members.get(id)?.name ?? t.unknown)), [members, me, t])
}

/** Names of members by id, each marked for a sentence that mentions them; `undefined` for unknown ids. */
export function useMentionedNames(): (profileId: string) => string | undefined {
  const members = useChat((state) => state.members)
  return useCallback(
    (id) => {
      const member = members.get(id)
      return member && named(member.name)
    },
    [members],
  )
}

/** A member as a face needs it, also where only what a message says of its sender is known. */
export const faceOf = (id: string, member: FaceOf | undefined, name: string): FaceOf =>
  member ?? { id, name, type: isBotId(id) ? 'bot' : 'user' }

/** "Ada, Ben and Cleo", or "Ada, Ben or Cleo", in the reader's language. */
export function useNameList(): (names: readonly string[], type?: Intl.ListFormatType) => string {
  const language = useContext(LanguageContext)
  return useCallback(
    (names, type = 'conjunction') => new Intl.ListFormat(language, { type }).format(names),
    [language],
  )
}
