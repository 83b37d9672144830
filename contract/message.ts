import { type Static, Type } from 'typebox'
import { MessageActions } from './actions.ts'
import { ProfileId, Timestamp, Uuid } from './common.ts'
import { GroupMentions } from './group-mentions.ts'
import { LIMITS } from './limits.ts'
import { MessageSources, MessageSteps } from './message-progress.ts'

export const MESSAGE_TYPES = [
  'text',
  'image',
  'file',
  'video',
  'audio',
  'location',
  'task',
  'contact',
  'poll',
  'call',
] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

/** The loudness of a voice message over time. */
export const Waveform = Type.Array(Type.Integer({ minimum: 0, maximum: 100 }), {
  maxItems: LIMITS.waveformLevels,
  description: 'Voice messages whose sender gave it: how loud it is, in steps of the same length',
})

export const Attachment = Type.Object({
  id: Type.String({ description: '`att_<uuid>`' }),
  type: Type.Enum(['image', 'file', 'video', 'audio']),
  name: Type.Optional(Type.String({ description: 'Original file name' })),
  url: Type.String({ description: 'Signed download link, valid for 60 minutes' }),
  contentType: Type.String({
    description: 'The type of the content, as the server recognized it',
    examples: ['image/png'],
  }),
  size: Type.Integer({ description: 'In bytes' }),
  width: Type.Optional(
    Type.Integer({ description: 'The size of images, and of videos if it is known, in pixels' }),
  ),
  height: Type.Optional(
    Type.Integer({ description: 'The size of images, and of videos if it is known, in pixels' }),
  ),
  duration: Type.Optional(
    Type.Integer({ description: 'The length of audio and video in ms, if it is known' }),
  ),
  thumbnailUrl: Type.Optional(
    Type.String({ description: 'Images only: signed link to a WebP of at most 320 by 320 pixels' }),
  ),
  waveform: Type.Optional(Waveform),
  transcription: Type.Optional(
    Type.Object(
      {
        status: Type.Enum(['Pending', 'Done', 'Failed']),
        text: Type.Optional(Type.String({ description: 'Present when `Done`' })),
        reason: Type.Optional(
          Type.Enum(['no_engine'], { description: 'Given with `Failed` if the server has no engine' }),
        ),
      },
      { description: 'Voice messages only' },
    ),
  ),
})
export type Attachment = Static<typeof Attachment>

export const MessagePoll = Type.Object({
  id: Uuid('The poll'),
  title: Type.String(),
  subtitle: Type.Optional(Type.String()),
  selectionType: Type.Enum(['single', 'multiple']),
  anonymous: Type.Boolean(),
  status: Type.Enum(['active', 'closed']),
  expiresAt: Type.Optional(Timestamp('When it stops taking votes')),
  options: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
})
export type MessagePoll = Static<typeof MessagePoll>

export const TASK_ACTIONS = [
  'Added',
  'Updated',
  'Deleted',
  'MarkedAsDone',
  'MarkedAsOpened',
  'Replied',
] as const

export const MessageTask = Type.Object({
  id: Uuid('The task'),
  action: Type.Enum(TASK_ACTIONS),
  title: Type.String(),
  text: Type.String({ description: 'The description of the task' }),
  status: Type.Enum(['Open', 'Done']),
  assignee: Type.String({ description: 'Profile id; empty when unassigned' }),
  dueDate: Type.Integer({ description: 'Unix time in ms; 0 when unset' }),
  isDueDateTimeSelected: Type.Boolean(),
  parentId: Type.String({ description: 'Empty unless it is part of another task' }),
  subItemsCount: Type.Integer(),
})
export type MessageTask = Static<typeof MessageTask>

export const Call = Type.Object({
  id: Type.String(),
  initiatorId: ProfileId(),
  callType: Type.String({ examples: ['video'] }),
  status: Type.String({ examples: ['ended'] }),
  startedAt: Timestamp('Begin'),
  endedAt: Timestamp('End'),
  endReason: Type.String({ examples: ['finished'] }),
  duration: Type.Integer({ description: 'In ms' }),
  participantCount: Type.Integer(),
})

export const Location = Type.Object({
  latitude: Type.String(),
  longitude: Type.String(),
  name: Type.Optional(Type.String()),
  address: Type.Optional(Type.String()),
})
export type Location = Static<typeof Location>

export const Contact = Type.Object({
  name: Type.String(),
  phoneNumbers: Type.Array(Type.String()),
  emails: Type.Array(Type.String()),
  role: Type.String(),
  location: Type.String(),
  linkedIn: Type.String(),
  profileId: Type.String(),
})
export type Contact = Static<typeof Contact>

export const Mention = Type.Object({ id: ProfileId(), name: Type.String() })
export type Mention = Static<typeof Mention>

export const ReactionCount = Type.Object({
  emoji: Type.String(),
  count: Type.Integer(),
  userIds: Type.Optional(
    Type.Array(ProfileId(), { description: 'Given only with `includeReactionUsers=true`' }),
  ),
})

export const STREAM_STATUSES = ['streaming', 'stopped', 'failed', 'interrupted'] as const

