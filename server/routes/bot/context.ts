import * as contract from '../../../contract/context.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Message } from '../../../contract/message.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { Caller } from '../../caller.ts'
import { refusal } from '../../errors.ts'
import { ok } from '../../http/answers.ts'
import type { ConversationApi } from '../../http/conversation-api.ts'
import type { Parley } from '../../parley.ts'
import { presentContext, type Said } from '../../presenters/context.ts'
import { presentMessage } from '../../presenters/messages.ts'
import { readContextMessages } from '../../queries/messages/context.ts'
import {
  type MessageRow,
  namedIn,
  readNames,
  type StoredAttachment,
} from '../../queries/messages/messages.ts'
import { readTopic } from '../../queries/topics/topics.ts'
import { isReadable } from '../../search/documents.ts'
import { readFileTexts } from '../../search/file-texts.ts'

/** Files whose text is read for one context; the message that is to be answered comes first. */
const MAX_FILES = 20

export function contextRoutes(api: ConversationApi): void {
  api.reads(contract.readContext, async ({ caller, params: { topicId }, query, parley }) => {
    parley.botLoops.read(caller)
    return ok(await contextOf(parley, caller, topicId, query))
  })
}

/** The context of a message, or of the end of a topic; `until` leaves out what was sent from then on. */
export async function contextOf(
  parley: Pick<Parley, 'db' | 'clock' | 'links'>,
  caller: Caller,
  topicId: string,
  { message, tokens, until }: QueryOf<typeof contract.readContext> & { until?: number },
) {
  const { db } = parley
  const topic = await readTopic(caller, db, topicId)
  if (!topic) throw refusal('topic_not_found')
  const source = await readContextMessages(caller, db, topicId, message, {
    ...(until !== undefined && { until }),
  })
  if (!source) throw refusal('message_not_found')
  const { asked, parent, threadId, replies, before, hasMore } = source
  const say = await speaker(parley, caller, [asked, parent, ...replies, ...before])
  const isPermitted = caller.scopes?.has('channel:read') ?? true
  const { id, name, description, type } = topic
  return presentContext({
    topic: isPermitted ? { id, name, description, type } : undefined,
    threadId,
    asked: asked && say(asked),
    lists: [parent ? [parent] : [], replies, before].map((list) => list.map(say)),
    hasMore,
    tokens: tokens ?? LIMITS.contextTokensDefault,
  })
}

/** Pairs messages with the text of their files. */
async function speaker(
  { db, clock, links }: Pick<Parley, 'db' | 'clock' | 'links'>,
  caller: Caller,
  messages: readonly (string | MessageRow | undefined)[],
): Promise<(message: string | MessageRow) => Said> {
  const rows = messages.filter((message) => message !== undefined && typeof message !== 'string')
  const names = await readNames(caller, db, rows.flatMap(namedIn))
  const texts = await readFileTexts(db, caller.orgId, rows, MAX_FILES)
  const readable = rows.flatMap(({ attachments }) => (attachments ?? []).filter(isReadable))
  const read = new Set(readable.slice(0, MAX_FILES).map((file) => file.id))
  const parts = { names, now: clock(), link: links.for(caller) }
  const textOf = (file: StoredAttachment): string | undefined =>
    file.transcription?.text ?? texts.get(file.id)
  const isPending = (file: StoredAttachment): boolean =>
    file.transcription?.status === 'Pending' || (read.has(file.id) && !texts.has(file.id))
  return (message) => {
    if (typeof message === 'string') {
      const plain: Message = JSON.parse(message)
      return { message: plain, files: [] }
    }
    const files = (message.attachments ?? []).map((file) => ({
      file,
      text: textOf(file),
      isPending: isPending(file),
    }))
    return { message: presentMessage(message, parts), files }
  }
}
