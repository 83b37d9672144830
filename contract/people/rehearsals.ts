import { type Static, Type } from 'typebox'
import { Page, PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, Name, ORGANIZATION } from './common.ts'

const TAG = 'People: bots'
const REHEARSALS = `${ORGANIZATION}/bots/{botId}/rehearsals` as const
const REHEARSAL = `${REHEARSALS}/{rehearsalId}` as const
const inBot = InOrganization({ botId: ProfileId('The bot') })
const params = InOrganization({ botId: ProfileId('The bot'), rehearsalId: Uuid('The rehearsal') })
const NOT_FOUND = ['bot_not_found', 'rehearsal_not_found'] as const

/** Refusals that a bot can get in a rehearsal alone, by any operation. */
export const REHEARSAL_REFUSALS = ['not_in_rehearsals', 'rehearsal_full', 'rehearsal_over'] as const

/** `running`: its token works; `over`: it has heard everything; `expired`: it has not, and its token works no more. */
export const REHEARSAL_STATES = ['running', 'over', 'expired'] as const

export const Rehearsal = Type.Object({
  id: Uuid('The rehearsal'),
  name: Type.String({ description: 'What is rehearsed' }),
  state: Type.Enum(REHEARSAL_STATES),
  startedBy: ProfileId('The admin who began it'),
  startedByName: Type.String(),
  from: Timestamp('It hears what happened from then on'),
  heardUntil: Timestamp('The time of the latest event that it was given'),
  events: Type.Integer({ description: 'Events that it was given' }),
  tokens: Type.Integer({ description: 'Tokens that it reported' }),
  createdAt: Timestamp('When it began: it hears what happened until then'),
  expiresAt: Timestamp('When its token stops working'),
  deleteAt: Timestamp('When it is deleted, with all that was said in it'),
})
export type Rehearsal = Static<typeof Rehearsal>

export const SAYING_KINDS = [
  'message',
  'private',
  'reaction',
  'commands',
  'prompts',
  'question',
  'refused',
] as const

/** Something that the bot did in a rehearsal. */
const Saying = Type.Object({
  kind: Type.Enum(SAYING_KINDS, {
    description: '`refused`: it called an operation that no rehearsal has, and got an error',
  }),
  text: Type.String({ description: 'The text, the emoji, or the operation that was refused' }),
  memberId: Type.Optional(ProfileId('The person who would see a private answer')),
  parentId: Type.Optional(Uuid('The message that it replies to')),
  buttons: Type.Optional(Type.Array(Type.String(), { description: 'Texts of its buttons' })),
  steps: Type.Optional(Type.Array(Type.String(), { description: 'Titles of its steps' })),
  sendAt: Type.Optional(Timestamp('When it would be sent, if later')),
  isEdited: Type.Optional(Type.Boolean({ description: 'It was edited: this is the last text' })),
  isDeleted: Type.Optional(Type.Boolean({ description: 'It was deleted again' })),
  isUnfinished: Type.Optional(Type.Boolean({ description: 'It was streamed, and never finished' })),
})
export type Saying = Static<typeof Saying>

const FormerSaying = Type.Object({
  id: Uuid('The message'),
  text: Type.String(),
  createdAt: Timestamp('When'),
})

export const RehearsedEvent = Type.Object({
  seq: Type.Integer({ description: 'Its number in the log of the organization; 0: before the first event' }),
  type: Type.Optional(Type.String({ description: 'The type of the event' })),
  createdAt: Type.Optional(Timestamp('When it happened')),
  topicId: Type.Optional(Uuid('Its topic')),
  topicName: Type.Optional(Type.String()),
  actorName: Type.Optional(Type.String({ description: 'Who caused it' })),
  messageId: Type.Optional(Uuid('The message that it is about')),
  text: Type.Optional(Type.String({ description: 'The text of that message, as it is now' })),
  isHidden: Type.Optional(
    Type.Boolean({
      description:
        'The admin is not in the topic, or the message was edited or deleted since: nothing is shown of it',
    }),
  ),
  former: Type.Array(FormerSaying, {
    description: 'Messages that the bot really sent after it, until the next event there: the first few',
  }),
  rehearsed: Type.Array(Saying, { description: 'What it did in the rehearsal: the first few' }),
  more: Type.Optional(Type.Integer({ description: 'How much more it did in the rehearsal' })),
})
export type RehearsedEvent = Static<typeof RehearsedEvent>

