import { LIMITS } from '../../../contract/limits.ts'
import type { Caller } from '../../caller.ts'
import type { Queryable } from '../../db/database.ts'
import { listMessages, type MessageRow, readVisibleMessage } from './messages.ts'

type Listed = string | MessageRow

/** Messages that may be in a context. Lists have the newest first; plain messages are JSON as in reads. */
export type ContextSource = {
  /** The message to be answered, and the one that began its thread, where it is another one. */
  asked?: MessageRow
  parent?: MessageRow
  threadId: string | undefined
  replies: Listed[]
  before: Listed[]
  /** Whether there are messages before these. */
  hasMore: boolean
}

const FILTERS = { order: 'desc', includeSystem: false, includeReactionUsers: false } as const

/** Messages around one of the topic's, or its newest, sent before `until`; undefined where the topic has no such message. */
export async function readContextMessages(
  caller: Caller,
  db: Queryable,
  topicId: string,
  messageId: string | undefined,
  { until }: { until?: number } = {},
): Promise<ContextSource | undefined> {
  const list = (filters: { threadId?: string }, after?: string) =>
    listMessages(caller, db, topicId, {
      filters: { ...FILTERS, ...filters, before: until },
      ...(after !== undefined && { after }),
      limit: LIMITS.contextMessages,
      forPages: true, // without replies that stay in other threads
    })
  if (messageId === undefined) {
    const { messages, lastId } = await list({})
    return { threadId: undefined, replies: [], before: messages, hasMore: lastId !== undefined }
  }
  const asked = await readVisibleMessage(caller, db, messageId)
  if (asked?.topic_id !== topicId.toLowerCase()) return undefined
  const threadId = asked.parent_id ?? (asked.reply_count > 0 ? asked.id : undefined)
  const isReply = asked.parent_id !== null
  const parent = isReply ? await readVisibleMessage(caller, db, asked.parent_id ?? '') : undefined
  const replies = threadId === undefined ? undefined : await list({ threadId })
  const before = await list({}, threadId ?? asked.id)
  return {
    asked,
    ...(parent && { parent }),
    threadId,
    replies: replies?.messages ?? [],
    before: before.messages,
    hasMore: before.lastId !== undefined || replies?.lastId !== undefined,
  }
}
