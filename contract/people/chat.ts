import { type Static, Type } from 'typebox'
import { BotReach, Name, Page, PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { messageExample } from '../messages.ts'
import { peopleOperation } from '../operation.ts'
import { ActionNote, ChatTask, PollState } from './card-records.ts'
import { ChatMessage } from './chat-message.ts'
import {
  ChatMember,
  ChatTopic,
  COUNTED_UNREAD,
  Draft,
  KNOWN_MEMBERS,
  Level,
  memberExample,
  SidebarSection,
  sectionExample,
  stateExample,
  TopicState,
  topicExample,
} from './chat-records.ts'
import { InOrganization, ORGANIZATION } from './common.ts'
import { StreamingMessage } from './streaming-message.ts'

const TAG = 'People: chat'
export const CHAT = `${ORGANIZATION}/chat` as const

const topicId = topicExample.id
const person = memberExample.id
const messageId = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const at = topicExample.createdAt

const TopicParams = InOrganization({ topicId: Uuid('The topic') })
const MessageParams = InOrganization({ messageId: Uuid('The message') })

/** Threads that a browser gets at its start. It learns of others when a message in them concerns the person. */
export const KNOWN_THREADS = 100

export const FollowedThread = Type.Object({
  parentId: Uuid('The message that is replied to'),
  topicId: Uuid('Its topic'),
  lastReplyId: Uuid('The newest reply'),
  readTo: Uuid('Replies up to here were read'),
  unread: Type.Integer({ description: `Replies of others behind it, counted up to ${COUNTED_UNREAD}` }),
  unreadInTopic: Type.Integer({
    description: 'Those among them that the topic shows: reading it reads them',
  }),
  mentions: Type.Integer({ description: 'Those among them that mention the person and stay in the thread' }),
})
export type FollowedThread = Static<typeof FollowedThread>

export const ThreadSummary = Type.Object({
  parentId: Uuid('The message that is replied to'),
  lastReplyId: Uuid('The newest reply'),
  lastReplyAt: Timestamp('When it was sent'),
  replierIds: Type.Array(ProfileId(), { description: 'Who replied last, up to 3' }),
})
export type ThreadSummary = Static<typeof ThreadSummary>
/** The most that a start has, as JSON, and the lists of it that may go on elsewhere. */
export const START_BYTES = 100_000
export const START_LISTS = ['topics', 'drafts', 'labels', 'emoji', 'streaming', 'tasks', 'threads'] as const

export const startChat = peopleOperation({
  id: 'startChat',
  method: 'GET',
  path: `${CHAT}/start`,
  tag: TAG,
  summary: 'Read what the chat starts with',
  description: `All of it is of one moment of the log: a live stream from \`position\` tells what comes after it. It has less than ${START_BYTES / 1000} KB, however large the organization is: what the person needs first. \`more\` names the lists that go on elsewhere.`,
  access: 'guest',
  params: InOrganization(),
  query: Type.Object({
    topicId: Type.Optional(Uuid('The topic that is being opened: it is among those that are listed')),
  }),
  success: {
    200: {
      description: 'The topics that they are in, with what is unread, and their drafts',
      schema: Type.Object({
        position: Type.Integer({ description: 'The number in the log; `after` of the live stream' }),
        me: ChatMember,
        organization: Type.Object({
          id: Uuid('The organization'),
          name: Type.String(),
          logoUrl: Type.Optional(Type.String()),
          maxFileBytes: Type.Integer({ description: 'How large one file may be' }),
          showPresence: Type.Boolean({
            description: 'Whether people see who is there, who writes and what they are at',
          }),
          repliesInTopics: Type.Boolean({ description: 'Whether topics show all replies' }),
          membersCreateTopics: Type.Boolean({ description: 'Whether all members may create topics' }),
          membersInviteGuests: Type.Boolean({ description: 'Whether all members may invite guests' }),
          editMinutes: Type.Optional(
            Type.Integer({
              description: 'The minutes for which people may edit and delete own messages; missing: always',
            }),
          ),
        }),
        topics: Type.Array(ChatTopic, {
          description:
            'Topics that they are in: the one that is being opened, those in favourites and in sections of their own, those with the newest messages, the first by name',
        }),
        members: Type.Array(ChatMember, { description: 'Members whom these topics name' }),
        manyMembers: Type.Boolean({
          description: `More than ${KNOWN_MEMBERS}: \`listChatMembers\` finds them by id and by name`,
        }),
        more: Type.Array(Type.Enum(START_LISTS), {
          description:
            'Lists that are not whole: `topics` and `drafts` go on with `listChatTopics`, the others with the operations of their names',
        }),
        sections: Type.Array(SidebarSection, {
          description:
            'Sections of the list of conversations: those that everybody has, then their own in their order',
        }),
        drafts: Type.Array(Draft),
        labels: Type.Array(Type.Object({ id: Uuid('The label'), name: Type.String() })),
        emoji: Type.Array(Type.Object({ name: Type.String(), pictureId: Uuid('Its picture') }), {
          description: "The organization's own, which are written as `:name:`",
        }),
        failedLater: Type.Integer({ description: 'How many of their scheduled messages could not be sent' }),
        online: Type.Array(ProfileId(), {
          description:
            'Who is there now, and was active in the last ten minutes; with many members, of those who are named here',
        }),
        streaming: Type.Array(StreamingMessage, { description: 'What bots are writing now' }),
        tasks: Type.Array(ChatTask, {
          description: `Open tasks that they are to do, those that are due first, up to ${COUNTED_UNREAD}`,
        }),
        threads: Type.Array(FollowedThread, {
          description: `Threads that they follow, those with the newest replies, up to ${KNOWN_THREADS}`,
        }),
      }),
      example: {
        position: 42,
        me: memberExample,
        organization: {
          id: '5a3c1f0e-2b4d-4c6e-8f10-1a2b3c4d5e6f',
          name: 'Lighthouse Labs',
          maxFileBytes: 104_857_600,
          showPresence: true,
          repliesInTopics: false,
          membersCreateTopics: true,
          membersInviteGuests: false,
        },
        topics: [topicExample],
        members: [memberExample],
        manyMembers: false,
        more: [],
        sections: [sectionExample],
        drafts: [],
        labels: [],
        emoji: [],
        failedLater: 0,
        online: [person],
        streaming: [],
        tasks: [],
        threads: [],
      },
    },
  },
})

export const listChatTopics = peopleOperation({
  id: 'listChatTopics',
  method: 'GET',
  path: `${CHAT}/topics`,
  tag: TAG,
  summary: 'List the topics that they are in',
  description:
    'The newest first, each page of one moment of the log. With `search`, only topics that are not archived, and no direct messages, by name.',
  access: 'guest',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(Type.String({ maxLength: LIMITS.topicName, description: 'A part of the name' })),
  }),
  success: {
    200: {
      description: 'A page of topics, with their drafts and the members whom they name',
      schema: Type.Object({
        position: Type.Integer({ description: 'The number in the log: later events are not in this page' }),
        topics: Type.Array(ChatTopic),
        drafts: Type.Array(Draft),
        members: Type.Array(ChatMember, {
          description: 'Members of direct messages, and senders of the newest messages',
        }),
        nextCursor: Type.Optional(Type.String()),
        hasMore: Type.Boolean(),
      }),
      example: {
        position: 42,
        topics: [topicExample],
        drafts: [],
        members: [memberExample],
        hasMore: false,
      },
    },
  },
  refusals: ['cursor_invalid'],
})

