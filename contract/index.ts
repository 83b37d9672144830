import { createLabel, listLabels } from './labels.ts'
import { listMembers, readMe, readMember } from './members.ts'
import {
  deleteMessage,
  editMessage,
  listMessages,
  markDelivered,
  markRead,
  readMessage,
  sendMessage,
} from './messages.ts'
import type { Operation } from './operation.ts'
import { createOrganization } from './organizations.ts'
import { addReaction, removeReaction } from './reactions.ts'
import {
  addTopicLabel,
  addTopicMembers,
  createTopic,
  listTopics,
  readTopic,
  readTopicByExternalId,
  removeTopicLabel,
  removeTopicMembers,
  updateTopic,
} from './topics.ts'

/** Every operation of the bot API, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [
  createOrganization,
  listTopics,
  readTopic,
  readTopicByExternalId,
  createTopic,
  updateTopic,
  addTopicMembers,
  removeTopicMembers,
  createLabel,
  listLabels,
  addTopicLabel,
  removeTopicLabel,
  sendMessage,
  listMessages,
  readMessage,
  editMessage,
  deleteMessage,
  markDelivered,
  markRead,
  addReaction,
  removeReaction,
  listMembers,
  readMe,
  readMember,
]
