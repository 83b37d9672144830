import { type Static, Type } from 'typebox'
import { Message } from '../message.ts'

/** A message as pages get it. */
export const ChatMessage = Type.Object({
  ...Message.properties,
  threadOnly: Type.Optional(
    Type.Literal(true, { description: 'On replies that stay in their thread: the topic does not show it' }),
  ),
})
export type ChatMessage = Static<typeof ChatMessage>
