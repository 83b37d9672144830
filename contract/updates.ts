import { Type } from 'typebox'
import { Timestamp } from './common.ts'
import { EVENT_EXAMPLE, eachEvent } from './events.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

/** One schema for each type, so that `eventType` says what `data` is. */
export const Update = eachEvent('eventType', (type, data) =>
  Type.Object({
    updateId: Type.String({ description: '`evt_<uuid>`; also a valid `offset`' }),
    eventType: Type.Literal(type),
    createdAt: Timestamp('When the change was committed'),
    data,
  }),
)

const OFFSET_EXAMPLE = '3k.b2Zmc2V0LXNpZ25hdHVyZQ'

export const readUpdates = operation({
  id: 'readUpdates',
  method: 'GET',
  path: '/v2/updates',
  tag: 'Events',
  summary: 'Receive events by long polling',
  description:
    'Answers at once when there is something after `offset`, else waits up to `timeout` seconds. Use each `nextOffset` as the next `offset`: passing it confirms everything before it. Without an `offset` it goes on after what was confirmed, or, for a bot that never confirmed anything, with the oldest event that is kept. A bot that is paused gets no events, and the same offset again: it goes on there once it is resumed.',
  scope: 'updates:read',
  worksWhilePaused: true,
  isCountedApart: true,
  query: Type.Object({
    offset: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          '`nextOffset` of the answer before, an `updateId`, `oldest` for everything that is kept, or `newest` for what comes from now on',
      }),
    ),
    confirm: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Given by a bot that reads ahead of what it has finished: everything up to this `nextOffset` or `updateId` is confirmed, or `nothing`, and not what is before `offset`',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMITS.pageMax,
        default: LIMITS.pageDefault,
        description: 'Events at most',
      }),
    ),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.updatesTimeoutSeconds,
        default: 0,
        description: 'Seconds to wait when there is nothing',
      }),
    ),
  }),
  success: {
    200: {
      description: 'Events in the order in which they were committed',
      schema: Type.Object({ updates: Type.Array(Update), nextOffset: Type.String() }),
      example: {
        updates: [
          {
            updateId: EVENT_EXAMPLE.id,
            eventType: EVENT_EXAMPLE.type,
            createdAt: EVENT_EXAMPLE.timestamp,
            data: EVENT_EXAMPLE.data,
          },
        ],
        nextOffset: OFFSET_EXAMPLE,
      },
    },
  },
  refusals: ['offset_invalid', 'polling_not_enabled', 'offset_gone', 'polls_waiting'],
})
