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
  description: 'It does not come back, unless the message is edited to link elsewhere.',
  access: 'member',
  params: InOrganization({ messageId: Uuid('The message') }),
  success: { 204: { description: 'It has no preview' } },
  refusals: { 403: ['forbidden'], 404: ['Message not found'] },
})
