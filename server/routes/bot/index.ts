import type { BotApi } from '../../http/bot-api.ts'
import { labelRoutes } from './labels.ts'
import { memberRoutes } from './members.ts'
import { messageRoutes } from './messages.ts'
import { orgUnitRoutes } from './org-units.ts'
import { organizationRoutes } from './organizations.ts'
import { pollRoutes } from './polls.ts'
import { reactionRoutes } from './reactions.ts'
import { taskRoutes } from './tasks.ts'
import { topicRoutes } from './topics.ts'
import { updateRoutes } from './updates.ts'

/** The bot API: one line a resource. */
export function botRoutes(bots: BotApi): void {
  organizationRoutes(bots)
  updateRoutes(bots)
  topicRoutes(bots)
  labelRoutes(bots)
  messageRoutes(bots)
  reactionRoutes(bots)
  taskRoutes(bots)
  pollRoutes(bots)
  memberRoutes(bots)
  orgUnitRoutes(bots)
}
