import { type Static, Type } from 'typebox'
import { PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { Message } from '../message.ts'
import { messageExample } from '../messages.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { InOrganization, ListPage, Name, ORGANIZATION } from './common.ts'

const TAG = 'People: reports'
const REPORTS = `${ORGANIZATION}/reports` as const
const at = 1767225600000

export const reportMessage = peopleOperation({
  id: 'reportMessage',
  method: 'POST',
  path: `${CHAT}/messages/{messageId}/report`,
  tag: TAG,
  summary: 'Report a message to the admins',
  description: `Only admins see who reports it and why. They can read this message, and no other one. A message that the person has reported before, and that is undecided, gets the new reason. At most ${LIMITS.reportsPerHour} an hour. The person’s own messages and those of Parley itself cannot be reported.`,
  access: 'guest',
  params: InOrganization({ messageId: Uuid('The message') }),
  body: Type.Object({ reason: Name(LIMITS.reportReason, 'The reason', 'reason') }),
  bodyExample: { reason: 'This is an insult' },
  success: { 204: { description: 'Reported' } },
  refusals: ['message_not_reportable', 'message_not_found', 'reports_limited'],
})

const Somebody = (description: string) =>
  Type.Object({ id: ProfileId(description), name: Type.String({ description: 'The name they have now' }) })

export const REPORT_STATES = ['open', 'decided'] as const
export const REPORT_OUTCOMES = ['deleted', 'dismissed'] as const

export const Report = Type.Object({
  id: Uuid('The report'),
  messageId: Uuid('The message'),
  topic: Type.Object({
    id: Uuid('The topic'),
    name: Type.String({ description: 'Empty: a direct message' }),
  }),
  sender: Somebody('Who sent the message'),
  reporter: Somebody('Who reported it'),
  reason: Type.String(),
  createdAt: Timestamp('When it was reported'),
  outcome: Type.Optional(
    Type.Enum(REPORT_OUTCOMES, { description: 'Missing while it is open. `deleted`: the message was' }),
  ),
  decidedBy: Type.Optional(Somebody('Who decided')),
  decidedAt: Type.Optional(Timestamp('When')),
})
export type Report = Static<typeof Report>

const report: Report = {
  id: '019b76da-a800-7000-8000-000000000001',
  messageId: messageExample.id,
  topic: { id: messageExample.topicId, name: 'Harbour' },
  sender: { id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', name: 'Ada Okafor' },
  reporter: { id: '6e5d4c3b-2a19-4807-96f5-e4d3c2b1a098', name: 'Ben Ito' },
  reason: 'This is an insult',
  createdAt: at,
}
const params = InOrganization({ reportId: Uuid('The report') })

export const listReports = peopleOperation({
  id: 'listReports',
  method: 'GET',
  path: REPORTS,
  tag: TAG,
  summary: 'List reported messages, the newest first',
  description: 'Lists reports without the messages.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({
    ...PageQuery,
    state: Type.Optional(Type.Enum(REPORT_STATES, { default: 'open', description: 'Which reports to list' })),
  }),
  success: {
    200: {
      description: 'A page of reports',
      schema: ListPage('reports', Report),
      example: { reports: [report], hasMore: false, from: 0, total: 1 },
    },
  },
  refusals: ['cursor_invalid'],
})

export const readReport = peopleOperation({
  id: 'readReport',
  method: 'POST',
  path: `${REPORTS}/{reportId}/content`,
  tag: TAG,
  summary: 'Read a reported message',
  description:
    'The message as it was when it was reported, and as it is now, even in a direct message: a member who can see it has handed it to the admins. Messages around it are not shown. Each request is in the audit log.',
  access: 'admin',
  params,
  success: {
    200: {
      description: 'The reported message',
      schema: Type.Object({
        report: Report,
        reportedText: Type.String({ description: 'The text when it was reported' }),
        message: Type.Optional(Message),
      }),
      example: { report, reportedText: messageExample.text, message: messageExample },
    },
  },
  refusals: ['report_not_found'],
})

export const decideReport = peopleOperation({
  id: 'decideReport',
  method: 'POST',
  path: `${REPORTS}/{reportId}/decision`,
  tag: TAG,
  summary: 'Delete a reported message, or dismiss the report',
  description: 'Decides every open report of the message.',
  access: 'admin',
  params,
  body: Type.Object({ outcome: Type.Enum(REPORT_OUTCOMES) }),
  bodyExample: { outcome: 'dismissed' },
  success: {
    200: {
      description: 'The report',
      schema: Report,
      example: { ...report, outcome: 'dismissed', decidedBy: report.reporter, decidedAt: at },
    },
  },
  refusals: ['report_not_found', 'report_decided'],
})
