import { type TSchema, Type } from 'typebox'
import { FieldInput, MessageActions } from '../../contract/actions.ts'
import { caseKey } from '../../contract/case-key.ts'
import { ARGUMENT_TYPES } from '../../contract/command-arguments.ts'
import { COMMAND_NAME } from '../../contract/commands.ts'
import { BotReach, Name, Timestamp } from '../../contract/common.ts'
import { EMOJI_NAME_PATTERN } from '../../contract/custom-emoji.ts'
import { GroupMentions } from '../../contract/group-mentions.ts'
import { INCOMING_FORMATS } from '../../contract/incoming.ts'
import { LIMITS } from '../../contract/limits.ts'
import { MEMBER_STATUSES, NAMELESS } from '../../contract/members.ts'
import {
  Attachment,
  Call,
  Contact,
  LinkPreview,
  Location,
  MESSAGE_TYPES,
  MessageForward,
  MessagePoll,
  MessageStream,
  MessageTask,
} from '../../contract/message.ts'
import { ROLES } from '../../contract/operation.ts'
import { ORG_UNIT_TYPES } from '../../contract/org-units.ts'
import { SIZE_RANGES } from '../../contract/organizations.ts'
import { Email } from '../../contract/people/common.ts'
import { AUDIT_ACTIONS, AUDIT_TARGETS } from '../../contract/people/organization.ts'
import { SELECTION_TYPES } from '../../contract/polls.ts'
import { ALL_SCOPES } from '../../contract/scopes.ts'
import { emailKey } from '../text.ts'

const ID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const or = (...schemas: TSchema[]): TSchema => Type.Union(schemas)
const maybe = (schema: TSchema): TSchema => or(schema, Type.Null())
const text = (maxLength: number): TSchema => Type.String({ maxLength })
const some = (maxLength: number): TSchema => Type.String({ minLength: 1, maxLength })
const list = (items: TSchema, maxItems: number): TSchema => Type.Array(items, { maxItems })
/** One line without hidden characters, or nothing. */
const line = (maxLength: number): TSchema => or(Type.Literal(''), Name(maxLength, ''))

const uuid = Type.String({ pattern: `^${ID}$` })
const profileId = Type.String({ pattern: `^(b@)?${ID}$` })
const botId = Type.String({ pattern: `^b@${ID}$` })
const webUrl = Type.String({ maxLength: 2048, format: 'web-address' })
const contentType = Type.String({
  maxLength: 255,
  pattern: '^[A-Za-z0-9._+-]+/[A-Za-z0-9._+-]+( *;[ -~]*)?$',
})
const emoji = Type.String({ format: 'emoji' })
const eventTypes = maybe(list(Type.String({ pattern: '^[a-z_.]{1,64}$' }), 100))
const command = Type.String({ pattern: `^${COMMAND_NAME}$` })

const { url: _url, thumbnailUrl: _thumbnailUrl, ...attachment } = Attachment.properties
const { senderName: _name, senderType: _type, ...forward } = MessageForward.properties
const { thumbnailUrl: _picture, ...preview } = LinkPreview.properties
const storedAttachment = Type.Object({
  ...attachment,
  id: uuid,
  name: Type.Optional(text(255)),
  contentType,
  size: Type.Integer({ minimum: 0 }),
})
const details = Type.Object({
  poll: Type.Optional(MessagePoll),
  task: Type.Optional(MessageTask),
  call: Type.Optional(Call),
  location: Type.Optional(Location),
  contact: Type.Optional(Contact),
  stream: Type.Optional(MessageStream),
  actions: Type.Optional(Type.Omit(MessageActions, ['hash'])), // made when it is shown
  assistant: Type.Optional(Type.Object({ name: Name(LIMITS.assistantName, '') })),
  groupMentions: Type.Optional(
    Type.Object({
      ...GroupMentions.properties,
      people: Type.Optional(Type.Array(profileId, { maxItems: LIMITS.mentionedPeople })),
    }),
  ),
  forwarded: Type.Optional(Type.Object(forward)),
  preview: Type.Optional(
    Type.Object({ ...preview, url: webUrl, title: text(1000), imageId: Type.Optional(uuid) }),
  ),
})