export const listChatMembers = peopleOperation({
  id: 'listChatMembers',
  method: 'GET',
  path: `${CHAT}/members`,
  tag: TAG,
  summary: 'List people and bots',
  description:
    'All, the oldest first, those who were archived or deleted too: their messages still show a name. With `ids` those alone, in one page. With `search`, `topicId` or `type` active ones, by name.',
  access: 'guest',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    ids: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4000, description: 'Only these, comma-separated, up to 100' }),
    ),
    search: Type.Optional(
      Type.String({
        maxLength: LIMITS.profileName,
        description: 'The first letters of words of the name, or of the address',
      }),
    ),
    topicId: Type.Optional(Uuid('Only members of this topic')),
    near: Type.Optional(Uuid('Members of this topic come first')),
    type: Type.Optional(Type.Enum(['user', 'bot'], { description: 'Only people, or only bots' })),
  }),
  success: {
    200: {
      description: 'A page of members',
      schema: Type.Object({
        members: Type.Array(ChatMember),
        online: Type.Array(ProfileId(), { description: 'Those of them who are there now' }),
        total: Type.Optional(
          Type.Integer({ description: 'How many members of `topicId` there are; on the first page' }),
        ),
        nextCursor: Type.Optional(Type.String()),
        hasMore: Type.Boolean(),
      }),
      example: { members: [memberExample], online: [person], hasMore: false },
    },
  },
  refusals: [
    'cursor_invalid',
    'member_invalid',
    'fields_conflict.ids and search',
    'fields_conflict.ids and topicId',
    'topic_not_found',
  ],
})

