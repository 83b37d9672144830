import { type Static, Type } from 'typebox'
import { Page, PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { PERSON_SCOPES } from '../scopes.ts'
import { InOrganization, ORGANIZATION } from './common.ts'
import { TAG } from './session.ts'

/** Refusals shown on the page, because an unknown program or redirect address cannot be redirected to. */
export const REQUEST_REFUSALS = [
  'assistant_unknown',
  'assistant_redirect_foreign',
  'assistant_description_unreadable',
] as const

const AuthorizationRequest = Type.String({
  maxLength: LIMITS.authorizationRequest,
  description: 'The query of the address with which the assistant opened the page, as OAuth 2.1 defines it',
})

const PersonScope = Type.Enum(PERSON_SCOPES)

const AssistantLook = Type.Object({
  asks: Type.Optional(
    Type.Object(
      {
        name: Type.String({ description: 'The name of the program, as it gave itself' }),
        isVerified: Type.Boolean({
          description: 'Whether the name comes from the host itself; otherwise the program chose it freely',
        }),
        scopes: Type.Array(PersonScope, { description: 'The permissions that it asks for' }),
        organizationIds: Type.Array(Uuid('An organization that allows assistants')),
      },
      { description: 'Missing where the request is wrong in a way that its program has to mend' },
    ),
  ),
  problem: Type.Optional(Type.String({ description: 'The problem, if `asks` is missing' })),
  host: Type.String({
    description: 'The receiver of the answer: a host, or the scheme of an app on this device',
  }),
  isOnDevice: Type.Boolean({ description: 'Whether the answer stays on the device' }),
  returnTo: Type.String({ description: 'The address for the browser after a refusal' }),
})
export type AssistantLook = Static<typeof AssistantLook>

const request =
  'response_type=code&client_id=c_Qm4rT8vYx1zA3cE5gH7jKL&redirect_uri=http%3A%2F%2F127.0.0.1%3A3118%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=af0ifjsldkj'

export const lookAtAssistant = peopleOperation({
  id: 'lookAtAssistant',
  method: 'POST',
  path: '/people/assistants/look',
  tag: TAG,
  summary: 'Read the request of an assistant',
  description: 'Changes nothing. For the page on which people decide.',
  access: 'account',
  body: Type.Object({ request: AuthorizationRequest }),
  bodyExample: { request },
  success: {
    200: {
      description: 'The request',
      schema: AssistantLook,
      example: {
        asks: {
          name: 'Desk assistant',
          isVerified: false,
          scopes: ['channel:list', 'message:read'],
          organizationIds: ['7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11'],
        },
        host: '127.0.0.1',
        isOnDevice: true,
        returnTo: 'http://127.0.0.1:3118/callback?error=access_denied&state=af0ifjsldkj',
      },
    },
  },
  refusals: [...REQUEST_REFUSALS, 'attempts_limited'],
})

export const connectAssistant = peopleOperation({
  id: 'connectAssistant',
  method: 'POST',
  path: `${ORGANIZATION}/assistants`,
  tag: TAG,
  summary: 'Connect an assistant',
  description: `Lets it act for the person in this organization. The answer has the address that takes the code to it. In a session that began within the last ${LIMITS.freshSessionMinutes} minutes.`,
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({
    request: AuthorizationRequest,
    scopes: Type.Array(PersonScope, {
      minItems: 1,
      maxItems: PERSON_SCOPES.length,
      description: 'The permissions to give, among those that it asks for',
      'x-errors': { minItems: 'scopes is required' },
    }),
    days: Type.Enum(LIMITS.assistantDays, { description: 'The number of days until it ends' }),
  }),
  bodyExample: { request, scopes: ['channel:list', 'message:read'], days: 30 },
  success: {
    201: {
      description: 'Allowed',
      schema: Type.Object({
        returnTo: Type.String({ description: 'The address for the browser, with the code' }),
      }),
      example: {
        returnTo:
          'http://127.0.0.1:3118/callback?code=parley_code_Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y&state=af0ifjsldkj&iss=https%3A%2F%2Fparley.example.com',
      },
    },
  },
  refusals: [
    ...REQUEST_REFUSALS,
    'assistant_request_invalid',
    'assistant_scope_not_requested',
    'sign_in_again_required',
    'assistants_not_allowed',
    'attempts_limited',
  ],
})

/** An assistant as shown to its person and to admins. */
const ASSISTANT_FIELDS = {
  id: Uuid('The assistant'),
  name: Type.String({ description: 'The name of the program, as it gave itself' }),
  host: Type.String({ description: 'The host that it was allowed for' }),
  isVerified: Type.Boolean(),
  scopes: Type.Array(PersonScope),
  createdAt: Timestamp('When it was connected'),
  lastUsedAt: Type.Optional(Timestamp('When it last did something, to the minute')),
  expiresAt: Timestamp('When it ends'),
}

const Assistant = Type.Object({
  ...ASSISTANT_FIELDS,
  organizationId: Uuid('The organization in which it acts'),
  organizationName: Type.String(),
})
export type Assistant = Static<typeof Assistant>

export const listAssistants = peopleOperation({
  id: 'listAssistants',
  method: 'GET',
  path: '/people/account/assistants',
  tag: TAG,
  summary: 'The own assistants, in all organizations',
  access: 'account',
  success: {
    200: {
      description: 'The newest first',
      schema: Type.Object({ assistants: Type.Array(Assistant) }),
      example: {
        assistants: [
          {
            id: '2c3d4e5f-6071-4293-84a5-b6c7d8e9f0a1',
            name: 'Desk assistant',
            host: '127.0.0.1',
            isVerified: false,
            organizationId: '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11',
            organizationName: 'Lighthouse Labs',
            scopes: ['channel:list', 'message:read'],
            createdAt: 1767225600000,
            expiresAt: 1769817600000,
          },
        ],
      },
    },
  },
})

export const endAssistant = peopleOperation({
  id: 'endAssistant',
  method: 'DELETE',
  path: '/people/account/assistants/{assistantId}',
  tag: TAG,
  summary: 'Disconnect one of the own assistants',
  description: 'Its tokens stop working at once.',
  access: 'account',
  params: Type.Object({ assistantId: Uuid('The assistant') }),
  success: { 204: { description: 'Disconnected' } },
  refusals: ['assistant_not_found'],
})

const MemberAssistant = Type.Object({
  ...ASSISTANT_FIELDS,
  memberId: ProfileId('The member for whom it acts'),
  memberName: Type.String(),
})
export type MemberAssistant = Static<typeof MemberAssistant>

export const listMemberAssistants = peopleOperation({
  id: 'listMemberAssistants',
  method: 'GET',
  path: `${ORGANIZATION}/assistants`,
  tag: 'People: members',
  summary: 'The assistants of all members',
  description: 'The newest first.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object(PageQuery),
  success: {
    200: {
      description: 'A page of assistants',
      schema: Page('assistants', MemberAssistant),
      example: {
        assistants: [
          {
            id: '2c3d4e5f-6071-4293-84a5-b6c7d8e9f0a1',
            name: 'Desk assistant',
            host: '127.0.0.1',
            isVerified: false,
            memberId: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
            memberName: 'Ada Okafor',
            scopes: ['channel:list', 'message:read'],
            createdAt: 1767225600000,
            expiresAt: 1769817600000,
          },
        ],
        hasMore: false,
      },
    },
  },
  refusals: ['cursor_invalid'],
})

export const endMemberAssistant = peopleOperation({
  id: 'endMemberAssistant',
  method: 'DELETE',
  path: `${ORGANIZATION}/assistants/{assistantId}`,
  tag: 'People: members',
  summary: 'Disconnect the assistant of a member',
  description: 'Its tokens stop working at once. The member can connect it again.',
  access: 'admin',
  params: InOrganization({ assistantId: Uuid('The assistant') }),
  success: { 204: { description: 'Disconnected' } },
  refusals: ['assistant_not_found'],
})
