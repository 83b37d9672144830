import { Type } from 'typebox'
import { commandExample, TopicCommand } from '../commands.ts'
import { Uuid } from '../common.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { InOrganization } from './common.ts'

export const listTopicCommands = peopleOperation({
  id: 'listTopicCommands',
  method: 'GET',
  path: `${CHAT}/topics/{topicId}/commands`,
  tag: 'People: chat',
  summary: 'List the commands that bots have in a topic',
  access: 'guest',
  params: InOrganization({ topicId: Uuid('The topic') }),
  success: {
    200: {
      description: 'The commands, by name',
      schema: Type.Object({ commands: Type.Array(TopicCommand) }),
      example: { commands: [{ ...commandExample, botId: 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060' }] },
    },
  },
  refusals: ['topic_not_found'],
})
