import { LIMITS } from './limits.ts'

/** Provisioning of people and groups by an identity provider: SCIM 2.0 (RFC 7643 and 7644). */
export const SCIM_PATH = '/scim/v2'
export const SCIM_TYPE = 'application/scim+json'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
/** Attributes of this extension are accepted and not kept: identity providers send them by default. */
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user'

type Attribute = {
  name: string
  type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime'
  multiValued: boolean
  description: string
  required: boolean
  caseExact: boolean
  mutability: 'readWrite' | 'readOnly' | 'immutable'
  returned: 'default' | 'always'
  uniqueness: 'none' | 'server'
  canonicalValues?: string[]
  referenceTypes?: string[]
  subAttributes?: Attribute[]
}

const attribute = (
  name: string,
  description: string,
  rest: Partial<Omit<Attribute, 'name' | 'description'>> = {},
): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...rest,
})

const one = (name: string, description: string, value: string): Attribute =>
  attribute(name, description, {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', value),
      attribute('type', 'Always work', { canonicalValues: ['work'] }),
      attribute('primary', 'Always true: Parley keeps one', { type: 'boolean' }),
    ],
  })

const reference = (name: string, description: string, referenceTypes: string[]): Attribute =>
  attribute(name, description, { type: 'reference', mutability: 'readOnly', caseExact: true, referenceTypes })

const USER_ATTRIBUTES: Attribute[] = [
  attribute('userName', 'The name at the identity provider, often the e-mail address', {
    required: true,
    uniqueness: 'server',
  }),
  attribute('name', 'The parts of the name', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The whole name, as displayName has it'),
      attribute('givenName', 'The given name'),
      attribute('familyName', 'The family name'),
    ],
  }),
  attribute('displayName', 'The name that everybody sees'),
  attribute('title', 'The job title'),
  attribute('timezone', 'The time zone, such as Europe/Berlin'),
  attribute('active', 'False: the person is archived, and signed out everywhere', { type: 'boolean' }),
  one('emails', 'The e-mail address; of several, the primary one or that of type work', 'The address'),
  one('phoneNumbers', 'The telephone number', 'The number'),
  attribute('groups', 'The groups that the person is in', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', 'The id of the group', { mutability: 'readOnly', caseExact: true }),
      reference('$ref', 'The address of the group', ['Group']),
      attribute('display', 'Its name', { mutability: 'readOnly' }),
      attribute('type', 'Always direct', { mutability: 'readOnly', canonicalValues: ['direct'] }),
    ],
  }),
]

const GROUP_ATTRIBUTES: Attribute[] = [
  attribute('displayName', 'The name of the org unit', { required: true }),
  attribute('members', 'The people in it', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the person', { mutability: 'immutable', caseExact: true }),
      reference('$ref', 'The address of the person', ['User']),
      attribute('display', 'Their name', { mutability: 'readOnly' }),
      attribute('type', 'Always User', { mutability: 'immutable', canonicalValues: ['User'] }),
    ],
  }),
]

type Described = Record<string, unknown> & { id: string }

const meta = (base: string, resourceType: string, path: string) => ({
  meta: { resourceType, location: `${base}/${path}` },
})

/** `base` is the address of the API: https://parley.example.com/scim/v2. */
export const schemas = (base: string): Described[] =>
  (
    [
      [USER_SCHEMA, 'User', 'A person', USER_ATTRIBUTES],
      [GROUP_SCHEMA, 'Group', 'An org unit', GROUP_ATTRIBUTES],
    ] as const
  ).map(([id, name, description, attributes]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    description,
    attributes,
    ...meta(base, 'Schema', `Schemas/${id}`),
  }))

export const resourceTypes = (base: string): Described[] =>
  (
    [
      ['User', '/Users', 'People of the organization', USER_SCHEMA],
      ['Group', '/Groups', 'Org units of the organization', GROUP_SCHEMA],
    ] as const
  ).map(([id, endpoint, description, schema]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id,
    name: id,
    endpoint,
    description,
    schema,
    ...meta(base, 'ResourceType', `ResourceTypes/${id}`),
  }))

export const serviceProviderConfig = (base: string): Record<string, unknown> => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${base.slice(0, -SCIM_PATH.length)}/docs/scim`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: LIMITS.scimPage },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of the organization, made in its console',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  ...meta(base, 'ServiceProviderConfig', 'ServiceProviderConfig'),
})
