import { qualifiedExternalId, type Topic, type TopicListItem } from '../../contract/topics.ts'
import type { TopicRow } from '../queries/topics.ts'

function common(row: TopicRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    properties: row.announcement ? (['announcement'] as const).slice() : [],
    labels: row.label_id === null ? [] : [row.label_id],
    ...(row.external_id !== null && { externalId: qualifiedExternalId(row.created_by, row.external_id) }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export const presentTopic = (row: TopicRow): Topic => ({ ...common(row), memberIds: row.member_ids })

export const presentTopicListItem = (row: TopicRow): TopicListItem => ({
  ...common(row),
  members: row.member_ids,
})
