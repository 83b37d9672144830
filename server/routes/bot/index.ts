import type { BotApi } from '../../http/bot-api.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { actionRoutes } from './actions.ts'
import { storageRoutes } from './bot-storage.ts'
import { commandRoutes } from './commands.ts'
import { contextRoutes } from './context.ts'
import { directMessageRoutes } from './direct-messages.ts'
import { emojiRoutes } from './emoji.ts'
import { groupRoutes } from './groups.ts'
import { labelRoutes } from './labels.ts'
import { memberRoutes } from './members.ts'
import { messageRoutes } from './messages.ts'
import { orgUnitRoutes } from './org-units.ts'
import { organizationRoutes } from './organizations.ts'
import { pollRoutes } from './polls.ts'
import { presenceRoutes } from './presence.ts'
import { privateAnswerRoutes } from './private-answers.ts'
import { questionRoutes } from './questions.ts'
import { reactionRoutes } from './reactions.ts'
import { scheduledMessageRoutes } from './scheduled-messages.ts'
import { searchRoutes } from './search.ts'
import { streamingRoutes } from './streaming.ts'
import { taskRoutes } from './tasks.ts'
import { topicRoutes } from './topics.ts'
import { updateRoutes } from './updates.ts'
import { usageRoutes } from './usage.ts'

/** Registers the bot API: one line a resource. */
export function botRoutes(bots: BotApi): void {
  organizationRoutes(bots)
  updateRoutes(bots)
  storageRoutes(bots)
  usageRoutes(bots)
  streamingRoutes(bots)
  actionRoutes(bots)
  privateAnswerRoutes(bots)
  questionRoutes(bots)
  commandRoutes(bots)
  presenceRoutes(bots)
  directMessageRoutes(bots)
  conversationRoutes(bots)
}

/** Registers the routes that bots, people and assistants share. */
export function conversationRoutes(api: ConversationApi): void {
  topicRoutes(api)
  labelRoutes(api)
  messageRoutes(api)
  contextRoutes(api)
  scheduledMessageRoutes(api)
  reactionRoutes(api)
  emojiRoutes(api)
  taskRoutes(api)
  pollRoutes(api)
  orgUnitRoutes(api)
  groupRoutes(api)
  memberRoutes(api)
  searchRoutes(api)
}
