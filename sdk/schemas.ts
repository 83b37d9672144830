import type { TSchema } from 'typebox'
import { ActionAnswer, ActionsInput, MessageActions } from '../contract/actions.ts'
import { StorageEntry, StoredValue } from '../contract/bot-storage.ts'
import { ContextMessage, TopicContext } from '../contract/context.ts'
import {
  EVENTS,
  MembersEvent,
  MessageActionEvent,
  MessageCommandEvent,
  MessageCreated,
  MessageDeleted,
  MessageUpdated,
  PollVoteEvent,
  QuestionClosedEvent,
  ReactionEvent,
  ScheduledMessageFailedEvent,
  TopicUpdated,
  WebhookEvent,
} from '../contract/events.ts'
import { OPERATIONS } from '../contract/index.ts'
import { Label } from '../contract/labels.ts'
import { Member } from '../contract/members.ts'
import {
  Attachment,
  Call,
  Contact,
  EventMessage,
  Location,
  Mention,
  Message,
  MessagePoll,
  MessageStream,
  MessageTask,
  ReactionCount,
} from '../contract/message.ts'
import { MessageSource, MessageStep } from '../contract/message-progress.ts'
import { openApiDocument } from '../contract/openapi.ts'
import type { Operation } from '../contract/operation.ts'
import { OrgUnit } from '../contract/org-units.ts'
import { REHEARSAL_REFUSALS } from '../contract/people/rehearsals.ts'
import { Poll, PollVote } from '../contract/polls.ts'
import { Question } from '../contract/questions.ts'
import { Reaction } from '../contract/reactions.ts'
import { Task } from '../contract/tasks.ts'
import { Topic, TopicListItem } from '../contract/topics.ts'
import { Update } from '../contract/updates.ts'

/* The schemas that the libraries of both languages are written from. */

export type Schema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  required?: string[]
  description?: string
}

/** Types that have a name of their own; wherever one of them travels, the libraries say its name. */
export const NAMED: Record<string, TSchema> = {
  ActionAnswer,
  ActionsInput,
  Attachment,
  Call,
  Contact,
  Location,
  Mention,
  MessagePoll,
  MessageTask,
  ReactionCount,
  StreamState: MessageStream,
  MessageActions,
  MessageStep,
  MessageSource,
  Message,
  EventMessage,
  ContextMessage,
  TopicContext,
  Topic,
  TopicListItem,
  Label,
  Reaction,
  Task,
  Poll,
  PollVote,
  Member,
  OrgUnit,
  Question,
  StorageEntry,
  StoredValue,
  MessageCreated,
  MessageUpdated,
  MessageDeleted,
  ReactionEvent,
  MembersEvent,
  TopicUpdated,
  PollVoteEvent,
  MessageActionEvent,
  QuestionClosedEvent,
  MessageCommandEvent,
  ScheduledMessageFailedEvent,
  Update,
  WebhookEvent,
}

/** Types are recognized by their content, because the contract repeats a type wherever it is used. */
const identity = ({ description: _, ...schema }: Schema): string => JSON.stringify(schema)
const names = new Map(Object.entries(NAMED).map(([name, schema]) => [identity(schema), name]))
export const nameOf = (schema: Schema): string | undefined => names.get(identity(schema))

export const isOptional = (schema: Schema): boolean => (schema.required ?? []).length === 0

/** Operations that a bot can call. */
export const CALLS: readonly Operation[] = OPERATIONS.filter(({ scope }) => scope !== null)
export const EVENT_DATA: [type: string, data: Schema][] = Object.entries(EVENTS).map(([type, { data }]) => [
  type,
  data,
])

/** Codes of all refusals that a bot can get. */
export const ERROR_CODES: readonly string[] = [
  ...new Set<string>([
    ...REHEARSAL_REFUSALS,
    ...Object.entries(openApiDocument('').paths)
      .filter(([path]) => /^\/(v2|oauth)\//.test(path))
      .flatMap(([, methods]) => Object.values(Object(methods)))
      .flatMap((operation): object[] => Object.values(Object(operation).responses))
      .flatMap((response): string[] => Object(response).headers?.['X-Error-Code']?.schema.enum ?? []),
  ]),
].sort()
