import { type Static, Type } from 'typebox'
import { PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { MESSAGE_TYPES } from '../message.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ListPage, Name, ORGANIZATION } from './common.ts'
import { CONTENT_REFUSALS, OWNERS_HOLD_REFUSALS } from './readings.ts'

const TAG = 'People: records'
const HOLDS = `${ORGANIZATION}/holds` as const
const at = 1767225600000

const Somebody = (description: string) =>
  Type.Object({ id: ProfileId(description), name: Type.String({ description: 'The name they have now' }) })

export const HOLD_STATES = ['standing', 'ended'] as const

export const Hold = Type.Object({
  id: Uuid('The hold'),
  topic: Type.Optional(Type.Object({ id: Uuid('The topic that is held'), name: Type.String() })),
  member: Type.Optional(Somebody('The person or bot whose messages are held')),
  reason: Type.String(),
  setBy: Somebody('Who set it'),
  setAt: Timestamp('When'),
  endedBy: Type.Optional(Somebody('The person who ended it; missing while it stands')),
  endedAt: Type.Optional(Timestamp('When')),
})
export type Hold = Static<typeof Hold>

const hold: Hold = {
  id: '019b76da-a800-7000-8000-000000000001',
  topic: { id: '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11', name: 'Harbour' },
  reason: 'Case 12/26',
  setBy: { id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', name: 'Ada Okafor' },
  setAt: at,
}
const params = InOrganization({ holdId: Uuid('The hold') })

export const listHolds = peopleOperation({
  id: 'listHolds',
  method: 'GET',
  path: HOLDS,
  tag: TAG,
  summary: 'List legal holds, the newest first',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    state: Type.Optional(Type.Enum(HOLD_STATES, { default: 'standing', description: 'Which holds to list' })),
  }),
  success: {
    200: {
      description: 'A page of holds',
      schema: ListPage('holds', Hold),
      example: { holds: [hold], hasMore: false, from: 0, total: 1 },
    },
  },
  refusals: ['cursor_invalid'],
})

export const setHold = peopleOperation({
  id: 'setHold',
  method: 'POST',
  path: HOLDS,
  tag: TAG,
  summary: 'Set a legal hold',
  description:
    'Holds a topic, or everything that a person or bot writes anywhere, including direct messages, or, with neither, the whole organization. While it stands, messages are not deleted when their time is over, and edited or deleted ones are kept as they were. It is invisible in the chat.',
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    topicId: Type.Optional(Uuid('The topic')),
    memberId: Type.Optional(ProfileId('The person or bot')),
    reason: Name(LIMITS.holdReason, 'Why', 'reason'),
  }),
  bodyExample: { topicId: '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11', reason: 'Case 12/26' },
  success: { 201: { description: 'It stands', schema: Hold, example: hold } },
  refusals: ['hold_subject_ambiguous', 'topic_not_found', 'member_not_found'],
})

export const endHold = peopleOperation({
  id: 'endHold',
  method: 'POST',
  path: `${HOLDS}/{holdId}/end`,
  tag: TAG,
  summary: 'End a legal hold',
  description:
    'Deletes kept copies of edited and deleted messages, unless another hold covers them. Messages whose time is over are deleted.',
  access: 'admin',
  params,
  success: {
    200: {
      description: 'The hold has ended',
      schema: Hold,
      example: { ...hold, endedBy: hold.setBy, endedAt: at },
    },
  },
  refusals: ['hold_ended', 'hold_not_found'],
})

export const HeldRecord = Type.Object({
  kind: Type.Enum(['message', 'task'], { description: 'Tasks appear only if they were edited or deleted' }),
  id: Uuid('The message or task'),
  state: Type.Enum(['present', 'edited', 'deleted'], {
    description:
      '`present`: the current text; `edited`: the text before an edit; `deleted`: the text before the deletion',
  }),
  changedAt: Type.Optional(Timestamp('When it was edited or deleted')),
  topicId: Uuid('The topic'),
  topicName: Type.String({ description: 'Empty: a direct message' }),
  authorId: ProfileId('The author'),
  authorName: Type.String({ description: 'The name they have now' }),
  createdAt: Timestamp('When it was sent'),
  type: Type.Optional(Type.Enum(MESSAGE_TYPES)),
  parentId: Type.Optional(Uuid('The message that it replies to')),
  text: Type.String({ description: 'The text; for a task, its title and description' }),
  files: Type.Array(
    Type.Object({
      name: Type.String(),
      contentType: Type.String(),
      size: Type.Integer(),
      url: Type.String({ description: 'A link that expires' }),
    }),
  ),
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Type-specific details, such as a poll, a place, or reactions',
  }),
})
export type HeldRecord = Static<typeof HeldRecord>

export const readHeld = peopleOperation({
  id: 'readHeld',
  method: 'POST',
  path: `${HOLDS}/{holdId}/records`,
  tag: TAG,
  summary: 'Read what a hold keeps',
  description:
    'Messages as they are, and as they were before they were edited or deleted, by age; what was changed stands before what it became. A page at a time: go on with `after`. Only with an open reading of the hold; each page is in the audit log, with its reason, how many there were and of which time.',
  access: 'admin',
  params,
  body: Type.Object({
    after: Type.Optional(Uuid('`next` of the page before')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.heldPage,
        default: LIMITS.heldPage,
        description: 'Messages and tasks; a page has more records if they were changed',
      }),
    ),
  }),
  bodyExample: { limit: 100 },
  success: {
    200: {
      description: 'Some of it',
      schema: Type.Object({
        records: Type.Array(HeldRecord),
        next: Type.Optional(Uuid('The start of the next page; missing on the last one')),
      }),
      example: {
        records: [
          {
            kind: 'message',
            id: '019b76da-a800-7000-8000-000000000002',
            state: 'deleted',
            changedAt: at,
            topicId: '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11',
            topicName: 'Harbour',
            authorId: '6e5d4c3b-2a19-4807-96f5-e4d3c2b1a098',
            authorName: 'Ben Ito',
            createdAt: at,
            type: 'text',
            text: 'Nobody needs to know',
            files: [],
            details: {},
          },
        ],
      },
    },
  },
  refusals: [...CONTENT_REFUSALS, ...OWNERS_HOLD_REFUSALS, 'hold_ended', 'hold_not_found'],
})
