import type { FetchOptions } from 'chat'
import { type Client, type Operations, ParleyError } from '../../sdk/index.ts'
import { decodeThread } from './threads.ts'

type Read = Operations['readMessage']['answer']
export type Page = { messages: Read[]; nextCursor?: string }

const PAGE = 50
const MAX_PAGE = 100
/** Cursor of the page behind the first message of a thread, which is not among its replies. */
const REPLIES = 'replies'
/** Cursor of the page that has nothing but the first message of a thread. */
const FIRST = 'first'

/** Messages of a thread, or those of a topic that are no replies; the oldest of a page first. */
export async function readPage(parley: Client, threadId: string, options: FetchOptions = {}): Promise<Page> {
  const { topicId, messageId } = decodeThread(threadId)
  const { cursor, direction = 'backward' } = options
  const isForward = direction === 'forward'
  const limit = Math.min(Math.max(options.limit ?? PAGE, 1), MAX_PAGE)
  const order = isForward ? 'asc' : 'desc'

  if (messageId === undefined) {
    const { messages, nextCursor } = await parley.listMessages({
      params: { topicId },
      query: { limit, order, ...(cursor !== undefined && { cursor }) },
    })
    const begun = messages.filter(({ parentId }) => parentId === undefined)
    return { messages: isForward ? begun : begun.reverse(), ...(nextCursor && { nextCursor }) }
  }

  const first = () => readIfThere(parley, topicId, messageId)
  if (cursor === FIRST) return { messages: await first() }
  const beginning = isForward && cursor === undefined ? await first() : []
  if (beginning.length === limit) return { messages: beginning, nextCursor: REPLIES }
  const { messages, nextCursor } = await parley.listMessages({
    params: { topicId },
    query: {
      threadId: messageId,
      limit: limit - beginning.length,
      order,
      ...(cursor !== undefined && cursor !== REPLIES && { cursor }),
    },
  })
  if (isForward) return { messages: [...beginning, ...messages], ...(nextCursor && { nextCursor }) }
  const replies = messages.reverse()
  if (nextCursor) return { messages: replies, nextCursor }
  if (replies.length === limit) return { messages: replies, nextCursor: FIRST }
  return { messages: [...(await first()), ...replies] }
}

/** The message, if it is there and in the topic. */
export async function readIfThere(parley: Client, topicId: string, messageId: string): Promise<Read[]> {
  const read = await orUndefined(parley.readMessage({ params: { messageId } }))
  return read?.topicId === topicId ? [read] : []
}

/** Undefined for what is not there. */
export const orUndefined = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof ParleyError && error.status === 404) return undefined
    throw error
  })
