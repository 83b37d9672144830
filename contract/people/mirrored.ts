import { Type } from 'typebox'
import { listGroupMembers, listGroups, readGroup } from '../groups.ts'
import { listLabels } from '../labels.ts'
import { LIMITS } from '../limits.ts'
import { listMembers, readMe, readMember } from '../members.ts'
import {
  deleteMessage,
  editMessage,
  listMessages,
  markDelivered,
  markRead,
  readMessage,
  sendMessage,
} from '../messages.ts'
import type { Operation, PeopleOperation, Role } from '../operation.ts'
import { listOrgUnits, readOrgUnit } from '../org-units.ts'
import { castVote, createPoll, retractVote } from '../polls.ts'
import { addReaction, removeReaction } from '../reactions.ts'
import {
  cancelScheduledMessage,
  listScheduledMessages,
  sendScheduledMessage,
  updateScheduledMessage,
} from '../scheduled-messages.ts'
import { search } from '../search.ts'
import { createTask, deleteTask, listTasks, readTask, updateTask } from '../tasks.ts'
import {
  addTopicLabel,
  addTopicMembers,
  listTopics,
  readTopic,
  removeTopicLabel,
  removeTopicMembers,
} from '../topics.ts'
import { CHAT } from './chat.ts'
import { InOrganization } from './common.ts'
import { waitForUpdates } from './waiting.ts'

/** Operations of the bot API that people have too, below the chat of an organization. */
export const MIRRORED: readonly Operation[] = [
  sendMessage,
  readMessage,
  editMessage,
  deleteMessage,
  markDelivered,
  markRead,
  listScheduledMessages,
  updateScheduledMessage,
  cancelScheduledMessage,
  sendScheduledMessage,
  addReaction,
  removeReaction,
  addTopicMembers,
  removeTopicMembers,
  addTopicLabel,
  removeTopicLabel,
  listLabels,
  listTasks,
  readTask,
  createTask,
  updateTask,
  deleteTask,
  createPoll,
  castVote,
  retractVote,
  listOrgUnits,
  readOrgUnit,
  listGroups,
  readGroup,
  listGroupMembers,
  search,
]

/** Operations that guests have, by the chat or by their assistants: in their topics. */
const FOR_GUESTS: ReadonlySet<string> = new Set([
  sendMessage.id,
  readMessage.id,
  editMessage.id,
  deleteMessage.id,
  markDelivered.id,
  markRead.id,
  listScheduledMessages.id,
  updateScheduledMessage.id,
  cancelScheduledMessage.id,
  sendScheduledMessage.id,
  addReaction.id,
  removeReaction.id,
  listLabels.id,
  listTasks.id,
  readTask.id,
  createTask.id,
  updateTask.id,
  deleteTask.id,
  createPoll.id,
  castVote.id,
  retractVote.id,
  search.id,
  waitForUpdates.id,
  // Operations without a mirror, for assistants of guests.
  listTopics.id,
  readTopic.id,
  listMessages.id,
  listMembers.id,
  readMe.id,
  readMember.id,
])

/** Operations on own messages that an organization can allow people for some minutes. */
const END_IN_TIME: ReadonlySet<string> = new Set([editMessage.id, deleteMessage.id])

/** Whether guests have an operation of the bot API too. */
export const isForGuests = ({ id }: Pick<Operation, 'id'>): boolean => FOR_GUESTS.has(id)

type Mirrored = PeopleOperation & { access: Role }

/**
 * Turns a bot operation into the people's one: `/v2/messages` becomes `…/chat/messages`, with the organization in its
 * path.
 */
function mirror(operation: Operation): Mirrored {
  const {
    scope: _scope,
    readPermissionSuffices: _permission,
    isUncounted: _uncounted,
    isCountedApart: _apart,
    countsInBudget: _budget,
    isHeardByBots: _heard,
    refusals = [],
    ...endpoint
  } = operation
  const { organizationId } = InOrganization().properties
  const mayBeForbidden = operation.method !== 'GET'
  return {
    ...endpoint,
    id: `chat${operation.id.charAt(0).toUpperCase()}${operation.id.slice(1)}`,
    path: `${CHAT}/${operation.path.slice('/v2/'.length)}`,
    tag: 'People: chat',
    params: Type.Object({ organizationId, ...Object(operation.params).properties }),
    bodyBytes: operation.bodyBytes ?? LIMITS.jsonBodyBytes,
    refusals: [
      ...refusals,
      ...(mayBeForbidden ? (['forbidden'] as const) : []),
      ...(END_IN_TIME.has(operation.id) ? (['edit_time_over'] as const) : []),
    ],
    access: isForGuests(operation) ? 'guest' : 'member',
  }
}

const BY_ID: ReadonlyMap<string, Mirrored> = new Map(
  MIRRORED.map((operation) => [operation.id, mirror(operation)]),
)
export const MIRRORED_OPERATIONS: readonly PeopleOperation[] = [...BY_ID.values()]

/** The people's variant of a bot operation; undefined if there is none. */
export const mirrorOf = ({ id }: Operation): Mirrored | undefined => BY_ID.get(id)

export const isOfChat = ({ path }: { path: string }): boolean => path.startsWith(`${CHAT}/`)

/** Operations without visible effect, which are safe to repeat. */
const WITHOUT_KEY = new Set(['tellTyping', 'tellActive', 'saveDraft', 'readEverything'])

/** Whether an `Idempotency-Key` counts: in the chat on all that makes something, as in the bot API. */
export const takesKey = ({ method, path, id }: PeopleOperation): boolean =>
  method === 'POST' && isOfChat({ path }) && !WITHOUT_KEY.has(id)
