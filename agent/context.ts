import { type Client, type Operations, ParleyError } from '../sdk/index.ts'
import { withNames } from './text.ts'

type Message = Operations['readMessage']['answer']

const MAX_MESSAGES = 50
const MAX_CHARACTERS = 20_000

export type Wanted = {
  topicId: string
  /** The first message of the thread; undefined for a direct message without one. */
  threadId: string | undefined
  /** The message that the agent is given now. */
  before: string
  /** The newest message that the agent knows; undefined where it knows nothing. */
  after: string | undefined
  me: string
}

/**
 * Messages before a message, for an agent that does not know them: all of the thread for a new session, and for an old one
 * those of others since. Undefined where there are none.
 */
export async function earlierTexts(
  parley: Client,
  { topicId, threadId, before, after, me }: Wanted,
): Promise<string | undefined> {
  if (threadId === before) return undefined
  const query = { order: 'desc' as const, limit: MAX_MESSAGES, ...(threadId !== undefined && { threadId }) }
  try {
    const { messages } = await parley.listMessages({ params: { topicId }, query })
    const first =
      threadId === undefined ? [] : [await parley.readMessage({ params: { messageId: threadId } })]
    const told = [...messages, ...first]
      .filter(({ id, parentId }) => id < before && (threadId !== undefined || parentId === undefined))
      .filter(({ id, senderId }) => after === undefined || (id > after && senderId !== me))
      .map((message) => lineOf(message, me))
    const lines: string[] = []
    let characters = 0
    for (const line of told) {
      characters += line.length
      if (characters > MAX_CHARACTERS) break
      lines.unshift(line)
    }
    return lines.length === 0 ? undefined : lines.join('\n')
  } catch (error) {
    if (error instanceof ParleyError && error.status < 429) return undefined // a bot that may not read
    throw error
  }
}

function lineOf({ senderId, senderName, text, mentionDetails }: Message, me: string): string {
  return `${senderId === me ? 'You' : senderName}: ${withNames(text, mentionDetails)}`
}
