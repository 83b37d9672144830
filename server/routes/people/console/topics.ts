import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/topics.ts'
import {
  addToConsoleTopic,
  removeFromConsoleTopic,
  updateConsoleTopic,
} from '../../../actions/topics/console-topics.ts'
import { readTopicContent } from '../../../actions/topics/topic-content.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { ok } from '../../../http/answers.ts'
import { readListPage } from '../../../http/list-pages.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentConsoleTopic, presentTopicMember } from '../../../presenters/console-topics.ts'
import { presentMessage } from '../../../presenters/messages.ts'
import { namedIn, readNames } from '../../../queries/messages/messages.ts'
import {
  type ConsoleTopicFilters,
  countConsoleTopicMembers,
  countConsoleTopics,
  countInTopic,
  listConsoleTopicMembers,
  listConsoleTopics,
  readConsoleTopic,
} from '../../../queries/topics/console-topics.ts'

export function consoleTopicRoutes(people: PeopleApi): void {
  people.reads(contract.listConsoleTopics, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, search, state, sort = 'name', order = 'asc' } = query
    const filters: ConsoleTopicFilters = { ...(search && { search }), ...(state && { state }), sort, order }
    const { rows, ...page } = await readListPage(
      { secrets: parley.secrets, caller, list: 'console-topics' },
      { cursor, filters, limit },
      {
        read: (...asked) => listConsoleTopics(caller, db, ...asked),
        count: (asked) => countConsoleTopics(caller, db, asked),
      },
    )
    return ok({ topics: rows.map(presentConsoleTopic), ...page })
  })

  people.reads(contract.readConsoleTopic, async ({ caller, db, params }) =>
    ok(await topicOf(caller, db, params.topicId)),
  )

  people.writes(contract.updateConsoleTopic, async ({ caller, tx, params, body, parley }) => {
    await updateConsoleTopic(tx, parley, caller, params.topicId, body)
    return ok(await topicOf(caller, tx, params.topicId))
  })

  people.reads(contract.listConsoleTopicMembers, async ({ caller, db, params, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, search } = query
    const { id: topicId } = await topicOf(caller, db, params.topicId)
    const { rows, ...page } = await readListPage(
      { secrets: parley.secrets, caller, list: `topic-members:${topicId}` },
      { cursor, filters: { topicId, ...(search && { search }) }, limit },
      {
        read: (...asked) => listConsoleTopicMembers(caller, db, ...asked),
        count: (asked) => countConsoleTopicMembers(caller, db, asked),
      },
    )
    return ok({ members: rows.map(presentTopicMember), ...page })
  })

  people.writes(contract.addConsoleTopicMembers, async ({ caller, tx, params, body }) => {
    await addToConsoleTopic(tx, caller, params.topicId, body)
    return ok(await topicOf(caller, tx, params.topicId))
  })

  people.writes(contract.removeConsoleTopicMembers, async ({ caller, tx, params, body }) => {
    await removeFromConsoleTopic(tx, caller, params.topicId, body.memberIds)
    return ok(await topicOf(caller, tx, params.topicId))
  })

  people.reads(contract.exportConsoleTopic, async ({ caller, db, params }) => {
    const topic = await topicOf(caller, db, params.topicId)
    const members = await listConsoleTopicMembers(caller, db, { topicId: topic.id }, undefined, null)
    const counts = await countInTopic(caller, db, topic.id)
    return ok({ topic, members: members.map(presentTopicMember), counts })
  })

  people.writes(contract.readTopicContent, async ({ caller, tx, params, body, parley: { links } }) => {
    const { before, limit = LIMITS.pageDefault } = body
    const { messages, hasBefore } = await readTopicContent(tx, caller, params.topicId, { before, limit })
    const names = await readNames(caller, tx, messages.flatMap(namedIn))
    const parts = { names, now: tx.now(), link: links.for(caller) }
    return ok({ messages: messages.map((row) => presentMessage(row, parts)), hasBefore })
  })
}

async function topicOf(caller: Caller, db: Queryable, topicId: string) {
  const topic = await readConsoleTopic(caller, db, topicId)
  if (!topic) throw refusal('topic_not_found')
  return presentConsoleTopic(topic)
}
