import { qualifiedExternalId, type Topic, type TopicListItem } from '../../contract/topics.ts'
import { type Link, linkTarget } from '../files/links.ts'
import type { TopicRow } from '../queries/topics/topics.ts'
import { attachmentId } from './attachments.ts'

function common(row: TopicRow, link: Link) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    properties: row.announcement ? (['announcement'] as const).slice() : [],
    labels: row.label_id === null ? [] : [row.label_id],
    ...(row.external_id !== null && { externalId: qualifiedExternalId(row.created_by, row.external_id) }),
    ...(row.cover_file_id !== null && {
      coverUrl: link(linkTarget(attachmentId(row.cover_file_id), 'cover.jpg')),
    }),
    ...(row.open && { open: true }),
    ...(row.archived_at !== null && { archivedAt: row.archived_at }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export const presentTopic = (row: TopicRow, link: Link): Topic => ({
  ...common(row, link),
  memberIds: row.member_ids,
})

export const presentTopicListItem = (row: TopicRow, link: Link): TopicListItem => ({
  ...common(row, link),
  members: row.member_ids,
})
