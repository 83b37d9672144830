import { type Static, Type } from 'typebox'
import { Page, PageQuery, Timestamp, Uuid } from '../common.ts'
import { messageExample } from '../messages.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { ChatMessage } from './chat-message.ts'
import { InOrganization } from './common.ts'

const TAG = 'People: chat'
const at = 1767225600000
const MessageParams = InOrganization({ messageId: Uuid('The message') })

/** A message that a person saved, with or without a reminder. Only that person sees it. */
export const SavedMessage = Type.Object({
  message: ChatMessage,
  savedAt: Timestamp('When it was saved'),
  remindAt: Type.Optional(Timestamp('The time of the reminder')),
  isDue: Type.Boolean({ description: 'Whether the reminder has come' }),
})
export type SavedMessage = Static<typeof SavedMessage>

export const listSavedMessages = peopleOperation({
  id: 'listSavedMessages',
  method: 'GET',
  path: `${CHAT}/saved-messages`,
  tag: TAG,
  summary: 'List messages that the person has saved',
  description:
    'The last saved first; of `reminders` those that are due first. Only of topics that they may still see.',
  access: 'guest',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    reminders: Type.Optional(
      Type.Boolean({ default: false, description: 'Lists only those with a reminder' }),
    ),
  }),
  success: {
    200: {
      description: 'A page of saved messages',
      schema: Page('saved', SavedMessage),
      example: { saved: [{ message: messageExample, savedAt: at, isDue: false }], hasMore: false },
    },
  },
  refusals: ['cursor_invalid'],
})

export const saveMessage = peopleOperation({
  id: 'saveMessage',
  method: 'PATCH',
  path: `${CHAT}/saved-messages/{messageId}`,
  tag: TAG,
  summary: 'Save a message, or set its reminder',
  description: 'One that is saved already keeps its place in the list. `null` takes a reminder away.',
  access: 'guest',
  params: MessageParams,
  body: Type.Object({
    remindAt: Type.Optional(
      Type.Union([Timestamp('The time of the reminder'), Type.Null()], {
        description: 'A reminder, or none',
      }),
    ),
  }),
  bodyExample: {},
  success: {
    200: {
      description: 'The message is saved',
      schema: Type.Object({
        isNew: Type.Boolean({ description: 'Whether it was not saved before: what an undo takes back' }),
      }),
      example: { isNew: true },
    },
  },
  refusals: ['reminder_time_invalid', 'message_not_found', 'saved_messages_full'],
})

export const unsaveMessage = peopleOperation({
  id: 'unsaveMessage',
  method: 'DELETE',
  path: `${CHAT}/saved-messages/{messageId}`,
  tag: TAG,
  summary: 'Take a message off the saved ones',
  description: 'Removes its reminder too.',
  access: 'guest',
  params: MessageParams,
  success: { 204: { description: 'The message is not saved' } },
  refusals: ['message_not_found'],
})