export const readChatTopic = peopleOperation({
  id: 'readChatTopic',
  method: 'GET',
  path: `${CHAT}/topics/{topicId}`,
  tag: TAG,
  summary: 'Read a topic that they are in, or an open one',
  access: 'guest',
  params: TopicParams,
  success: {
    200: { description: 'The topic, with its first members', schema: ChatTopic, example: topicExample },
  },
  refusals: ['topic_not_found'],
})

const topicName = Name(LIMITS.topicName, 'What it is called')
const topicDescription = Type.String({ maxLength: LIMITS.topicDescription, description: 'What it is for' })
const settings = {
  open: Type.Optional(Type.Boolean()),
  joinedByDefault: Type.Optional(Type.Boolean({ description: 'For admins; the topic must be open' })),
  announcement: Type.Optional(Type.Boolean()),
}
const SETTINGS_REFUSALS = ['topic_not_open', 'topic_is_direct'] as const

export const createChatTopic = peopleOperation({
  id: 'createChatTopic',
  method: 'POST',
  path: `${CHAT}/topics`,
  tag: TAG,
  summary: 'Create a topic',
  access: 'member',
  params: InOrganization(),
  body: Type.Object({
    name: topicName,
    description: Type.Optional(topicDescription),
    members: Type.Optional(
      Type.Array(ProfileId(undefined, { pattern: 'member_invalid', type: 'member_invalid' }), {
        maxItems: LIMITS.topicMembersOnCreation,
        description: 'Besides themselves',
      }),
    ),
    reach: Type.Optional(BotReach),
    ...settings,
  }),
  bodyExample: { name: 'Spring release', open: true },
  success: { 201: { description: 'The topic', schema: ChatTopic, example: topicExample } },
  refusals: ['forbidden', 'topics_for_admins', 'member_invalid', 'guests_for_admins', ...SETTINGS_REFUSALS],
})

export const updateChatTopic = peopleOperation({
  id: 'updateChatTopic',
  method: 'PATCH',
  path: `${CHAT}/topics/{topicId}`,
  tag: TAG,
  summary: 'Change a topic',
  description:
    'Name, description and label: every member. Who may write, whether it is open, joined by default or archived: who created it, and admins.',
  access: 'member',
  params: TopicParams,
  body: Type.Object({
    name: Type.Optional(topicName),
    description: Type.Optional(topicDescription),
    labelId: Type.Optional(Type.Union([Uuid('A label'), Type.Null()])),
    ...settings,
    archived: Type.Optional(
      Type.Boolean({ description: 'Nobody writes there any longer; it can be undone' }),
    ),
    botsStopped: Type.Optional(
      Type.Literal(false, {
        description: 'Lets bots write again that only answered each other: every member',
      }),
    ),
  }),
  bodyExample: { name: 'Releases' },
  success: { 200: { description: 'The topic', schema: ChatTopic, example: topicExample } },
  refusals: ['forbidden', 'topic_archived', 'field_invalid.labelId', ...SETTINGS_REFUSALS, 'topic_not_found'],
})

