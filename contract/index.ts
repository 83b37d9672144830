import { noteAction } from './actions.ts'
import { deleteStorage, listStorage, readStorage, writeStorage } from './bot-storage.ts'
import { listCommands, setCommands } from './commands.ts'
import { readContext } from './context.ts'
import { listEmoji } from './emoji.ts'
import { listGroupMembers, listGroups, readGroup } from './groups.ts'
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
import { addOrgUnitMembers, listOrgUnits, readOrgUnit, removeOrgUnitMembers } from './org-units.ts'
import { createOrganization } from './organizations.ts'
import { castVote, createPoll, retractVote } from './polls.ts'
import { tellWorking } from './presence.ts'
import { answerPrivately, withdrawPrivateAnswer } from './private-answers.ts'
import { listPrompts, setPrompts } from './prompts.ts'
import { askQuestion, readQuestion, withdrawQuestion } from './questions.ts'
import { addReaction, removeReaction } from './reactions.ts'
import {
  cancelScheduledMessage,
  listScheduledMessages,
  sendScheduledMessage,
  updateScheduledMessage,
} from './scheduled-messages.ts'
import { search } from './search.ts'
import { appendToMessage, finishMessage, setProgress } from './streaming.ts'
import { createTask, deleteTask, listTasks, readTask, updateTask } from './tasks.ts'
import {
  addTopicLabel,
  addTopicMembers,
  createTopic,
  listTopics,
  readTopic,
  readTopicByExternalId,
  removeTopicLabel,
  removeTopicMembers,
  startDirectMessage,
  updateTopic,
} from './topics.ts'
import { readUpdates } from './updates.ts'
import { readUsage, reportUsage } from './usage.ts'

/** Every operation of the bot API, in the order of the reference. */
export const OPERATIONS: readonly Operation[] = [
  createOrganization,
  readUpdates,
  listTopics,
  readTopic,
  readTopicByExternalId,
  createTopic,
  startDirectMessage,
  updateTopic,
  addTopicMembers,
  removeTopicMembers,
  createLabel,
  listLabels,
  addTopicLabel,
  removeTopicLabel,
  sendMessage,
  appendToMessage,
  setProgress,
  finishMessage,
  tellWorking,
  listMessages,
  readMessage,
  readContext,
  editMessage,
  deleteMessage,
  markDelivered,
  markRead,
  listScheduledMessages,
  updateScheduledMessage,
  cancelScheduledMessage,
  sendScheduledMessage,
  noteAction,
  answerPrivately,
  withdrawPrivateAnswer,
  askQuestion,
  readQuestion,
  withdrawQuestion,
  listCommands,
  setCommands,
  listPrompts,
  setPrompts,
  addReaction,
  removeReaction,
  listEmoji,
  listTasks,
  readTask,
  createTask,
  updateTask,
  deleteTask,
  createPoll,
  castVote,
  retractVote,
  listMembers,
  readMe,
  readMember,
  listOrgUnits,
  readOrgUnit,
  addOrgUnitMembers,
  removeOrgUnitMembers,
  listGroups,
  readGroup,
  listGroupMembers,
  search,
  listStorage,
  readStorage,
  writeStorage,
  deleteStorage,
  readUsage,
  reportUsage,
]
