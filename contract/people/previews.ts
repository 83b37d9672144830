import { Uuid } from '../common.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { InOrganization } from './common.ts'

export const removePreview = peopleOperation({
  id: 'removePreview',
  method: 'DELETE',
  path: `${CHAT}/messages/{messageId}/preview`,
  tag: 'People: chat',
  summary: 'Take the link preview off an own message',
  description: 'The preview does not come back, unless an edit changes the link.',
  access: 'guest',
  params: InOrganization({ messageId: Uuid('The message') }),
  success: { 204: { description: 'The preview was removed' } },
  refusals: ['forbidden', 'message_not_found'],
})
