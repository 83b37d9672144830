import type { TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { StoredValue } from '../contract/bot-storage.ts'
import { Group } from '../contract/groups.ts'
import { OPERATIONS } from '../contract/index.ts'
import { Label } from '../contract/labels.ts'
import { LIMITS } from '../contract/limits.ts'
import { Member } from '../contract/members.ts'
import { Attachment, Message } from '../contract/message.ts'
import { openApiDocument } from '../contract/openapi.ts'
import type { Operation } from '../contract/operation.ts'
import { OrgUnit } from '../contract/org-units.ts'
import { Poll, PollVote } from '../contract/polls.ts'
import { Question } from '../contract/questions.ts'
import { Reaction } from '../contract/reactions.ts'
import { partsOfKey, type RefusalKey, statusOf, textOfKey } from '../contract/refusals/index.ts'
import { ScheduledMessage } from '../contract/scheduled-messages.ts'
import { ALL_SCOPES } from '../contract/scopes.ts'
import { Task } from '../contract/tasks.ts'
import { Topic } from '../contract/topics.ts'
import { WAITING_ROOM } from '../server/actions/messages/message-writer.ts'
import { readConfig } from '../server/config.ts'
import { floorOf } from '../server/limits/floors.ts'
import { authentication, described, nameOf, OPERATION_LINE, sectionOf } from './support/guide.ts'
import { codeIn, readPage, tableRows, tableWith } from './support/pages.ts'

const RECORDS: [path: string, heading: string, record: TSchema][] = [
  ['docs/topics.md', 'The record', Topic],
  ['docs/labels.md', 'The record', Label],
  ['docs/messages.md', 'The record', Message],
  ['docs/files.md', 'The record', Attachment],
  ['docs/reactions.md', 'The record', Reaction],
  ['docs/later.md', 'The record', ScheduledMessage],
  ['docs/tasks.md', 'The record', Task],
  ['docs/polls.md', 'The record', Poll],
  ['docs/polls.md', 'The record of a vote', PollVote],
  ['docs/members.md', 'The record', Member],
  ['docs/questions.md', 'The record', Question],
  ['docs/org-units.md', 'The record', OrgUnit],
  ['docs/groups.md', 'The record', Group],
  ['docs/storage.md', 'The record', StoredValue],
]

describe('the pages', () => {
  it('have a section for each operation, and no operation has two', () => {
    const names = described.map(([name]) => name)
    expect(names.sort()).toEqual(OPERATIONS.map(nameOf).sort())
  })

  it.each(described)('give scope, statuses and input of %s', (_name, operation, { text }) => {
    const [, , scope, statuses] = OPERATION_LINE.exec(text) ?? []
    expect(scope ?? null).toBe(operation.scope)
    expect(statuses).toBe(Object.keys(operation.success).join(' or '))
    if (operation.method !== 'GET') expect(text).toMatch(/^Causes (`|no event)/m)

    const input = { ...propertiesOf(operation.body), ...propertiesOf(operation.query) }
    const rows = tableWith(text, 'body field') ?? tableWith(text, 'query')
    const fields = rows ? rows.flatMap(([first = '']) => codeIn(first)) : codeIn(text)
    expect(without(Object.keys(input), fields), 'fields that are not described').toEqual([])
    for (const [first = '', type = ''] of rows ?? []) {
      const [field = ''] = codeIn(first)
      expect(Object.keys(input)).toContain(field)
      for (const number of type.match(/\b\d+\b/g) ?? []) {
        expect(boundsOf(input[field]), field).toContain(Number(number))
      }
    }
  })

  it.each(described)('list the refusals of %s, and no others', (_name, operation, { text }) => {
    const listed = (tableWith(text, 'refusal') ?? []).map(([first = '']) => first)
    expect(without(listed, possibleRefusals(operation)), 'refusals that do not happen').toEqual([])
    expect(without(refusalsIn(operation.refusals), listed), 'refusals that are not listed').toEqual([])
  })

  it.each(RECORDS)('%s, %s: name each field, with a ? where it can be missing', (path, heading, record) => {
    const rows = tableWith(sectionOf(readPage(path), heading).text, 'field') ?? []
    const required: string[] = Object(record).required
    const fields = Object.keys(propertiesOf(record))
    const expected = fields.map((field) => (required.includes(field) ? field : `${field}?`))
    expect(rows.flatMap(([first = '']) => codeIn(first)).sort()).toEqual(expected.sort())
  })

  it('list the operations of each scope', () => {
    const rows = tableRows(sectionOf(authentication, 'What a bot may do').text)
    const listed = rows.map(([scope = '', allows = '']) => [codeIn(scope)[0], codeIn(allows).sort()])
    const promised = ALL_SCOPES.map((scope) => {
      const operations = OPERATIONS.filter((operation) => operation.scope === scope)
      return [scope, operations.map(nameOf).sort()]
    })
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(promised))
  })

  it('list every limit', () => {
    const { text } = sectionOf(readPage('docs/errors-and-limits.md'), 'All limits')
    expect(Object.fromEntries(tableRows(text))).toEqual(limitsTable())
  })

  it('list what there may be at once', () => {
    const { text } = sectionOf(readPage('docs/errors-and-limits.md'), 'Too much at once')
    expect(Object.fromEntries(tableRows(text))).toEqual(ceilingsTable())
  })

  it('list the limits of files as the contract has them', () => {
    const { text } = sectionOf(readPage('docs/errors-and-limits.md'), 'Limits of files')
    expect(Object.fromEntries(tableRows(text))).toMatchObject(fileLimits())
  })
})

const without = (names: string[], others: string[]): string[] =>
  names.filter((name) => !others.includes(name))

const propertiesOf = (schema: TSchema | undefined): Record<string, unknown> =>
  Object(Object(schema).properties)

function boundsOf(schema: unknown): unknown[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, default: preset } = Object(schema)
  return [minLength, maxLength, minItems, maxItems, minimum, maximum, preset]
}

const refusalsIn = (refusals: readonly RefusalKey[] = []): string[] =>
  refusals.map((key) => `${statusOf(partsOfKey(key).code)} \`${textOfKey(key)}\``)

const reference = openApiDocument('http://parley.test')

/** All that the reference lists: the operation's own, and those that come with input, limits and credentials. */
function possibleRefusals({ path, method }: Operation): string[] {
  const { responses } = Object(reference.paths)[path][method.toLowerCase()]
  return Object.entries(responses).flatMap(([status, response]) => {
    const examples = Object(response).content?.['application/json']?.examples ?? {}
    return Object.values<{ value: string }>(examples).map(({ value }) => `${status} \`${value}\``)
  })
}

function fileLimits(): Record<string, string> {
  const { maxFileBytes, linkSeconds, imageSeconds, storageQuotaMb } = readConfig({})
  const MiB = 1024 * 1024
  return {
    'Files in a message': `${LIMITS.filesPerMessage}`,
    'A file of a message': `${maxFileBytes / MiB} MiB (\`MAX_FILE_MB\`)`,
    'JSON in a form': `${LIMITS.jsonBodyBytes} bytes`,
    'Files of an organization': `${storageQuotaMb} MiB (\`STORAGE_QUOTA_MB\`)`,
    'Pixels of a JPEG': `${LIMITS.imagePixels.jpeg}`,
    'Pixels of a PNG, or of a GIF with all its frames': `${LIMITS.imagePixels.png}`,
    'Pixels of a WebP, all its frames together': `${LIMITS.imagePixels.webp}`,
    'Pixels of an AVIF': `${LIMITS.imagePixels.avif}`,
    'Time for one image': `${imageSeconds} seconds (\`IMAGE_SECONDS\`)`,
    'Cover of a topic': `${LIMITS.coverBytes / MiB} MiB`,
    'Width and height of a cover or a logo': `${LIMITS.coverSide} pixels`,
    'Logo of an organization': `${LIMITS.logoBytes / MiB} MiB`,
    'Text of a sound in an event': `${LIMITS.transcriptionInEvents}`,
    'Life of a link': `${linkSeconds} seconds (\`LINK_SECONDS\`)`,
  }
}

function ceilingsTable(): Record<string, string> {
  const defaults = readConfig({})
  const seconds = (milliseconds: number) => `${milliseconds / 1000} seconds`
  const perAddress = `${defaults.maxConnectionsPerAddress} (\`MAX_CONNECTIONS_PER_ADDRESS\`)`
  return {
    'Headers of a request': `${seconds(defaults.headerMs)} (\`HEADER_SECONDS\`)`,
    'Body of a request': `${seconds(defaults.bodyMs)} (\`BODY_SECONDS\`)`,
    Upload: `${defaults.uploadBytesPerSecond} bytes a second, over each ${seconds(defaults.bodyMs)} (\`UPLOAD_BYTES_PER_SECOND\`)`,
    'JSON of `/people`, `/oauth/token` and sign-ups': `${defaults.smallBodyBytes / 1024} KiB (\`SMALL_BODY_KB\`)`,
    'Memory for bodies on their way': `${defaults.bodyMemoryBytes / 1024 / 1024} MiB (\`BODY_MEMORY_MB\`)`,
    'Wait of a message until it begins to be written': `${defaults.queueMs} milliseconds (\`QUEUE_MS\`), a tenth of it while more comes than can be written`,
    'Wait of a message while the database writes nothing': `${seconds(defaults.stallMs)} (\`STALL_MS\`)`,
    'Messages that wait': `${WAITING_ROOM.each.count} of an organization, ${WAITING_ROOM.all.count} of a node`,
    'Connections in all': `${defaults.maxConnections} (\`MAX_CONNECTIONS\`)`,
    'Connections of an address': perAddress,
    'Requests of an address at once': perAddress,
    'Waiting polls of a bot': `${defaults.maxPollsPerBot} (\`MAX_POLLS_PER_BOT\`)`,
    'Open pages of a person': `${defaults.maxStreamsPerPerson} (\`MAX_STREAMS_PER_PERSON\`)`,
  }
}

function limitsTable(): Record<string, string> {
  const defaults = readConfig({})
  const perMinute = (limit: number, setting: string) => `${limit} a minute (\`${setting}\`)`
  return {
    'Requests of an organization': perMinute(defaults.rateLimitPerMinute, 'RATE_LIMIT_PER_MINUTE'),
    'Requests of each bot, whatever others use': `${floorOf(defaults.rateLimitPerMinute)} a minute`,
    'Requests of a person in an organization': perMinute(
      defaults.personRateLimitPerMinute,
      'PERSON_RATE_LIMIT_PER_MINUTE',
    ),
    'Calls of an incoming webhook': perMinute(
      defaults.incomingRateLimitPerMinute,
      'INCOMING_RATE_LIMIT_PER_MINUTE',
    ),
    'Changes of org unit members by a bot': perMinute(
      defaults.orgUnitChangesPerMinute,
      'ORG_UNIT_CHANGES_PER_MINUTE',
    ),
    'Messages of one sender that mention [groups](groups.md)': `${LIMITS.groupMentionsPerMinute} a minute`,
    'People mentioned at once by everyone; by `@here` and groups of admins': `${LIMITS.mentionedFreely}; ${LIMITS.mentionedPeople}`,
    'Groups of an organization; people of one group': `${LIMITS.groups}; ${LIMITS.groupMembers}`,
    'Agent sign-ups from an address': perMinute(defaults.agentSignupPerMinute, 'AGENT_SIGNUP_PER_MINUTE'),
    'Agent sign-ups in all': `${defaults.agentSignupsPerDay} a day (\`AGENT_SIGNUPS_PER_DAY\`)`,
    'Mails of invitations, sign-ups and requests to join to one address, of all organizations': `${LIMITS.mailsToAddressPerDay} a day`,
    'Mails for a new password to one address': `${LIMITS.resetMailsPerDay} a day, and as many from browsers that have signed in before`,
    'Attempts to sign up from an address': perMinute(
      defaults.agentSignupAttemptsPerMinute,
      'AGENT_SIGNUP_ATTEMPTS_PER_MINUTE',
    ),
    'Wrong attempts at a token, for a bot from an address': `${LIMITS.tokenFailuresPerMinute} a minute`,
    'Access token lifetime': `${defaults.accessTokenSeconds} seconds (\`ACCESS_TOKEN_SECONDS\`)`,
    'Age of a signature': `${LIMITS.signatureAgeMs / 60_000} minutes`,
    'Events are kept': `${defaults.updatesRetentionMs / 86_400_000} days (\`UPDATES_RETENTION_DAYS\`)`,
    'Request body': `${LIMITS.jsonBodyBytes} bytes`,
    'Request body of `/oauth/token`, `/people` and `/v2/agentic/organization/create`': `${LIMITS.smallBodyBytes} bytes`,
    'Page size': `1 to ${LIMITS.pageMax}, default ${LIMITS.pageDefault}`,
    'Idempotency-Key': `${LIMITS.idempotencyKeyLength} characters, kept for ${LIMITS.idempotencyHours} hours`,
    'Wait of a poll (`timeout`)': `${LIMITS.updatesTimeoutSeconds} seconds`,
    'Topic name': `${LIMITS.topicName}`,
    'Topic description': `${LIMITS.topicDescription}`,
    'Topic members on creation': `${LIMITS.topicMembersOnCreation}`,
    'Topic external id': `${LIMITS.topicExternalId}`,
    'Labels on a topic': '1',
    'Label name': `${LIMITS.labelName}`,
    'Member ids in a request to add or remove': `1 to ${LIMITS.memberIdsPerRequest}`,
    'Message text': `${LIMITS.messageText}`,
    'Private answer': String(LIMITS.privateAnswer),
    'Context of a message': `${LIMITS.contextTokensMin} to ${LIMITS.contextTokensMax} tokens, default ${LIMITS.contextTokensDefault}; ${LIMITS.contextMessages} messages of a thread, and as many before it`,
    'Direct messages that a bot opens': `${LIMITS.directMessagesPerMinute} a minute`,
    'Message external id': `${LIMITS.messageExternalId}`,
    'Saved messages of a person': `${LIMITS.savedMessages}`,
    'Scheduled messages of a sender': `${LIMITS.scheduledMessages}, up to ${LIMITS.scheduledDays} days ahead`,
    'Task title': `${LIMITS.taskTitle}`,
    'Task description': `${LIMITS.taskDescription}`,
    'Task external id': `${LIMITS.taskExternalId}`,
    'Poll question': `${LIMITS.pollQuestion}`,
    'Poll subtitle': `${LIMITS.pollSubtitle}`,
    'Poll options': `${LIMITS.pollOptionsMin} to ${LIMITS.pollOptionsMax}`,
    'Poll option text': `${LIMITS.pollOptionText}`,
    'Company name': `${LIMITS.companyName}`,
    'Bot name': `${LIMITS.botName}`,
    Industry: `${LIMITS.industry}`,
    'E-mail address': `${LIMITS.email}`,
    Search: `${LIMITS.searchQuery}, with ${LIMITS.searchWords} words`,
    'Storage key': `${LIMITS.storageKey}`,
    'Storage keys of a bot': `${LIMITS.storageKeys}`,
    'Stored value': `${LIMITS.storageValueBytes} bytes`,
    'Stored values of a bot': `${LIMITS.storageBytes / 1024 / 1024} MiB`,
    'Depth of a stored value': `${LIMITS.storageDepth}`,
  }
}
