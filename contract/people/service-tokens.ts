import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ORGANIZATION } from './common.ts'

const TAG = 'People: organization'
const SCIM = `${ORGANIZATION}/scim` as const
const AUDIT_ACCESS = `${ORGANIZATION}/audit/access` as const

export const ServiceToken = Type.Object({
  id: Uuid('The token'),
  createdByName: Type.String({ description: 'The name of the person who made it' }),
  createdAt: Timestamp('When it was made'),
  lastUsedAt: Type.Optional(Timestamp('When it was used last, to the minute; missing if never')),
  endsAt: Type.Optional(
    Timestamp('The time until which a replaced token works; missing for the current one'),
  ),
})
export type ServiceToken = Static<typeof ServiceToken>

const Overlap = Type.Object({
  overlapHours: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: LIMITS.tokenOverlapHours,
      default: 24,
      description: 'The hours that a current token goes on',
    }),
  ),
})

const Made = Type.Object({
  id: Uuid('The token'),
  token: Type.String({ description: 'The secret, which is shown this once' }),
})

const token: ServiceToken = {
  id: '6c7d8e9f-0a1b-4c2d-8e3f-405162738495',
  createdByName: 'Ada Okafor',
  createdAt: 1767225600000,
  lastUsedAt: 1767229200000,
}

export const readScim = peopleOperation({
  id: 'readScim',
  method: 'GET',
  path: SCIM,
  tag: TAG,
  summary: 'Read how an identity provider manages people by SCIM',
  description: 'The tokens that work: the current one, then one that was replaced and has not ended.',
  access: 'admin',
  params: InOrganization(),
  success: {
    200: {
      description: 'The address for the provider, and the tokens',
      schema: Type.Object({
        url: Type.String({ description: 'The address of the SCIM API, for the identity provider' }),
        tokens: Type.Array(ServiceToken),
      }),
      example: { url: 'https://parley.example.com/scim/v2', tokens: [token] },
    },
  },
})

export const makeScimToken = peopleOperation({
  id: 'makeScimToken',
  method: 'POST',
  path: `${SCIM}/tokens`,
  tag: TAG,
  summary: 'Make or replace the SCIM token',
  description:
    'The answer alone has the token. A current token goes on for `overlapHours`; one that was replaced before ends at once.',
  access: 'owner',
  params: InOrganization(),
  body: Overlap,
  bodyExample: { overlapHours: 24 },
  success: {
    201: {
      description: 'The token',
      schema: Made,
      example: { id: token.id, token: 'parley_scim_0nYb5v1oU9m2KqZr7xW4tL8cJ6hE3gSdPfAiBkQwTyM' },
    },
  },
})

export const revokeScimToken = peopleOperation({
  id: 'revokeScimToken',
  method: 'DELETE',
  path: `${SCIM}/tokens/{scimTokenId}`,
  tag: TAG,
  summary: 'Revoke a SCIM token',
  description: 'At once. People and org units stay as they are.',
  access: 'owner',
  params: InOrganization({ scimTokenId: Uuid('The token') }),
  success: { 204: { description: 'Revoked' } },
  refusals: ['scim_token_not_found'],
})

export const readAuditAccess = peopleOperation({
  id: 'readAuditAccess',
  method: 'GET',
  path: AUDIT_ACCESS,
  tag: TAG,
  summary: 'Read how programs read the audit log',
  description: 'The tokens that work: the current one, then one that was replaced and has not ended.',
  access: 'admin',
  params: InOrganization(),
  success: {
    200: {
      description: 'The address for the program, and the tokens',
      schema: Type.Object({
        url: Type.String({ description: 'The address of the audit events' }),
        tokens: Type.Array(ServiceToken),
      }),
      example: { url: 'https://parley.example.com/audit/v1/events', tokens: [token] },
    },
  },
})

export const makeAuditToken = peopleOperation({
  id: 'makeAuditToken',
  method: 'POST',
  path: `${AUDIT_ACCESS}/tokens`,
  tag: TAG,
  summary: 'Make or replace the token that reads the audit log',
  description:
    'The answer alone has the token. A current token goes on for `overlapHours`; one that was replaced before ends at once.',
  access: 'admin',
  params: InOrganization(),
  body: Overlap,
  bodyExample: { overlapHours: 24 },
  success: {
    201: {
      description: 'The token',
      schema: Made,
      example: { id: token.id, token: 'parley_audit_0nYb5v1oU9m2KqZr7xW4tL8cJ6hE3gSdPfAiBkQwTyM' },
    },
  },
})

export const revokeAuditToken = peopleOperation({
  id: 'revokeAuditToken',
  method: 'DELETE',
  path: `${AUDIT_ACCESS}/tokens/{auditTokenId}`,
  tag: TAG,
  summary: 'Revoke a token that reads the audit log',
  description: 'At once. The audit log stays as it is.',
  access: 'admin',
  params: InOrganization({ auditTokenId: Uuid('The token') }),
  success: { 204: { description: 'Revoked' } },
  refusals: ['audit_token_not_found'],
})
