import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ORGANIZATION } from './common.ts'

const TAG = 'People: records'

/** The count ends here. */
export const MAX_COUNTED_MESSAGES = 100_000

export const MessagesDue = Type.Object({
  messages: Type.Integer({ description: `At most ${MAX_COUNTED_MESSAGES} are counted` }),
  oldestAt: Type.Optional(Timestamp('The time of the oldest message; missing if there is none')),
})
export type MessagesDue = Static<typeof MessagesDue>

export const previewKeptMessages = peopleOperation({
  id: 'previewKeptMessages',
  method: 'GET',
  path: `${ORGANIZATION}/kept-messages`,
  tag: TAG,
  summary: 'Preview what a retention time would delete',
  description:
    'Changes nothing. Counts messages that are older than so many days: of one topic, or of all that do not say otherwise, direct messages among them.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({
    days: Type.Integer({ minimum: 1, maximum: LIMITS.keepMessagesDays }),
    topicId: Type.Optional(Uuid('The topic; without it: the organization')),
  }),
  success: {
    200: {
      description: 'The messages that would be deleted now',
      schema: MessagesDue,
      example: { messages: 1204, oldestAt: 1767225600000 },
    },
  },
  refusals: ['topic_not_found'],
})
