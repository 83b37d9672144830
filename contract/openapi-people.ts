import { Type } from 'typebox'
import { ProfileId, Uuid } from './common.ts'
import {
  EVERY_ANSWER,
  IDEMPOTENCY_PARAMETER,
  LIMITED_ANSWER,
  parameters,
  pathsOf,
  requestBody,
  successes,
} from './openapi-parts.ts'
import {
  inputRefusals,
  KEY_REFUSALS,
  type Listed,
  refusalResponses,
  UNADMITTED,
  UNFINISHED,
} from './openapi-refusals.ts'
import { type PeopleOperation, peopleOperation } from './operation.ts'
import { InOrganization } from './people/common.ts'
import { PEOPLE_OPERATIONS } from './people/index.ts'
import { takesKey } from './people/mirrored.ts'
import { PICTURE_PATH } from './people/profiles.ts'
import { STREAM_PATH } from './people/stream.ts'

const ACCOUNT_TAG = 'People: sign-in and account'
const STREAM_TAG = 'People: live stream'
export const PEOPLE_TAGS = [...new Set([...PEOPLE_OPERATIONS.map(({ tag }) => tag), STREAM_TAG])]

export const SESSION_SCHEME = {
  type: 'apiKey',
  in: 'cookie',
  name: 'parley_session',
  description:
    'Set by signing in; over https its name is `__Host-parley_session`. What changes something must also say, in `Origin`, that it comes from a page of this server.',
}

export const peoplePaths = () => ({
  ...pathsOf(PEOPLE_OPERATIONS, describeOperation),
  [STREAM_PATH]: { get: streamOperation() },
  [PICTURE_PATH]: { get: redirectOperation(picture, 'Redirects to the picture') },
  '/people/sso': { get: redirectOperation(signOn, 'Redirects to the provider') },
  '/people/sso/callback': { get: redirectOperation(signOnAnswer, 'Signed in, or back to the sign-in page') },
  '/people/sso/saml': {
    post: redirectOperation(samlAnswer, 'On to signing in, or back to the sign-in page'),
  },
  '/people/sso/saml/finish': { get: redirectOperation(samlEnd, 'Signed in, or back to the sign-in page') },
})

function describeOperation(operation: PeopleOperation) {
  const { id, tag, summary, description, access } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, WHO[access]].filter(Boolean).join(' '),
    security: access === 'anyone' ? [] : [{ session: [] }],
    parameters: [
      ...parameters(operation.params, 'path'),
      ...parameters(operation.query, 'query'),
      ...(takesKey(operation) ? [IDEMPOTENCY_PARAMETER] : []),
    ],
    ...requestBody(operation),
    responses: {
      ...successes(operation, isInside(operation) ? LIMITED_ANSWER : EVERY_ANSWER),
      ...refusals(operation),
    },
  }
}

const WHO: Record<PeopleOperation['access'], string> = {
  anyone: '',
  account: 'For signed-in people.',
  guest: 'For members of the organization, guests too.',
  member: 'For members of the organization.',
  admin: 'For admins and owners of the organization.',
  owner: 'For owners of the organization.',
}

const DESCRIPTIONS: Record<string, string> = {
  400: 'Invalid or missing input, or a state that does not allow it',
  401: 'Not signed in, or the credentials are wrong',
  403: 'The person lacks the permission, or the request does not come from a page of this server',
  404: 'Does not exist, or is out of reach for this person',
  409: 'The current state conflicts with the request',
  429: 'Too many attempts or requests',
  500: 'Something went wrong on the server; the request id names it in the log',
  503: 'The server cannot do it now: nothing was changed, the same request will do later',
  507: 'The disk of the server is full: nothing was changed',
}

const isInside = ({ access }: PeopleOperation): boolean => access !== 'anyone' && access !== 'account'

/** Refusals that come with the session, the organization, the role and the input, besides the operation's own. */
function refusals(operation: PeopleOperation) {
  const { access } = operation
  const brings = operation.method !== 'GET'
  const listed: Listed[] = [
    ...(operation.refusals ?? []),
    ...inputRefusals(operation, { refusesUnknown: true }).filter(
      (one) => one !== 'field_invalid.organizationId',
    ),
    ...(brings ? [...UNFINISHED, 'disk_full' as const] : []),
    ...(takesKey(operation) ? KEY_REFUSALS : []),
    ...(access === 'anyone' ? [] : (['sign_in_required'] as const)),
    ...(isInside(operation) && access !== 'guest' ? (['forbidden'] as const) : []),
    ...(isInside(operation) ? INSIDE_REFUSALS : []),
    'foreign_page',
    ...UNADMITTED,
  ]
  return refusalResponses(listed, DESCRIPTIONS, { statuses: { disk_full: 507 } })
}

