import { type Static, Type } from 'typebox'
import { BotReach, ProfileId, Timestamp, Uuid } from '../common.ts'
import { MESSAGE_TYPES } from '../message.ts'
import { ROLES } from '../operation.ts'
import { BUILT_IN_SECTIONS, SECTION_ORDERS } from './section-names.ts'

const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const messageId = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const person = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'
const at = 1767225600000

/** Unread messages and mentions are counted up to here: more are shown as "99+", and cost no more to count. */
export const COUNTED_UNREAD = 100

/** An organization with more members is not read as a whole: pages ask for members by id, and search for them. */
export const KNOWN_MEMBERS = 200

/** Members that a topic names: in a list, and where it is read alone. The rest is read page by page. */
export const NAMED_MEMBERS = { inLists: 8, alone: 200 } as const

/** How much of a topic a person is notified of. */
export const LEVELS = ['everything', 'mentions', 'nothing'] as const
export type Level = (typeof LEVELS)[number]
export const Level = Type.Enum(LEVELS, {
  description:
    'What they are notified of; unless they chose, `mentions` in a topic and `everything` in a direct message',
})

/** The state of a topic for one person: how far they have read, and whether they muted it. Only they see it. */
const stateFields = {
  readTo: Type.Union([Uuid('The last message that they have read'), Type.Null()]),
  unreadAfter: Type.Union([
    Uuid('Ids after this one are unread: `readTo`, or without one an id of when they joined'),
    Type.Null(),
  ]),
  lateReadTo: Type.Union([
    Uuid('The last `appearedId` that they have read, where it was beyond `readTo`'),
    Type.Null(),
  ]),
  unread: Type.Integer({ description: `Messages after it by others, counted up to ${COUNTED_UNREAD}` }),
  mentions: Type.Integer({ description: `Mentions of them after it, counted up to ${COUNTED_UNREAD}` }),
  muted: Type.Boolean(),
  favourite: Type.Boolean({ description: 'It stands among favourites, unless in a section of their own' }),
  sectionId: Type.Optional(Uuid('The section of their own that it stands in')),
  place: Type.Optional(
    Type.Integer({ description: 'Its place in its section, where they gave it one by hand' }),
  ),
  level: Level,
}
export const TopicState = Type.Object({ topicId: Uuid('The topic'), ...stateFields })
export type TopicState = Static<typeof TopicState>

/** A section of the list of conversations. Only its person sees it. */
export const SidebarSection = Type.Object({
  id: Type.String({
    description: `${BUILT_IN_SECTIONS.map((id) => `\`${id}\``).join(', ')}, or the UUID of one of their own`,
  }),
  name: Type.Optional(Type.String({ description: 'Only of their own' })),
  folded: Type.Boolean({
    description:
      'Whether its conversations are hidden; of `unread`, whether they stand in their own sections instead',
  }),
  order: Type.Enum(SECTION_ORDERS, {
    description:
      'By name, the newest message first, or by hand: the order of `place`, and by name behind that',
  }),
})
export type SidebarSection = Static<typeof SidebarSection>

/** A topic as people see it in their list. */
export const ChatTopic = Type.Object({
  id: Uuid('The topic'),
  name: Type.String({ description: "A direct message has the others' names" }),
  description: Type.String(),
  type: Type.Enum(['topic', 'dm']),
  announcement: Type.Boolean({ description: 'Only admins and bots write there' }),
  open: Type.Boolean({ description: 'Every person of the organization can find it, look into it and join' }),
  joinedByDefault: Type.Boolean({ description: 'New people of the organization are in it from the start' }),
  archivedAt: Type.Union([Timestamp('Nobody writes there since'), Type.Null()]),
  labelId: Type.Union([Uuid('Its label'), Type.Null()]),
  coverId: Type.Optional(
    Type.Union([Uuid('Its cover, to be had at `…/chat/pictures/{fileId}`'), Type.Null()]),
  ),
  coverUrl: Type.Optional(Type.String({ description: 'The same as a link that expires' })),
  createdBy: ProfileId(),
  createdAt: Timestamp('When it was created'),
  updatedAt: Timestamp('When it last changed'),
  memberCount: Type.Integer(),
  memberIds: Type.Array(ProfileId(), {
    description: `In the order in which they joined: of a topic in a list the first ${NAMED_MEMBERS.inLists}, of one that is read alone the first ${NAMED_MEMBERS.alone}; \`listChatMembers\` has all`,
  }),
  reaches: Type.Optional(
    Type.Record(Type.String(), BotReach, {
      description: 'What bots hear of it, by their ids; those that hear everything are left out',
    }),
  ),
  botsStoppedAt: Type.Optional(
    Type.Union([
      Timestamp(
        'Since when bots may not write there: they only answered each other. A person ends it by writing',
      ),
      Type.Null(),
    ]),
  ),
  guests: Type.Optional(
    Type.Integer({ description: 'How many guests are in it; missing where none is', minimum: 0 }),
  ),
  keepMessagesDays: Type.Optional(
    Type.Integer({ description: 'After so many days its messages are deleted; without it they stay' }),
  ),
  isMember: Type.Boolean({ description: 'False where somebody only looks into an open topic' }),
  mayWrite: Type.Boolean(),
  maySet: Type.Boolean({ description: 'Whether they may change its settings: who created it, and admins' }),
  pins: Type.Integer({ description: 'How many messages are pinned' }),
  lastMessage: Type.Union([
    Type.Object({
      id: Uuid('The newest message'),
      senderId: ProfileId(),
      type: Type.Optional(Type.Enum(MESSAGE_TYPES, { description: 'What it is, where it has no text' })),
      text: Type.String({ description: 'Its first 200 characters' }),
      title: Type.Optional(
        Type.String({ description: 'The name of its task, poll, place, contact or first file' }),
      ),
      createdAt: Timestamp('When it was sent'),
    }),
    Type.Null(),
  ]),
  ...stateFields,
})
export type ChatTopic = Static<typeof ChatTopic>

