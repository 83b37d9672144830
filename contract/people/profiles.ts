import { type Static, Type } from 'typebox'
import { ProfileId, Timestamp, Uuid } from '../common.ts'
import { PICTURE_REFUSALS } from '../files.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { ChatMember, ChatTopic, memberExample, topicExample } from './chat-records.ts'
import { InOrganization } from './common.ts'

const TAG = 'People: chat'
/** Refusals of a form with a photo or a cover. */
export const PICTURE_FORM_REFUSALS = [...PICTURE_REFUSALS, 'storage_quota_exceeded'] as const
export const pictureForm = (description: string) => ({
  metaParts: ['metadata'] as const,
  meta: Type.Object({}),
  metaExample: {},
  description,
  files: { minimum: 1 as const, maximum: 1, maxBytes: LIMITS.coverBytes },
})

/** Adds to a member what their profile card shows. */
export const MemberProfile = Type.Object({
  ...ChatMember.properties,
  prompts: Type.Optional(Type.Array(Type.String(), { description: 'What a bot suggests to ask' })),
  bot: Type.Optional(
    Type.Object({
      description: Type.String({ description: 'The purpose of the bot, as an admin wrote it' }),
      ownerId: Type.Union([ProfileId('The person responsible for it'), Type.Null()]),
      mayWrite: Type.Boolean({ description: 'Whether its key allows it to write at all' }),
      scopes: Type.Union([Type.Array(Type.String()), Type.Null()], {
        description:
          'The scopes of its tokens; null for a key, which allows everything, or everything but writing',
      }),
      topics: Type.Integer({ description: 'The number of its topics' }),
    }),
  ),
})
export type MemberProfile = Static<typeof MemberProfile>

export const readMemberProfile = peopleOperation({
  id: 'readMemberProfile',
  method: 'GET',
  path: `${CHAT}/members/{memberId}`,
  tag: TAG,
  summary: 'Read a profile, and what a bot may do',
  access: 'guest',
  params: InOrganization({ memberId: ProfileId() }),
  success: { 200: { description: 'The member', schema: MemberProfile, example: memberExample } },
  refusals: ['member_not_found'],
})

const line = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, pattern: '^[^\\p{Cc}]*$', description }))

export const updateOwnProfile = peopleOperation({
  id: 'updateOwnProfile',
  method: 'PATCH',
  path: `${CHAT}/me`,
  tag: TAG,
  summary: 'Change what others see of oneself',
  description:
    'An empty text takes it away. `statusText` and `statusEmoji` count until the `statusUntil` that comes with them, or until they are changed. `dndUntil` silences notifications, push messages and mails until then.',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({
    title: line(LIMITS.profileLine, 'The job title'),
    statusText: line(LIMITS.profileLine, 'The status text'),
    statusEmoji: line(32, 'One emoji for it'),
    statusUntil: Type.Optional(
      Type.Union([Timestamp('The end of the status'), Type.Null()], { description: '`null`: it stays' }),
    ),
    dndUntil: Type.Optional(
      Type.Union([Timestamp('The end of Do not disturb'), Type.Null()], {
        description: '`null`: they may be',
      }),
    ),
    appearsAway: Type.Optional(Type.Boolean({ description: 'Shown as away, whatever they do' })),
    timeZone: line(LIMITS.timeZone, 'The time zone, such as `Europe/Berlin`'),
  }),
  bodyExample: { title: 'Release manager' },
  success: { 200: { description: 'The new profile', schema: ChatMember, example: memberExample } },
  refusals: ['time_zone_unknown', 'status_emoji_invalid', 'status_time_invalid', 'presence_disabled'],
})

export const setPhoto = peopleOperation({
  id: 'setPhoto',
  method: 'POST',
  path: `${CHAT}/me/photo`,
  tag: TAG,
  summary: 'Set a photo of oneself',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({}),
  bodyExample: {},
  form: pictureForm('A photo: JPEG or PNG, cut to a square'),
  success: { 200: { description: 'The new profile', schema: ChatMember, example: memberExample } },
  refusals: PICTURE_FORM_REFUSALS,
})

export const removePhoto = peopleOperation({
  id: 'removePhoto',
  method: 'DELETE',
  path: `${CHAT}/me/photo`,
  tag: TAG,
  summary: 'Remove the photo of oneself',
  access: 'guest',
  params: InOrganization(),
  success: { 204: { description: 'There is none' } },
})

const TopicParams = InOrganization({ topicId: Uuid('The topic') })

export const setTopicCover = peopleOperation({
  id: 'setTopicCover',
  method: 'POST',
  path: `${CHAT}/topics/{topicId}/cover`,
  tag: TAG,
  summary: 'Set the cover of a topic',
  access: 'member',
  params: TopicParams,
  body: Type.Object({}),
  bodyExample: {},
  form: pictureForm('A cover: JPEG or PNG, cut to a square'),
  success: { 200: { description: 'The topic', schema: ChatTopic, example: topicExample } },
  refusals: [...PICTURE_FORM_REFUSALS, 'topic_is_direct', 'topic_archived', 'topic_not_found'],
})

export const removeTopicCover = peopleOperation({
  id: 'removeTopicCover',
  method: 'DELETE',
  path: `${CHAT}/topics/{topicId}/cover`,
  tag: TAG,
  summary: 'Remove the cover of a topic',
  access: 'member',
  params: TopicParams,
  success: { 204: { description: 'There is none' } },
  refusals: ['topic_is_direct', 'topic_archived', 'topic_not_found'],
})

/** Leads to a photo of a member, to an emoji of the organization's own, or to the cover of a topic that the person may look into. Unlike the link that it leads to, it lasts. */
export const PICTURE_PATH = `${CHAT}/pictures/{fileId}` as const
