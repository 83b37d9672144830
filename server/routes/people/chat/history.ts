import { LIMITS } from '../../../../contract/limits.ts'
import type { QueryOf } from '../../../../contract/operation.ts'
import * as contract from '../../../../contract/people/chat.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { json } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { presentPollState } from '../../../presenters/polls.ts'
import { presentChatTask } from '../../../presenters/tasks.ts'
import { type ChatPage, listChatMessages } from '../../../queries/messages/chat-pages.ts'
import {
  isTopicVisible,
  type MessageFilters,
  type MessagePlace,
  readVisibleMessage,
} from '../../../queries/messages/messages.ts'
import { readPollStates } from '../../../queries/work/polls.ts'
import { readTasksById } from '../../../queries/work/tasks.ts'
import { writeMessages } from '../../bot/message-json.ts'

export function historyRoutes(people: PeopleApi): void {
  people.reads(contract.readHistory, async ({ caller, db, params, query, parley }) => {
    const stretch = await readStretch(caller, db, params.topicId, query)
    const { messages, hasBefore, hasAfter } = stretch
    const written = await writeMessages(parley, caller, messages, {
      includeReactionUsers: true,
      forPages: true,
    })
    const cards = await writeCards(parley, caller, db, stretch)
    return json(
      200,
      `{"messages":[${written.join(',')}],"hasBefore":${hasBefore},"hasAfter":${hasAfter},${cards}}`,
    )
  })
}

/**
 * The current polls and tasks of these messages, whose own copies are of the time of sending, and bots' notes about
 * them to this person; and the threads of these messages.
 */
async function writeCards(
  { clock }: Pick<Parley, 'clock'>,
  caller: Caller,
  db: Queryable,
  { messages, notes, threads }: Stretch,
): Promise<string> {
  const details = messages.flatMap((message) => (typeof message === 'string' ? [] : (message.details ?? [])))
  const polls = await readPollStates(
    caller,
    db,
    details.flatMap(({ poll }) => poll?.id ?? []),
  )
  const tasks = await readTasksById(
    caller,
    db,
    details.flatMap(({ task }) => task?.id ?? []),
  )
  const now = clock()
  const shown = polls.map((poll) => presentPollState(poll, now))
  return `"polls":${JSON.stringify(shown)},"tasks":${JSON.stringify(tasks.map(presentChatTask))},"notes":${JSON.stringify(notes)},"threads":${JSON.stringify(threads)}`
}

type Stretch = Omit<ChatPage, 'lastId'> & { hasBefore: boolean; hasAfter: boolean }

/** Messages by age, the oldest first. Each page is a range of one index (`messagePage`), however long the topic is. */
async function readStretch(
  caller: Caller,
  db: Queryable,
  topicId: string,
  {
    before,
    after,
    around,
    threadId: wanted,
    limit = LIMITS.pageDefault,
  }: QueryOf<typeof contract.readHistory>,
): Promise<Stretch> {
  let threadId = wanted
  const named = [before, after, around].filter((id) => id !== undefined)
  if (named.length > 1) throw refusal('fields_conflict', { fields: 'before, after and around' })
  const page = (order: MessageFilters['order'], place: Omit<MessagePlace, 'filters' | 'forPages'>) =>
    listChatMessages(caller, db, topicId, {
      ...place,
      filters: { order, includeSystem: true, includeReactionUsers: true, threadId },
    })

  if (around !== undefined) {
    const message = await readVisibleMessage(caller, db, around)
    if (message?.topic_id !== topicId.toLowerCase()) throw await notThere(caller, db, topicId)
    if (message.thread_only) threadId ??= message.parent_id ?? undefined
    const half = Math.floor(limit / 2)
    const newer = await page('asc', { after: around, isIncluded: true, limit: limit - half })
    const older = half === 0 ? undefined : await page('desc', { after: around, limit: half })
    return {
      messages: [...(older?.messages ?? []).reverse(), ...newer.messages],
      threads: [...(older?.threads ?? []), ...newer.threads],
      notes: [...(older?.notes ?? []), ...newer.notes],
      hasBefore: older?.lastId !== undefined || half === 0,
      hasAfter: newer.lastId !== undefined,
    }
  }

  const isForward = after !== undefined
  const from = before ?? after
  const { messages, lastId, ...beside } = await page(isForward ? 'asc' : 'desc', {
    ...(from !== undefined && { after: from }),
    limit,
  })
  if (messages.length === 0 && !(await isTopicVisible(caller, db, topicId))) throw refusal('topic_not_found')
  const isMore = lastId !== undefined
  return isForward
    ? { messages, ...beside, hasBefore: true, hasAfter: isMore }
    : { messages: messages.reverse(), ...beside, hasBefore: isMore, hasAfter: before !== undefined }
}

async function notThere(caller: Caller, db: Queryable, topicId: string): Promise<Error> {
  return refusal((await isTopicVisible(caller, db, topicId)) ? 'message_not_found' : 'topic_not_found')
}
