import type { FastifyInstance } from 'fastify'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { memberAssistantRoutes } from './assistants.ts'
import { auditRoutes } from './audit.ts'
import { auditDestinationRoutes } from './audit-destinations.ts'
import { botPhotoRoutes } from './bot-photos.ts'
import { botRoutes } from './bots.ts'
import { deliveryRoutes } from './deliveries.ts'
import { erasureRoutes } from './erasures.ts'
import { holdRoutes } from './holds.ts'
import { incomingWebhookRoutes } from './incoming-webhooks.ts'
import { joinLinkRoutes } from './join-links.ts'
import { labelRoutes } from './labels.ts'
import { ownRoutes } from './me.ts'
import { memberRoutes } from './members.ts'
import { messageCheckRoutes } from './message-check.ts'
import { orgUnitRoutes } from './org-units.ts'
import { organizationRoutes } from './organization.ts'
import { overviewRoutes } from './overview.ts'
import { readingRoutes } from './readings.ts'
import { recordRoutes } from './records.ts'
import { rehearsalRoutes } from './rehearsals.ts'
import { reportRoutes } from './reports.ts'
import { serviceTokenRoutes } from './service-tokens.ts'
import { streamRoutes } from './stream.ts'
import { consoleTopicRoutes } from './topics.ts'
import { webhookAddressRoutes } from './webhook-addresses.ts'

/** Registers the console: one line a resource. */
export function consoleRoutes(people: PeopleApi, app: FastifyInstance, parley: Parley): void {
  ownRoutes(people)
  organizationRoutes(people)
  overviewRoutes(people)
  auditRoutes(people)
  auditDestinationRoutes(people)
  memberRoutes(people)
  joinLinkRoutes(people)
  memberAssistantRoutes(people)
  consoleTopicRoutes(people)
  readingRoutes(people)
  recordRoutes(people)
  holdRoutes(people)
  erasureRoutes(people)
  reportRoutes(people)
  messageCheckRoutes(people)
  botRoutes(people)
  botPhotoRoutes(people)
  deliveryRoutes(people)
  rehearsalRoutes(people)
  webhookAddressRoutes(people)
  incomingWebhookRoutes(people)
  labelRoutes(people)
  orgUnitRoutes(people)
  serviceTokenRoutes(people)
  streamRoutes(app, parley)
}
