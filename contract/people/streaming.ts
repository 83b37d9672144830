import { Type } from 'typebox'
import { Uuid } from '../common.ts'
import { messageExample } from '../messages.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { InOrganization } from './common.ts'
import { StreamingMessage } from './streaming-message.ts'

const TAG = 'People: chat'

export const listStreaming = peopleOperation({
  id: 'listStreaming',
  method: 'GET',
  path: `${CHAT}/streaming`,
  tag: TAG,
  summary: 'Read what bots are writing now',
  description: 'Messages being written in the topics of the person, up to 100, with their text so far.',
  access: 'guest',
  params: InOrganization(),
  success: {
    200: {
      description: 'The messages',
      schema: Type.Object({ streaming: Type.Array(StreamingMessage) }),
      example: {
        streaming: [{ version: 3, message: { ...messageExample, stream: { status: 'streaming' } } }],
      },
    },
  },
})

export const stopStreaming = peopleOperation({
  id: 'stopStreaming',
  method: 'POST',
  path: `${CHAT}/streaming/{streamingId}/stop`,
  tag: TAG,
  summary: 'Stop a bot that is writing',
  description:
    'Stops the text; for people who may write in the topic. What is written stays; the bot learns of it with its next piece.',
  access: 'guest',
  params: InOrganization({ streamingId: Uuid('The message') }),
  success: { 204: { description: 'Stopped' } },
  refusals: ['forbidden', 'topic_archived', 'message_not_found', 'stream_finished'],
})