export const openDirectMessage = peopleOperation({
  id: 'openDirectMessage',
  method: 'POST',
  path: `${CHAT}/direct-messages`,
  tag: TAG,
  summary: 'Open the direct message with these members',
  description: 'There is one for each set of members: it is made when it is opened for the first time.',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({
    memberIds: Type.Array(ProfileId(undefined, { pattern: 'member_invalid', type: 'member_invalid' }), {
      minItems: 1,
      maxItems: 8,
      description: 'Besides themselves',
    }),
  }),
  bodyExample: { memberIds: [person] },
  success: {
    200: {
      description: 'The direct message',
      schema: ChatTopic,
      example: { ...topicExample, type: 'dm' as const, open: false, joinedByDefault: false },
    },
  },
  refusals: ['member_invalid'],
})

export const listOpenTopics = peopleOperation({
  id: 'listOpenTopics',
  method: 'GET',
  path: `${CHAT}/open-topics`,
  tag: TAG,
  summary: 'Find open topics',
  description: 'By name; those that they are in already, and archived ones, are not listed.',
  access: 'member',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    search: Type.Optional(Type.String({ maxLength: LIMITS.topicName, description: 'A part of the name' })),
  }),
  success: {
    200: {
      description: 'A page of topics',
      schema: Page('topics', ChatTopic),
      example: { topics: [{ ...topicExample, isMember: false }], hasMore: false },
    },
  },
  refusals: ['cursor_invalid'],
})

export const setBotReach = peopleOperation({
  id: 'setBotReach',
  method: 'PATCH',
  path: `${CHAT}/topics/{topicId}/members/{botId}`,
  tag: TAG,
  summary: 'Choose what a bot hears of a topic',
  description:
    'From the next event on. For admins, and for who created the topic while they are in it; the people in the topic are told. An admin who is not in a closed topic can only let a bot hear less of it.',
  access: 'member',
  params: InOrganization({ topicId: Uuid('The topic'), botId: ProfileId('The bot') }),
  body: Type.Object({ reach: BotReach }),
  bodyExample: { reach: 'mentions' },
  success: { 204: { description: 'It hears that much' } },
  refusals: ['forbidden', 'topic_archived', 'closed_topic_reach', 'topic_not_found', 'bot_not_found'],
})

export const joinTopic = peopleOperation({
  id: 'joinTopic',
  method: 'POST',
  path: `${CHAT}/topics/{topicId}/join`,
  tag: TAG,
  summary: 'Join an open topic',
  description: 'Who is in it already changes nothing.',
  access: 'member',
  params: TopicParams,
  success: { 200: { description: 'The topic', schema: ChatTopic, example: topicExample } },
  refusals: ['topic_archived', 'topic_not_found'],
})

export const leaveTopic = peopleOperation({
  id: 'leaveTopic',
  method: 'POST',
  path: `${CHAT}/topics/{topicId}/leave`,
  tag: TAG,
  summary: 'Leave a topic',
  access: 'guest',
  params: TopicParams,
  success: { 204: { description: 'They are no longer in it' } },
  refusals: ['topic_is_direct', 'topic_not_found'],
})

export const readHistory = peopleOperation({
  id: 'readHistory',
  method: 'GET',
  path: `${CHAT}/topics/{topicId}/history`,
  tag: TAG,
  summary: 'Read a stretch of a topic, or of a thread in it',
  description:
    'A topic leaves out replies that stay in their threads; `around` one of these, it is a stretch of its thread. The newest messages, or those next `before`, `after` or `around` a message (one of the three). Costs the same however long the topic is.',
  access: 'guest',
  params: TopicParams,
  query: Type.Object({
    before: Type.Optional(Uuid('Only what was sent before this message')),
    after: Type.Optional(Uuid('Only what was sent after this message')),
    around: Type.Optional(Uuid('This message, with as much before as after it')),
    threadId: Type.Optional(Uuid('Only the replies to this message')),
    limit: PageQuery.limit,
  }),
  success: {
    200: {
      description: 'The messages, the oldest first, with who reacted',
      schema: Type.Object({
        messages: Type.Array(ChatMessage),
        hasBefore: Type.Boolean(),
        hasAfter: Type.Boolean(),
        polls: Type.Array(PollState, {
          description: 'The polls that these messages show, as they stand now',
        }),
        tasks: Type.Array(ChatTask, {
          description: 'The tasks that these messages tell of, as they are now; deleted ones are missing',
        }),
        notes: Type.Array(ActionNote, {
          description: 'What bots told this person alone about answers to them',
        }),
        threads: Type.Array(ThreadSummary, {
          description: 'The threads of these messages that have replies',
        }),
      }),
      example: {
        messages: [messageExample],
        hasBefore: false,
        hasAfter: false,
        polls: [],
        tasks: [],
        notes: [],
        threads: [],
      },
    },
  },
  refusals: ['fields_conflict.before, after and around', 'topic_not_found', 'message_not_found'],
})

