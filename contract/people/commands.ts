import { Type } from 'typebox'
import { commandExample, TopicCommand } from '../commands.ts'
import { CHECK_REFUSALS, Text, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { alsoInTopic, parentId, Sent, sent } from '../messages.ts'
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

export const sendCommandForm = peopleOperation({
  id: 'sendCommandForm',
  method: 'POST',
  path: `${CHAT}/topics/{topicId}/commands`,
  tag: 'People: chat',
  summary: 'Give a command that has a form',
  description:
    'Sends the command as a message. The bot that has it gets the values of the form, and nobody else does.',
  access: 'guest',
  params: InOrganization({ topicId: Uuid('The topic') }),
  body: Type.Object({
    text: Text(LIMITS.messageText, 'The command as it was written, such as `/vacation`'),
    values: Type.Record(Type.String(), Type.String({ maxLength: LIMITS.actionFieldValue }), {
      description: 'The values of the form, by the id of the field',
    }),
    parentId: Type.Optional(parentId),
    alsoInTopic,
  }),
  bodyBytes: LIMITS.jsonBodyBytes,
  bodyExample: { text: '/vacation', values: { from: '2027-01-31' } },
  success: { 201: { description: 'Sent', schema: Sent, example: sent } },
  refusals: [
    'topic_archived',
    'word_blocked',
    ...CHECK_REFUSALS,
    'field_invalid.parentId',
    'field_invalid.values',
    'field_out_of_range.values',
    'answer_incomplete',
    'mention_invalid',
    'mention_too_large',
    'mention_people_full',
    'command_ambiguous',
    'command_form_unknown',
    'forbidden',
    'topic_not_found',
  ],
})
