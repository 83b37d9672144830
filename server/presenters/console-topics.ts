import type { ConsoleTopic, TopicMember } from '../../contract/people/topics.ts'
import type { ConsoleTopicRow, ListedTopicMember } from '../queries/topics/console-topics.ts'

export const presentConsoleTopic = ({
  id,
  name,
  description,
  state,
  open,
  announcement,
  joinedByDefault,
  keepMessagesDays,
  people,
  bots,
  isMember,
  botsStoppedAt,
  createdAt,
  updatedAt,
}: ConsoleTopicRow): ConsoleTopic => ({
  id,
  name,
  description,
  state,
  open,
  announcement,
  joinedByDefault,
  keepMessagesDays,
  people,
  bots,
  isMember,
  ...(botsStoppedAt !== null && { botsStoppedAt }),
  createdAt,
  updatedAt,
})

export const presentTopicMember = ({
  id,
  type,
  name,
  email,
  status,
  photoId,
  joinedAt,
  reach,
}: ListedTopicMember): TopicMember => ({
  id,
  type,
  name,
  email,
  status,
  ...(photoId !== null && { photoId }),
  joinedAt,
  ...(reach !== null && { reach }),
})
