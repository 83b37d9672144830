import { Type } from 'typebox'
import { Name, ProfileId, Uuid } from './common.ts'
import { PICTURE_REFUSALS } from './files.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

/** Company sizes as they are kept: the first range whose upper end is not below the size. */
export const SIZE_RANGES = [
  [10, '1-10'],
  [50, '11-50'],
  [200, '51-200'],
  [500, '201-500'],
  [1000, '501-1000'],
  [5000, '1001-5000'],
  [Number.POSITIVE_INFINITY, '5001+'],
] as const

const example = {
  companyName: 'Lighthouse Labs',
  humanEmail: 'ada@example.com',
  companySize: 12,
  industry: 'Software',
  botName: 'Deploy bot',
}

const Signup = Type.Object({
  companyName: Name(LIMITS.companyName, 'Name of the organization', 'companyName', {
    maxLength: 'companyName exceeds max length',
  }),
  humanEmail: Type.String({
    format: 'email',
    maxLength: LIMITS.email,
    description: 'The person to invite',
    'x-errors': {
      required: 'invalid humanEmail',
      type: 'invalid humanEmail',
      format: 'invalid humanEmail',
      maxLength: 'invalid humanEmail',
    },
  }),
  companySize: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of people who work there; kept as a range',
    'x-errors': {
      required: 'companySize must be a positive integer',
      type: 'companySize must be a positive integer',
      minimum: 'companySize must be a positive integer',
      maximum: 'companySize must be a positive integer',
    },
  }),
  industry: Name(LIMITS.industry, 'The industry of the organization', 'industry'),
  botName: Name(LIMITS.botName, 'Name of the bot that is installed', 'botName'),
})

export const createOrganization = operation({
  id: 'createOrganization',
  method: 'POST',
  path: '/v2/agentic/organization/create',
  tag: 'Organizations',
  summary: 'Create an organization, install the calling bot, and invite a person',
  description:
    'Lets an AI agent sign up without authentication. The person gets an invitation by e-mail. The answer holds the only copy of the secret. An address may do this once a minute.',
  scope: null,
  body: Signup,
  bodyExample: example,
  // Sign-up needs no credentials, so the body is kept as small as possible.
  bodyBytes: 'small',
  form: {
    metaParts: ['metadata', 'metaPart'],
    description: 'A logo: JPEG or PNG',
    meta: Signup,
    metaExample: example,
    files: { minimum: 0, maximum: 1, maxBytes: LIMITS.logoBytes },
  },
  success: {
    201: {
      description: 'The organization, its bot and the credentials of the bot',
      schema: Type.Object({
        organizationId: Uuid('The new organization'),
        botProfileId: ProfileId('The installed bot'),
        channelId: Uuid('The control topic, with the bot and the person in it'),
        humanProfileId: ProfileId('The invited person, pending'),
        credentials: Type.Object({
          apiKey: Type.String(),
          apiSecret: Type.String({ description: 'Shown here and never again' }),
          controlTopicId: Uuid('Equal to `channelId`'),
        }),
      }),
      example: {
        organizationId: '5f1e2d3c-4b5a-4697-8f80-a1b2c3d4e5f6',
        botProfileId: 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060',
        channelId: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
        humanProfileId: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
        credentials: {
          apiKey: 'pk4Zt7m2Qx9vB3nL6sWc1y',
          apiSecret: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y',
          controlTopicId: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
        },
      },
    },
  },
  refusals: ['organization_not_created', ...PICTURE_REFUSALS, 'not_found', 'rate_limited'],
})