export const setTopicState = peopleOperation({
  id: 'setTopicState',
  method: 'PATCH',
  path: `${CHAT}/topics/{topicId}/state`,
  tag: TAG,
  summary: 'Mark a topic as read, mute it, move it to another section, or choose what one is notified of',
  description:
    '`readTo` only moves forward. `unreadFrom` is how a person moves it back: this message and all after it are unread again.',
  access: 'guest',
  params: TopicParams,
  body: Type.Object({
    readTo: Type.Optional(Uuid('The newest message that was on the screen')),
    unreadFrom: Type.Optional(Uuid('The first message that is unread from here on')),
    muted: Type.Optional(Type.Boolean()),
    favourite: Type.Optional(Type.Boolean({ description: '`true` takes it out of a section of their own' })),
    sectionId: Type.Optional(
      Type.Union([Uuid('A section of their own'), Type.Null()], {
        description: 'Moves it there, and out of favourites; `null` takes it out of its section',
      }),
    ),
    level: Type.Optional(Level),
  }),
  bodyExample: { readTo: messageId },
  success: { 200: { description: 'How it is now', schema: TopicState, example: stateExample } },
  refusals: [
    'fields_conflict.readTo and unreadFrom',
    'fields_conflict.favourite and sectionId',
    'section_not_found',
    'topic_not_found',
    'message_not_found',
  ],
})

export const readEverything = peopleOperation({
  id: 'readEverything',
  method: 'POST',
  path: `${CHAT}/read-all`,
  tag: TAG,
  summary: 'Mark every topic and every thread as read',
  access: 'guest',
  params: InOrganization(),
  success: {
    200: {
      description: 'The topics that had something unread',
      schema: Type.Object({ states: Type.Array(TopicState) }),
      example: { states: [stateExample] },
    },
  },
})

export const saveDraft = peopleOperation({
  id: 'saveDraft',
  method: 'POST',
  path: `${CHAT}/drafts`,
  tag: TAG,
  summary: 'Keep a draft',
  description: 'An empty text removes it.',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({
    topicId: Uuid('The topic'),
    parentId: Type.Optional(Uuid('The message that it would reply to')),
    text: Type.String({ maxLength: LIMITS.messageText, description: 'What was written so far' }),
  }),
  bodyBytes: LIMITS.jsonBodyBytes,
  bodyExample: { topicId, text: 'Hello ev' },
  success: {
    200: {
      description: 'As it is kept',
      schema: Draft,
      example: { topicId, text: 'Hello ev', updatedAt: at },
    },
  },
  refusals: ['topic_not_found'],
})

export const tellTyping = peopleOperation({
  id: 'tellTyping',
  method: 'POST',
  path: `${CHAT}/typing`,
  tag: TAG,
  summary: 'Tell the others that one is writing',
  description: 'At most every three seconds while writing. Nothing of it is kept.',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({
    topicId: Uuid('The topic'),
    parentId: Type.Optional(Uuid('The message that is replied to')),
  }),
  bodyExample: { topicId },
  success: { 204: { description: 'The others are told' } },
  refusals: ['topic_not_found'],
})

