import { type Static, Type } from 'typebox'
import { ChatMessage } from './chat-message.ts'

/** A message that a bot is writing, with its text so far. */
export const StreamingMessage = Type.Object({
  version: Type.Integer({ description: 'Pieces in the live stream with a greater one are newer' }),
  message: ChatMessage,
})
export type StreamingMessage = Static<typeof StreamingMessage>