/** A draft: text that was written and not sent, in a topic or as a reply. */
export const Draft = Type.Object({
  topicId: Uuid('The topic'),
  parentId: Type.Optional(Uuid('The message that it would reply to')),
  text: Type.String(),
  updatedAt: Timestamp('When it was last written at'),
})
export type Draft = Static<typeof Draft>

/** A member as people see each other. */
export const ChatMember = Type.Object({
  id: ProfileId(),
  type: Type.Enum(['user', 'bot']),
  name: Type.String(),
  email: Type.String({ description: 'Empty for bots; guests see no address but their own' }),
  role: Type.Union([Type.Enum(ROLES), Type.Null()], { description: 'Null for bots' }),
  guestUntil: Type.Optional(Timestamp("When a guest's access ends, if that is set")),
  status: Type.Enum(['Pending', 'Active', 'Archived', 'Deleted']),
  erased: Type.Optional(
    Type.Literal(true, { description: 'Their data was deleted: nothing says who it was' }),
  ),
  photoId: Type.Optional(Uuid('Their photo, to be had at `…/chat/pictures/{fileId}`')),
  title: Type.Optional(Type.String({ description: 'What they do' })),
  statusText: Type.Optional(Type.String({ description: 'What they are at right now' })),
  statusEmoji: Type.Optional(Type.String({ description: 'An emoji for it' })),
  statusUntil: Type.Optional(Timestamp('When text and emoji no longer count; without it they stay')),
  dndUntil: Type.Optional(Timestamp('Until then they are not to be disturbed')),
  appearsAway: Type.Optional(Type.Literal(true, { description: 'They chose to be shown as away' })),
  timeZone: Type.Optional(Type.String({ description: 'Such as `Europe/Berlin`' })),
  delivery: Type.Optional(
    Type.Enum(['polling', 'webhook'], { description: 'Bots: how they hear of messages' }),
  ),
  paused: Type.Optional(
    Type.Literal(true, { description: 'Bots: an admin has paused it; it does nothing and hears nothing' }),
  ),
})
export type ChatMember = Static<typeof ChatMember>

export const topicExample: ChatTopic = {
  id: topicId,
  name: 'General',
  description: '',
  type: 'topic',
  announcement: false,
  open: true,
  joinedByDefault: true,
  archivedAt: null,
  labelId: null,
  createdBy: person,
  createdAt: at,
  updatedAt: at,
  memberCount: 1,
  memberIds: [person],
  isMember: true,
  mayWrite: true,
  maySet: true,
  pins: 0,
  lastMessage: null,
  readTo: null,
  unreadAfter: '0197a1b2-0000-7000-8000-000000000000',
  lateReadTo: null,
  unread: 0,
  mentions: 0,
  muted: false,
  favourite: false,
  level: 'mentions',
}
export const stateExample: TopicState = {
  topicId,
  readTo: messageId,
  unreadAfter: messageId,
  lateReadTo: null,
  unread: 0,
  mentions: 0,
  muted: false,
  favourite: false,
  level: 'mentions',
}
export const sectionExample: SidebarSection = {
  id: '0b9a4c6e-5d1f-4e2a-8c3b-7a6f5e4d3c2b',
  name: 'Customers',
  folded: false,
  order: 'name',
}
export const memberExample: ChatMember = {
  id: person,
  type: 'user',
  name: 'Ada Okafor',
  email: 'ada@example.com',
  role: 'owner',
  status: 'Active',
}
