import { type Static, type TSchema, Type } from 'typebox'
import { Outcome } from './actions.ts'
import { ProfileId, Timestamp, Uuid } from './common.ts'
import { EventMessage } from './message.ts'

export const EVENT_VERSION = 1

const topicId = Uuid('The topic')
const messageId = Uuid('The message')
const truncated = Type.Boolean({ description: 'A text in the payload was cut at 10000 code points' })

export const MessageCreated = Type.Object({ message: EventMessage, truncated })
export const MessageUpdated = Type.Object({
  message: Type.Object({
    ...EventMessage.properties,
    previousText: Type.Optional(
      Type.String({
        description: 'The text before the edit, for bots alone; gone once it is edited again or deleted',
      }),
    ),
    previousMentions: Type.Optional(
      Type.Array(ProfileId(), {
        description: 'Members whom the former text mentioned, in place of `previousText` if that is gone',
      }),
    ),
  }),
  truncated,
  updatedFields: Type.Array(Type.String(), { description: 'Names of the fields that changed' }),
})
const DeletedMessage = Type.Object({ id: messageId, topicId, senderId: ProfileId() })
export const MessageDeleted = Type.Object({
  messageId,
  topicId,
  deletedAt: Timestamp('When it was deleted'),
  deletedBy: ProfileId(),
  message: DeletedMessage,
  reason: Type.Optional(
    Type.Enum(['retention', 'erasure'], {
      description:
        '`retention`: its time was over; `erasure`: the data of its sender was deleted. `deletedBy` is the sender. Missing if a member deleted it',
    }),
  ),
  messages: Type.Optional(
    Type.Array(DeletedMessage, {
      description:
        'All messages of the topic that were deleted together, the oldest first; given with `reason`. `message` is the first of them',
    }),
  ),
})
export const ReactionEvent = Type.Object({
  messageId,
  topicId,
  emoji: Type.String(),
  userId: ProfileId('Who reacted'),
  reactionId: Uuid('The reaction'),
  createdAt: Timestamp('When it happened'),
  reaction: Type.Object({
    id: Uuid('The reaction'),
    messageId,
    topicId,
    userId: ProfileId('Who reacted'),
    emoji: Type.String(),
  }),
})
export const MembersEvent = Type.Object({
  topicId,
  memberIds: Type.Array(ProfileId()),
  memberId: Type.Optional(ProfileId('The member, if it is only one')),
  memberType: Type.Optional(
    Type.Enum(['user', 'bot'], { description: 'The kind of the member, if it is only one' }),
  ),
  actorId: ProfileId('Who did it'),
  createdAt: Timestamp('When it happened'),
})
const changedFields = {
  name: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  open: Type.Optional(Type.Boolean({ description: 'Every person of the organization can join it' })),
  joinedByDefault: Type.Optional(Type.Boolean({ description: 'New people are in it from the start' })),
  announcement: Type.Optional(Type.Boolean({ description: 'Only admins and bots write there' })),
  archived: Type.Optional(Type.Boolean({ description: 'The topic takes no more messages' })),
  labelId: Type.Optional(Type.Union([Uuid('Its label'), Type.Null()])),
}
export const TopicUpdated = Type.Object({
  topicId,
  ...changedFields,
  actorId: ProfileId('Who did it'),
  changes: Type.Object(changedFields, { description: 'The new value of each field that changed' }),
})
export const PollVoteEvent = Type.Object({
  pollVoteId: Type.String(),
  attachmentId: Type.String(),
  messageId,
  topicId,
  optionId: Type.String(),
  voterId: ProfileId('Who voted'),
  createdAt: Timestamp('When it happened'),
})

export const MessageActionEvent = Type.Object({
  actionId: Uuid('The answer'),
  messageId,
  topicId,
  userId: ProfileId('Who answered'),
  userName: Type.String({ description: 'The name at that time' }),
  elementId: Type.String({ description: 'The button, choice or form' }),
  value: Type.Optional(Type.String({ description: 'The value of the button or of the chosen option' })),
  values: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'The values of a form, by the id of the field',
    }),
  ),
  createdAt: Timestamp('When it happened'),
})

