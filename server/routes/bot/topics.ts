import { LIMITS } from '../../../contract/limits.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import * as contract from '../../../contract/topics.ts'
import {
  addTopicLabel,
  addTopicMembers,
  createTopicOf,
  removeTopicLabel,
  removeTopicMembers,
  updateTopic,
} from '../../actions/topics/topics.ts'
import type { Caller } from '../../caller.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { storePicture } from '../../files/receive.ts'
import { created, ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import { cursors, cutPage } from '../../http/cursor.ts'
import { presentTopic, presentTopicListItem } from '../../presenters/topics.ts'
import {
  listTopics,
  readTopic,
  readTopicByExternalId,
  type TopicPosition,
  type TopicRow,
} from '../../queries/topics/topics.ts'

export function topicRoutes(api: ConversationApi): void {
  api.reads(contract.listTopics, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor } = query
    const list = cursors<null, TopicPosition>(parley.secrets, caller, 'topics')
    const place = cursor === undefined ? {} : list.read(cursor)
    const { items, last } = cutPage(await listTopics(caller, db, { ...place, limit }), limit)
    return ok({
      topics: items.map((topic) => presentTopicListItem(topic, parley.links.for(caller))),
      ...(last && { nextCursor: list.write({ filters: null, after: [last.created_at, last.id] }) }),
      hasMore: last !== undefined,
    })
  })

  api.reads(contract.readTopic, async ({ caller, db, params, parley }) =>
    ok(presentTopic(found(await readTopic(caller, db, params.topicId)), parley.links.for(caller))),
  )

  api.reads(contract.readTopicByExternalId, async ({ caller, db, params, parley }) =>
    ok(
      presentTopic(
        found(await readTopicByExternalId(caller, db, params.externalId)),
        parley.links.for(caller),
      ),
    ),
  )

  api.writes(
    contract.createTopic,
    async ({ caller, tx, body }) => created(await createBotTopic(tx, caller, body)),
    {
      form: {
        prepare: async ({ caller, files: [cover], parley }) => {
          const stored = await storePicture(parley, caller.orgId, 'cover', cover)
          return { coverId: stored[0]?.id, stored }
        },
        handler: async ({ caller, tx, meta, prepared: { coverId } }) =>
          created(await createBotTopic(tx, caller, meta, coverId)),
      },
    },
  )

  api.writes(contract.updateTopic, async ({ caller, tx, params, body, parley }) => {
    if (body.name === undefined && body.description === undefined)
      throw refusal('fields_missing', { fields: 'name or description' })
    await updateTopic(tx, caller, params.topicId, body)
    return ok(presentTopic(found(await readTopic(caller, tx, params.topicId)), parley.links.for(caller)))
  })

  api.writes(contract.addTopicMembers, async ({ caller, tx, params, body }) =>
    ok(await addTopicMembers(tx, caller, params.topicId, body.memberIds, body.reach)),
  )

  api.writes(contract.removeTopicMembers, async ({ caller, tx, params, body }) =>
    ok(await removeTopicMembers(tx, caller, params.topicId, body.memberIds)),
  )

  api.writes(contract.addTopicLabel, async ({ caller, tx, params, body }) =>
    ok(await addTopicLabel(tx, caller, params.topicId, body.labelId)),
  )

  api.writes(contract.removeTopicLabel, async ({ caller, tx, params }) =>
    ok(await removeTopicLabel(tx, caller, params.topicId, params.labelId)),
  )
}

async function createBotTopic(
  tx: Transaction,
  caller: Caller,
  { name, members, description, externalId }: BodyOf<typeof contract.createTopic>,
  coverFileId?: string,
) {
  const topic = await createTopicOf(tx, caller, { name, members, description, externalId, coverFileId })
  return {
    id: topic.id,
    name,
    members: topic.memberIds,
    ...(externalId !== undefined && {
      externalId: contract.qualifiedExternalId(caller.profileId, externalId),
    }),
    createdAt: topic.createdAt,
  }
}

function found(topic: TopicRow | undefined): TopicRow {
  if (!topic) throw refusal('topic_not_found')
  return topic
}