/** The state of a message that a bot wrote piece by piece, unless it is simply finished. */
export const MessageStream = Type.Object({
  status: Type.Enum(STREAM_STATUSES, {
    description:
      '`streaming`: still being written, seen by people alone; `stopped` by a person; `failed`: given up by the bot; `interrupted`: the bot fell silent',
  }),
  activity: Type.Optional(
    Type.String({ description: 'The present activity of the bot, while it is `streaming`' }),
  ),
  stoppedBy: Type.Optional(ProfileId('The person who stopped it, given with `stopped`')),
})
export type MessageStream = Static<typeof MessageStream>

/** A forwarded message, as it was when it was forwarded. It has no name of a topic: its readers may not know that topic. */
export const MessageForward = Type.Object({
  messageId: Uuid('The message that was forwarded'),
  topicId: Uuid('The topic of the original; 404 to callers who may not see it'),
  senderId: ProfileId('The sender of the forwarded message'),
  senderName: Type.String(),
  senderType: Type.Enum(['user', 'bot']),
  type: Type.Enum(MESSAGE_TYPES, {
    description: 'The type of the forwarded message; a forwarded `poll` or `task` is shown by its title',
  }),
  text: Type.String({
    description:
      'The text at the time of forwarding, with names in place of mentions; the title of a poll or a task',
  }),
  createdAt: Timestamp('When the forwarded message was sent'),
})
export type MessageForward = Static<typeof MessageForward>

/** A preview of the page behind the first link of a message. The server fetches it after the message was sent; browsers ask no foreign host. */
export const LinkPreview = Type.Object({
  url: Type.String({ description: 'The address of the page' }),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  siteName: Type.Optional(Type.String()),
  imageId: Type.Optional(Type.String({ description: 'The picture: `att_<uuid>`' })),
  thumbnailUrl: Type.Optional(
    Type.String({ description: 'A signed link to a WebP, valid for 60 minutes, given with `imageId`' }),
  ),
  width: Type.Optional(Type.Integer({ description: 'The size of the picture, in pixels' })),
  height: Type.Optional(Type.Integer({ description: 'The size of the picture, in pixels' })),
})
export type LinkPreview = Static<typeof LinkPreview>

/** Fields that reads and events have in common. */
export const MessageCore = {
  id: Uuid('The message'),
  topicId: Uuid('Its topic'),
  senderId: ProfileId(),
  senderName: Type.String(),
  senderType: Type.Enum(['user', 'bot']),
  type: Type.Enum(MESSAGE_TYPES),
  text: Type.String({
    description: 'Mentions stand in it as `<@profileId>`, `<@everyone>`, `<@here>` and `<@tag>` of a group',
  }),
  createdAt: Timestamp('When it was sent'),
  updatedAt: Timestamp('When it last changed'),
  isEdited: Type.Boolean(),
  isSystem: Type.Boolean(),
  truncated: Type.Boolean({ description: 'A text was cut at 10000 code points' }),
  appearedId: Type.Optional(
    Uuid('On messages with files that appeared after newer ones: their place in the order of appearance'),
  ),
  parentId: Type.Optional(Uuid('On replies: the message that is replied to')),
  externalId: Type.Optional(Type.String({ description: 'The id that the sender gave it' })),
  poll: Type.Optional(MessagePoll),
  task: Type.Optional(MessageTask),
  call: Type.Optional(Call),
  location: Type.Optional(Location),
  contact: Type.Optional(Contact),
  forwarded: Type.Optional(MessageForward),
  preview: Type.Optional(LinkPreview),
  stream: Type.Optional(MessageStream),
  steps: Type.Optional(MessageSteps),
  sources: Type.Optional(MessageSources),
  actions: Type.Optional(MessageActions),
  groupMentions: Type.Optional(GroupMentions),
  assistant: Type.Optional(
    Type.Object(
      { name: Type.String({ description: 'The name of the assistant, as it gave itself' }) },
      { description: 'The assistant that wrote this for the person, if one did' },
    ),
  ),
}

/** A message as it is read from a topic. */
export const Message = Type.Object({
  ...MessageCore,
  attachments: Type.Array(Type.String(), { description: 'Attachment ids' }),
  attachmentDetails: Type.Optional(Type.Array(Attachment, { description: 'On messages with files' })),
  mentions: Type.Array(ProfileId()),
  mentionDetails: Type.Array(Mention),
  reactions: Type.Array(ReactionCount),
  replyCount: Type.Integer({ description: 'The number of replies' }),
  messageId: Type.Optional(Uuid('Equal to `id`; given where a message is read by its id')),
  channelId: Type.Optional(Uuid('Equal to `topicId`; given where a message is read by its id')),
})
export type Message = Static<typeof Message>

/** A message as events carry it: attachments and mentions are objects. */
export const EventMessage = Type.Object({
  ...MessageCore,
  attachments: Type.Array(Attachment),
  mentions: Type.Array(Mention),
  mentionedProfiles: Type.Array(ProfileId()),
  reactions: Type.Array(ReactionCount),
})
export type EventMessage = Static<typeof EventMessage>
