import { useContext } from 'react'
import type { ChatState } from '../../model.ts'
import { ChatContext } from '../../store/context.tsx'

/** The state as it is at the moment of asking, for what acts; what is drawn subscribes with `useChat`. */
export function useSnapshot(): () => ChatState {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('not inside of a ChatProvider')
  return chat.store.getSnapshot
}
