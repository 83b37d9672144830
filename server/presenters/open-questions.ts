import type { Question } from '../../contract/questions.ts'
import type { QuestionRow } from '../queries/messages/questions.ts'

export const presentQuestion = (row: QuestionRow): Question => ({
  id: row.id,
  messageId: row.message_id,
  topicId: row.topic_id,
  status: row.status,
  ...(row.element_id !== null && { elementId: row.element_id }),
  ...(row.value !== null && { value: row.value }),
  ...(row.values !== null && { values: row.values }),
  quorum: row.quorum,
  approval: row.approval,
  answers: row.answers.map(({ value, values, ...answer }) => ({
    ...answer,
    ...(value !== null && { value }),
    ...(values !== null && { values }),
  })),
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  ...(row.closed_at !== null && { closedAt: row.closed_at }),
})
