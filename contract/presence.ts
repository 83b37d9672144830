import { Type } from 'typebox'
import { Uuid } from './common.ts'
import { operation } from './operation.ts'

/** Time that a bot is shown as working, unless it says so again or writes a message. */
export const WORKING_MS = 30_000

export const tellWorking = operation({
  id: 'tellWorking',
  method: 'POST',
  path: '/v2/topics/{topicId}/working',
  tag: 'Topics',
  summary: 'Show that the bot is working',
  description:
    'People who look at the topic see for 30 seconds, or until the next message of the bot there, that it is working. Repeat it while the work takes longer. It is not stored, and notifies no one.',
  scope: 'message:send',
  params: Type.Object({ topicId: Uuid('The topic') }),
  body: Type.Object({ parentId: Type.Optional(Uuid('The message that it will reply to')) }),
  bodyExample: {},
  success: { 204: { description: 'The people in the topic were informed' } },
  refusals: ['topic_not_found'],
})
