import { type Static, Type } from 'typebox'
import { ProfileId } from '../common.ts'
import { Message } from '../message.ts'

/** A message as pages get it. */
export const ChatMessage = Type.Object({
  ...Message.properties,
  mentionedPeople: Type.Optional(
    Type.Array(ProfileId(), {
      description:
        'On messages with `groupMentions`: who is mentioned by them; left out where it is everyone in the topic',
    }),
  ),
  threadOnly: Type.Optional(
    Type.Literal(true, { description: 'On replies that stay in their thread: the topic does not show it' }),
  ),
})
export type ChatMessage = Static<typeof ChatMessage>