export const QuestionClosedEvent = Type.Object({
  questionId: Uuid('The question'),
  messageId,
  topicId,
  ...Outcome.properties,
  createdAt: Timestamp('When it happened'),
})

export const MessageCommandEvent = Type.Object({
  messageId,
  topicId,
  parentId: Type.Optional(Uuid('The message that it replies to, in a thread')),
  userId: ProfileId('The person who answered'),
  userName: Type.String({ description: 'The name at that time' }),
  name: Type.String({ description: 'The command, without `/`' }),
  arguments: Type.Record(Type.String(), Type.String(), {
    description:
      'The arguments by their names, or the values of the form by the ids of its fields; those left out are missing',
  }),
  text: Type.String({ description: 'All that was written after the command' }),
  createdAt: Timestamp('When it happened'),
})

export const ScheduledMessageFailedEvent = Type.Object({
  scheduledMessageId: Uuid('The scheduled message'),
  topicId,
  externalId: Type.Optional(Type.String({ description: 'Your own id for it' })),
  reason: Type.String({ description: 'The refusal that sending it got' }),
  createdAt: Timestamp('When it happened'),
})

export type EventData = {
  'message.created': Static<typeof MessageCreated>
  'message.updated': Static<typeof MessageUpdated>
  'message.deleted': Static<typeof MessageDeleted>
  'reaction.added': Static<typeof ReactionEvent>
  'reaction.removed': Static<typeof ReactionEvent>
  'member.added': Static<typeof MembersEvent>
  'member.removed': Static<typeof MembersEvent>
  'topic.updated': Static<typeof TopicUpdated>
  'poll_vote.created': Static<typeof PollVoteEvent>
  'poll_vote.deleted': Static<typeof PollVoteEvent>
  'message.action': Static<typeof MessageActionEvent>
  'question.closed': Static<typeof QuestionClosedEvent>
  'message.command': Static<typeof MessageCommandEvent>
  'scheduled_message.failed': Static<typeof ScheduledMessageFailedEvent>
}
export type EventType = keyof EventData

const topic = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const messageExample = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const reaction = '0197a1b2-c3d5-7a6b-9c8d-7e6f5a4b3c2d'
const at = 1767225600000

const exampleMessage: Static<typeof EventMessage> = {
  id: messageExample,
  topicId: topic,
  senderId: person,
  senderName: 'Ada Okafor',
  senderType: 'user',
  type: 'text',
  text: 'The release is out.',
  createdAt: at,
  updatedAt: at,
  isEdited: false,
  isSystem: false,
  truncated: false,
  attachments: [],
  mentions: [],
  mentionedProfiles: [],
  reactions: [],
}
const exampleReaction: EventData['reaction.added'] = {
  messageId: messageExample,
  topicId: topic,
  emoji: '🎉',
  userId: person,
  reactionId: reaction,
  createdAt: at,
  reaction: { id: reaction, messageId: messageExample, topicId: topic, userId: person, emoji: '🎉' },
}
const exampleMembers: EventData['member.added'] = {
  topicId: topic,
  memberIds: [person],
  memberId: person,
  memberType: 'user',
  actorId: 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060',
  createdAt: at,
}
const exampleVote: EventData['poll_vote.created'] = {
  pollVoteId: `${messageExample}_k3x9q2_${person}`,
  attachmentId: messageExample,
  messageId: messageExample,
  topicId: topic,
  optionId: 'k3x9q2',
  voterId: person,
  createdAt: at,
}

type EventDefinition = { summary: string; data: TSchema; exampleData: unknown }