export const readSent = peopleOperation({
  id: 'readSent',
  method: 'GET',
  path: `${CHAT}/sent`,
  tag: TAG,
  summary: 'Find out whether a message was taken',
  description:
    'By the `Idempotency-Key` of their own request, within 24 hours: so files whose answer was lost need not be sent again to learn what came of them.',
  access: 'guest',
  params: InOrganization(),
  query: Type.Object({
    key: Type.String({
      minLength: 1,
      maxLength: LIMITS.idempotencyKeyLength,
      description: 'The key of the request that sent it',
    }),
  }),
  success: {
    200: {
      description:
        'The message that it became, or becomes when its files have been processed; null where none was taken',
      schema: Type.Object({
        sent: Type.Union([
          Type.Object({
            id: Uuid('The message'),
            topicId: Uuid('The topic'),
            createdAt: Timestamp('When it was sent'),
          }),
          Type.Null(),
        ]),
      }),
      example: { sent: { id: messageId, topicId, createdAt: at } },
    },
  },
})

export const pinMessage = peopleOperation({
  id: 'pinMessage',
  method: 'POST',
  path: `${CHAT}/messages/{messageId}/pin`,
  tag: TAG,
  summary: 'Pin a message to its topic',
  access: 'guest',
  params: MessageParams,
  success: { 204: { description: 'It is pinned' } },
  refusals: ['forbidden', 'topic_archived', 'topic_pins_full', 'message_not_found'],
})

export const unpinMessage = peopleOperation({
  id: 'unpinMessage',
  method: 'DELETE',
  path: `${CHAT}/messages/{messageId}/pin`,
  tag: TAG,
  summary: 'Unpin a message',
  access: 'guest',
  params: MessageParams,
  success: { 204: { description: 'It is not pinned' } },
  refusals: ['forbidden', 'topic_archived', 'message_not_found'],
})

export const listPins = peopleOperation({
  id: 'listPins',
  method: 'GET',
  path: `${CHAT}/topics/{topicId}/pins`,
  tag: TAG,
  summary: 'Read the pinned messages of a topic',
  access: 'guest',
  params: TopicParams,
  success: {
    200: {
      description: 'The latest pin first; at most 100',
      schema: Type.Object({ messages: Type.Array(ChatMessage) }),
      example: { messages: [messageExample] },
    },
  },
  refusals: ['topic_not_found'],
})

export const readReceipts = peopleOperation({
  id: 'readReceipts',
  method: 'GET',
  path: `${CHAT}/messages/{messageId}/receipts`,
  tag: TAG,
  summary: 'Read who has received and read a message',
  access: 'guest',
  params: MessageParams,
  success: {
    200: {
      description: 'Members besides its sender; at most 200 of each',
      schema: Type.Object({
        readBy: Type.Array(ProfileId(), { description: 'Those who have read it' }),
        deliveredTo: Type.Array(ProfileId(), {
          description: 'Those who have it and did not say that they read it',
        }),
      }),
      example: { readBy: [person], deliveredTo: [] },
    },
  },
  refusals: ['message_not_found'],
})

export const locate = peopleOperation({
  id: 'locate',
  method: 'GET',
  path: '/people/locate',
  tag: TAG,
  summary: 'Find where a link leads',
  description: 'In whichever organization of the person; give one of the three.',
  access: 'account',
  query: Type.Object({
    topicId: Type.Optional(Uuid('A topic')),
    messageId: Type.Optional(Uuid('A message')),
    externalTopic: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The id that a bot gave to a topic: `<bot_id>:<external_id>`, or the latter alone',
      }),
    ),
  }),
  success: {
    200: {
      description: 'Where it is',
      schema: Type.Object({
        organizationId: Uuid('The organization'),
        topicId: Uuid('The topic'),
        parentId: Type.Optional(Uuid('The message that it replies to')),
        threadOnly: Type.Optional(
          Type.Literal(true, { description: 'Its topic does not show it: its thread does' }),
        ),
        choices: Type.Optional(
          Type.Array(
            Type.Object({
              organizationId: Uuid('The organization'),
              topicId: Uuid('The topic'),
              name: Type.String(),
              botName: Type.String({ description: 'Who gave it that id' }),
            }),
            { description: 'Where several topics have this external id: all of them, at most 20' },
          ),
        ),
      }),
      example: { organizationId: '5a3c1f0e-2b4d-4c6e-8f10-1a2b3c4d5e6f', topicId },
    },
  },
  refusals: ['fields_missing.topicId, messageId or externalTopic', 'not_found'],
})
