import type { ConsoleTopic, TopicMember } from '../../contract/people/topics.ts'

export const presentConsoleTopic = ({
  id,
  name,
  description,
  state,
  open,
  announcement,
  joinedByDefault,
  people,
  bots,
  createdAt,
  updatedAt,
}: ConsoleTopic): ConsoleTopic => ({
  id,
  name,
  description,
  state,
  open,
  announcement,
  joinedByDefault,
  people,
  bots,
  createdAt,
  updatedAt,
})

export const presentTopicMember = ({
  id,
  type,
  name,
  email,
  status,
  joinedAt,
}: TopicMember): TopicMember => ({
  id,
  type,
  name,
  email,
  status,
  joinedAt,
})
