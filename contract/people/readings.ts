import { type Static, Type } from 'typebox'
import { PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ListPage, Name, ORGANIZATION } from './common.ts'

const TAG = 'People: readings'
const READINGS = `${ORGANIZATION}/readings` as const
const at = 1767225600000

/** Refusals of operations whose answer has content that the caller is not part of. */
export const CONTENT_REFUSALS = ['reading_not_allowed', 'reading_required'] as const

/** Refusals for admins about a hold on an owner. */
export const OWNERS_HOLD_REFUSALS = ['owners_are_for_owners', 'hold_on_all_for_owners'] as const

export const READING_SUBJECTS = ['topic', 'member', 'bot', 'hold'] as const
export const READING_STATES = ['waiting', 'open', 'refused', 'ended'] as const
export const READING_OUTCOMES = ['granted', 'refused'] as const

const Somebody = (description: string) =>
  Type.Object({ id: ProfileId(description), name: Type.String({ description: 'The name they have now' }) })

export const Reading = Type.Object({
  id: Uuid('The reading'),
  subject: Type.Object({
    type: Type.Enum(READING_SUBJECTS, {
      description:
        '`topic`: its messages; `member`: the data of a person; `bot`: the content of its events and deliveries; `hold`: what a legal hold keeps',
    }),
    id: Type.String(),
    name: Type.String({ description: 'The name it has now' }),
  }),
  reason: Type.String(),
  state: Type.Enum(READING_STATES, {
    description:
      '`waiting`: for another owner; `open`: the person who asked can read until `endsAt`; `refused`; `ended`: its time is over, a person ended it, or the reader lost the right',
  }),
  askedBy: Somebody('The person who asked, and reads'),
  askedAt: Timestamp('When'),
  decidedBy: Type.Optional(Somebody('The person who granted or refused it; missing while it waits')),
  decidedAt: Type.Optional(Timestamp('When')),
  endsAt: Timestamp('The end, of a granted or a waiting reading'),
})
export type Reading = Static<typeof Reading>

const reading: Reading = {
  id: '019b76da-a800-7000-8000-000000000001',
  subject: { type: 'topic', id: '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11', name: 'Harbour' },
  reason: 'Case 12/26',
  state: 'open',
  askedBy: { id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', name: 'Ada Okafor' },
  askedAt: at,
  decidedBy: { id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', name: 'Ada Okafor' },
  decidedAt: at,
  endsAt: at + LIMITS.readingHours * 3_600_000,
}
const params = InOrganization({ readingId: Uuid('The reading') })

export const listReadings = peopleOperation({
  id: 'listReadings',
  method: 'GET',
  path: READINGS,
  tag: TAG,
  summary: 'List readings of content, the newest first',
  description: 'Lists who asked to read what, why, and the outcome. It contains no messages.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    state: Type.Optional(
      Type.Enum(['waiting', 'all'], { default: 'all', description: 'Which readings to list' }),
    ),
  }),
  success: {
    200: {
      description: 'A page of readings',
      schema: ListPage('readings', Reading),
      example: { readings: [reading], hasMore: false, from: 0, total: 1 },
    },
  },
  refusals: ['cursor_invalid'],
})

export const askForReading = peopleOperation({
  id: 'askForReading',
  method: 'POST',
  path: READINGS,
  tag: TAG,
  summary: 'Open a reading of content that one is not part of',
  description: `For owners, and admins with \`mayReadContent\`. All owners get a mail with who, what and why. It is open at once for ${LIMITS.readingHours} hours; with four eyes, it waits for another owner first, up to ${LIMITS.readingWaitDays} days. Each page that is read under it is in the audit log with the reason. Admins can read neither the data of an owner nor a hold on one, and no hold on the whole organization.`,
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    subjectType: Type.Enum(READING_SUBJECTS),
    subjectId: Type.String({ minLength: 1, maxLength: 60, description: 'The topic, person, bot or hold' }),
    reason: Name(LIMITS.readingReason, 'Why', 'reason'),
  }),
  bodyExample: { subjectType: 'topic', subjectId: reading.subject.id, reason: reading.reason },
  success: { 201: { description: 'The reading, open or waiting', schema: Reading, example: reading } },
  refusals: [
    'reading_not_allowed',
    ...OWNERS_HOLD_REFUSALS,
    'topic_not_found',
    'member_not_found',
    'bot_not_found',
    'hold_not_found',
  ],
})

export const decideReading = peopleOperation({
  id: 'decideReading',
  method: 'POST',
  path: `${READINGS}/{readingId}/decision`,
  tag: TAG,
  summary: 'Grant or refuse a reading that waits',
  description:
    'The deciding owner must be neither the person who asked, nor the owner who had allowed that admin to read content at that time. The first decision counts.',
  access: 'owner',
  params,
  body: Type.Object({ outcome: Type.Enum(READING_OUTCOMES) }),
  bodyExample: { outcome: 'refused' },
  success: {
    200: { description: 'The reading', schema: Reading, example: { ...reading, state: 'refused' } },
  },
  refusals: ['reading_needs_another_owner', 'reading_not_found', 'reading_decided', 'reading_ended'],
})

export const endReading = peopleOperation({
  id: 'endReading',
  method: 'POST',
  path: `${READINGS}/{readingId}/end`,
  tag: TAG,
  summary: 'End a reading before its time',
  description: 'Ends the reading; for the person who asked, and for every owner.',
  access: 'admin',
  params,
  success: {
    200: { description: 'The reading', schema: Reading, example: { ...reading, state: 'ended' } },
  },
  refusals: ['forbidden', 'reading_not_found', 'reading_ended'],
})