/** Rules for the fields of each kind of record, as requests have them. Fields that are not named here have that of `ruleOf`. */
export const FIELD_RULES: Readonly<Record<string, Readonly<Record<string, TSchema>>>> = {
  organization: {
    name: Name(LIMITS.companyName, ''),
    sizeRange: Type.Enum(SIZE_RANGES.map(([, range]) => range)),
    industry: line(LIMITS.industry),
    blockedWords: maybe(list(some(LIMITS.blockedWord), LIMITS.blockedWords)),
    rateLimit: maybe(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    signInDays: maybe(Type.Integer({ minimum: 1, maximum: LIMITS.signInDays })),
    editMinutes: maybe(Type.Integer({ minimum: 0, maximum: LIMITS.editMinutes })),
    retentionDays: maybe(Type.Number({ exclusiveMinimum: 0, maximum: LIMITS.keepMessagesDays })),
  },
  members: {
    kind: Type.Enum(['user', 'bot']),
    name: Name(LIMITS.profileName, ''),
    email: or(Type.Literal(''), Email),
    emailKey: maybe(some(LIMITS.email * 2)),
    phone: line(100),
    externalId: maybe(line(LIMITS.topicExternalId)),
    status: Type.Enum(MEMBER_STATUSES),
    role: Type.Enum(ROLES),
    title: line(LIMITS.profileLine),
    timeZone: line(LIMITS.timeZone),
    statusText: line(LIMITS.profileLine),
    statusEmoji: or(Type.Literal(''), emoji),
    hasAccount: Type.Boolean(),
  },
  'org-units': {
    name: Name(LIMITS.orgUnitName, ''),
    tag: Name(LIMITS.orgUnitTag, ''),
    type: Type.Enum(ORG_UNIT_TYPES),
  },
  groups: {
    name: Name(LIMITS.groupName, ''),
    tag: Name(LIMITS.groupTag, ''),
    description: line(LIMITS.groupDescription),
  },
  'notification-settings': {
    keywords: list(some(LIMITS.keyword), LIMITS.keywords),
    timeZone: line(LIMITS.timeZone),
  },
  bots: {
    id: botId,
    scopes: list(Type.Enum(ALL_SCOPES), 100),
    webhookUrl: maybe(webUrl),
    webhookEvents: eventTypes,
    description: text(LIMITS.botDescription),
    prompts: list(Name(LIMITS.promptText, ''), LIMITS.prompts),
  },
  'webhook-addresses': {
    id: Type.String({ pattern: `^w@${ID}$` }),
    webhookUrl: webUrl,
    webhookEvents: eventTypes,
  },
  'bot-commands': {
    name: command,
    description: Name(LIMITS.commandText, ''),
    arguments: list(
      Type.Object({
        name: command,
        description: Type.Optional(line(LIMITS.commandText)),
        type: Type.Optional(Type.Enum(ARGUMENT_TYPES)),
        required: Type.Optional(Type.Boolean()),
        options: Type.Optional(list(line(LIMITS.actionText), LIMITS.actionOptions)),
      }),
      LIMITS.commandArguments,
    ),
    fields: maybe(Type.Array(FieldInput, { minItems: 1, maxItems: LIMITS.actionFields })),
  },
  'bot-storage-entries': { key: some(LIMITS.storageKey), value: some(LIMITS.storageValueBytes) },
  emoji: { name: Type.String({ pattern: EMOJI_NAME_PATTERN }) },
  labels: { name: Name(LIMITS.labelName, '') },
  topics: {
    name: line(LIMITS.topicName),
    description: text(LIMITS.topicDescription),
    externalId: maybe(some(LIMITS.topicExternalId)),
    memberKey: maybe(Type.String({ pattern: `^(b@)?${ID}(,(b@)?${ID})*$`, maxLength: 10_000 })),
  },
  'topic-members': { reach: BotReach },
  'topic-changes': { type: Type.String({ pattern: '^[a-z_.]{1,64}$' }), data: Type.Object({}) },
  'incoming-webhooks': {
    name: Name(LIMITS.incomingName, ''),
    format: Type.Enum(INCOMING_FORMATS),
    template: maybe(some(LIMITS.incomingTemplate)),
  },
  messages: {
    type: Type.Enum(MESSAGE_TYPES),
    text: text(LIMITS.messageText),
    mentions: list(profileId, LIMITS.messageText),
    externalId: maybe(some(LIMITS.messageExternalId)),
    reactions: list(Type.Object({ emoji, count: Type.Integer({ minimum: 1 }) }), 10_000),
    details: maybe(details),
    attachments: maybe(list(storedAttachment, LIMITS.filesPerMessage)),
  },
  reactions: { emoji },
  'message-actions': {
    slot: maybe(text(100)),
    elementId: some(LIMITS.actionValue),
    label: text(LIMITS.actionValue),
    value: maybe(text(LIMITS.actionValue)),
    fieldValues: maybe(Type.Object({})),
    note: maybe(text(LIMITS.actionNote)),
  },
  reports: { text: text(LIMITS.messageText), reason: text(LIMITS.reportReason) },
  tasks: {
    title: some(LIMITS.taskTitle),
    description: text(LIMITS.taskDescription),
    assignee: or(Type.Literal(''), profileId),
    externalId: maybe(some(LIMITS.taskExternalId)),
  },
  polls: {
    question: some(LIMITS.pollQuestion),
    subtitle: maybe(some(LIMITS.pollSubtitle)),
    selectionType: Type.Enum(SELECTION_TYPES),
    options: list(
      Type.Object({ id: some(LIMITS.pollOptionId), text: some(LIMITS.pollOptionText) }),
      LIMITS.pollOptionsMax,
    ),
  },
  'legal-holds': { reason: some(LIMITS.holdReason) },
  'held-records': { record: Type.Object({}), fileIds: Type.Array(uuid) },
  'audit-log': {
    id: uuid,
    at: Timestamp(''),
    action: Type.Enum(AUDIT_ACTIONS),
    targetType: Type.Enum(AUDIT_TARGETS),
    changes: Type.Array(Type.Object({ field: Type.String() })),
  },
  files: { contentType, size: Type.Integer({ minimum: 0 }) },
}

/** Fields with a member's id. */
const MEMBER_FIELDS =
  /^(profile|sender|author|reporter|voter|bot|owner)Id$|^(created|pinned|set|ended|decided)By$/
const TIME_FIELDS = /(At|Until|Date)$/
/** Limit for texts of records without their own rule. */
const LONGEST_TEXT = 10_000
const NUMBER = Type.Number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

/** The rule for a field: its own, or one by what its name says. Types and references are the database's to judge. */
export function ruleOf(kind: string, field: string): TSchema {
  const rule = FIELD_RULES[kind]?.[field]
  if (rule) return rule
  if (MEMBER_FIELDS.test(field)) return maybe(profileId)
  if (field === 'id' && kind === 'members') return profileId
  if (TIME_FIELDS.test(field)) return maybe(Timestamp(''))
  return or(Type.Null(), Type.Boolean(), NUMBER, text(LONGEST_TEXT))
}

type Fields = Record<string, unknown>

/** Fields that must agree with each other; each gives the name of the one that does not. */
export const AGREEMENTS: Readonly<Record<string, (record: Fields) => string | undefined>> = {
  // The key decides whose account it is, and mail goes to the address: both are the same mailbox.
  members({ kind, name, email, emailKey: key, role, guestUntil, hasAccount, erasedAt, id }) {
    if ((email === '' ? null : emailKey(String(email))) !== key) return 'emailKey'
    if (hasAccount === true && (email === '' || kind !== 'user')) return 'hasAccount'
    if (kind === 'bot' && role !== 'member') return 'role'
    if (typeof guestUntil === 'number' && role !== 'guest') return 'guestUntil'
    if ((kind === 'bot') !== String(id).startsWith('b@')) return 'id'
    return typeof erasedAt === 'number' && (name !== NAMELESS || email !== '') ? 'erasedAt' : undefined
  },
  'org-units': ({ tag, tagKey }) => (tagKey === caseKey(String(tag)) ? undefined : 'tagKey'),
  groups: ({ tag, tagKey }) => (tagKey === caseKey(String(tag)) ? undefined : 'tagKey'),
  labels: ({ name, nameKey }) => (nameKey === caseKey(String(name)) ? undefined : 'nameKey'),
  // A reply that stands in its thread alone is found there.
  messages: ({ threadOnly, parentId }) => (threadOnly === true && !parentId ? 'threadOnly' : undefined),
}