const example: Rehearsal = {
  id: '5b6c7d8e-9f01-4a2b-8c3d-4e5f60718293',
  name: 'Version 2',
  state: 'running',
  startedBy: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
  startedByName: 'Ada Okafor',
  from: 1766620800000,
  heardUntil: 1766700000000,
  events: 12,
  tokens: 4800,
  createdAt: 1767225600000,
  expiresAt: 1767312000000,
  deleteAt: 1767830400000,
}

const StartedRehearsal = Type.Object({
  rehearsal: Rehearsal,
  token: Type.String({ description: 'For `PARLEY_REHEARSAL`; shown here and never again' }),
})

export const startRehearsal = peopleOperation({
  id: 'startRehearsal',
  method: 'POST',
  path: REHEARSALS,
  tag: TAG,
  summary: 'Begin a rehearsal of a bot',
  description:
    'Gives a token with which a new version of the bot hears past events, of the topics that both the bot and the admin are in. What it does with that token is kept for the comparison, and reaches nobody. It ends when the admin is one no more. Of ten that are kept, the oldest that is over makes room.',
  access: 'admin',
  params: inBot,
  body: Type.Object({
    name: Type.Optional(Name(LIMITS.rehearsalName, 'What is rehearsed')),
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.rehearsalDays,
        default: LIMITS.rehearsalDays,
        description: 'How many days back it begins',
      }),
    ),
  }),
  bodyExample: { name: 'Version 2', days: 7 },
  success: {
    201: {
      description: 'The rehearsal, with its token',
      schema: StartedRehearsal,
      example: {
        rehearsal: { ...example, events: 0, tokens: 0, heardUntil: example.from },
        token:
          'parley_rehearsal_0123456789abcdef0123456789abcdef_Qm4rT8vYx1zA3cE5gH7jKLmN9pR2sU4wXb6yZdFhJkM',
      },
    },
  },
  refusals: ['bot_not_found', 'bot_not_active', 'rehearsals_full'],
})

export const listRehearsals = peopleOperation({
  id: 'listRehearsals',
  method: 'GET',
  path: REHEARSALS,
  tag: TAG,
  summary: 'List the rehearsals of a bot',
  description: 'The newest first.',
  access: 'admin',
  params: inBot,
  success: {
    200: {
      description: 'All that are kept',
      schema: Type.Object({ rehearsals: Type.Array(Rehearsal) }),
      example: { rehearsals: [example] },
    },
  },
  refusals: ['bot_not_found'],
})

export const readRehearsal = peopleOperation({
  id: 'readRehearsal',
  method: 'GET',
  path: REHEARSAL,
  tag: TAG,
  summary: 'Compare what a bot said with what it said in a rehearsal',
  description:
    'By event, the oldest first. Of a topic that the admin is not in, it only says that something happened there.',
  access: 'admin',
  params,
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of events',
      schema: Type.Object({ rehearsal: Rehearsal, ...Page('events', RehearsedEvent).properties }),
      example: {
        rehearsal: example,
        events: [
          {
            seq: 41,
            type: 'message.created',
            createdAt: 1766700000000,
            topicId: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
            topicName: 'Releases',
            actorName: 'Ada Okafor',
            messageId: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
            text: 'Is 1.4 out?',
            former: [
              {
                id: '0197a1b2-c3d5-7e5f-8a9b-0c1d2e3f4a5b',
                text: 'I do not know.',
                createdAt: 1766700002000,
              },
            ],
            rehearsed: [{ kind: 'message', text: 'Yes, since noon.' }],
          },
        ],
        hasMore: false,
      },
    },
  },
  refusals: ['cursor_invalid', ...NOT_FOUND],
})

export const deleteRehearsal = peopleOperation({
  id: 'deleteRehearsal',
  method: 'DELETE',
  path: REHEARSAL,
  tag: TAG,
  summary: 'Delete a rehearsal',
  description: 'Its token stops working, and what was said in it is gone.',
  access: 'admin',
  params,
  success: { 204: { description: 'Deleted' } },
  refusals: NOT_FOUND,
})
