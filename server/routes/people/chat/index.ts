import type { PeopleApi } from '../../../http/people-api.ts'
import { actionRoutes } from './actions.ts'
import { cardRoutes } from './cards.ts'
import { commandRoutes } from './commands.ts'
import { directoryRoutes } from './directory.ts'
import { emojiRoutes } from './emoji.ts'
import { groupRoutes } from './groups.ts'
import { guestRoutes } from './guests.ts'
import { historyRoutes } from './history.ts'
import { notificationRoutes } from './notifications.ts'
import { pinRoutes } from './pins.ts'
import { placeRoutes } from './places.ts'
import { previewRoutes } from './previews.ts'
import { profileRoutes } from './profiles.ts'
import { reportingRoutes } from './reports.ts'
import { savedRoutes } from './saved.ts'
import { sectionRoutes } from './sections.ts'
import { sentRoutes } from './sent.ts'
import { startRoutes } from './start.ts'
import { stateRoutes } from './states.ts'
import { streamingRoutes } from './streaming.ts'
import { taskListRoutes } from './tasks.ts'
import { topicRoutes } from './topics.ts'

/** Registers the chat's own operations: one line a subject. */
export function chatRoutes(people: PeopleApi): void {
  startRoutes(people)
  directoryRoutes(people)
  topicRoutes(people)
  groupRoutes(people)
  guestRoutes(people)
  historyRoutes(people)
  sentRoutes(people)
  previewRoutes(people)
  savedRoutes(people)
  reportingRoutes(people)
  emojiRoutes(people)
  stateRoutes(people)
  sectionRoutes(people)
  notificationRoutes(people)
  streamingRoutes(people)
  actionRoutes(people)
  commandRoutes(people)
  pinRoutes(people)
  cardRoutes(people)
  taskListRoutes(people)
  placeRoutes(people)
  profileRoutes(people)
}
