import { type Static, Type } from 'typebox'
import { Uuid } from './common.ts'

/** Words that mention people and are no group. */
export const EVERYONE = 'everyone'
export const HERE = 'here'

/** Words that mentioned people when the message was sent; others are text. */
export const GroupMentions = Type.Object(
  {
    everyone: Type.Optional(Type.Literal(true, { description: '`<@everyone>`: all people of the topic' })),
    here: Type.Optional(
      Type.Literal(true, { description: '`<@here>`: people of the topic who were present' }),
    ),
    groups: Type.Optional(
      Type.Array(
        Type.Object({
          id: Uuid('The group or org unit'),
          tag: Type.String({ description: 'The tag when the message was sent: the text has `<@tag>`' }),
        }),
        { description: 'Groups and org units; their members who are in the topic are mentioned' },
      ),
    ),
  },
  { description: 'Whom the text mentions by `<@everyone>`, `<@here>` and `<@tag>`, besides `mentions`' },
)
export type GroupMentions = Static<typeof GroupMentions>
