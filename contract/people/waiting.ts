import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { readUpdates } from '../updates.ts'

const { limit, timeout } = readUpdates.query.properties

/** Waiting for events, for a person by their assistant. It has no route of its own: only the tool runs it. */
export const waitForUpdates = operation({
  ...readUpdates,
  summary: 'Wait for events',
  description:
    'Returns events of the person’s topics: messages, reactions, members. Answers at once if there is something after `offset`, else waits up to `timeout` seconds. Pass `nextOffset` of the answer as the next `offset`. Without one it begins now.',
  scope: 'message:read',
  query: Type.Object({
    offset: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          '`nextOffset` of the answer before, `oldest` for everything that is kept, or `newest` for what comes from now on, which is the default',
      }),
    ),
    limit,
    timeout,
  }),
})
