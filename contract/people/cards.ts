import { Type } from 'typebox'
import { CHECK_REFUSALS, Name, ProfileId, Text, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { InOrganization } from './common.ts'

const TAG = 'People: chat'
const topicId = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const messageId = '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'
const at = 1767225600000

const place = {
  topicId: Uuid('The topic'),
  parentId: Type.Optional(Uuid('The message that it replies to')),
  alsoInTopic: Type.Optional(
    Type.Boolean({ description: 'Shows the reply in its topic, beside its thread' }),
  ),
  externalId: Type.Optional(
    Type.String({ minLength: 1, maxLength: LIMITS.messageExternalId, description: 'An own id for it' }),
  ),
}
const sent = {
  201: {
    description: 'The message',
    schema: Type.Object({
      id: Uuid('The message'),
      topicId: Uuid('Its topic'),
      createdAt: Timestamp('When it was sent'),
    }),
    example: { id: messageId, topicId, createdAt: at },
  },
}
const refusals = [
  'forbidden',
  'topic_archived',
  'word_blocked',
  ...CHECK_REFUSALS,
  'field_invalid.parentId',
  'topic_not_found',
] as const

export const sendLocation = peopleOperation({
  id: 'sendLocation',
  method: 'POST',
  path: `${CHAT}/locations`,
  tag: TAG,
  summary: 'Send a place',
  description: 'Sends a message of type `location`. No other service is asked about the place.',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({
    ...place,
    latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees' }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees' }),
    name: Type.Optional(Name(LIMITS.locationName, 'The name of the place')),
    address: Type.Optional(Text(LIMITS.locationAddress, 'The postal address')),
  }),
  bodyExample: { topicId, latitude: 53.5413, longitude: 9.9841, name: 'Elbphilharmonie' },
  success: sent,
  refusals,
})

const line = (description: string) =>
  Type.Optional(Type.String({ maxLength: LIMITS.contactLine, description }))

export const sendContact = peopleOperation({
  id: 'sendContact',
  method: 'POST',
  path: `${CHAT}/contacts`,
  tag: TAG,
  summary: 'Send a contact',
  description: 'A message of type `contact`.',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({
    ...place,
    name: Name(LIMITS.contactLine, 'Who it is'),
    phoneNumbers: Type.Optional(
      Type.Array(Text(LIMITS.contactLine, 'A phone number'), { maxItems: LIMITS.contactWays }),
    ),
    emails: Type.Optional(
      Type.Array(Text(LIMITS.email, 'An e-mail address'), { maxItems: LIMITS.contactWays }),
    ),
    role: line('Their role'),
    location: line('Their location'),
    linkedIn: line('Address of a profile elsewhere'),
    profileId: Type.Optional(ProfileId('Given if the contact is a member of the organization')),
  }),
  bodyExample: { topicId, name: 'Mara Lindqvist', emails: ['mara@example.com'] },
  success: sent,
  refusals: [...refusals, 'field_invalid.profileId'],
})

export const closePoll = peopleOperation({
  id: 'closePoll',
  method: 'POST',
  path: `${CHAT}/polls/{pollId}/close`,
  tag: TAG,
  summary: 'Close a poll',
  description: 'Closes the poll; for its creator and admins. A closed poll stays closed.',
  access: 'guest',
  params: InOrganization({ pollId: Uuid('The poll') }),
  success: { 204: { description: 'The poll is closed' } },
  refusals: ['forbidden', 'topic_archived', 'poll_not_found'],
})