/** Refusals of anything inside an organization. */
const INSIDE_REFUSALS = [
  'sign_in_again_required',
  'second_factor_required',
  'sign_on_required',
  'address_proof_required',
  'organization_not_found',
  'rate_limited',
] as const

const stream = peopleOperation({
  id: 'readStream',
  method: 'GET',
  path: STREAM_PATH,
  tag: STREAM_TAG,
  summary: 'Stream the events of an organization',
  description:
    'Events of the person’s topics, by their type, with their number in the log as `id`; for admins also `admin.change`. A client that reconnects with the last `id` misses nothing; if that is not possible it gets `reset`. `activity` and `deliveries` are hints to read something again.',
  access: 'guest',
  params: InOrganization(),
  query: Type.Object({
    after: Type.Optional(
      Type.String({ description: 'The last `id`, for clients that cannot send the header' }),
    ),
    watch: Type.Optional(ProfileId('Hints about the deliveries of this bot; for admins')),
  }),
  success: { 200: { description: 'A stream that stays open' } },
  refusals: ['streams_open'],
})

function streamOperation() {
  const described = describeOperation(stream)
  const example =
    'id: 42\nevent: message.created\ndata: {"messageId":"019b76da-a800-7000-8000-000000000001"}\n\n'
  return {
    ...described,
    parameters: [
      ...described.parameters,
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'The last `id` that was received; browsers send it by themselves',
        schema: { type: 'string' },
      },
    ],
    responses: {
      ...described.responses,
      200: {
        description: 'A stream that stays open',
        headers: EVERY_ANSWER,
        content: { 'text/event-stream': { schema: { type: 'string' }, example } },
      },
    },
  }
}

const picture = peopleOperation({
  id: 'showPicture',
  method: 'GET',
  path: PICTURE_PATH,
  tag: 'People: chat',
  summary: 'A photo of a member, or the cover of a topic',
  description: 'Leads to a link that expires; this address does not.',
  access: 'member',
  params: InOrganization({ fileId: Uuid('`photoId` of a member or `coverId` of a topic') }),
  success: {},
  refusals: ['picture_not_found'],
})

const signOn = peopleOperation({
  id: 'startSignOn',
  method: 'GET',
  path: '/people/sso',
  tag: ACCOUNT_TAG,
  summary: 'Begin single sign-on; to be opened, not called',
  description: 'Leads to `/sign-in/directory` where people sign in to a directory (LDAP).',
  access: 'anyone',
  query: Type.Object({
    to: Type.Optional(Type.String({ maxLength: 2000, description: 'Path on this server to come back to' })),
  }),
  success: {},
  refusals: ['not_found', 'attempts_limited'],
})

const signOnAnswer = peopleOperation({
  id: 'finishSignOn',
  method: 'GET',
  path: '/people/sso/callback',
  tag: ACCOUNT_TAG,
  summary: 'The redirect address for the provider of single sign-on',
  description: 'Leads to `/sign-in?error=sso` where signing in did not work.',
  access: 'anyone',
  success: {},
  refusals: ['not_found', 'attempts_limited'],
})

const samlAnswer = peopleOperation({
  id: 'receiveSamlAnswer',
  method: 'POST',
  path: '/people/sso/saml',
  tag: ACCOUNT_TAG,
  summary: 'The address for answers of a SAML provider; browsers post a form to it',
  description: 'Its metadata is at `/people/sso/saml/metadata`.',
  access: 'anyone',
  success: {},
  refusals: ['not_found', 'attempts_limited'],
})

const samlEnd = peopleOperation({
  id: 'finishSaml',
  method: 'GET',
  path: '/people/sso/saml/finish',
  tag: ACCOUNT_TAG,
  summary: 'The end of a sign-in by SAML; to be opened, not called',
  description: 'Leads to `/sign-in?error=sso` where signing in did not work.',
  access: 'anyone',
  query: Type.Object({ ticket: Type.Optional(Type.String({ description: 'As the answer led here' })) }),
  success: {},
  refusals: ['not_found', 'attempts_limited'],
})

/** The answer is a redirect. */
function redirectOperation(operation: PeopleOperation, description: string) {
  const { parameters, responses, ...described } = describeOperation(operation)
  const { 403: foreign, ...rest } = responses
  // A sign-in may begin on any page, so none is refused as foreign.
  const others = operation.access === 'anyone' ? rest : { ...rest, 403: foreign }
  const location = { description: 'Where to', schema: { type: 'string' } }
  return {
    ...described,
    parameters,
    responses: { 302: { description, headers: { ...EVERY_ANSWER, Location: location } }, ...others },
  }
}
