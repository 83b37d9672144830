import { Type } from 'typebox'
import { Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { ChatMember, memberExample } from './chat-records.ts'
import { Email, InOrganization, Name } from './common.ts'

export const inviteGuest = peopleOperation({
  id: 'inviteGuest',
  method: 'POST',
  path: `${CHAT}/guests`,
  tag: 'People: chat',
  summary: 'Invite a guest',
  description: `Mails an invitation to topics that you are in. A guest sees these topics and their members, and nothing else of the organization. For members where the organization lets them invite guests, up to ${LIMITS.guestInvitationsPerHour} an hour; for admins in any case.`,
  access: 'member',
  params: InOrganization(),
  body: Type.Object({
    email: Email,
    name: Type.Optional(Name(LIMITS.profileName, 'The name to begin with')),
    topicIds: Type.Array(Uuid('A topic'), { minItems: 1, maxItems: LIMITS.guestTopics }),
    guestUntil: Type.Optional(Type.Union([Timestamp('When their access ends'), Type.Null()])),
  }),
  bodyExample: { email: 'gil@example.com', topicIds: ['9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'] },
  success: {
    201: {
      description: 'The pending guest',
      schema: ChatMember,
      example: { ...memberExample, role: 'guest', status: 'Pending' },
    },
  },
  refusals: [
    'email_known',
    'guests_for_admins',
    'guest_end_past',
    'invitations_limited',
    'topic_not_found',
    'topic_archived',
    'topic_is_direct',
  ],
})