const DEFINITIONS: Record<EventType, EventDefinition> = {
  'message.created': {
    summary: 'A message was sent',
    data: MessageCreated,
    exampleData: { message: exampleMessage, truncated: false },
  },
  'message.updated': {
    summary: 'A message was edited, or its voice was transcribed',
    data: MessageUpdated,
    exampleData: {
      message: { ...exampleMessage, isEdited: true, previousText: 'The release is our.' },
      truncated: false,
      updatedFields: ['text'],
    },
  },
  'message.deleted': {
    summary: 'A message was deleted',
    data: MessageDeleted,
    exampleData: {
      messageId: messageExample,
      topicId: topic,
      deletedAt: at,
      deletedBy: person,
      message: { id: messageExample, topicId: topic, senderId: person },
    },
  },
  'reaction.added': {
    summary: 'A member reacted to a message',
    data: ReactionEvent,
    exampleData: exampleReaction,
  },
  'reaction.removed': {
    summary: 'A reaction was taken back',
    data: ReactionEvent,
    exampleData: exampleReaction,
  },
  'member.added': { summary: 'Members joined a topic', data: MembersEvent, exampleData: exampleMembers },
  'member.removed': { summary: 'Members left a topic', data: MembersEvent, exampleData: exampleMembers },
  'topic.updated': {
    summary: 'A topic was renamed, described or set differently',
    data: TopicUpdated,
    exampleData: { topicId: topic, name: 'Releases', actorId: person, changes: { name: 'Releases' } },
  },
  'poll_vote.created': {
    summary: 'A member voted (only for bots that switched this on)',
    data: PollVoteEvent,
    exampleData: exampleVote,
  },
  'poll_vote.deleted': {
    summary: 'A vote was retracted or moved (only for bots that switched this on)',
    data: PollVoteEvent,
    exampleData: exampleVote,
  },
  'message.action': {
    summary: 'A member pressed a button, chose an option or sent a form on a message of this bot',
    data: MessageActionEvent,
    exampleData: {
      actionId: reaction,
      messageId: messageExample,
      topicId: topic,
      userId: person,
      userName: 'Ada Okafor',
      elementId: 'approve',
      value: '1.4',
      createdAt: at,
    },
  },
  'question.closed': {
    summary: 'A question of this bot was answered, has expired, or was withdrawn',
    data: QuestionClosedEvent,
    exampleData: {
      questionId: reaction,
      messageId: messageExample,
      topicId: topic,
      status: 'answered',
      elementId: 'approve',
      closedAt: at,
      createdAt: at,
    },
  },
  'message.command': {
    summary: 'A person gave this bot a command',
    data: MessageCommandEvent,
    exampleData: {
      messageId: messageExample,
      topicId: topic,
      userId: person,
      userName: 'Ada Okafor',
      name: 'deploy',
      arguments: { environment: 'production' },
      text: 'production',
      createdAt: at,
    },
  },
  'scheduled_message.failed': {
    summary: 'A message that this bot had scheduled could not be sent',
    data: ScheduledMessageFailedEvent,
    exampleData: {
      scheduledMessageId: messageExample,
      topicId: topic,
      reason: 'topic is archived',
      createdAt: at,
    },
  },
}

const EXAMPLE_ID = 'evt_0197a1b2-c3d6-7b8c-9d0e-1f2a3b4c5d6e'

const isEventType = (name: string): name is EventType => Object.hasOwn(DEFINITIONS, name)
export const EVENT_TYPES = Object.keys(DEFINITIONS).filter(isEventType)

/** One of several objects, one for each type of event: the property `propertyName` tells them apart. */
export const eachEvent = (propertyName: string, schemaOf: (type: string, data: TSchema) => TSchema) =>
  Type.Unsafe<unknown>({
    oneOf: Object.entries(DEFINITIONS).map(([type, { data }]) => schemaOf(type, data)),
    discriminator: { propertyName },
  })

function envelopeOf(type: string, data: TSchema) {
  return Type.Object({
    id: Type.String({ description: '`evt_<uuid>`; the same in every delivery mode and every retry' }),
    type: Type.Literal(type),
    eventVersion: Type.Literal(EVENT_VERSION),
    timestamp: Timestamp('When the change was committed'),
    data,
  })
}

/** Each event as a webhook carries it: the envelope around its data. */
export const EVENTS = Object.fromEntries(
  Object.entries(DEFINITIONS).map(([type, { summary, data, exampleData }]) => [
    type,
    {
      summary,
      data,
      envelope: envelopeOf(type, data),
      example: { id: EXAMPLE_ID, type, eventVersion: EVENT_VERSION, timestamp: at, data: exampleData },
    },
  ]),
)

/** A delivery of any type: `type` says which, and what `data` is. */
export const WebhookEvent = eachEvent('type', envelopeOf)

export const EVENT_EXAMPLE = {
  id: EXAMPLE_ID,
  type: 'message.created',
  timestamp: at,
  data: DEFINITIONS['message.created'].exampleData,
}
