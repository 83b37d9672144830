import { type Static, Type } from 'typebox'
import { ProfileId, Uuid } from '../common.ts'
import { Task } from '../tasks.ts'

/** Number of people shown beside an option: its first voters. */
export const SHOWN_VOTERS = 5

const results = {
  id: Uuid('The poll'),
  version: Type.Integer({ description: 'Grows with every change: the state with the greater one is newer' }),
  status: Type.Enum(['active', 'closed']),
  voters: Type.Integer({ description: 'The number of voters' }),
  options: Type.Array(
    Type.Object({
      id: Type.String(),
      count: Type.Integer({ description: 'The number of votes' }),
      voterIds: Type.Array(ProfileId(), {
        description: `The first ${SHOWN_VOTERS} who chose it; always empty in an anonymous poll`,
      }),
    }),
  ),
}

/** The results of a poll, equal for all readers. */
export const PollResults = Type.Object(results)
export type PollResults = Static<typeof PollResults>

/** The results of a poll, and the reader's own choice. */
export const PollState = Type.Object({
  ...results,
  own: Type.Array(Type.String(), { description: 'Ids of the options that they chose; only they see it' }),
})
export type PollState = Static<typeof PollState>

/** A task as people see it. */
export const ChatTask = Type.Object({ ...Task.properties, createdBy: ProfileId('Who made it') })
export type ChatTask = Static<typeof ChatTask>

/** A note from a bot to the person who answered it, or a private answer of a bot, visible to that person alone. */
export const ActionNote = Type.Object({
  messageId: Uuid('The message that was answered'),
  actionId: Uuid('The answer; of a private answer its own id'),
  text: Type.String({ description: 'Markdown, of a private answer' }),
  senderId: Type.Optional(ProfileId('Private answers: the bot that gave it')),
  senderName: Type.Optional(Type.String({ description: 'Private answers: the name of the bot' })),
})
export type ActionNote = Static<typeof ActionNote>
