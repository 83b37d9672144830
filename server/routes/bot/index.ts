import type { BotApi } from '../../http/bot-api.ts'
import { labelRoutes } from './labels.ts'
import { memberRoutes } from './members.ts'
import { messageRoutes } from './messages.ts'
import { organizationRoutes } from './organizations.ts'
import { reactionRoutes } from './reactions.ts'
import { topicRoutes } from './topics.ts'

/** The bot API: one line a resource. */
export function botRoutes(bots: BotApi): void {
  organizationRoutes(bots)
  topicRoutes(bots)
  labelRoutes(bots)
  messageRoutes(bots)
  reactionRoutes(bots)
  memberRoutes(bots)
}
