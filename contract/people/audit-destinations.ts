import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, ORGANIZATION } from './common.ts'
import { URL_REFUSALS } from './webhook-addresses.ts'

const TAG = 'People: organization'
const DESTINATIONS = `${ORGANIZATION}/audit/destinations` as const
const DESTINATION = `${DESTINATIONS}/{destinationId}` as const

const KINDS = ['webhook', 'syslog'] as const

/** Outcomes of an attempt that did not arrive. */
export const DELIVERY_FAULTS = [
  'timeout',
  'refused',
  'dns',
  'tls',
  'status',
  'blocked',
  'redirect',
  'closed',
] as const

const Fault = Type.Object({
  kind: Type.Enum(DELIVERY_FAULTS, {
    description:
      '`dns`: the name was not found; `refused`: no connection; `tls`: certificate or encryption; `blocked`: not on the public internet; `status`, `redirect`: the answer of a webhook; `closed`: a syslog receiver hung up before it had everything, or never did',
  }),
  detail: Type.String({ description: 'The error as the network told it, or the status of the answer' }),
})

export const AuditDestination = Type.Object({
  id: Uuid('The destination'),
  kind: Type.Enum(KINDS),
  address: Type.String({ description: 'The URL of a webhook, or host and port of a syslog receiver' }),
  hasCaCertificate: Type.Boolean({ description: 'Whether a certificate authority of its own is trusted' }),
  createdByName: Type.String({ description: 'The name of the person who added it' }),
  createdAt: Timestamp('When it was added'),
  sentAt: Type.Optional(Timestamp('When entries arrived last; missing if never')),
  waiting: Type.Integer({
    description: `Entries that have not arrived, counted up to ${LIMITS.auditWaiting}`,
  }),
  waitingSince: Type.Optional(Timestamp('The time of the oldest entry that has not arrived')),
  failingSince: Type.Optional(Timestamp('The first failed attempt since the last success')),
  fault: Type.Optional(Fault),
  nextAttemptAt: Type.Optional(Timestamp('When it is tried again, while it fails')),
})
export type AuditDestination = Static<typeof AuditDestination>

const example: AuditDestination = {
  id: '2a3b4c5d-6e7f-4081-92a3-b4c5d6e7f809',
  kind: 'syslog',
  address: 'siem.example.com:6514',
  hasCaCertificate: true,
  createdByName: 'Ada Okafor',
  createdAt: 1767225600000,
  sentAt: 1767229200000,
  waiting: 0,
}

export const listAuditDestinations = peopleOperation({
  id: 'listAuditDestinations',
  method: 'GET',
  path: DESTINATIONS,
  tag: TAG,
  summary: 'List where the audit log is sent',
  access: 'admin',
  params: InOrganization(),
  success: {
    200: {
      description: 'The destinations, the oldest first',
      schema: Type.Object({ destinations: Type.Array(AuditDestination) }),
      example: { destinations: [example] },
    },
  },
})

export const addAuditDestination = peopleOperation({
  id: 'addAuditDestination',
  method: 'POST',
  path: DESTINATIONS,
  tag: TAG,
  summary: 'Send the audit log to a webhook or a syslog receiver',
  description: `Each entry from now on, in order, at least once. An organization has ${LIMITS.auditDestinations} at most. The answer for a webhook holds the only copy of the secret that signs.`,
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    kind: Type.Enum(KINDS, { description: '`webhook`: signed requests; `syslog`: RFC 5424 over TLS' }),
    address: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'A URL for a webhook; for syslog a host, with a port unless it is 6514',
    }),
    caCertificate: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.caCertificate,
        description:
          'For syslog: certificates in PEM that sign the one of the receiver, instead of public authorities',
      }),
    ),
  }),
  bodyExample: { kind: 'webhook', address: 'https://siem.example.com/parley' },
  success: {
    201: {
      description: 'The destination',
      schema: Type.Object({
        destination: AuditDestination,
        secret: Type.Optional(
          Type.String({ description: 'Signs the requests of a webhook; shown here and never again' }),
        ),
      }),
      example: { destination: example },
    },
  },
  refusals: [
    ...URL_REFUSALS,
    'syslog_address_invalid',
    'ca_certificate_invalid',
    'ca_certificate_of_webhook',
    'audit_destination_known',
    'audit_destinations_full',
  ],
})

export const removeAuditDestination = peopleOperation({
  id: 'removeAuditDestination',
  method: 'DELETE',
  path: DESTINATION,
  tag: TAG,
  summary: 'Stop sending the audit log to a destination',
  description: 'At once; a request that is under way may still arrive.',
  access: 'admin',
  params: InOrganization({ destinationId: Uuid('The destination') }),
  success: { 204: { description: 'Removed' } },
  refusals: ['audit_destination_not_found'],
})

export const testAuditDestination = peopleOperation({
  id: 'testAuditDestination',
  method: 'POST',
  path: `${DESTINATION}/test`,
  tag: TAG,
  summary: 'Send one entry to a destination now',
  description:
    'The test is an entry of the audit log itself, which is sent at once, and in its turn again. Ten tests a minute.',
  access: 'admin',
  params: InOrganization({ destinationId: Uuid('The destination') }),
  success: {
    200: {
      description: 'Whether it arrived, and what went wrong',
      schema: Type.Object({ arrived: Type.Boolean(), fault: Type.Optional(Fault) }),
      example: { arrived: false, fault: { kind: 'refused', detail: 'connect ECONNREFUSED 192.0.2.7:6514' } },
    },
  },
  refusals: ['audit_destination_not_found', 'rate_limited'],
})
