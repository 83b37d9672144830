import { type Static, Type } from 'typebox'
import { Page, PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { DELIVERY_FAULTS } from './audit-destinations.ts'
import { InOrganization, ORGANIZATION } from './common.ts'
import { URL_REFUSALS } from './webhook-addresses.ts'

const TAG = 'People: message check'
const CHECK = `${ORGANIZATION}/message-check` as const
const HELD = `${ORGANIZATION}/held-messages` as const
const at = 1767225600000

export const CHECK_FAULTS = [...DELIVERY_FAULTS.filter((fault) => fault !== 'closed'), 'answer'] as const

const Fault = Type.Object({
  kind: Type.Enum(CHECK_FAULTS, {
    description:
      '`timeout`: no answer in time; `answer`: no verdict for each text; the others as for destinations of the audit log',
  }),
  detail: Type.String({ description: 'The error as the network told it, or what is wrong with the answer' }),
})

const WhenAway = Type.Enum(['send', 'refuse'], {
  description:
    'What happens while the program does not answer: texts are sent unchecked, or refused with 503',
})

export const MessageCheck = Type.Object({
  address: Type.String({ description: 'The URL that is asked' }),
  whenAway: WhenAway,
  setByName: Type.String({ description: 'The name of the owner who set it' }),
  setAt: Timestamp('When it was set'),
  failingSince: Type.Optional(Timestamp('The first attempt without verdicts since the last one with them')),
  fault: Type.Optional(Fault),
})
export type MessageCheck = Static<typeof MessageCheck>

const example: MessageCheck = {
  address: 'https://dlp.example.com/parley',
  whenAway: 'send',
  setByName: 'Ada Okafor',
  setAt: at,
}

export const readMessageCheck = peopleOperation({
  id: 'readMessageCheck',
  method: 'GET',
  path: CHECK,
  tag: TAG,
  summary: 'Read which program is asked before texts are sent',
  access: 'admin',
  params: InOrganization(),
  success: {
    200: {
      description: 'The program; nothing where texts are not checked',
      schema: Type.Object({ check: Type.Optional(MessageCheck) }),
      example: { check: example },
    },
  },
})

export const setMessageCheck = peopleOperation({
  id: 'setMessageCheck',
  method: 'POST',
  path: CHECK,
  tag: TAG,
  summary: 'Have a program of your own asked before texts are sent',
  description: `For owners, since the program gets to read all texts, of direct messages too. It has ${LIMITS.messageCheckMs} ms. The answer has the only copy of the secret that signs, where there is a new one: at first, with another address, and with \`newSecret\`.`,
  access: 'owner',
  params: InOrganization(),
  body: Type.Object({
    address: Type.String({ minLength: 1, maxLength: 2048, description: 'A URL' }),
    whenAway: WhenAway,
    newSecret: Type.Optional(Type.Boolean({ description: 'Replaces the secret at once' })),
  }),
  bodyExample: { address: example.address, whenAway: example.whenAway },
  success: {
    200: {
      description: 'The program',
      schema: Type.Object({
        check: MessageCheck,
        secret: Type.Optional(Type.String({ description: 'Signs the requests; shown here and never again' })),
      }),
      example: { check: example },
    },
  },
  refusals: URL_REFUSALS,
})

export const removeMessageCheck = peopleOperation({
  id: 'removeMessageCheck',
  method: 'DELETE',
  path: CHECK,
  tag: TAG,
  summary: 'Send texts without asking a program',
  description: 'Messages that are held wait for their review all the same.',
  access: 'owner',
  params: InOrganization(),
  success: { 204: { description: 'Removed' } },
  refusals: ['message_check_not_found'],
})

export const testMessageCheck = peopleOperation({
  id: 'testMessageCheck',
  method: 'POST',
  path: `${CHECK}/test`,
  tag: TAG,
  summary: 'Ask the program about a text',
  description: `The text is sent to nobody else. ${LIMITS.messageCheckTestsPerMinute} tests a minute.`,
  access: 'owner',
  params: InOrganization(),
  body: Type.Object({
    text: Type.String({ minLength: 1, maxLength: LIMITS.messageText, description: 'The text of the test' }),
  }),
  bodyExample: { text: 'Is this all right?' },
  success: {
    200: {
      description: 'The verdict, or what went wrong',
      schema: Type.Object({
        milliseconds: Type.Integer({ description: 'How long it took' }),
        verdict: Type.Optional(Type.Enum(['allow', 'refuse', 'mask', 'hold'])),
        reason: Type.Optional(Type.String({ description: 'The reason of a refusal, or of a review' })),
        text: Type.Optional(Type.String({ description: 'The text that would be sent instead' })),
        fault: Type.Optional(Fault),
      }),
      example: { milliseconds: 41, verdict: 'allow' as const },
    },
  },
  refusals: ['message_check_not_found', 'rate_limited'],
})

export const HeldMessage = Type.Object({
  id: Uuid('The held message'),
  sender: Type.Object({
    id: ProfileId('Who wrote it'),
    name: Type.String({ description: 'The name they have now' }),
  }),
  topic: Type.Object({
    id: Uuid('The topic'),
    name: Type.String({ description: 'Empty: a direct message' }),
  }),
  reason: Type.String({ description: 'Why the program holds it' }),
  heldAt: Timestamp('When it was held'),
})
export type HeldMessage = Static<typeof HeldMessage>

const held: HeldMessage = {
  id: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c',
  sender: { id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', name: 'Ada Okafor' },
  topic: { id: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d', name: 'Harbour' },
  reason: 'a card number',
  heldAt: at,
}
const params = InOrganization({ heldMessageId: Uuid('The held message') })

export const listHeldMessages = peopleOperation({
  id: 'listHeldMessages',
  method: 'GET',
  path: HELD,
  tag: TAG,
  summary: 'List messages that wait for a review, the oldest first',
  description: 'Without their texts.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of held messages',
      schema: Page('heldMessages', HeldMessage),
      example: { heldMessages: [held], hasMore: false },
    },
  },
  refusals: ['cursor_invalid'],
})

export const readHeldMessage = peopleOperation({
  id: 'readHeldMessage',
  method: 'POST',
  path: `${HELD}/{heldMessageId}/content`,
  tag: TAG,
  summary: 'Read a held message',
  description: 'Each request is in the audit log.',
  access: 'admin',
  params,
  success: {
    200: {
      description: 'The held message',
      schema: Type.Object({ heldMessage: HeldMessage, text: Type.String() }),
      example: { heldMessage: held, text: 'Take card 4111 …' },
    },
  },
  refusals: ['held_message_not_found'],
})

export const decideHeldMessage = peopleOperation({
  id: 'decideHeldMessage',
  method: 'POST',
  path: `${HELD}/{heldMessageId}/decision`,
  tag: TAG,
  summary: 'Send a held message, or reject it',
  description:
    'A message that is released is sent within seconds, if its sender may still send it. Nobody decides about a message of their own.',
  access: 'admin',
  params,
  body: Type.Object({ outcome: Type.Enum(['released', 'rejected']) }),
  bodyExample: { outcome: 'released' },
  success: { 204: { description: 'Decided' } },
  refusals: ['held_message_own', 'held_message_not_found'],
})
